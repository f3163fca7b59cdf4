package solver

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/kernel"
	"github.com/fspca/fspca/internal/lists"
)

// Products stores XᵣᵀX꜀·W in dst. Xᵣ holds the columns of the centred rows that
// rows lists, and X꜀ those that columns lists; nil lists all d. W has a row for
// each column of X꜀. Neither dst nor w is kept. Product computes this for rows
// that can be read.
type Products func(ctx context.Context, dst *mat.Dense, rows, columns []int, w *mat.Dense) error

// Product stores XᵣᵀX꜀·W in dst for the given rows, in one pass: see Products. The
// rows are centred at mean (of length d; nil for 0). If mean is that of a larger
// table, the products of its parts add up to its own. BlockRows is as
// StreamOptions.Block.
func Product(ctx context.Context, from Rows, mean []float64, dst *mat.Dense, rows, columns []int, w *mat.Dense, blockRows int) error {
	n, d, err := dimsOf(from)
	switch {
	case err != nil:
		return err
	case n < 1:
		return errNoRow
	case blockRows < 0:
		return fmt.Errorf("block is %d: want a number of at least 0", blockRows)
	case mean != nil && len(mean) != d:
		return fmt.Errorf("there are %d means, want one for each of %d columns", len(mean), d)
	}
	out, in, err := productOperands(d, dst, rows, columns, w)
	if err != nil {
		return err
	}
	s := newSource(from, n, d, StreamOptions{Block: blockRows})
	s.center = mean
	of := &Stream{source: s, d: d}
	out.Zero()
	return s.each(ctx, func(b *block) error {
		of.addProduct(b, out, rows, columns, in)
		return nil
	})
}

// productOperands returns the operands of a product of rows with d columns.
func productOperands(d int, dst *mat.Dense, rows, columns []int, w *mat.Dense) (out, in kernel.Matrix, err error) {
	outs, ins := d, d
	for _, list := range []struct {
		index []int
		count *int
	}{{rows, &outs}, {columns, &ins}} {
		if list.index == nil {
			continue
		}
		if err := checkIndices(d, list.index); err != nil {
			return out, in, err
		}
		*list.count = len(list.index)
	}
	return operands(outs, ins, dst, w)
}

// addProduct adds the product of a block of rows to sum.
func (c *Stream) addProduct(b *block, sum kernel.Matrix, rows, columns []int, w kernel.Matrix) {
	view := c.view(b.x)
	switch {
	case rows == nil && columns == nil:
		b.passFor(c.center, w.Cols).AddFused(sum, w)
	case rows == nil:
		b.passFor(c.center, w.Cols).AddLeftOf(sum, view.view(columns), w)
	default:
		chosen, t := kernel.NewMatrix(b.x.Rows, w.Rows), kernel.NewMatrix(b.x.Rows, w.Cols)
		kernel.Gather(chosen, view.view(columns))
		kernel.Gemm(false, false, 1, chosen, w, 0, t)
		kernel.AddCrossOf(sum, view.view(rows), kernel.View{X: t})
	}
}

// elsewhere stores A_rc·W in dst from products of rows that are elsewhere, where r
// and c are columns of A, nil for all.
func (c *Stream) elsewhere(ctx context.Context, out kernel.Matrix, rows, columns []int, w kernel.Matrix) error {
	c.passes.Add(1)
	if c.factor != nil {
		w = scaledRows(w, lists.Pick(c.factor, columns))
	}
	dst := mat.NewDense(out.Rows, out.Cols, nil)
	err := c.products(ctx, dst, c.placesOf(rows), c.placesOf(columns), mat.NewDense(w.Rows, w.Cols, packed(w)))
	if err != nil {
		return err
	}
	out.Copy(kernel.Matrix(dst.RawMatrix()))
	finishRows(out, c.n, lists.Pick(c.factor, rows))
	return nil
}

// placesOf returns the columns of the rows that are those of A; nil for all.
func (c *Stream) placesOf(index []int) []int {
	switch {
	case index == nil:
		return c.columns
	case c.columns == nil:
		return index
	}
	return lists.At(c.columns, index)
}

// packed returns the numbers of w without gaps.
func packed(w kernel.Matrix) []float64 {
	c := kernel.NewMatrix(w.Rows, w.Cols)
	c.Copy(w)
	return c.Data
}

// unitMatrix returns the k×k unit matrix.
func unitMatrix(k int) kernel.Matrix {
	e := kernel.NewMatrix(k, k)
	for i := range k {
		e.Row(i)[i] = 1
	}
	return e
}
