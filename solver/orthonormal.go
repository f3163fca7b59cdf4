package solver

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// normaliseColumns gives the columns of v, none of which is zero, norm 1.
func normaliseColumns(v *mat.Dense) {
	d, c := v.Dims()
	scale := make([]float64, c)
	for i := range d {
		row := v.RawRowView(i)
		for j, x := range row[:len(scale)] {
			scale[j] += x * x
		}
	}
	for j, s := range scale {
		if !(s >= leastSquares && s <= mostSquares) {
			s = reduceColumn(v, j)
		}
		scale[j] = 1 / math.Sqrt(s)
	}
	eachRow(d, c, func(i int) {
		row := v.RawRowView(i)
		for j, f := range scale[:len(row)] {
			row[j] *= f
		}
	})
}

// reduceColumn divides column j, whose squares are no numbers, by a power of two and
// returns the sum of its squares.
func reduceColumn(v *mat.Dense, j int) (squares float64) {
	d, _ := v.Dims()
	peak := 0.0
	for i := range d {
		peak = max(peak, math.Abs(v.At(i, j)))
	}
	_, e := math.Frexp(peak)
	for i := range d {
		x := math.Ldexp(v.At(i, j), -e)
		v.Set(i, j, x)
		squares += x * x
	}
	return squares
}
