//go:build linux

package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"

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
	return fmt.Sprintf("%s/%s-%dx%d.npy", dir, s.kind(), s.n, s.d)
}

func (s denseShape) kind() string {
	if s.noise {
		return "noise"
	}
	return "spiked"
}

// make writes the table if it is not there.
func (s denseShape) make(dir string) error {
	path := s.file(dir)
	return unlessThere(path, func() error {
		if s.noise {
			return writeNPY(path, noise(s.n, s.d, rand.NewPCG(1, 9)))
		}
		return writeNPY(path, spiked(s.n, s.d, 1))
	})
}

// noise returns independent Gaussian numbers.
func noise(n, d int, source rand.Source) *mat.Dense {
	rng, x := rand.New(source), mat.NewDense(n, d, nil)
	for i := range x.RawMatrix().Data {
		x.RawMatrix().Data[i] = rng.NormFloat64()
	}
	return x
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

// dense measures all shapes, or one, on one thread and on two, or on one of these
// numbers. It writes benchmark-dense.md once every row has been measured.
func dense(ctx context.Context, opt options) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	for _, s := range wanted(opt, denseShapes, denseShape.String) {
		if err := s.make(opt.dir); err != nil {
			return err
		}
		for _, threads := range opt.threadsWanted() {
			row, err := s.measure(ctx, self, opt, threads)
			if err != nil {
				return err
			}
			fmt.Fprint(os.Stderr, row.Line)
			if err := keep(s.kept(opt.dir, threads), row); err != nil {
				return err
			}
		}
	}
	return writeDense(opt)
}

// denseRow is a row of the table.
type denseRow struct {
	Line  string
	Last  result  // of the paper's fit
	Best  float64 // the best float64 over the paper's fit
	Usual float64 // and over the default
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
func (s denseShape) measure(ctx context.Context, self string, opt options, threads int) (*denseRow, error) {
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
		if row.Last, err = own.add(ctx, append(slices.Clone(fit), paper), threads); err != nil {
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
	row.fill(s, medianOf(own.seconds), medianOf(usual.seconds), all)
	return row, nil
}

// fill writes the line.
func (row *denseRow) fill(s denseShape, own, usual float64, all []timed) {
	exact, best := 0.0, math.Inf(1)
	for _, t := range all {
		exact = max(exact, t.explains)
	}
	row.Line = fmt.Sprintf("| %v | %.4f | %.4f |", s, own, usual)
	for i, w := range denseWays {
		t := medianOf(all[i].seconds)
		switch {
		case all[i].seconds == nil:
			row.Line += " – |"
		case all[i].explains < 0.999*exact:
			row.Line += fmt.Sprintf(" (%.2f) |", t/own)
		default:
			row.Line += fmt.Sprintf(" %.2f |", t/own)
			if w.kind == "f8" {
				best = min(best, t)
			}
		}
	}
	row.Best, row.Usual = best/own, best/usual
	row.Line += fmt.Sprintf(" **%.2f** | %.2f |\n", row.Best, row.Usual)
}
