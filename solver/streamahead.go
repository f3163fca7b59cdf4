package solver

import (
	"context"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/kernel"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/subspace"
	"github.com/fspca/fspca/solver/spectral"
)

// ahead makes the products for the leading pairs of rows that are read. With the one that is likely to be the
// last come the columns of A that are likely to be asked for next: the pairs so far nearly tell which. If other
// columns are, these take a pass, as they do without it.
type ahead struct {
	*Stream
	m      int
	wanted func(*spectral.Pairs) []int // the columns, ascending; nil for none
	worst  float64                     // the residual of the m pairs after the last product, relative to λ₁
	next   []int                       // what is to come with the next product
	at     *streamAscender             // what has come
}

// reads reports whether products are passes over the rows.
func (c *Stream) reads() bool { return c.formed() == nil && c.products == nil }

// leading returns the r leading eigenpairs.
func (o *ahead) leading(ctx context.Context, r int, settled func(*spectral.Pairs) bool) (*spectral.Pairs, error) {
	return krylov(ctx, o, r, o.settings(func(p *spectral.Pairs) bool {
		if settled(p) {
			return true
		}
		o.look(p)
		return false
	}))
}

// look decides whether the next product is likely to be the last: the residuals fall by as much again.
func (o *ahead) look(p *spectral.Pairs) {
	before := o.worst
	o.worst = maxOf(p.Residuals[:o.m]) / p.Values[0]
	if o.next = nil; before > 0 && o.worst*(o.worst/before) <= settledResidual {
		o.next = o.wanted(p)
	}
}

// Mul stores A·x in dst.
func (o *ahead) Mul(ctx context.Context, dst, x *mat.Dense) error {
	fresh := lacking(o.next, o.at.support)
	if len(fresh) == 0 {
		return o.Stream.Mul(ctx, dst, x)
	}
	out, in, err := operands(o.d, o.d, dst, x)
	if err != nil {
		return err
	}
	found := kernel.NewMatrix(o.d, len(fresh))
	if err := o.mulBeside(ctx, out, in, found, fresh); err != nil {
		return err
	}
	o.at.take(distinct(slices.Concat(o.at.support, fresh)), fresh, found)
	return nil
}

// mulBeside stores A·W in out, and the columns of A that columns lists in beside, in one pass.
func (c *Stream) mulBeside(ctx context.Context, out, w, beside kernel.Matrix, columns []int) error {
	w = c.onRows(w)
	sums, release := newSums(c.width, out.Cols+beside.Cols)
	defer release()
	err := c.split(ctx, func(part int, b *block) error {
		b.passFor(c.center, out.Cols+beside.Cols).AddFusedBeside(sums[part], w, c.view(b.x).view(columns))
		return nil
	})
	if err != nil {
		return err
	}
	sum := sums.total()
	c.finishProduct(out, sum.Slice(0, sum.Rows, 0, out.Cols))
	c.finishProduct(beside, sum.Slice(0, sum.Rows, out.Cols, sum.Cols))
	return nil
}

// foresees reports whether columns of A are read before it is certain that they are needed.
func (t *task) foresees() bool { return t.p.Effort.quick() && !t.small() && t.c.k <= directOrder }

// wanted returns what tells the columns that a fit is likely to ask for once the pairs are known: those of the
// first support and of its exchanges, and then those with the next scores. Nil where others are asked for, or
// where they are many.
func (t *task) wanted(ctx context.Context) func(*spectral.Pairs) []int {
	p := &t.p
	if t.c.k+foretoldColumns > fewColumns || !t.foresees() || p.Method == MethodGo || p.W0 != nil || p.Start == StartRandom || p.Limits.Together() {
		return nil
	}
	return func(pairs *spectral.Pairs) []int {
		now := &task{a: t.a, s: &spectrum{values: pairs.Values, found: pairs.Vectors}, c: t.c, m: t.m, p: t.p}
		scores := now.s.lowRankScores(t.m, p.Epsilon)
		support := t.c.top(scores)
		columns := distinct(slices.Concat(support, now.likely(ctx, support)))
		more := lists.Where(subspace.TopK(scores, min(fewColumns, len(scores))), func(j int) bool { return !slices.Contains(columns, j) })
		return distinct(slices.Concat(columns, more[:min(len(more), fewColumns-len(columns))]))
	}
}
