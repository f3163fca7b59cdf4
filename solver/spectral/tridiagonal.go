package spectral

import "math"

// tridiagonal is a symmetric tridiagonal matrix: diagonal d (n) and
// off-diagonal e (n−1).
type tridiagonal struct{ d, e []float64 }

// norm returns the largest sum of the magnitudes in a row, which is between
// ‖T‖₂ and √3·‖T‖₂.
func (t tridiagonal) norm() float64 {
	largest := 0.0
	for i := range t.d {
		largest = max(largest, math.Abs(t.d[i])+t.off(i-1)+t.off(i))
	}
	return largest
}

// off returns |e_i|, 0 outside.
func (t tridiagonal) off(i int) float64 {
	if i < 0 || i >= len(t.e) {
		return 0
	}
	return math.Abs(t.e[i])
}

// split sets what is below rounding to 0 and returns the limits of the blocks
// that remain: block b is rows limits[b] to limits[b+1].
func (t tridiagonal) split(norm float64) (limits []int) {
	t.flush(norm)
	limits = append(limits, 0)
	for i := range t.e {
		if math.Abs(t.e[i]) <= epsilon/4*norm {
			t.e[i] = 0
			limits = append(limits, i+1)
		}
	}
	return append(limits, len(t.d))
}

// flush sets diagonal entries to 0 that mean nothing beside norm. gonum's QL
// iterations panic where all of a block is as small as the least float64s.
func (t tridiagonal) flush(norm float64) {
	for i, v := range t.d {
		if math.Abs(v) < 1e-60*norm {
			t.d[i] = 0
		}
	}
}

// block returns rows lo to hi, shared.
func (t tridiagonal) block(lo, hi int) tridiagonal {
	return tridiagonal{d: t.d[lo:hi], e: t.e[lo : hi-1]}
}

// residual returns ‖T·z − λ·z‖₂.
func (t tridiagonal) residual(z []float64, lambda float64) float64 {
	s, n := 0.0, len(z)
	for i, v := range z {
		r := (t.d[i] - lambda) * v
		if i > 0 {
			r += t.e[i-1] * z[i-1]
		}
		if i < n-1 {
			r += t.e[i] * z[i+1]
		}
		s += r * r
	}
	return math.Sqrt(s)
}
