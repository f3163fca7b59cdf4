package solver

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/kernel"
	"github.com/fspca/fspca/solver/spectral"
)

// CSR is an n×d matrix in compressed sparse rows: the entries of row i are
// Values[p] in column Indices[p] for Offsets[i] ≤ p < Offsets[i+1]; all others
// are 0. An index occurs at most once in a row.
type CSR struct {
	Rows, Cols int
	Offsets    []int64 // Rows+1 of them, from 0
	Indices    []int32
	Values     []float64
}

// Sparse is the covariance of sparse rows. The rows are centred only in the
// products, so that they stay sparse; time and memory are those of the
// entries that are stored.
type Sparse struct {
	x      kernel.Sparse
	mean   []float64 // nil if uncentred
	factor []float64 // 1/Scale; nil for none
	diag   []float64
	passes passPool
}

// NewSparse returns the covariance operator of sparse rows, with the errors
// of NewData and those of a CSR whose fields contradict each other. x is
// shared and must not change while Sparse is in use.
func NewSparse(x *CSR, opt DataOptions) (*Sparse, error) {
	s := &Sparse{x: kernel.Sparse(*x)}
	if err := s.x.Check(); err != nil {
		return nil, err
	}
	if x.Cols == 0 {
		return nil, errors.New("the data have no column: want at least one")
	}
	if x.Rows < 2 {
		return nil, fmt.Errorf("the data have %d row(s): a variance needs at least 2", x.Rows)
	}
	if err := s.checkRows(); err != nil {
		return nil, err
	}
	var err error
	if s.factor, err = reciprocals(opt.Scale, x.Cols); err != nil {
		return nil, err
	}
	mean, squares := s.moments()
	if s.diag, err = variances(mean, squares, x.Rows, opt.Uncentered, s.factor); err != nil {
		return nil, err
	}
	if !opt.Uncentered {
		s.mean = mean
	}
	return s, nil
}

// checkRows looks for entries that are not finite and for columns that occur
// twice in a row.
func (s *Sparse) checkRows() error {
	seen := make([]int, s.x.Cols) // 1 + the last row with an entry in the column
	for i := range s.x.Rows {
		for p := s.x.Offsets[i]; p < s.x.Offsets[i+1]; p++ {
			j, v := int(s.x.Indices[p]), s.x.Values[p]
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("the data: %w", &EntryError{i, j, v, "want a finite number"})
			}
			if seen[j] == i+1 {
				return fmt.Errorf("the data: %w", &EntryError{i, j, v, "the row has two entries in this column, want one"})
			}
			seen[j] = i + 1
		}
	}
	return nil
}

// moments returns the column means and the sums of squared deviations from
// them, in two passes over the entries. The zeros of column j, of which there
// are n − count_j, each deviate by its mean.
func (s *Sparse) moments() (mean, squares []float64) {
	n, d := s.x.Rows, s.x.Cols
	mean, squares = make([]float64, d), make([]float64, d)
	count, low, high := make([]int, d), make([]float64, d), make([]float64, d)
	entries := s.x.Offsets[n]
	for p, j := range s.x.Indices[:entries] {
		v := s.x.Values[p]
		if count[j] == 0 {
			low[j], high[j] = v, v
		}
		count[j]++
		low[j], high[j] = min(low[j], v), max(high[j], v)
		mean[j] += v
	}
	for j := range mean {
		mean[j] /= float64(n)
		if count[j] < n {
			low[j], high[j] = min(low[j], 0), max(high[j], 0)
		}
		if low[j] == high[j] {
			mean[j] = low[j]
		}
	}
	rest := make([]float64, d) // Σ(x − mean), which rounding keeps from 0
	for p, j := range s.x.Indices[:entries] {
		e := s.x.Values[p] - mean[j]
		squares[j] += e * e
		rest[j] += e
	}
	for j, m := range mean {
		zeros := float64(n - count[j])
		squares[j] += zeros * m * m
		rest[j] -= zeros * m
		squares[j] = max(0, squares[j]-rest[j]*rest[j]/float64(n))
		if low[j] == high[j] {
			squares[j] = 0
		}
	}
	return mean, squares
}

// Order returns the number of columns d.
func (s *Sparse) Order() int { return s.x.Cols }

// Route returns RouteImplicit.
func (s *Sparse) Route() Route { return RouteImplicit }

// Diag returns the variances of the d columns, shared.
func (s *Sparse) Diag() []float64 { return s.diag }

// Mean returns what is subtracted from each column: its mean, or 0 if
// uncentred.
func (s *Sparse) Mean() []float64 {
	mean := make([]float64, s.x.Cols)
	copy(mean, s.mean)
	return mean
}

// Mul stores A·W in dst (both d×c) in one pass over the entries.
func (s *Sparse) Mul(dst, w *mat.Dense) {
	out, in := kernel.Matrix(dst.RawMatrix()), kernel.Matrix(w.RawMatrix())
	if s.factor != nil {
		in = scaledRows(in, s.factor)
	}
	p := s.passes.take(in.Cols, func(width int) pass { return kernel.NewSparsePass(s.x, s.mean, width) })
	p.Fused(out, in)
	s.passes.give(p)
	finishRows(out, s.x.Rows, s.factor)
}

