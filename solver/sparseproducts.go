package solver

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/kernel"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/solver/spectral"
)

// Mul stores A·W in dst (both d×c) in one pass over the entries.
func (s *Sparse) Mul(ctx context.Context, dst, w *mat.Dense) error {
	out, in, err := operands(s.x.Cols, s.x.Cols, dst, w)
	if err != nil {
		return err
	}
	switch a, err := s.formed(ctx); {
	case err != nil:
		return err
	case a != nil:
		return a.Mul(ctx, dst, w)
	}
	if s.factor != nil {
		in = scaledRows(in, s.factor)
	}
	p := s.passes.take(in.Cols, func(width int) *kernel.SparsePass { return kernel.NewSparsePass(s.y, s.mean, width).Weigh(s.root) })
	defer s.passes.give(p)
	p.pass.Fused(out, in)
	finishRows(out, s.x.Rows, s.factor)
	return nil
}

// MulRows stores A·W in dst (d×c) for a W that is v on the rows in support and
// zero elsewhere. It takes one pass over the entries.
func (s *Sparse) MulRows(ctx context.Context, dst *mat.Dense, support []int, v *mat.Dense) error {
	if _, _, err := operandsOf(s.x.Cols, dst, support, v); err != nil {
		return err
	}
	switch a, err := s.formed(ctx); {
	case err != nil:
		return err
	case a != nil:
		return a.MulRows(ctx, dst, support, v)
	}
	_, c := v.Dims()
	w := mat.NewDense(s.x.Cols, c, nil)
	for p, i := range support {
		w.SetRow(i, v.RawRowView(p))
	}
	return s.Mul(ctx, dst, w)
}

// Block returns A_SS in one pass over the entries.
func (s *Sparse) Block(ctx context.Context, support []int) (*mat.SymDense, error) {
	if err := checkIndices(s.x.Cols, support); err != nil {
		return nil, err
	}
	switch a, err := s.formed(ctx); {
	case err != nil:
		return nil, err
	case a != nil:
		return a.Block(ctx, support)
	}
	b, err := s.block(context.WithoutCancel(ctx), support)
	if err != nil {
		return nil, err
	}
	return symmetric(b), nil
}

// Entries returns A itself, formed in the first call.
func (s *Sparse) Entries(ctx context.Context) (*mat.SymDense, error) {
	if s.x.Cols == 0 {
		return nil, errNoColumn
	}
	if s.x.Cols > MaxEntriesOrder {
		return nil, fmt.Errorf("order %d: %w", s.x.Cols, ErrTooLarge)
	}
	a, err := s.form(ctx)
	if err != nil {
		return nil, err
	}
	return a.a, nil
}

// formed returns A as a matrix where it is worked with as one, else nil.
func (s *Sparse) formed(ctx context.Context) (*matrix, error) {
	if s.route != RouteCovariance {
		return nil, nil
	}
	return s.form(ctx)
}

// form returns A as a matrix, which it makes in the first call.
func (s *Sparse) form(ctx context.Context) (*matrix, error) {
	s.forming.Lock()
	defer s.forming.Unlock()
	if s.entries != nil {
		return s.entries, nil
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	all := lists.Upto[int](s.x.Cols)
	a, err := s.block(ctx, all)
	if err != nil {
		return nil, err
	}
	s.entries = &matrix{full: a, a: symmetric(a), diag: s.diag, route: RouteCovariance}
	return s.entries, nil
}

// Leading returns the r leading eigenpairs of A.
func (s *Sparse) Leading(ctx context.Context, r int) ([]float64, *mat.Dense, error) {
	return leading(ctx, s, r)
}

// leading is Leading with residuals; see leader.
func (s *Sparse) leading(ctx context.Context, r int, settled func(*spectral.Pairs) bool) (*spectral.Pairs, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	switch a, err := s.formed(ctx); {
	case err != nil:
		return nil, err
	case a != nil:
		return a.leading(ctx, r, settled)
	}
	return krylov(ctx, s, r, spectral.Settings{Converged: settled, Sketch: s.sketch()})
}

// sketch is that of Data: the covariance of every 32nd row, which are copied.
func (s *Sparse) sketch() spectral.Operator {
	rows := s.x.Rows / sketchStride
	if rows < sketchRows {
		return nil
	}
	x := kernel.Sparse{Rows: rows, Cols: s.x.Cols, Offsets: make([]int64, 1, rows+1)}
	for i := range rows {
		lo, hi := s.x.Offsets[i*sketchStride], s.x.Offsets[i*sketchStride+1]
		x.Indices, x.Values = append(x.Indices, s.x.Indices[lo:hi]...), append(x.Values, s.x.Values[lo:hi]...)
		x.Offsets = append(x.Offsets, int64(len(x.Indices)))
	}
	part := &Sparse{x: x, mean: s.mean, factor: s.factor, diag: s.diag, route: RouteImplicit}
	for i := 0; s.root != nil && i < rows; i++ {
		part.root = append(part.root, s.root[i*sketchStride])
	}
	part.weigh()
	return part
}
