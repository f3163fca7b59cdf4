package reconstruction

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/kernel"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/subspace"
	"github.com/fspca/fspca/solver"
)

// describe fills in R2 and, if asked for, Columns from A_·S. It returns AW unless q.Told does without it.
func (o *operator) describe(ctx context.Context, support []int, block *mat.SymDense, loadings *mat.Dense, q Question, f *Figures) (z *mat.Dense, err error) {
	raw := block.RawSymmetric()
	p := &parts{o: o, support: support, c: o.factoredBlock(kernel.Matrix{Rows: raw.N, Cols: raw.N, Stride: raw.Stride, Data: raw.Data}, support)}
	if p.explained = o.diag; !(q.Rank > 0 && len(p.c.order) >= q.Rank) {
		p.explained, p.solves = make([]float64, o.d), true
	}
	if q.Columns {
		f.Columns, p.inverse, p.chosen = make([]Column, o.d), o.inverseDeviations(support), lists.Marks(o.d, support)
	}
	if !(o.scale*q.Told > 0) {
		_, m := loadings.Dims()
		z = mat.NewDense(o.d, m, nil)
	}
	err = solver.ColumnParts(ctx, o.a, support, func(start int, part *mat.Dense) {
		n, _ := part.Dims()
		if z != nil {
			kernel.Gemm(false, false, 1, kernel.Matrix(part.RawMatrix()), kernel.Matrix(loadings.RawMatrix()), 0, kernel.Matrix(z.RawMatrix()).Slice(start, start+n, 0, z.RawMatrix().Cols))
		}
		if p.solves {
			p.explain(start, part)
		}
		if q.Columns {
			p.describe(f.Columns[start:start+n], start, part)
		}
	})
	f.R2 = shareOf(lists.Sum(p.explained), o.total)
	return z, err
}

// parts describes the columns of A_·S some rows at a time, several parts at once.
type parts struct {
	o         *operator
	support   []int
	c         *cholesky
	explained []float64 // the variance of each column that those in support explain by least squares
	solves    bool      // it is not all of it: the support lacks the rank of A
	chosen    []bool    // of all columns
	inverse   []float64 // 1/deviation of the columns in support, 0 where they do not vary
}

// explain fills in what is explained of the columns from start on.
func (p *parts) explain(start int, part *mat.Dense) {
	n, _ := part.Dims()
	room := kernel.Borrow()
	defer room.Release()
	y := p.o.arranged(room, p.c, start, part)
	p.c.solve(y)
	eachColumn(n, func(i int) { p.explained[start+i] = kernel.Dot(y.Row(i), y.Row(i)) })
}

// describe fills in what the chosen columns tell of the columns from start on.
func (p *parts) describe(columns []Column, start int, part *mat.Dense) {
	o := p.o
	eachColumn(len(columns), func(i int) {
		j := start + i
		columns[i] = Column{R2: math.NaN(), Nearest: -1}
		if o.diag[j] == 0 {
			return
		}
		if p.chosen[j] {
			columns[i].R2 = 1
			return
		}
		columns[i].R2 = shareOf(p.explained[j], o.diag[j])
		if s, v := nearest(part.RawRowView(i), p.inverse); s >= 0 {
			columns[i].Nearest, columns[i].Correlation = p.support[s], o.scale*v
		}
	})
	for i := range columns {
		if c := &columns[i]; c.Nearest >= 0 {
			c.Correlation = o.correlation(c.Correlation, c.Nearest, start+i)
		}
	}
}

// nearest returns the place of the chosen column with which the correlation of a column is strongest, of equals the
// first, and their covariance; row are its covariances with the chosen ones, and inverse their 1/deviation, 0 where
// they do not vary. It returns −1 if none does.
func nearest(row, inverse []float64) (int, float64) {
	p := kernel.Foremost(row, inverse, 1/(1+subspace.Tie))
	if inverse[p] == 0 { // all are 0
		return slices.IndexFunc(inverse, func(f float64) bool { return f > 0 }), 0
	}
	return p, row[p]
}