// MulRows stores A·W in dst (d×c) for a W that is v on the rows in support
// and zero elsewhere, in one pass over the entries.
func (s *Sparse) MulRows(dst *mat.Dense, support []int, v *mat.Dense) {
	_, c := v.Dims()
	w := mat.NewDense(s.x.Cols, c, nil)
	for p, i := range support {
		w.SetRow(i, v.RawRowView(p))
	}
	s.Mul(dst, w)
}

// offsetLimit is mean²/variance above which subtracting n·mean² from a sum of
// squares would cost more than half of the digits that are reported.
const offsetLimit = 1e4

// Block returns A_SS in one pass over the entries: the scalar products of the
// columns as they are, less what the means add to them. Where means are so
// large that this would cancel (a column that is not sparse at all), the
// columns of A are computed instead.
func (s *Sparse) Block(support []int) *mat.SymDense {
	for _, j := range support {
		if s.mean != nil && s.meanSquare(j) > offsetLimit*s.diag[j] && s.diag[j] > 0 {
			return s.blockByProducts(support)
		}
	}
	k := len(support)
	slot := make([]int32, s.x.Cols) // 1 + position in the support
	for p, j := range support {
		slot[j] = int32(p) + 1
	}
	b := kernel.NewMatrix(k, k)
	at, values := make([]int, 0, k), make([]float64, 0, k)
	for i := range s.x.Rows {
		at, values = at[:0], values[:0]
		for p := s.x.Offsets[i]; p < s.x.Offsets[i+1]; p++ {
			if q := slot[s.x.Indices[p]]; q != 0 {
				at, values = append(at, int(q)-1), append(values, s.x.Values[p])
			}
		}
		for p, v := range values {
			row := b.Row(at[p])
			for q, u := range values {
				row[at[q]] += v * u
			}
		}
	}
	s.finishBlock(b, support)
	return symmetric(b)
}

// meanSquare returns the square of what is subtracted from scaled column j.
func (s *Sparse) meanSquare(j int) float64 {
	m := s.mean[j]
	if s.factor != nil {
		m *= s.factor[j]
	}
	return m * m
}

// finishBlock turns X_SᵀX_S into A_SS.
func (s *Sparse) finishBlock(b kernel.Matrix, support []int) {
	n := float64(s.x.Rows)
	for p, i := range support {
		row := b.Row(p)
		for q, j := range support {
			if s.mean != nil {
				row[q] -= n * s.mean[i] * s.mean[j]
			}
			row[q] /= n - 1
			if s.factor != nil {
				row[q] *= s.factor[i] * s.factor[j]
			}
		}
		row[p] = s.diag[i]
		if s.diag[i] == 0 { // a constant column covaries with nothing
			for q := range support {
				row[q], b.Row(q)[p] = 0, 0
			}
		}
	}
	for p := range support { // rounding is not symmetric where a zero was set
		for q := range p {
			b.Row(p)[q] = b.Row(q)[p]
		}
	}
}

// blockByProducts computes the columns of A in support, 16 at a time.
func (s *Sparse) blockByProducts(support []int) *mat.SymDense {
	k := len(support)
	b := mat.NewSymDense(k, nil)
	for q0 := 0; q0 < k; q0 += 16 {
		c := min(16, k-q0)
		w, aw := mat.NewDense(s.x.Cols, c, nil), mat.NewDense(s.x.Cols, c, nil)
		for q := range c {
			w.Set(support[q0+q], q, 1)
		}
		s.Mul(aw, w)
		for p, i := range support {
			for q := range c {
				if p <= q0+q {
					b.SetSym(p, q0+q, aw.At(i, q))
				}
			}
		}
	}
	return b
}

// Entries returns A itself, formed anew in each call.
func (s *Sparse) Entries() (*mat.SymDense, error) {
	if s.x.Cols > MaxEntriesOrder {
		return nil, fmt.Errorf("order %d: %w", s.x.Cols, ErrTooLarge)
	}
	all := make([]int, s.x.Cols)
	for j := range all {
		all[j] = j
	}
	return s.Block(all), nil
}

// Leading returns the r leading eigenpairs of A, from products alone.
func (s *Sparse) Leading(ctx context.Context, r int) ([]float64, *mat.Dense, error) {
	return unpack(s.leading(ctx, r, nil))
}

// leading is Leading with residuals; see leader.
func (s *Sparse) leading(ctx context.Context, r int, settled func(*spectral.Pairs) bool) (*spectral.Pairs, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if s.x.Cols <= directOrder {
		return spectral.Leading(s.blockOfAll(), r)
	}
	return krylov(ctx, s, r, settled)
}

// blockOfAll returns A for an order at which it is decomposed directly.
func (s *Sparse) blockOfAll() *mat.SymDense {
	a, err := s.Entries()
	if err != nil {
		panic("solver: directOrder above MaxEntriesOrder")
	}
	return a
}
