package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/solver"
	"github.com/fspca/fspca/solver/baseline"
)

// bounds holds the bounds of every effort, and of the semidefinite relaxation
// after a few iterations, against brute force on random small problems of many
// kinds.
func bounds(ctx context.Context, w io.Writer, opt *options) error {
	runs := []struct {
		name string
		p    solver.Params
	}{
		{"go", solver.Params{Method: solver.MethodGo}},
		{"ipu", solver.Params{Effort: solver.EffortIPU}},
		{"quick", solver.Params{}},
		{"quick, 10 SDP iterations", solver.Params{SDPIterations: 10}},
		{"thorough", solver.Params{Effort: solver.EffortThorough}},
		{"exact", solver.Params{Effort: solver.EffortExact}},
	}
	sums, proved, optimal := make([]float64, len(runs)), make([]int, len(runs)), make([]int, len(runs))
	sources := make([]map[solver.BoundSource]int, len(runs))
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
		for r := range runs {
			p := runs[r].p
			p.Features, p.Components = k, m
			s, err := solver.Solve(ctx, c, p)
			if err != nil {
				return err
			}
			if err := check(s, best.Objective); err != nil {
				return fmt.Errorf("problem %d, %s: %w", i, runs[r].name, err)
			}
			sums[r] += s.UpperBound/best.Objective - 1
			if s.Proved {
				proved[r]++
			}
			if s.Objective >= best.Objective*(1-1e-9) {
				optimal[r]++
			}
			if sources[r] == nil {
				sources[r] = map[solver.BoundSource]int{}
			}
			sources[r][s.BoundSource]++
		}
	}
	rows := [][]string{cells("run", "bounds below the optimum", "mean (bound − optimum)/optimum", "optimal", "proved", "best bound by")}
	for r, run := range runs {
		rows = append(rows, cells(run.name, 0, sums[r]/float64(opt.problems), optimal[r], proved[r], fmt.Sprint(sources[r])))
	}
	table(w, fmt.Sprintf("%d random problems, d from 4 to 9", opt.problems), rows)
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
	a := mat.NewSymDense(d, nil)
	for i := range d {
		for j := i; j < d; j++ {
			a.SetSym(i, j, (product.At(i, j)+product.At(j, i))/2)
		}
	}
	return a
}
