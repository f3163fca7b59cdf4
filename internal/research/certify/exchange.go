package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/solver"
)

// exchange sets the cost of exchanges beside that of the fit that they
// improve, on rows of many columns.
func exchange(ctx context.Context, w io.Writer, opt *options) error {
	const n, d, k, m = 500, 20000, 100, 10
	x := spikedRows(opt.seed, n, d)
	rows := [][]string{cells("run", "IPU: time, operator included", "exchange: time, spectrum read anew", "ratio", "exchanges", "gain")}
	for run := range 3 {
		begin := time.Now()
		c, err := solver.NewData(x, solver.DataOptions{})
		if err != nil {
			return err
		}
		ipu, err := solver.Solve(ctx, c, solver.Params{Features: k, Components: m, Effort: solver.EffortIPU})
		if err != nil {
			return err
		}
		fit := time.Since(begin)
		begin = time.Now()
		better, err := solver.Exchange(ctx, c, ipu.Support, m, solver.ExchangeParams{})
		if err != nil {
			return err
		}
		took := time.Since(begin)
		rows = append(rows, cells(run+1, fit, took, fmt.Sprintf("%.2f", took.Seconds()/fit.Seconds()), better.Iterations,
			fmt.Sprintf("%.2g %%", 100*(better.Objective/ipu.Objective-1))))
	}
	table(w, fmt.Sprintf("Exchange after IPU, n = %d, d = %d, k = %d, m = %d", n, d, k, m), rows)
	return nil
}

// spikedRows returns rows that 40 sparse factors of falling strength move,
// plus noise.
func spikedRows(seed uint64, n, d int) *mat.Dense {
	const factors = 40
	rng := rand.New(rand.NewPCG(seed, 1))
	x := mat.NewDense(n, d, nil)
	for i := range n {
		row := x.RawRowView(i)
		for j := range row {
			row[j] = rng.NormFloat64()
		}
	}
	for f := range factors {
		columns := rng.Perm(d)[:max(1, d/50)]
		weights := make([]float64, len(columns))
		for q := range weights {
			weights[q] = rng.NormFloat64() * 3 / math.Sqrt(float64(f+1))
		}
		for i := range n {
			z, row := rng.NormFloat64(), x.RawRowView(i)
			for q, j := range columns {
				row[j] += z * weights[q]
			}
		}
	}
	return x
}
