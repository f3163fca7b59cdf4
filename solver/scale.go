package solver

import (
	"fmt"
	"math"
	"slices"
)

// Scaled returns the covariance of the same rows with column j divided by
// scale[j] as well, as NewData would with that DataOptions.Scale, without reading
// X again. Errors: a scale that is not d positive numbers, a variance that
// overflows, none that is left (ErrConstant).
func (c *Data) Scaled(scale []float64) (*Data, error) {
	factor, err := reciprocals(scale, c.d)
	if err != nil {
		return nil, err
	}
	diag := slices.Clone(c.diag)
	if err := scaleVariances(diag, factor); err != nil {
		return nil, err
	}
	for j, f := range c.factor {
		factor[j] *= f
	}
	return &Data{x: c.x, n: c.n, d: c.d, mean: c.mean, factor: factor, diag: diag, route: c.route, reads: c.reads}, nil
}

// variances returns the diagonal of A from the columns' means and sums of
// squared deviations.
func variances(mean, squares []float64, n int, uncentered bool) []float64 {
	diag := make([]float64, len(mean))
	for j := range diag {
		sum := squares[j]
		if uncentered {
			sum += float64(n) * mean[j] * mean[j]
		}
		diag[j] = sum / float64(n-1)
	}
	return diag
}

// scaleVariances multiplies diag by the squares of factor, nil for 1. The error
// is an overflow or ErrConstant.
func scaleVariances(diag, factor []float64) error {
	peak := 0.0
	for j := range diag {
		if factor != nil {
			diag[j] *= factor[j] * factor[j]
		}
		if math.IsInf(diag[j], 0) || math.IsNaN(diag[j]) {
			return overflow(j)
		}
		peak = max(peak, diag[j])
	}
	if peak == 0 {
		return ErrConstant
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
