package solver

import (
	"fmt"
	"math"
	"slices"

	"github.com/fspca/fspca/internal/lists"
)

// Scaled returns the covariance of the same rows with column j also divided by
// scale[j]. The result is that of NewData with that DataOptions.Scale, but X is not
// read again. Errors: a scale that is not d positive numbers, a variance that
// overflows, none that is left (ErrConstant).
func (c *Data) Scaled(scale []float64) (*Data, error) {
	factor, err := reciprocals(scale, c.d)
	if err != nil {
		return nil, err
	}
	for j, f := range c.factor {
		factor[j] *= f
	}
	s := &Data{rows: c.rows, route: c.route}
	s.factor = factor
	s.diag, err = s.moments.variances(factor)
	return s, err
}

const (
	// leastSquares and mostSquares are the sums of squares that are computed
	// without underflow or overflow of a part that matters. Outside, and where a
	// sum is 0, the column is scaled first.
	leastSquares = 0x1p-900
	mostSquares  = 0x1p+900

	// leastVariance and mostVariance bound the largest variance of a
	// covariance: of less, no part would be left, and more would overflow.
	leastVariance = 0x1p-1016
	mostVariance  = 0x1p+1016
)

// moments are the second moments of columns, values[j]·2^exponents[j], the
// exponents even. Nil exponents are all 0.
type moments struct {
	values    []float64
	exponents []int
}

// newMoments takes the columns' means and sums of squared deviations, as
// checkMoments returns them. The moments lie in values, which may be squares.
func newMoments(values, mean, squares []float64, exponents []int, n int, uncentered bool) moments {
	m := moments{values, exponents}
	for j, sum := range squares {
		if uncentered {
			v := mean[j]
			if e := m.exponent(j); e != 0 {
				v = math.Ldexp(v, -e/2)
			}
			sum += float64(n) * v * v
		}
		m.values[j] = sum / float64(n-1)
	}
	return m
}

func (m moments) exponent(j int) int {
	if m.exponents == nil {
		return 0
	}
	return m.exponents[j]
}

// unscaled returns f·2^(exponent/2) of column j.
func (m moments) unscaled(j int, f float64) float64 {
	if e := m.exponent(j); e != 0 {
		return math.Ldexp(f, e/2)
	}
	return f
}

// pick returns the moments of some columns.
func (m moments) pick(columns []int) moments {
	return moments{lists.At(m.values, columns), lists.Pick(m.exponents, columns)}
}

// variances returns the diagonal of A: the moments times the squares of factor,
// nil for 1, and shared where these are 1. The error says that none varies (ErrConstant), or that they are
// outside of what can be worked with.
func (m moments) variances(factor []float64) ([]float64, error) {
	diag := m.values
	if factor != nil || m.exponents != nil {
		diag = make([]float64, len(m.values))
		if err := m.scaled(diag, factor); err != nil {
			return nil, err
		}
	}
	if !slices.ContainsFunc(m.values, func(v float64) bool { return v > 0 }) {
		return nil, ErrConstant
	}
	return diag, checkRange(diag)
}

// scaled sets diag to the moments times the squares of factor, nil for 1.
func (m moments) scaled(diag, factor []float64) error {
	for j, v := range m.values {
		f := 1.0
		if factor != nil {
			f = factor[j]
		}
		diag[j] = timesSquare(v, m.unscaled(j, f))
		if factor != nil && v > 0 && math.Ldexp(v, m.exponent(j)) < leastVariance {
			return &ScaleError{Column: j} // what it was divided by cannot be right
		}
	}
	return nil
}

// timesSquare returns v·f², also where f² alone leaves the range of float64.
func timesSquare(v, f float64) float64 {
	if square := f * f; square >= leastVariance && square <= mostVariance {
		return v * square
	}
	return v * f * f
}

// ScaleError reports variances that overflow or underflow float64.
type ScaleError struct {
	Column int  // that of the largest variance, counted from 0
	Large  bool // too large, else too small
}

// Error says what is out of range and what to do.
func (e *ScaleError) Error() string {
	if e.Large {
		return fmt.Sprintf("the variance of column %d (counted from 0) overflows, or the sum of all does: divide the data by a constant", e.Column)
	}
	return fmt.Sprintf("the variance of column %d (counted from 0) is below %.0g, too small for float64: multiply the column by a constant", e.Column, leastVariance)
}

// checkRange returns an error unless the largest of the variances can be worked
// with, and their sum.
func checkRange(diag []float64) error {
	total, at := 0.0, 0
	for j, v := range diag {
		total += v
		if v > diag[at] || v != v {
			at = j
		}
	}
	if diag[at] < leastVariance {
		return &ScaleError{Column: at}
	}
	if !(diag[at] <= mostVariance && total <= math.MaxFloat64) {
		return &ScaleError{Column: at, Large: true}
	}
	return nil
}

// reciprocals returns 1/scale.
func reciprocals(scale []float64, d int) ([]float64, error) {
	if len(scale) != d {
		return nil, fmt.Errorf("scale has %d entries for %d columns", len(scale), d)
	}
	factor := make([]float64, d)
	for j, s := range scale {
		if !(s > 0) || math.IsInf(s, 0) || math.IsInf(1/s, 0) {
			return nil, fmt.Errorf("scale of column %d (counted from 0) is %v: want a positive finite number", j, s)
		}
		factor[j] = 1 / s
	}
	return factor, nil
}
