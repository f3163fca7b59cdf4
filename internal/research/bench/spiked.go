//go:build linux

package main

import (
	"context"
	"io"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/files"
	"github.com/fspca/fspca/internal/parallel"
)

// spiked returns n×d rows of the model that all comparisons run on: 40
// factors of Zipf-like strength, each of which loads on a sparse random set of
// columns, and Gaussian noise; every column has an offset. The same numbers
// whatever the number of threads.
func spiked(n, d int, seed uint64) *mat.Dense {
	const factors = 40
	rng := rand.New(rand.NewPCG(seed, 0))
	loadings := make([]float64, d*factors) // column by column
	for f := range factors {
		strength := 6 / math.Pow(float64(f+1), 0.7)
		members := max(8, d/25)
		for range members {
			loadings[rng.IntN(d)*factors+f] = strength * (0.5 + rng.Float64()) * float64(1-2*rng.IntN(2))
		}
	}
	offset := make([]float64, d)
	for j := range offset {
		offset[j] = 5 * rng.NormFloat64()
	}
	x := mat.NewDense(n, d, nil)
	const block = 256
	parallel.Each(context.Background(), (n+block-1)/block, 0, func(b int) error {
		fillRows(x, b*block, min(n, (b+1)*block), loadings, offset, rand.New(rand.NewPCG(seed, uint64(b+1))))
		return nil
	})
	return x
}

// fillRows draws rows i0:i1. Few loadings are not zero, so that the products
// are taken over those alone.
func fillRows(x *mat.Dense, i0, i1 int, loadings, offset []float64, rng *rand.Rand) {
	const factors = 40
	score := make([]float64, factors)
	for i := i0; i < i1; i++ {
		for f := range score {
			score[f] = rng.NormFloat64()
		}
		row := x.RawRowView(i)
		for j := range row {
			v := offset[j] + rng.NormFloat64()
			for f, l := range loadings[j*factors : (j+1)*factors] {
				if l != 0 {
					v += l * score[f]
				}
			}
			row[j] = v
		}
	}
}

// writeNPY writes x as a .npy file of float64 in C order.
func writeNPY(path string, x *mat.Dense) error {
	f, err := dataset.New(nil, x)
	if err != nil {
		return err
	}
	return files.Write(path, func(w io.Writer) error { return dataset.WriteNPY(w, f) })
}
