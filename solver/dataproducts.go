package solver

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/kernel"
	"github.com/fspca/fspca/internal/lists"
)

// Block returns A_SS, from the columns in support alone.
func (c *Data) Block(ctx context.Context, support []int) (*mat.SymDense, error) {
	if err := checkIndices(c.d, support); err != nil {
		return nil, err
	}
	switch a, err := c.formed(ctx); {
	case err != nil:
		return nil, err
	case a != nil:
		return a.Block(ctx, support)
	}
	return symmetric(c.block(support)), nil
}

func (c *Data) block(support []int) kernel.Matrix {
	b := kernel.NewMatrix(len(support), len(support))
	c.copyBlock(b, support)
	return b
}

func (c *Data) copyBlock(dst kernel.Matrix, support []int) {
	kernel.Cross(dst, c.view(support))
	scaleAll(dst, 1/float64(c.n-1))
}

// cross returns the covariances of the columns in support (not nil) with those
// in others (not nil).
func (c *Data) cross(support, others []int) kernel.Matrix {
	b := kernel.NewMatrix(len(support), len(others))
	kernel.CrossOf(b, c.view(support), c.view(others))
	scaleAll(b, 1/float64(c.n-1))
	return b
}

// Mul stores A·W in dst (both d×c) in one pass over X.
func (c *Data) Mul(ctx context.Context, dst, w *mat.Dense) error {
	out, in, err := operands(c.d, c.d, dst, w)
	if err != nil {
		return err
	}
	switch a, err := c.formed(ctx); {
	case err != nil:
		return err
	case a != nil:
		return a.Mul(ctx, dst, w)
	}
	if c.factor != nil {
		in = scaledRows(in, c.factor)
	}
	p := kernel.NewPass(c.x, c.center, in.Cols)
	defer p.Release()
	c.reads.Add(1)
	if c.columns != nil {
		all := kernel.NewMatrix(c.x.Cols, in.Cols)
		for p, j := range c.columns {
			copy(all.Row(j), in.Row(p))
		}
		in = all
	}
	c.narrowed(out, func(out kernel.Matrix) { p.Fused(out, in) })
	return nil
}

// MulRows stores A·W in dst (d×c) for a W that is v on the rows in support
// and zero elsewhere, in one pass over X.
func (c *Data) MulRows(ctx context.Context, dst *mat.Dense, support []int, v *mat.Dense) error {
	out, in, err := operandsOf(c.d, dst, support, v)
	if err != nil {
		return err
	}
	switch a, err := c.formed(ctx); {
	case err != nil:
		return err
	case a != nil:
		return a.MulRows(ctx, dst, support, v)
	}
	c.mulColumns(out, support, in)
	return nil
}

// mulColumns is MulRows for columns in any order.
func (c *Data) mulColumns(out kernel.Matrix, columns []int, v kernel.Matrix) {
	p := kernel.NewPass(c.x, c.center, v.Cols)
	defer p.Release()
	c.reads.Add(1)
	c.narrowed(out, func(out kernel.Matrix) { p.LeftOf(out, c.view(columns), v) })
}

// narrowed stores in out what left, which stores XᵀT for all columns of X,
// gives for the d columns, as D·XᵀT/(n−1).
func (c *Data) narrowed(out kernel.Matrix, left func(out kernel.Matrix)) {
	if c.columns == nil {
		left(out)
	} else {
		all := kernel.NewMatrix(c.x.Cols, out.Cols)
		left(all)
		for p, j := range c.columns {
			copy(out.Row(p), all.Row(j))
		}
	}
	finishRows(out, c.n, c.factor)
}

// mulTranspose stores D(X − 1μᵀ)ᵀT/(n−1) in out (d×c) for T n×c.
func (c *Data) mulTranspose(out, t kernel.Matrix) {
	p := kernel.NewPass(c.x, c.center, t.Cols)
	defer p.Release()
	c.reads.Add(1)
	c.narrowed(out, func(out kernel.Matrix) { p.Left(out, t) })
}

// Entries returns A itself, formed in the first call.
func (c *Data) Entries(ctx context.Context) (*mat.SymDense, error) {
	if c.d == 0 {
		return nil, errNoColumn
	}
	if c.d > MaxEntriesOrder {
		return nil, fmt.Errorf("order %d: %w", c.d, ErrTooLarge)
	}
	a, err := c.form(ctx)
	if err != nil {
		return nil, err
	}
	return a.a, nil
}

// form returns A as a matrix, which it makes in the first call.
func (c *Data) form(ctx context.Context) (*matrix, error) {
	c.forming.Lock()
	defer c.forming.Unlock()
	if c.entries != nil {
		return c.entries, nil
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	a, err := c.products(ctx)
	if err != nil {
		return nil, err
	}
	scaleAll(a, 1/float64(c.n-1))
	c.entries = &matrix{full: a, a: symmetric(a), diag: c.diag, route: RouteCovariance}
	return c.entries, nil
}

// pieceWork is about the number of multiplications from which A is formed from some
// rows at a time, between which the context may end it: some tenths of a second.
const pieceWork = 1 << 34

// pieceRows returns about how many rows that is, at most n.
func (c *Data) pieceRows() int {
	return int(min(float64(c.n), pieceWork/(float64(c.d)*float64(c.d))+1)) // which an int need not hold
}

// scaledScatter sets a to the scatter matrix, scaled.
func (c *Data) scaledScatter(a kernel.Matrix) {
	a.Copy(*c.scatter)
	if c.factor == nil && c.moments.exponents == nil {
		return
	}
	factors := lists.Make(c.d, func(j int) float64 {
		if c.factor == nil {
			return c.moments.unscaled(j, 1)
		}
		return c.moments.unscaled(j, c.factor[j])
	})
	for i, f := range factors {
		row := a.Row(i)
		for j, g := range factors[:i+1] {
			row[j] = row[j] * f * g // f·g alone may leave the range of float64
		}
	}
	kernel.Mirror(a)
}

// products returns (n−1)·A.
func (c *Data) products(ctx context.Context) (kernel.Matrix, error) {
	a := kernel.NewMatrix(c.d, c.d)
	if c.scatter != nil {
		c.scaledScatter(a)
		return a, nil
	}
	c.reads.Add(1)
	rows := c.pieceRows()
	if c.n <= rows {
		kernel.Cross(a, c.view(nil))
		return a, nil
	}
	for v, from := c.view(nil), 0; from < c.n; from += rows {
		if err := ctx.Err(); err != nil {
			return a, err
		}
		v.X = c.x.Slice(from, min(c.n, from+rows), 0, c.x.Cols)
		kernel.AddCross(a, v)
	}
	kernel.Mirror(a)
	return a, nil
}

// Leading returns the r leading eigenpairs of A by the route that the shape
// of X makes cheapest.
func (c *Data) Leading(ctx context.Context, r int) ([]float64, *mat.Dense, error) {
	return leading(ctx, c, r)
}
