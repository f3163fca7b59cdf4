package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// denseShape is one table of the comparison with the strongest dense PCA.
type denseShape struct {
	n, d, m, k int
	noise      bool // nothing but noise: a flat spectrum
}

var denseShapes = []denseShape{
	{62, 4026, 10, 100, false}, {2000, 500, 10, 100, false}, {500, 20000, 10, 100, false}, {100000, 784, 10, 100, false}, {20000, 5000, 10, 100, false},
	{300, 3000, 10, 100, false}, {5000, 5000, 10, 100, false}, {1000000, 50, 10, 20, false}, {200, 100000, 10, 100, false}, {50000, 300, 10, 100, false},
	{2000, 500, 3, 100, false}, {2000, 500, 30, 100, false}, {2000, 500, 100, 200, false}, {10000, 2000, 100, 300, false},
	{2000, 500, 10, 100, true}, {20000, 2000, 10, 100, true},
}

func (s denseShape) String() string {
	text := fmt.Sprintf("(%d, %d)", s.n, s.d)
	if s.m != components {
		text += fmt.Sprintf(" m=%d", s.m)
	}
	if s.noise {
		text += " noise"
	}
	return text
}

func (s denseShape) file(dir string) string {
	kind := "spiked"
	if s.noise {
		kind = "noise"
	}
	return fmt.Sprintf("%s/%s-%dx%d.npy", dir, kind, s.n, s.d)
}

// make writes the table if it is not there.
func (s denseShape) make(dir string) error {
	path := s.file(dir)
	if _, err := os.Stat(path); err == nil {
		return nil
	}
	fmt.Fprintln(os.Stderr, "making", path)
	if !s.noise {
		return writeNPY(path, spiked(s.n, s.d, 1))
	}
	rng, x := rand.New(rand.NewPCG(1, 9)), mat.NewDense(s.n, s.d, nil)
	for i := range s.n {
		row := x.RawRowView(i)
		for j := range row {
			row[j] = rng.NormFloat64()
		}
	}
	return writeNPY(path, x)
}

// denseWays are the opponents; those that take minutes at a shape, or a matrix of its
// larger side, are left out.
var denseWays = []struct {
	name, way, kind string
	skips           func(s denseShape) bool
}{
	{"covariance + eigh", "covariance_eigh", "f8", func(s denseShape) bool { return s.d > 2500 }},
	{"covariance + eigsh", "covariance_eigsh", "f8", func(s denseShape) bool { return s.d > 5000 }},
	{"Gram + eigsh", "gram_eigsh", "f8", func(s denseShape) bool { return s.n > 5000 }},
	{"randomized", "randomized", "f8", nil},
	{"randomized, float32", "randomized", "f4", nil},
}

// reason says why a shape takes its route.
func (s denseShape) reason(r result) string {
	switch r.Route {
	case "covariance":
		return "d ≤ 448: A is small and decomposed directly"
	case "gram":
		return "n ≤ 560 < d: the n×n matrix is small"
	}
	if r.Passes <= 7 && s.noise || r.Passes <= 4 {
		return "products, then A, which costs less than those that were left"
	}
	return "products: fewer than forming A costs"
}

// dense measures all shapes, or one, and writes benchmark-dense.md.
func dense(ctx context.Context, opt peerOptions) error {
	if err := os.MkdirAll(opt.dir, 0o755); err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# The strongest dense PCA\n\nMade by `make bench-dense`. Machine: %s; two cores read %.0f GB/s from memory.\n\n%s", machine(), bestBandwidth(), denseText)
	b.WriteString("| (n, d) | threads | route, passes | why | fspca, s |")
	for _, w := range denseWays {
		fmt.Fprintf(&b, " %s ÷ |", w.name)
	}
	b.WriteString(" best float64 ÷ |\n|---|---|---|---|---|" + strings.Repeat("---|", len(denseWays)+1) + "\n")
	for _, s := range denseShapes {
		if opt.only != "" && s.String() != opt.only {
			continue
		}
		if err := s.make(opt.dir); err != nil {
			return err
		}
		for _, threads := range []int{1, 2} {
			if opt.threads != 0 && opt.threads != threads {
				continue
			}
			line, err := s.measure(ctx, self, opt, threads)
			if err != nil {
				return err
			}
			fmt.Fprint(os.Stderr, line)
			b.WriteString(line)
		}
	}
	if opt.only != "" || opt.threads != 0 {
		return nil
	}
	return os.WriteFile(filepath.Join(opt.out, "benchmark-dense.md"), []byte(b.String()), 0o644)
}

const denseText = `fspca chooses k columns and fits on them; the others compute m dense components, of the
same numbers in memory. Each cell is the other's median time over fspca's: above 1, fspca is
faster. The tools run in turn, each in a process of its own, and its first fit is not
counted. m = 10 and k = 100 where nothing else is said; "noise" has a flat spectrum. NumPy's
and SciPy's OpenBLAS has as many threads as fspca.

`

// measure runs all tools in turn and returns a row of the table.
func (s denseShape) measure(ctx context.Context, self string, opt peerOptions, threads int) (string, error) {
	repeats := 3
	if s.n*s.d <= 2e6 {
		repeats = 12
	}
	own, all := []float64(nil), make([][]float64, len(denseWays))
	var last result
	for range opt.rounds {
		r, err := once(ctx, []string{self, "fit", s.file(opt.dir), strconv.Itoa(s.m), strconv.Itoa(s.k), strconv.Itoa(repeats)}, threads)
		if err != nil {
			return "", err
		}
		own, last = append(own, r.Seconds[1:]...), r
		for i, w := range denseWays {
			if w.skips != nil && w.skips(s) || s.m >= min(s.n, s.d) {
				continue
			}
			r, err := once(ctx, []string{python, "internal/research/bench/peers/dense.py", s.file(opt.dir), strconv.Itoa(s.m), strconv.Itoa(repeats), w.way, w.kind}, threads)
			if err != nil {
				return "", err
			}
			all[i] = append(all[i], r.Seconds[1:]...)
		}
	}
	line, best := fmt.Sprintf("| %v | %d | %s, %d | %s | %.4f |", s, threads, last.Route, last.Passes, s.reason(last), medianOf(own)), math.Inf(1)
	for i, w := range denseWays {
		if all[i] == nil {
			line += " – |"
			continue
		}
		ratio := medianOf(all[i]) / medianOf(own)
		line += fmt.Sprintf(" %.2f |", ratio)
		if w.kind == "f8" {
			best = min(best, ratio)
		}
	}
	return line + fmt.Sprintf(" **%.2f** |\n", best), nil
}
