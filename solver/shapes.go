package solver

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/kernel"
)

// checkIndices returns an error unless there are indices, all below d.
func checkIndices(d int, support []int) error {
	if len(support) == 0 {
		return fmt.Errorf("there is no column: want at least one of %d", d)
	}
	for _, i := range support {
		if i < 0 || i >= d {
			return fmt.Errorf("column %d of %d (counted from 0)", i, d)
		}
	}
	return nil
}

// enoughRows returns an error unless n rows have a variance.
func enoughRows(n int) error {
	if n < 2 {
		return fmt.Errorf("too few rows: %d; a variance needs at least 2", n)
	}
	return nil
}

// operands returns the dense operands of dst = A·W for A of order d, where w has
// rows rows. It is an error if dst and w differ in their number of columns.
func operands(d, rows int, dst, w *mat.Dense) (out, in kernel.Matrix, err error) {
	if dst == nil || w == nil || dst.IsEmpty() || w.IsEmpty() {
		return out, in, fmt.Errorf("a product with a covariance of order %d needs two matrices that are not empty", d)
	}
	out, in = kernel.Matrix(dst.RawMatrix()), kernel.Matrix(w.RawMatrix())
	if out.Rows != d || in.Rows != rows || out.Cols != in.Cols {
		return out, in, fmt.Errorf("a product with a covariance of order %d: a %d×%d matrix cannot hold that of %d×%d, want %d×c and %d×c",
			d, out.Rows, out.Cols, in.Rows, in.Cols, d, rows)
	}
	return out, in, nil
}

// operandsOf is operands for the rows in support alone.
func operandsOf(d int, dst *mat.Dense, support []int, v *mat.Dense) (out, in kernel.Matrix, err error) {
	if err := checkIndices(d, support); err != nil {
		return out, in, err
	}
	return operands(d, len(support), dst, v)
}
