package solver

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/kernel"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/param"
	"github.com/fspca/fspca/internal/subspace"
)

// squareColumns is the number of columns of A that ColumnSquares holds at a
// time where it has to form them.
const squareColumns = 64

// Explicit returns the same covariance with A formed as a matrix, if A is no
// larger than the rows or has at most 1000 columns. Otherwise it returns a
// itself. Use it before many products with A.
func Explicit(a Covariance) Covariance { return explicit(a) }

// ColumnSquares returns, for each column of scale·A, the sum of the squares of
// its entries over the rows that targets marks. Nil targets mean all rows; the
// result then is the diagonal of (scale·A)². Scale is a power of two that keeps
// the squares in range.
//
// Cost: O(d²) if A is stored; O(n²d) from n < d dense rows; otherwise a product
// of A with all unit vectors, some at a time, without a d×d matrix.
func ColumnSquares(ctx context.Context, a Covariance, scale float64, targets []bool) ([]float64, error) {
	d := subspace.Order(a)
	if err := param.Sizes(1, 1, d); err != nil {
		return nil, err
	}
	if targets != nil && len(targets) != d {
		return nil, fmt.Errorf("there are %d targets for d = %d columns", len(targets), d)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	switch m, err := atHand(ctx, a); {
	case err != nil:
		return nil, err
	case m != nil:
		return squaresOf(m.full, scale, targets), nil
	}
	if c, ok := a.(*Data); ok && c.n < c.d {
		return c.squaresByGram(ctx, scale, targets)
	}
	return squaresByColumns(ctx, a, scale, targets)
}

// atHand returns A as a matrix where it is worked with as one, else nil.
func atHand(ctx context.Context, a Covariance) (*matrix, error) {
	switch c := a.(type) {
	case *matrix:
		return c, nil
	case *Data:
		return c.formed(ctx)
	case *Sparse:
		return c.formed(ctx)
	case *Stream:
		return c.formed(), nil
	}
	return nil, nil
}

// squaresOf is ColumnSquares for a matrix with both triangles.
func squaresOf(full kernel.Matrix, scale float64, targets []bool) []float64 {
	squares := make([]float64, full.Cols)
	for i := range full.Rows {
		if targets == nil || targets[i] {
			addSquares(squares, full.Row(i), scale)
		}
	}
	return squares
}

// addSquares adds the squares of scale·row.
func addSquares(squares, row []float64, scale float64) {
	for j, v := range row {
		v *= scale
		squares[j] += v * v
	}
}

// squaresByColumns forms some columns of A at a time.
func squaresByColumns(ctx context.Context, a Covariance, scale float64, targets []bool) ([]float64, error) {
	d := a.Order()
	squares := make([]float64, d)
	for start := 0; start < d; start += squareColumns {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		support := make([]int, min(squareColumns, d-start))
		for p := range support {
			support[p] = start + p
		}
		columns, err := Columns(ctx, a, support)
		if err != nil {
			return nil, err
		}
		for i := range d {
			if targets == nil || targets[i] {
				addSquares(squares[start:start+len(support)], columns.RawRowView(i), scale)
			}
		}
	}
	return squares, nil
}

// Columns returns A_·S (d×|S|) for the indices in support, ascending.
func Columns(ctx context.Context, a Covariance, support []int) (*mat.Dense, error) {
	d := subspace.Order(a)
	if err := checkIndices(d, support); err != nil {
		return nil, err
	}
	columns := mat.NewDense(d, len(support), nil)
	return columns, CopyColumns(ctx, columns, a, support)
}

// CopyColumns is Columns into dst (d×|S|).
func CopyColumns(ctx context.Context, dst *mat.Dense, a Covariance, support []int) error {
	d, c := subspace.Order(a), len(support)
	if err := checkIndices(d, support); err != nil {
		return err
	}
	if dst == nil {
		return fmt.Errorf("%d columns of a covariance of order %d need a matrix to hold them", c, d)
	}
	out := kernel.Matrix(dst.RawMatrix())
	if out.Rows != d || out.Cols != c {
		return fmt.Errorf("%d columns of a covariance of order %d: got a %d×%d matrix to hold them, want %d×%d", c, d, out.Rows, out.Cols, d, c)
	}
	switch m, err := atHand(ctx, a); {
	case err != nil:
		return err
	case m != nil:
		for i := range d {
			from, to := m.full.Row(i), out.Row(i)
			for p, j := range support {
				to[p] = from[j]
			}
		}
		return ctx.Err()
	}
	if rows, ok := a.(*Data); ok {
		kernel.CrossOf(out, rows.view(nil), rows.view(support))
		scaleAll(out, 1/float64(rows.n-1))
		return ctx.Err()
	}
	if s, ok := a.(*Stream); ok {
		return s.columnsOf(ctx, out, support)
	}
	return a.MulRows(ctx, dst, support, mat.NewDense(c, c, unitMatrix(c).Data))
}

// CopyBlock copies A_SS to dst (|S|×|S|) for the indices in support, ascending: where A is not at hand as a
// matrix, of dense rows without memory of its own.
func CopyBlock(ctx context.Context, dst *mat.SymDense, a Covariance, support []int) error {
	if err := checkIndices(subspace.Order(a), support); err != nil {
		return err
	}
	if dst == nil || dst.SymmetricDim() != len(support) {
		return fmt.Errorf("the block of %d columns of a covariance needs a matrix of that order to hold it", len(support))
	}
	if rows, ok := a.(*Data); ok {
		if m, err := rows.formed(ctx); err != nil || m == nil {
			raw := dst.RawSymmetric()
			rows.copyBlock(kernel.Matrix{Rows: raw.N, Cols: raw.N, Stride: raw.Stride, Data: raw.Data}, support)
			return cmp.Or(err, ctx.Err())
		}
	}
	block, err := a.Block(ctx, support)
	if err == nil {
		dst.CopySym(block)
	}
	return err
}

// partRows is how many rows of A_·S ColumnParts hands over at a time. Where X has up to partsAtOnce rows it is
// fewRows, which are in the cache when they are taken.
const (
	partRows    = 8 << 10
	fewRows     = 384
	partsAtOnce = 512
)

// ColumnParts hands A_·S (d×|S|) to take in parts: some rows, from row start on, in any order, and several parts
// at once. They are take's only until it returns: of a wide table parts are all that is held, where A itself is not.
func ColumnParts(ctx context.Context, a Covariance, support []int, take func(start int, part *mat.Dense)) error {
	if err := checkIndices(subspace.Order(a), support); err != nil {
		return err
	}
	if take == nil {
		return errors.New("there is no function that takes the columns")
	}
	if rows, ok := a.(*Data); ok {
		switch a, err := rows.formed(ctx); {
		case err != nil:
			return err
		case a == nil:
			return rows.columnParts(ctx, support, take)
		}
	}
	memory := kernel.Borrow()
	defer memory.Release()
	d, c := a.Order(), len(support)
	all := mat.NewDense(d, c, memory.Floats(d*c))
	if err := CopyColumns(ctx, all, a, support); err != nil {
		return err
	}
	for start := 0; start < d; start += partRows {
		take(start, all.Slice(start, min(d, start+partRows), 0, c).(*mat.Dense))
	}
	return nil
}

// columnParts is ColumnParts of rows as they are.
func (c *Data) columnParts(ctx context.Context, support []int, take func(start int, part *mat.Dense)) error {
	memory := kernel.Borrow()
	defer memory.Release()
	chosen, size, f := c.view(support), partRows, 1/float64(c.n-1)
	if c.n <= partsAtOnce {
		size = fewRows
		xs := memory.Matrix(c.n, len(support))
		kernel.Gather(xs, chosen)
		scaleAll(xs, f)
		chosen = kernel.View{X: xs}
	}
	count := (c.d + size - 1) / size
	part := func(_, task int) {
		if ctx.Err() != nil {
			return
		}
		if size == fewRows {
			defer kernel.Share(kernel.Workers(count))()
		}
		room := kernel.Borrow()
		defer room.Release()
		start := task * size
		end := min(c.d, start+size)
		products := room.Matrix(end-start, len(support))
		kernel.CrossOf(products, c.viewOf(start, end), chosen)
		if size == partRows {
			scaleAll(products, f)
		}
		take(start, mat.NewDense(end-start, len(support), products.Data))
	}
	if size == fewRows {
		kernel.Parallel(count, part)
	} else {
		for task := range count {
			part(0, task)
		}
	}
	return ctx.Err()
}

// squaresByGram uses (A²)_jj = x_jᵀ(X_T·X_Tᵀ)x_j/(n−1)², X_T the columns of
// the targets.
func (c *Data) squaresByGram(ctx context.Context, scale float64, targets []bool) ([]float64, error) {
	g := c.scaledGram(scale, targets)
	squares := make([]float64, c.d)
	for start := 0; start < c.d; start += squareColumns {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		support := make([]int, min(squareColumns, c.d-start))
		for p := range support {
			support[p] = start + p
		}
		x, y := kernel.NewMatrix(c.n, len(support)), kernel.NewMatrix(c.n, len(support))
		kernel.Gather(x, c.view(support))
		kernel.Gemm(false, false, 1, g, x, 0, y)
		part := squares[start : start+len(support)]
		for i := range c.n {
			row := y.Row(i)
			for p, v := range x.Row(i) {
				part[p] += v * row[p]
			}
		}
		for p := range part {
			part[p] = max(0, part[p]*scale/float64(c.n-1))
		}
	}
	return squares, nil
}

// scaledGram is scale·X_T·X_Tᵀ/(n−1).
func (c *Data) scaledGram(scale float64, targets []bool) kernel.Matrix {
	g := kernel.NewMatrix(c.n, c.n)
	if targets == nil && c.Route() == RouteGram {
		room := kernel.Borrow()
		defer room.Release()
		g.Copy(c.gramMatrix(room))
		scaleAll(g, scale)
	} else {
		view := c.view(nil)
		if targets != nil {
			view = c.view(lists.Marked(targets))
		}
		kernel.Gram(g, view)
		scaleAll(g, scale/float64(c.n-1))
	}
	return g
}
