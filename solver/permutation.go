package solver

import (
	"context"
	"math/bits"
	"math/rand/v2"
	"sync/atomic"

	"github.com/fspca/fspca/internal/kernel"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/solver/spectral"
)

// permutation gives the leading eigenvalues of the covariance of rows whose
// columns have been permuted, each by itself.
type permutation struct {
	a        *Data   // normalised
	unit     float64 // by which its eigenvalues are to be multiplied
	seed     uint64
	columns  kernel.Matrix   // those of a as rows: what is permuted is contiguous
	permuted kernel.Matrix   // the same
	rows     kernel.Matrix   // permuted again as rows, unless a is formed
	pool     []kernel.Matrix // of each piece of the rows the products of copies of all columns; nil without
	copies   int             // of each column in the pool
}

// Where A is formed for each permutation, that is nearly all of the time: as much as
// the fit itself. Of many permutations of many columns only two or three copies of each
// column are made: one is permuted, and the others are that with the rows of each of
// some pieces of the table permuted among themselves. The products of all copies are
// kept piece by piece, copies² times what forming A takes. A permuted table then takes
// in each piece one of the copies of each column, by chance: it is distributed exactly
// as any table whose columns are permuted, each by itself. Two of them share
// 1/copies² of their products, so that they are not quite independent: over seeds the
// quantile of 50 varies by a quarter more than that of independent ones, with 64 columns
// or 200, about the same mean. Without pieces two copies give 1.5 to 1.8 times the
// variation, and three 1.3 to 1.4 times.
const (
	poolPieces     = 8
	poolOrder      = 64 // the least columns
	poolReplicates = 18 // the least permutations
)

// poolShape returns the number of copies of each of d columns, and of pieces of n rows:
// so many that the pool is no larger than the rows.
func poolShape(n, d int) (copies, pieces int) {
	if pieces = min(poolPieces, n/(4*d)); pieces >= poolPieces/2 {
		return 2, pieces
	}
	return 3, 1
}

func newPermutation(a *Data, seed uint64, replicates int) *permutation {
	b, unit := Normalised(a)
	a = b.(*Data)
	p := &permutation{a: a, unit: unit, seed: seed}
	if a.route == RouteCovariance && a.d >= poolOrder && replicates >= poolReplicates {
		p.makePool()
		return p
	}
	p.columns, p.permuted = kernel.NewMatrix(a.d, a.n), kernel.NewMatrix(a.d, a.n)
	transpose(p.columns, a.x)
	if a.route != RouteCovariance {
		p.rows = kernel.NewMatrix(a.n, a.d)
		return p
	}
	p.prepare(p.columns)
	return p
}

// prepare centres and scales columns that stand as rows.
func (p *permutation) prepare(columns kernel.Matrix) {
	a := p.a
	kernel.Parallel(a.d, func(_, j int) {
		column := columns.Row(j)
		for i := range column {
			if a.center != nil {
				column[i] -= a.center[j]
			}
			if a.factor != nil {
				column[i] *= a.factor[j]
			}
		}
	})
}

// makePool multiplies the copies of the columns with each other.
func (p *permutation) makePool() {
	all, limits := p.copied()
	p.copies, p.pool = all.Rows/p.a.d, make([]kernel.Matrix, len(limits)-1)
	for i := range p.pool {
		p.pool[i] = kernel.NewMatrix(all.Rows, all.Rows)
		kernel.Gram(p.pool[i], kernel.View{X: all.Slice(0, all.Rows, limits[i], limits[i+1])})
		scaleAll(p.pool[i], 1/float64(p.a.n-1))
	}
}

// copied returns the permuted copies of the columns as rows, those of all columns after
// one another, and the limits of the pieces.
func (p *permutation) copied() (all kernel.Matrix, limits []int) {
	n, d := p.a.n, p.a.d
	copies, pieces := poolShape(n, d)
	for i := range pieces + 1 {
		limits = append(limits, n*i/pieces)
	}
	all = kernel.NewMatrix(copies*d, n)
	first := all.Slice(0, d, 0, n)
	transpose(first, p.a.x)
	p.prepare(first)
	kernel.Parallel(d, func(_, j int) {
		shuffle(all.Row(j), p.source(0, j))
		for c := 1; c < copies; c++ {
			column, source := all.Row(c*d+j), p.source(uint64(c), j)
			copy(column, all.Row(j))
			for i := range pieces {
				shuffle(column[limits[i]:limits[i+1]], source)
			}
		}
	})
	return all, limits
}

// source is the chance by which column j of a permutation or copy is permuted.
func (p *permutation) source(index uint64, j int) *rand.PCG {
	return rand.NewPCG(p.seed, index<<32+uint64(j))
}

// chosen returns which copy of each column permutation number index takes in each piece.
func (p *permutation) chosen(index uint64) [][]int {
	rng := rand.New(rand.NewPCG(p.seed, ^index))
	return lists.Make(len(p.pool), func(int) []int {
		return lists.Make(p.a.d, func(j int) int { return rng.IntN(p.copies)*p.a.d + j })
	})
}

// pooled adds to a the covariance of permutation number index.
func (p *permutation) pooled(a kernel.Matrix, index uint64) {
	for piece, at := range p.chosen(index) {
		for i, from := range at {
			row, to := p.pool[piece].Row(from), a.Row(i)
			for j, column := range at {
				to[j] += row[column]
			}
		}
	}
}

// leading returns the r leading eigenvalues of permutation number index. Without a
// pool that of column j depends on seed, index and j alone.
func (p *permutation) leading(ctx context.Context, index uint64, r int) ([]float64, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if p.pool != nil {
		a := kernel.NewMatrix(p.a.d, p.a.d)
		p.pooled(a, index)
		values, err := spectral.Values(symmetric(a), r)
		return times(values, p.unit), err
	}
	kernel.Parallel(p.a.d, func(_, j int) {
		column := p.permuted.Row(j)
		copy(column, p.columns.Row(j))
		shuffle(column, p.source(index, j))
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
