package solver

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/kernel"
	"github.com/fspca/fspca/internal/subspace"
)

// usualExponent bounds the binary exponent of the largest variance for which A
// is worked with as it is: products of three entries are far from the ends of
// float64 then.
const usualExponent = 100

// Normalised returns a divided by unit, a power of two, for algorithms that
// multiply entries of A with each other. If the largest variance lies between
// 2⁻¹⁰⁰ and 2¹⁰⁰ it returns a itself and 1; otherwise the largest variance of b
// is near 1. Support and eigenvectors are the same bit for bit at any scale.
// Solution.Scale multiplies the result by the unit again.
func Normalised(a Covariance) (b Covariance, unit float64) {
	if subspace.Order(a) == 0 {
		return a, 1
	}
	e := unitExponent(slices.Max(a.Diag()))
	if e == 0 {
		return a, 1
	}
	unit = math.Ldexp(1, e)
	switch c := a.(type) {
	case *Data:
		s := &Data{rows: c.rows, route: c.route}
		s.factor, s.diag = c.moments.normalised(c.factor, e)
		return s, unit
	case *Sparse:
		factor, diag := c.moments.normalised(c.factor, e)
		return c.with(factor, diag, c.route), unit
	case *Stream:
		s := &Stream{source: c.source, columns: c.columns, d: c.d, moments: c.moments}
		s.factor, s.diag = c.moments.normalised(c.factor, e)
		return s, unit
	case *part:
		return &part{a: newMultiple(c.a, 1/unit), index: c.index, diag: times(c.diag, 1/unit)}, unit
	case *matrix:
		if c.scaled != nil {
			return c.scaled, unit
		}
		return c.times(1 / unit), unit
	}
	return newMultiple(a, 1/unit), unit
}

// unitExponent returns the even exponent of the unit for variances of at most
// peak, 0 for the usual.
func unitExponent(peak float64) int {
	_, e := math.Frexp(peak)
	if e += e & 1; e >= -usualExponent && e <= usualExponent {
		return 0
	}
	return e
}

// normalised returns the factors and the diagonal for A·2^−e, e even.
func (m moments) normalised(factor []float64, e int) (factors, diag []float64) {
	factors = slices.Repeat([]float64{1}, len(m.values))
	copy(factors, factor)
	diag = make([]float64, len(factors))
	for j, v := range m.values {
		f := math.Ldexp(factors[j], m.exponent(j)/2-e/2)
		diag[j] = timesSquare(v, f)
		factors[j] = math.Ldexp(factors[j], -e/2)
	}
	return factors, diag
}

// times returns the values times f.
func times(values []float64, f float64) []float64 {
	scaled := slices.Clone(values)
	floats.Scale(f, scaled)
	return scaled
}

// multiple is an operator from outside times a power of two.
type multiple struct {
	a    Covariance
	by   float64
	diag []float64
}

func newMultiple(a Covariance, by float64) *multiple {
	return &multiple{a: a, by: by, diag: times(a.Diag(), by)}
}

// Order returns d.
func (c *multiple) Order() int { return c.a.Order() }

// Diag returns the diagonal of A.
func (c *multiple) Diag() []float64 { return c.diag }

// Mul stores A·W in dst, for a dense W.
func (c *multiple) Mul(ctx context.Context, dst, w *mat.Dense) error {
	err := c.a.Mul(ctx, dst, w)
	scaleAll(kernel.Matrix(dst.RawMatrix()), c.by)
	return err
}

// MulRows stores A·W in dst, for a W whose rows beside the support are 0.
func (c *multiple) MulRows(ctx context.Context, dst *mat.Dense, support []int, v *mat.Dense) error {
	err := c.a.MulRows(ctx, dst, support, v)
	scaleAll(kernel.Matrix(dst.RawMatrix()), c.by)
	return err
}

// Block returns the principal block of the support.
func (c *multiple) Block(ctx context.Context, support []int) (*mat.SymDense, error) {
	return c.scale(c.a.Block(ctx, support))
}

// Entries returns A.
func (c *multiple) Entries(ctx context.Context) (*mat.SymDense, error) {
	return c.scale(c.a.Entries(ctx))
}

// scale returns a times the factor.
func (c *multiple) scale(a *mat.SymDense, err error) (*mat.SymDense, error) {
	if err != nil {
		return nil, err
	}
	b := mat.NewSymDense(a.SymmetricDim(), nil)
	b.ScaleSym(c.by, a)
	return b, nil
}

// Leading returns the r leading eigenpairs.
func (c *multiple) Leading(ctx context.Context, r int) ([]float64, *mat.Dense, error) {
	values, vectors, err := c.a.Leading(ctx, r)
	return times(values, c.by), vectors, err
}
