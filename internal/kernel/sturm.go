package kernel

import "math"

// Shifts is how many shifts SturmCounts and SturmSlopes take at once: the divisions of one wait for each other,
// those of several overlap.
const Shifts = 4

// SturmCounts sets below to the number of negative pivots of LDLᵀ = T − x·I for each of x: so many eigenvalues of
// the tridiagonal T, with diagonal d and square the squared entries before it (square[0] = 0), lie below. The pivots
// q run through zero and infinity as IEEE arithmetic has them; the sign bit also tells −0.
func SturmCounts(below *[Shifts]uint64, d, square []float64, x *[Shifts]float64) {
	mustLen("square", square, len(d))
	sturmCounts(below, d, square, x)
}

// SturmSlopes is SturmCounts up to rounding and also sets slope to Σ 1/(x − λ_j), the logarithmic derivative of
// det(T − x·I). It is not finite if a pivot is zero.
func SturmSlopes(below *[Shifts]uint64, slope *[Shifts]float64, d, square []float64, x *[Shifts]float64) {
	mustLen("square", square, len(d))
	sturmSlopes(below, slope, d, square, x)
}

func plainSturmCounts(below *[Shifts]uint64, d, square []float64, x *[Shifts]float64) {
	x0, x1, x2, x3 := x[0], x[1], x[2], x[3]
	q0, q1, q2, q3 := 1.0, 1.0, 1.0, 1.0
	var c0, c1, c2, c3 uint64
	square = square[:len(d)]
	for i, v := range d {
		e := square[i]
		q0 = v - x0 - e/q0
		q1 = v - x1 - e/q1
		q2 = v - x2 - e/q2
		q3 = v - x3 - e/q3
		c0 += math.Float64bits(q0) >> 63
		c1 += math.Float64bits(q1) >> 63
		c2 += math.Float64bits(q2) >> 63
		c3 += math.Float64bits(q3) >> 63
	}
	*below = [Shifts]uint64{c0, c1, c2, c3}
}

func plainSturmSlopes(below *[Shifts]uint64, slope *[Shifts]float64, d, square []float64, x *[Shifts]float64) {
	square = square[:len(d)]
	for l := 0; l < Shifts; l += 2 {
		x0, x1 := x[l], x[l+1]
		t0, t1 := 1.0, 1.0 // 1/q of the row before
		var r0, r1 float64 // q'/q of the row before
		var s0, s1 float64 // Σ q'/q
		var c0, c1 uint64
		for i, v := range d {
			u0, u1 := square[i]*t0, square[i]*t1
			q0, q1 := v-x0-u0, v-x1-u1
			t0, t1 = 1/q0, 1/q1
			r0, r1 = (float64(u0*r0)-1)*t0, (float64(u1*r1)-1)*t1
			s0, s1 = s0+r0, s1+r1
			c0 += math.Float64bits(q0) >> 63
			c1 += math.Float64bits(q1) >> 63
		}
		below[l], below[l+1] = c0, c1
		slope[l], slope[l+1] = s0, s1
	}
}
