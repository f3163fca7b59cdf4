package solver

import (
	"context"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/kernel"
	"github.com/fspca/fspca/internal/lists"
)

// foretold is what exchangeOnce is expected to do after a step of IPU, worked out before that step is done.
// A's leading pairs nearly give AW, and with it the columns of the exchanges. One reading of X then serves
// the step and what the components explain after them. The step and the exchanges do the same in every bit,
// whether this comes true or not.
type foretold struct {
	of       *embedding
	supports [][]int      // those that would be tried
	tried    []*embedding // one for each
	at       rowsAscender // after them
	gained   *embedding   // the one that gains most; nil if none does
	told     float64      // what gained explains of all columns, once the product is made
}

const (
	// foretoldConsidered is the number of columns of which those that may enter are foretold.
	foretoldConsidered = 32

	// foretoldEntering is the number of columns whose covariances with the support are computed together: if
	// another exchange is made than was foretold, it seldom needs more.
	foretoldEntering = 4

	// foretoldColumns is the number of columns of A beside those of the support that are read in the same pass.
	foretoldColumns = 8
)

// foretells reports whether the run is likely to end with a reading of X and exchangeOnce. What the components
// explain would then take another reading. From a copy of a column that of onLowestCopies tells it.
func (t *task) foretells(r *run) bool {
	rows, ok := r.at.(*rowsAscender)
	if !ok || rows.c.route != RouteImplicit || rows.c.n < t.c.k || t.small() || t.c.k > directOrder || t.p.Epsilon != 0 {
		return false
	}
	return r.best != nil && !earlierEqual(t.a.Diag(), r.best.support)
}

// foretell is called before a step. Nothing is foretold of one that is likely to change the support.
func (t *task) foretell(ctx context.Context, r *run) (*foretold, error) {
	if !t.foretells(r) {
		return nil, nil
	}
	e, room := r.best, kernel.Borrow()
	defer room.Release()
	z := t.s.product(e, room)
	scores := proxyOf(z, e.values)
	if !slices.Equal(t.c.top(scores), e.support) {
		return nil, nil
	}
	if proved, err := t.proves(ctx, r); proved || err != nil {
		return nil, err
	}
	promised, at := t.prospects(e, scores, pickedFrom(z), foretoldConsidered, foretoldEntering), r.at.(*rowsAscender)
	at.ahead = promised.foresee(at.c)
	f := &foretold{of: e, supports: promised.supports(), at: *at}
	var err error
	if f.tried, err = embedAll(ctx, &f.at, f.supports, t.m); err != nil {
		return nil, err
	}
	f.gained = e.improvedBy(f.tried)
	return f, nil
}

// likely returns the columns that the exchanges of a support are likely to ask for. A's leading pairs take the
// place of A, of whose columns none is known yet.
func (t *task) likely(ctx context.Context, support []int) []int {
	u := t.s.rows(support)
	scaled := mat.DenseCopyOf(u)
	for p := range support {
		floats.Mul(scaled.RawRowView(p), t.s.values)
	}
	block := kernel.NewMatrix(len(support), len(support))
	kernel.Gemm(false, true, 1, kernel.Matrix(scaled.RawMatrix()), kernel.Matrix(u.RawMatrix()), 0, block)
	kernel.Mirror(block)
	p, err := leadingBlock(ctx, symmetric(block), t.m, nil)
	if err != nil {
		return nil // nothing is foretold
	}
	e := newEmbedding(support, p, symmetric(block))
	room := kernel.Borrow()
	defer room.Release()
	z := t.s.product(e, room)
	promised := t.prospects(e, proxyOf(z, e.values), pickedFrom(z), foretoldConsidered, foretoldColumns)
	return lists.Map(promised.best(foretoldColumns), func(q int) int { return promised.entering[q] })
}

// product is AW, in room: as it is in the rows of the support, and by the pairs that are known in the others.
func (s *spectrum) product(e *embedding, room *kernel.Buffer) *mat.Dense {
	d, r, vectors := s.order(), len(s.values), s.vectors()
	m := len(e.values)
	u, inner := kernel.NewMatrix(len(e.support), r), kernel.NewMatrix(r, m)
	for p, i := range e.support {
		copy(u.Row(p), vectors.RawRowView(i))
	}
	kernel.Gemm(true, false, 1, u, kernel.Matrix(e.vectors.RawMatrix()), 0, inner)
	for j, v := range s.values {
		floats.Scale(v, inner.Row(j))
	}
	z := mat.NewDense(d, m, room.Floats(d*m))
	kernel.Gemm(false, false, 1, kernel.Matrix(vectors.RawMatrix()), inner, 0, kernel.Matrix(z.RawMatrix()))
	for p, i := range e.support {
		floats.MulTo(z.RawRowView(i), e.values, e.vectors.RawRowView(p))
	}
	return z
}

// mulBoth stores AW in the first columns of dst (d×2m) and in the others that of next, in one reading of X.
// The former has the bits that mulRows gives.
func (s *rowsAscender) mulBoth(dst kernel.Matrix, e, next *embedding) {
	m := len(e.values)
	columns := slices.Clone(e.support)
	place := lists.Index(columns)
	for _, j := range lacking(next.support, e.support) { // at the end: sums begin as they do without
		place[j] = len(columns)
		columns = append(columns, j)
	}
	v := kernel.NewMatrix(len(columns), 2*m)
	for p := range e.support {
		copy(v.Row(p), e.vectors.RawRowView(p))
	}
	for p, j := range next.support {
		copy(v.Row(place[j])[m:], next.vectors.RawRowView(p))
	}
	s.c.mulColumns(dst, columns, v)
}
