package kernel

import "math"

// Scatter sets mean and squares (length d) to what Moments sets them to, and c
// (d×d, both triangles) to the scatter matrix XcᵀXc, Xc = X − 1·meanᵀ, which has the
// squares on its diagonal. It reads x (n×d) once, where Moments and Cross read it
// twice. n·d·(d+1) flop.
//
// It sums products of deviations from the centre c of Moments, of which
// n(mean−c)(mean−c)ᵀ is subtracted. Where that is more than what is left on the
// diagonal of some column, such as in rows that were sorted, entries may have lost
// digits. It then reports false, as where a square is not finite, and c is not to be
// used.
func Scatter(c Matrix, mean, squares []float64, x Matrix) bool {
	x.check("X")
	d := x.Cols
	c.mustBe("C", d, d)
	mustLen("mean", mean, d)
	mustLen("squares", squares, d)
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
	momentCenter(center, sums[:2*d], x)
	o := operand{View{X: x, Mean: center}, true}
	product{c: c, x: o, y: o, alpha: 1, symmetric: true, l1: x.Rows, sums: sums}.sum()
	for part := 1; part < parts; part++ {
		axpy(1, sums[part*d:][:d], sums[:d])
	}
	near := recenter(c, mean, squares, center, sums[:d], float64(x.Rows))
	mirror(c)
	return near
}

// recenter takes the lower triangle of c from sums of products of deviations from a
// centre to those from the mean, and reports whether the centre was near it.
func recenter(c Matrix, mean, squares, center, sums []float64, n float64) bool {
	near := true
	for j, s := range sums {
		axpy(-s/n, sums[:j+1], c.Row(j)[:j+1])
		mean[j] = center[j] + s/n
		squares[j] = math.Max(0, c.Row(j)[j])
		c.Row(j)[j] = squares[j]
		near = near && s*(s/n) <= squares[j] && squares[j] <= math.MaxFloat64 // false for what is not a number
	}
	return near
}
