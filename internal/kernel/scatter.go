package kernel

import "math"

// Scatter sets mean and squares (length d) as Moments does, and c (d×d, both
// triangles) to the scatter matrix XcᵀXc, Xc = X − 1·meanᵀ. The squares are on its
// diagonal. x (n×d) is read once, where Moments and Cross read it twice. n·d·(d+1)
// flop. With units (length d), powers of two, squares and c are those of the columns
// times their units.
//
// It sums products of deviations from a centre like that of Moments. Then it subtracts
// n(mean−centre)(mean−centre)ᵀ. Entries lose digits where that is more than what is left
// on the diagonal, as it may be for rows that were sorted. It then reports false, as
// where a square is not finite, and nothing is to be used.
func Scatter(c Matrix, mean, squares []float64, x Matrix, units []float64) bool {
	x.check("X")
	d := x.Cols
	c.mustBe("C", d, d)
	mustLen("mean", mean, d)
	mustLen("squares", squares, d)
	if units != nil {
		mustLen("units", units, d)
	}
	if x.empty() {
		clear(mean)
		clear(squares)
		c.Zero()
		return true
	}
	scratch := Borrow()
	defer scratch.Release()
	parts := depthParts(d*d, x.Rows)
	all := scratch.Floats(d * (1 + max(2, parts)))
	center, sums := all[:d], all[d:]
	clear(sums)
	scaledCenter(center, sums[:2*d], x, units)
	o := operand{View{X: x, Mean: center, Factor: units}, true}
	product{c: c, x: o, y: o, alpha: 1, symmetric: true, l1: x.Rows, sums: sums}.sum()
	for part := 1; part < parts; part++ {
		axpy(1, sums[part*d:][:d], sums[:d])
	}
	near := true
	for j, s := range sums[:d] {
		near = recenter(c, squares, sums[:d], j, float64(x.Rows)) && near
		if s /= float64(x.Rows); units != nil {
			s /= units[j]
		}
		mean[j] = center[j] + s
	}
	mirror(c)
	return near
}

// recenter moves row j of the lower triangle of c, sums over n rows, from a centre to
// the mean. It reports whether these are near each other.
func recenter(c Matrix, squares, sums []float64, j int, n float64) bool {
	row, s := c.Row(j)[:j+1], sums[j]
	axpy(-s/n, sums[:j+1], row)
	row[j] = math.Max(0, row[j])
	squares[j] = row[j]
	return s*(s/n) <= squares[j] && squares[j] <= math.MaxFloat64 // false for what is not a number
}

// scaledCenter is momentCenter; the mean is that of columns times their units, so that
// those at the ends of float64 have one.
func scaledCenter(c, scratch []float64, x Matrix, units []float64) {
	if units == nil {
		momentCenter(c, scratch, x)
		return
	}
	room := Borrow()
	defer room.Release()
	rows := min(x.Rows, centerRows)
	sample := room.Matrix(rows, x.Cols)
	for i := range rows {
		for j, v := range x.Row(i * (x.Rows / rows)) {
			sample.Row(i)[j] = v * units[j]
		}
	}
	momentCenter(c, scratch, sample)
	for j, u := range units {
		c[j] /= u
	}
}

// GramMoments sets mean and squares (length d) as Moments does, and c (n×n, both
// triangles) to XcXcᵀ, Xc = X − 1·meanᵀ, as Gram does. x (n×d) is read from memory once:
// some columns at a time, whose moments are taken on the way. d·n·(n+1) flop.
func GramMoments(c Matrix, mean, squares []float64, x Matrix) {
	x.check("X")
	c.mustBe("C", x.Rows, x.Rows)
	mustLen("mean", mean, x.Cols)
	mustLen("squares", squares, x.Cols)
	if x.empty() {
		clear(mean)
		clear(squares)
	}
	o := operand{View{X: x, Mean: mean}, false}
	product{c: c, x: o, y: o, alpha: 1, symmetric: true, l1: x.Cols, mean: mean, squares: squares}.sum()
	mirror(c)
}
