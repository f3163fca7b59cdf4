package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/research/synthetic"
	"github.com/fspca/fspca/solver"
	"github.com/fspca/fspca/solver/baseline"
)

// boundRun is one way to solve a problem, and what came of all of them.
type boundRun struct {
	name            string
	p               solver.Params
	excess          float64 // sum of (bound − optimum)/optimum
	proved, optimal int
	sources         map[solver.BoundSource]int
}

func boundRuns() []*boundRun {
	return []*boundRun{
		{name: "go", p: solver.Params{Method: solver.MethodGo}},
		{name: "ipu", p: solver.Params{Effort: solver.EffortIPU}},
		{name: "quick", p: solver.Params{}},
		{name: "quick, bound tight", p: solver.Params{Bound: solver.BoundTight}},
		{name: "quick, 10 SDP iterations", p: solver.Params{SDPIterations: 10}},
		{name: "thorough", p: solver.Params{Effort: solver.EffortThorough}},
		{name: "exact", p: solver.Params{Effort: solver.EffortExact}},
	}
}

// bounds compares bounds with brute force on random small problems of many kinds.
// The bounds are those of every effort, and of the semidefinite relaxation after a
// few iterations.
func bounds(ctx context.Context, w io.Writer, opt *options) error {
	runs := boundRuns()
	for i := range opt.problems {
		rng := rand.New(rand.NewPCG(opt.seed, uint64(i)))
		d := 4 + rng.IntN(6)
		k := 2 + rng.IntN(d-2)
		m := 1 + rng.IntN(k)
		c, err := solver.NewMatrix(randomCovariance(rng, d))
		if err != nil {
			return err
		}
		best, err := baseline.BruteForce(ctx, c, k, m, nil)
		if err != nil {
			return err
		}
		for _, r := range runs {
			if err := r.add(ctx, c, k, m, best.Objective); err != nil {
				return fmt.Errorf("problem %d, %s: %w", i, r.name, err)
			}
		}
	}
	rows := [][]string{cells("run", "bounds below the optimum", "mean (bound − optimum)/optimum", "optimal", "proved", "best bound by")}
	for _, r := range runs {
		rows = append(rows, cells(r.name, 0, r.excess/float64(opt.problems), r.optimal, r.proved, fmt.Sprint(r.sources)))
	}
	table(w, fmt.Sprintf("%d random problems, d from 4 to 9", opt.problems), rows)
	return nil
}

// add solves a problem whose optimum is known. A bound below it, and a proof of
// anything else, is an error.
func (r *boundRun) add(ctx context.Context, c solver.Covariance, k, m int, best float64) error {
	p := r.p
	p.Features, p.Components = k, m
	s, err := solver.Solve(ctx, c, p)
	if err != nil {
		return err
	}
	if err := check(s, best); err != nil {
		return err
	}
	r.excess += s.UpperBound/best - 1
	if s.Proved {
		r.proved++
	}
	if s.Objective >= best*(1-1e-9) {
		r.optimal++
	}
	if r.sources == nil {
		r.sources = map[solver.BoundSource]int{}
	}
	r.sources[s.BoundSource]++
	return nil
}

// randomCovariance returns QΛQᵀ for a random Q and a spectrum that is smooth,
// graded, clustered or low-rank, at a random scale.
func randomCovariance(rng *rand.Rand, d int) *mat.SymDense {
	g, scaled := mat.NewDense(d, d, nil), mat.NewDense(d, d, nil)
	for i := range d {
		for j := range d {
			g.Set(i, j, rng.NormFloat64())
		}
	}
	var qr mat.QR
	qr.Factorize(g)
	qr.QTo(g)
	kind, scale := rng.IntN(4), math.Pow(10, float64(rng.IntN(13)-6))
	for j := range d {
		value := 1.0
		switch kind {
		case 0:
			value = rng.ExpFloat64()
		case 1:
			value = math.Exp(3 * rng.NormFloat64())
		case 2:
			value = float64(1 + rng.IntN(3))
		case 3:
			value = max(0, float64(d/2-j)) + 1e-3*rng.Float64()
		}
		for i := range d {
			scaled.Set(i, j, g.At(i, j)*value*scale)
		}
	}
	var product mat.Dense
	product.Mul(scaled, g.T())
	return synthetic.Symmetric(&product)
}
