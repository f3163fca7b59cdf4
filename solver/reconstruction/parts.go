package reconstruction

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/kernel"
	"github.com/fspca/fspca/internal/subspace"
	"github.com/fspca/fspca/solver"
)

// describe fills in R2 and, if asked for, Columns from A_·S. It returns AW unless q.Told does without it.
func (o *operator) describe(ctx context.Context, support []int, block *mat.SymDense, loadings *mat.Dense, q Question, f *Figures) (z *mat.Dense, err error) {
	p := &parts{o: o, support: support, c: o.factoredRows(support, func(p int) []float64 { return mat.Row(nil, p, block) })}
	p.all = q.Rank > 0 && len(p.c.order) >= q.Rank
	if q.Columns {
		f.Columns = make([]Column, o.d)
	}
	if !(o.scale*q.Told > 0) {
		_, m := loadings.Dims()
		z = mat.NewDense(o.d, m, nil)
	}
	room := kernel.Borrow()
	defer room.Release()
	err = solver.ColumnParts(ctx, o.a, support, func(start int, part *mat.Dense) {
		n, _ := part.Dims()
		if z != nil {
			kernel.Gemm(false, false, 1, kernel.Matrix(part.RawMatrix()), kernel.Matrix(loadings.RawMatrix()), 0, kernel.Matrix(z.RawMatrix()).Slice(start, start+n, 0, z.RawMatrix().Cols))
		}
		explained := p.explained(room, start, part)
		if q.Columns {
			p.describe(f.Columns[start:start+n], explained, start, part)
		}
		for _, v := range explained {
			p.sum += v
		}
	})
	f.R2 = shareOf(p.sum, o.total)
	return z, err
}

// parts describes the columns of A_·S some rows at a time.
type parts struct {
	o       *operator
	support []int
	c       *cholesky
	all     bool    // the support has the rank of A
	sum     float64 // of what is explained
	room    []float64
	inverse []float64 // 1/deviation of the columns in support, 0 where they do not vary
}

// explained returns the variance of the columns from start on that those in support explain by least squares:
// all of it where they have the rank of A.
func (p *parts) explained(room *kernel.Buffer, start int, part *mat.Dense) []float64 {
	n, _ := part.Dims()
	if p.all {
		return p.o.diag[start : start+n]
	}
	y := p.o.arranged(room, p.c, start, part)
	p.c.solve(y)
	if len(p.room) < n {
		p.room = make([]float64, n)
	}
	explained := p.room[:n]
	eachColumn(n, func(i int) { explained[i] = kernel.Dot(y.Row(i), y.Row(i)) })
	return explained
}

// describe fills in what the chosen columns tell of the columns from start on.
func (p *parts) describe(columns []Column, explained []float64, start int, part *mat.Dense) {
	o := p.o
	if p.inverse == nil {
		p.inverse = o.inverseDeviations(p.support)
	}
	eachColumn(len(columns), func(i int) {
		j := start + i
		columns[i] = Column{R2: math.NaN(), Nearest: -1}
		if o.diag[j] == 0 {
			return
		}
		if _, chosen := slices.BinarySearch(p.support, j); chosen {
			columns[i].R2 = 1
			return
		}
		columns[i].R2 = shareOf(explained[i], o.diag[j])
		columns[i].Nearest, columns[i].Correlation = o.nearest(part.RawRowView(i), p.inverse, p.support, j)
	})
}

// nearest returns the column in support with which the correlation of column j is
// strongest, of equals the first, and that; row are its covariances with them, and
// inverse their 1/deviation, 0 where they do not vary.
func (o *operator) nearest(row, inverse []float64, support []int, j int) (int, float64) {
	best := slices.IndexFunc(inverse, func(f float64) bool { return f > 0 })
	if best < 0 {
		return -1, 0
	}
	row = row[:len(inverse)]
	const sign = 1 << 63 // without it, the bits of numbers are ordered as their magnitudes
	raised := func(v float64) uint64 { return math.Float64bits(math.Abs(v) * (1 + subspace.Tie)) }
	high := raised(row[best] * inverse[best])
	for p, f := range inverse {
		if v := row[p] * f; math.Float64bits(v)&^sign > high {
			best, high = p, raised(v)
		}
	}
	return support[best], o.correlation(o.scale*row[best], support[best], j)
}
