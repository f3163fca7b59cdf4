package solver

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/kernel"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/subspace"
	"github.com/fspca/fspca/solver/spectral"
)

const (
	// symmetryTolerance bounds |a_ij − a_ji| relative to max|A|: rounding in
	// float32 passes, a different number does not.
	symmetryTolerance = 1e-6

	// definiteTolerance, times √d·max a_ii, is how far below zero an
	// eigenvalue may lie. The entries of A rounded to float32 move its
	// eigenvalues by about 2√d·6e-8·max a_ii.
	definiteTolerance = 1e-7

	// roundingTolerance, times d·max a_ii, is the error that arithmetic in
	// float64 leaves in the eigenvalues.
	roundingTolerance = 1e-14

	// choleskyOrder is the largest order for which NewMatrix proves
	// semidefiniteness by a Cholesky factorisation.
	choleskyOrder = 2000
)

// matrix is the covariance whose entries are at hand.
type matrix struct {
	full  kernel.Matrix // both triangles
	a     *mat.SymDense // the same numbers
	diag  []float64
	route Route
	least float64 // no eigenvalue is below it, at most 0

	pairs kept[*spectral.Pairs]

	scaled *matrix // divided by its unit where that is not 1, see Normalised
}

// NewMatrix returns the operator of the d×d matrix a. It must be finite, have a
// positive diagonal entry and be positive semidefinite up to rounding: no
// eigenvalue below −1e-7·√d·max a_ii. Up to order 2000 a Cholesky factorisation
// proves that. Above, the diagonal, all 2×2 minors and the smallest Ritz value
// of 40 Lanczos steps are checked; a matrix with a small negative eigenvalue
// may pass. The error wraps *EntryError if one entry is the cause.
//
// The matrix is copied (8·d² bytes).
func NewMatrix(a mat.Symmetric) (Covariance, error) {
	d := subspace.OrderOf(a)
	if d == 0 {
		return nil, errors.New("the covariance is nil or empty: want at least one row and column")
	}
	full := kernel.NewMatrix(d, d)
	s := symmetric(full)
	s.CopySym(a)
	peak, err := peakOf(s)
	if err != nil {
		return nil, err
	}
	exponent := unitExponent(peak)
	unit := math.Ldexp(1, max(-1022, min(1022, exponent)))
	if exponent != 0 {
		scaleAll(full, 1/unit)
	}
	diag := lists.Make(d, func(i int) float64 { return s.At(i, i) })
	least, err := checkDefinite(s, diag, unit)
	if err != nil {
		return nil, fmt.Errorf("the covariance is not positive semidefinite: %w", err)
	}
	if peak == 0 {
		return nil, fmt.Errorf("the covariance is zero: %w", ErrConstant)
	}
	if err := checkRange(times(diag, unit)); err != nil {
		return nil, fmt.Errorf("the covariance: %w", err)
	}
	fillLower(full)
	c := &matrix{full: full, a: s, diag: diag, route: RouteMatrix, least: least}
	if exponent == 0 {
		return c, nil
	}
	given := c.times(unit)
	given.scaled = c
	return given, nil
}

// fillLower copies the upper triangle to the lower one.
func fillLower(a kernel.Matrix) {
	for i := range a.Rows {
		for j := range i {
			a.Row(i)[j] = a.Data[j*a.Stride+i]
		}
	}
}

// peakOf returns the largest magnitude of the entries, which must be finite.
func peakOf(s *mat.SymDense) (peak float64, err error) {
	for i := range s.SymmetricDim() {
		for j, v := range upperRow(s, i) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return 0, fmt.Errorf("the covariance: %w", &EntryError{Row: i, Col: i + j, Value: v, Reason: "want a finite number"})
			}
			peak = math.Max(peak, math.Abs(v))
		}
	}
	return peak, nil
}

// times returns the matrix times a power of two.
func (c *matrix) times(f float64) *matrix {
	full := kernel.NewMatrix(c.full.Rows, c.full.Cols)
	full.Copy(c.full)
	scaleAll(full, f)
	return &matrix{full: full, a: symmetric(full), diag: times(c.diag, f), route: c.route, least: c.least * f}
}

