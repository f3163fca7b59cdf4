package solver

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// normaliseColumns gives the columns of v, none of which is zero, norm 1.
func normaliseColumns(v *mat.Dense) {
	d, c := v.Dims()
	peak, scale := make([]float64, c), make([]float64, c)
	for i := range d {
		for j, x := range v.RawRowView(i) {
			peak[j] = max(peak[j], math.Abs(x))
		}
	}
	for i := range d {
		for j, x := range v.RawRowView(i) {
			x /= peak[j] // squares of very small or large numbers are none
			scale[j] += x * x
		}
	}
	for j, s := range scale {
		scale[j] = 1 / (peak[j] * math.Sqrt(s))
	}
	for i := range d {
		floats.Mul(v.RawRowView(i), scale)
	}
}
