package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
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
	b.WriteString("| (n, d) | threads | paper's fit, s | default, s |")
	for _, w := range denseWays {
		fmt.Fprintf(&b, " %s ÷ |", w.name)
	}
	b.WriteString(" best float64 ÷ paper's fit | ÷ default |\n|---|---|---|---|" + strings.Repeat("---|", len(denseWays)+2) + "\n")
	why := "\n| (n, d) | route | passes over X | why |\n|---|---|---|---|\n"
	var ratios []float64
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
			row, err := s.measure(ctx, self, opt, threads)
			if err != nil {
				return err
			}
			fmt.Fprint(os.Stderr, row.line)
			b.WriteString(row.line)
			ratios = append(ratios, row.best)
			if threads == 1 || opt.threads != 0 {
				why += fmt.Sprintf("| %v | %s | %d | %s |\n", s, row.last.Route, row.last.Passes, row.last.Reason)
			}
		}
	}
	one, half := reached(ratios, 1), reached(ratios, 1.5)
	fmt.Fprintf(&b, "\nOf %d rows the paper's fit is at least as fast as the best in %d, and 1.5 times as fast in %d.\n", len(ratios), one, half)
	b.WriteString(why)
	if opt.only != "" {
		return nil
	}
	return os.WriteFile(filepath.Join(opt.out, "benchmark-dense.md"), []byte(b.String()), 0o644)
}

const denseText = `fspca chooses k columns and fits on them; the others compute m dense components, of the
same numbers in memory. The paper's fit is what they do for k columns: the components, the
choice by Algorithm 2, and its components, without a bound (--effort ipu --bound none). The default
also tries a few exchanges and proves an upper bound, which no other does.

Each cell is the other's median time over that of the paper's fit: above 1, fspca is faster.
The last two columns are the best float64 one over the paper's fit and over the default. One
whose components explain less than 99.9 % of what the exact ones do is in brackets and does
not count as the best: four power iterations are too few for a flat spectrum. The tools run
in turn, each in a process of its own, and its first fit is not counted. Times on one thread
are seconds of the processor, which other work on the machine hardly changes; on two they
are those of the clock. m = 10 and k = 100
where nothing else is said; "noise" has a flat spectrum. NumPy's and SciPy's OpenBLAS has as
many threads as fspca.

`

// denseRow is a row of the table.
type denseRow struct {
	line string
	last result  // of the paper's fit
	best float64 // the best float64 over the paper's fit
}

// reached counts the ratios from least on.
func reached(ratios []float64, least float64) (count int) {
	for _, r := range ratios {
		if r >= least {
			count++
		}
	}
	return count
}

// timed is the times of a tool's fits, and what the last explained.
type timed struct {
	seconds  []float64
	explains float64
}

func (t *timed) add(ctx context.Context, args []string, threads int) (result, error) {
	r, err := once(ctx, args, threads)
	if err == nil {
		seconds := r.Seconds
		if threads == 1 {
			seconds = r.CPU
		}
		t.seconds, t.explains = append(t.seconds, seconds[1:]...), r.Objective
	}
	return r, err
}

// measure runs all tools in turn and returns a row of the table.
func (s denseShape) measure(ctx context.Context, self string, opt peerOptions, threads int) (*denseRow, error) {
	repeats := 3
	if s.n*s.d <= 2e6 {
		repeats = 12
	}
	var own, usual timed
	all := make([]timed, len(denseWays))
	row := new(denseRow)
	fit := []string{self, "fit", s.file(opt.dir), strconv.Itoa(s.m), strconv.Itoa(s.k), strconv.Itoa(repeats)}
	for range opt.rounds {
		var err error
		if row.last, err = own.add(ctx, append(slices.Clone(fit), paper), threads); err != nil {
			return nil, err
		}
		if _, err := usual.add(ctx, fit, threads); err != nil {
			return nil, err
		}
		for i, w := range denseWays {
			if w.skips != nil && w.skips(s) || s.m >= min(s.n, s.d) {
				continue
			}
			if _, err := all[i].add(ctx, []string{python, "internal/research/bench/peers/dense.py", s.file(opt.dir), strconv.Itoa(s.m), strconv.Itoa(repeats), w.way, w.kind}, threads); err != nil {
				return nil, err
			}
		}
	}
	row.fill(s, threads, medianOf(own.seconds), medianOf(usual.seconds), all)
	return row, nil
}

// fill writes the line.
func (row *denseRow) fill(s denseShape, threads int, own, usual float64, all []timed) {
	exact, best := 0.0, math.Inf(1)
	for _, t := range all {
		exact = max(exact, t.explains)
	}
	row.line = fmt.Sprintf("| %v | %d | %.4f | %.4f |", s, threads, own, usual)
	for i, w := range denseWays {
		t := medianOf(all[i].seconds)
		switch {
		case all[i].seconds == nil:
			row.line += " – |"
		case all[i].explains < 0.999*exact:
			row.line += fmt.Sprintf(" (%.2f) |", t/own)
		default:
			row.line += fmt.Sprintf(" %.2f |", t/own)
			if w.kind == "f8" {
				best = min(best, t)
			}
		}
	}
	row.best = best / own
	row.line += fmt.Sprintf(" **%.2f** | %.2f |\n", row.best, best/usual)
}
