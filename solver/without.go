package solver

import (
	"context"
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/kernel"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/param"
	"github.com/fspca/fspca/internal/subspace"
	"github.com/fspca/fspca/solver/spectral"
)

// Without returns the covariance of the columns of a that are not in exclude (0
// ≤ index < d, repeats count once), in their order. If exclude is empty it
// returns a itself. The result is that of the same matrix or rows without these
// columns; X is not copied. Errors: an index out of range, no column left, no
// column that varies (ErrConstant), or a matrix that is not semidefinite
// without the excluded columns.
func Without(ctx context.Context, a Covariance, exclude []int) (Covariance, error) {
	d := subspace.Order(a)
	if err := param.Sizes(1, 1, d); err != nil {
		return nil, err
	}
	if _, err := newChoice(d, 1, nil, exclude); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return without(ctx, a, rest(d, exclude))
}

// without returns the covariance of the columns in index, ascending; nil stands
// for all.
func without(ctx context.Context, a Covariance, index []int) (Covariance, error) {
	if index == nil {
		return a, nil
	}
	var b Covariance
	var err error
	switch c := a.(type) {
	case *Data:
		b, err = c.only(index)
	case *Sparse:
		b, err = c.only(index)
	case *Stream:
		b, err = c.only(index)
	case *matrix:
		var block *mat.SymDense
		if block, err = c.Block(ctx, index); err == nil {
			b, err = NewMatrix(block)
		}
	default:
		b = &part{a: a, index: index, diag: lists.At(a.Diag(), index)}
	}
	var entry *EntryError
	var scale *ScaleError
	switch {
	case errors.As(err, &entry):
		entry.Row, entry.Col = index[entry.Row], index[entry.Col]
	case errors.As(err, &scale):
		scale.Column = index[scale.Column]
	}
	if err != nil {
		return nil, fmt.Errorf("without the excluded columns: %w", err)
	}
	return b, nil
}

// only returns the covariance of some columns of the same rows.
func (c *Data) only(index []int) (*Data, error) {
	s := &Data{rows: c.rows, route: c.route}
	if c.route == route(c.n, c.d) { // else it is wanted in this form
		s.route = route(c.n, len(index))
	}
	s.d, s.columns, s.factor = len(index), index, lists.Pick(c.factor, index)
	if c.scatter != nil {
		a := submatrix(*c.scatter, index)
		s.scatter = &a
	}
	if c.columns != nil {
		s.columns = lists.At(c.columns, index)
	}
	s.moments = c.moments.pick(index)
	var err error
	s.diag, err = s.moments.variances(s.factor)
	return s, err
}

// only returns the covariance of some columns of the same rows, whose entries
// are copied.
func (s *Sparse) only(index []int) (*Sparse, error) {
	at := make([]int32, s.x.Cols) // 1 + the new place
	for p, j := range index {
		at[j] = int32(p) + 1
	}
	x := keptEntries(s.x, at, len(index))
	c := &Sparse{x: x, route: sparseRoute(x.Cols, x.Entries(), entrySquares(x)), moments: s.moments.pick(index), root: s.root,
		factor: lists.Pick(s.factor, index), exponents: lists.Pick(s.exponents, index), shift: lists.Pick(s.shift, index)}
	var err error
	if c.diag, err = c.moments.variances(c.factor); err != nil {
		return nil, err
	}
	if s.mean != nil {
		c.center(lists.At(s.mean, index))
	}
	c.weigh()
	return c, nil
}

// keptEntries copies the entries of columns to new places, which at says counted from 1.
func keptEntries(from kernel.Sparse, at []int32, columns int) kernel.Sparse {
	x := kernel.Sparse{Rows: from.Rows, Cols: columns, Offsets: make([]int64, 1, from.Rows+1)}
	for i := range from.Rows {
		for p := from.Offsets[i]; p < from.Offsets[i+1]; p++ {
			if j := at[from.Indices[p]]; j != 0 {
				x.Indices, x.Values = append(x.Indices, j-1), append(x.Values, from.Values[p])
			}
		}
		x.Offsets = append(x.Offsets, int64(len(x.Indices)))
	}
	return x
}

// center takes the means of the columns.
func (s *Sparse) center(mean []float64) {
	s.mean = mean
	s.shiftColumns(times(s.moments.values, float64(s.x.Rows-1)))
}

// with returns the same rows with other factors, and the diagonal and the route
// that go with these.
func (s *Sparse) with(factor, diag []float64, route Route) *Sparse {
	return &Sparse{x: s.x, y: s.y, root: s.root, mass: s.mass, shift: s.shift, mean: s.mean, factor: factor, diag: diag, route: route, moments: s.moments, exponents: s.exponents}
}

// part is the covariance of some columns of an operator from outside.
type part struct {
	a     Covariance
	index []int
	diag  []float64
}

// Order returns d.
func (c *part) Order() int { return len(c.index) }

// Diag returns the diagonal of A.
func (c *part) Diag() []float64 { return c.diag }

// Mul stores A·W in dst, for a dense W.
func (c *part) Mul(ctx context.Context, dst, w *mat.Dense) error {
	return c.MulRows(ctx, dst, nil, w)
}

// MulRows takes nil as the support of all columns.
func (c *part) MulRows(ctx context.Context, dst *mat.Dense, support []int, v *mat.Dense) error {
	at := c.index
	if support != nil {
		at = lists.At(c.index, support)
	}
	_, columns := v.Dims()
	all := mat.NewDense(c.a.Order(), columns, nil)
	if err := c.a.MulRows(ctx, all, at, v); err != nil {
		return err
	}
	for p, j := range c.index {
		dst.SetRow(p, all.RawRowView(j))
	}
	return nil
}

// Block returns the principal block of the support.
func (c *part) Block(ctx context.Context, support []int) (*mat.SymDense, error) {
	return c.a.Block(ctx, lists.At(c.index, support))
}

// Entries returns A.
func (c *part) Entries(ctx context.Context) (*mat.SymDense, error) {
	if len(c.index) > MaxEntriesOrder {
		return nil, fmt.Errorf("order %d: %w", len(c.index), ErrTooLarge)
	}
	return c.a.Block(ctx, c.index)
}

// Leading returns the r leading eigenpairs.
func (c *part) Leading(ctx context.Context, r int) ([]float64, *mat.Dense, error) {
	return leading(ctx, c, r)
}

// leading is Leading with residuals; see leader.
func (c *part) leading(ctx context.Context, r int, settled func(*spectral.Pairs) bool) (*spectral.Pairs, error) {
	return krylov(ctx, c, r, spectral.Settings{Converged: settled})
}