// SymmetricFromDense returns (A + Aᵀ)/2. A must be square, finite and
// symmetric to within 1e-6·max|A|; the error names the entry that differs
// most.
func SymmetricFromDense(a *mat.Dense) (*mat.SymDense, error) {
	if a == nil || a.IsEmpty() {
		return nil, errors.New("the covariance is nil or empty: want at least one row and column")
	}
	r, c := a.Dims()
	if r != c {
		return nil, fmt.Errorf("a covariance is square, this matrix is %d×%d", r, c)
	}
	s := mat.NewSymDense(r, nil)
	var peak, worst float64
	var at EntryError
	for i := range r {
		for j, v := range a.RawRowView(i) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, fmt.Errorf("the covariance: %w", &EntryError{Row: i, Col: j, Value: v, Reason: "want a finite number"})
			}
			peak = math.Max(peak, math.Abs(v))
			if j < i {
				continue
			}
			other := a.At(j, i)
			if diff := math.Abs(v - other); diff > worst {
				worst = diff
				at = EntryError{Row: i, Col: j, Value: v, Reason: fmt.Sprintf("its mirror image is %v, and a covariance is symmetric", other)}
			}
			s.SetSym(i, j, v/2+other/2)
		}
	}
	if worst > symmetryTolerance*peak {
		return nil, fmt.Errorf("the covariance: %w", &at)
	}
	return s, nil
}

// upperRow returns the entries i..d−1 of row i of s.
func upperRow(s *mat.SymDense, i int) []float64 {
	raw := s.RawSymmetric()
	return raw.Data[i*raw.Stride+i : i*raw.Stride+raw.N]
}

// Order returns d.
func (c *matrix) Order() int { return c.full.Rows }

// Route returns the form in which A is worked with.
func (c *matrix) Route() Route { return c.route }

// Diag returns the diagonal of A.
func (c *matrix) Diag() []float64 { return c.diag }

// Entries returns A.
func (c *matrix) Entries(context.Context) (*mat.SymDense, error) { return c.a, nil }

// Mul stores A·W in dst, for a dense W.
func (c *matrix) Mul(_ context.Context, dst, w *mat.Dense) error {
	out, in, err := operands(c.full.Rows, c.full.Rows, dst, w)
	if err != nil {
		return err
	}
	kernel.Gemm(false, false, 1, c.full, in, 0, out)
	return nil
}

// MulRows stores A·W in dst, for a W whose rows beside the support are 0.
func (c *matrix) MulRows(_ context.Context, dst *mat.Dense, support []int, v *mat.Dense) error {
	out, in, err := operandsOf(c.full.Rows, dst, support, v)
	if err != nil {
		return err
	}
	rows := kernel.NewMatrix(len(support), c.full.Cols) // A_S: = (A[:,S])ᵀ
	for p, i := range support {
		copy(rows.Row(p), c.full.Row(i))
	}
	kernel.Gemm(true, false, 1, rows, in, 0, out)
	return nil
}

// Block returns the principal block of the support.
func (c *matrix) Block(_ context.Context, support []int) (*mat.SymDense, error) {
	if err := checkIndices(c.full.Rows, support); err != nil {
		return nil, err
	}
	return symmetric(submatrix(c.full, support)), nil
}

// Leading returns the r leading eigenpairs.
func (c *matrix) Leading(ctx context.Context, r int) ([]float64, *mat.Dense, error) {
	return leading(ctx, c, r)
}

// leading is Leading with residuals; see leader.
func (c *matrix) leading(ctx context.Context, r int, settled func(*spectral.Pairs) bool) (*spectral.Pairs, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if direct(c.full.Rows, r) {
		return c.direct(r)
	}
	return leadingFull(ctx, c.full, r, settled)
}

// direct returns the r leading pairs by a decomposition.
func (c *matrix) direct(r int) (*spectral.Pairs, error) {
	p, err := c.pairs.of(r, func() (*spectral.Pairs, error) { return spectral.Leading(symmetric(c.full), r) })
	if err != nil {
		return nil, err
	}
	own := *p
	own.Values, own.Residuals = slices.Clone(p.Values), slices.Clone(p.Residuals)
	return &own, nil
}

// leadingPairs returns the r leading eigenpairs of a, values descending.
func leadingPairs(a mat.Symmetric, r int) ([]float64, *mat.Dense, error) {
	return unpack(spectral.Leading(a, r))
}
