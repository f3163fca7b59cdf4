package solver

import (
	"context"
	"math/bits"
	"math/rand/v2"
	"sync/atomic"

	"github.com/fspca/fspca/internal/kernel"
	"github.com/fspca/fspca/solver/spectral"
)

// permutation gives the leading eigenvalues of the covariance of rows whose
// columns have been permuted, each by itself.
type permutation struct {
	a        *Data   // normalised
	unit     float64 // by which its eigenvalues are to be multiplied
	seed     uint64
	columns  kernel.Matrix // those of a as rows: what is permuted is contiguous
	permuted kernel.Matrix // the same
	rows     kernel.Matrix // permuted again as rows, unless a is formed
}

func newPermutation(a *Data, seed uint64) *permutation {
	b, unit := Normalised(a)
	a = b.(*Data)
	p := &permutation{a: a, unit: unit, seed: seed, columns: kernel.NewMatrix(a.d, a.n), permuted: kernel.NewMatrix(a.d, a.n)}
	transpose(p.columns, a.x)
	if a.route != RouteCovariance {
		p.rows = kernel.NewMatrix(a.n, a.d)
		return p
	}
	kernel.Parallel(a.d, func(_, j int) {
		column := p.columns.Row(j)
		for i := range column {
			if a.center != nil {
				column[i] -= a.center[j]
			}
			if a.factor != nil {
				column[i] *= a.factor[j]
			}
		}
	})
	return p
}

// leading returns the r leading eigenvalues of permutation number index. That of
// column j depends on seed, index and j alone.
func (p *permutation) leading(ctx context.Context, index uint64, r int) ([]float64, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	kernel.Parallel(p.a.d, func(_, j int) {
		column := p.permuted.Row(j)
		copy(column, p.columns.Row(j))
		shuffle(column, rand.NewPCG(p.seed, index<<32+uint64(j)))
	})
	if p.a.route != RouteCovariance {
		transpose(p.rows, p.permuted)
		c := &Data{rows: p.a.rows, route: p.a.route} // the moments stay
		c.x, c.reads = p.rows, new(atomic.Int64)
		values, _, err := c.Leading(ctx, r)
		return times(values, p.unit), err
	}
	a := kernel.NewMatrix(p.a.d, p.a.d)
	kernel.Gram(a, kernel.View{X: p.permuted})
	scaleAll(a, 1/float64(p.a.n-1))
	values, err := spectral.Values(symmetric(a), r) // d ≤ covarianceOrder
	return times(values, p.unit), err
}

// transpose stores srcᵀ in dst.
func transpose(dst, src kernel.Matrix) {
	const tile = 16
	kernel.Parallel((src.Rows+tile-1)/tile, func(_, part int) {
		i0, i1 := part*tile, min(src.Rows, (part+1)*tile)
		for j0 := 0; j0 < src.Cols; j0 += tile {
			for j := j0; j < min(src.Cols, j0+tile); j++ {
				to := dst.Row(j)[i0:i1]
				for i := range to {
					to[i] = src.Data[(i0+i)*src.Stride+j]
				}
			}
		}
	})
}

// shuffle permutes v as rand.Rand.Shuffle does, without a call for each number.
func shuffle(v []float64, source *rand.PCG) {
	for i := len(v) - 1; i > 0; i-- {
		n, x := uint64(i+1), source.Uint64()
		j := x & (n - 1)
		if n&(n-1) != 0 {
			var low uint64
			if j, low = bits.Mul64(x, n); low < n {
				for least := -n % n; low < least; {
					j, low = bits.Mul64(source.Uint64(), n)
				}
			}
		}
		v[i], v[j] = v[j], v[i]
	}
}
