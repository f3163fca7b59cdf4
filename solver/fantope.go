package solver

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/kernel"
	"github.com/fspca/fspca/internal/subspace"
	"github.com/fspca/fspca/solver/spectral"
)

// addPositivePart adds the semidefinite part of a to dst and returns how many
// pairs to ask for next time. It starts with rank of them.
func addPositivePart(dst, a kernel.Matrix, rank int) (next int, err error) {
	for {
		p, err := spectral.Leading(symmetric(a), min(max(rank, 1), a.Rows))
		if err != nil {
			return rank, err
		}
		n := len(p.Values)
		if n < a.Rows && p.Values[n-1] > 0 {
			rank *= 2
			continue
		}
		weights := p.Values[:0:0]
		for _, v := range p.Values {
			if v <= 0 {
				break
			}
			weights = append(weights, v)
		}
		addOuter(dst, p.Vectors, weights)
		return len(weights) + len(weights)/4 + 2, nil
	}
}

// addOuter adds Σ w_i·v_i·v_iᵀ over the first columns v_i of vectors.
func addOuter(dst kernel.Matrix, vectors *mat.Dense, w []float64) {
	if len(w) == 0 {
		return
	}
	v := kernel.Matrix(vectors.RawMatrix()).Slice(0, dst.Rows, 0, len(w))
	scaled := kernel.NewMatrix(dst.Rows, len(w))
	for i := range dst.Rows {
		row := scaled.Row(i)
		for j, x := range v.Row(i) {
			row[j] = w[j] * x
		}
	}
	kernel.Gemm(false, true, 1, scaled, v, 1, dst)
}

// combine stores s·a + t·b in dst.
func combine(dst kernel.Matrix, s float64, a kernel.Matrix, t float64, b kernel.Matrix) {
	for i := range dst.Rows {
		to, x, y := dst.Row(i), a.Row(i), b.Row(i)
		for j := range to {
			to[j] = s*x[j] + t*y[j]
		}
	}
}

// projectCapped stores in z the point of {0 ≤ z ≤ 1, Σz = k, z_i = 1 for i <
// in} nearest to v: min(1, (v − τ)₊) beyond the first in.
func projectCapped(z, v []float64, in, k int) {
	for i := range in {
		z[i] = 1
	}
	free := slices.Clone(v[in:])
	slices.SortFunc(free, func(a, b float64) int {
		if a > b {
			return -1
		}
		return 1
	})
	if len(free) == 0 {
		return
	}
	tau := math.Inf(1)
	if k > in {
		tau = subspace.FantopeShift(free, k-in)
	}
	for i := in; i < len(v); i++ {
		z[i] = min(1, max(0, v[i]-tau))
	}
}
