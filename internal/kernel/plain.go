package kernel

import "math"

// The plain kernels do in Go what the generated ones do in assembly. The order and
// the fused multiply-adds are the same, so all paths give the same bytes.

// plainTile is tile in Go.
func plainTile(m, n, k int, a []float64, sp, sk int, b []float64, sb int, start []float64, ss int, c []float64, sc int) {
	for p := range m {
		s := c[p*sc : p*sc+n : p*sc+n]
		if start == nil {
			clear(s)
		} else {
			copy(s, start[p*ss:p*ss+n])
		}
		if k > 0 {
			plainRow(s, k, a[p*sp:], sk, b, sb)
		}
	}
}

// plainRow adds Σ_l a[l*sk]·b[l*sb : l*sb+len(s)] to s, k > 0.
func plainRow(s []float64, k int, a []float64, sk int, b []float64, sb int) {
	for len(s) >= 8 {
		plainRow8((*[8]float64)(s), k, a, sk, b, sb)
		s = s[8:]
		if len(s) > 0 {
			b = b[8:]
		}
	}
	for j := range s {
		t := s[j]
		for l := range k {
			t = fma(a[l*sk], b[l*sb+j], t)
		}
		s[j] = t
	}
}

// plainRow8 is plainRow for eight columns.
func plainRow8(s *[8]float64, k int, a []float64, sk int, b []float64, sb int) {
	s0, s1, s2, s3, s4, s5, s6, s7 := s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7]
	for l := range k {
		x := a[l*sk]
		r := (*[8]float64)(b[l*sb:])
		s0 = fma(x, r[0], s0)
		s1 = fma(x, r[1], s1)
		s2 = fma(x, r[2], s2)
		s3 = fma(x, r[3], s3)
		s4 = fma(x, r[4], s4)
		s5 = fma(x, r[5], s5)
		s6 = fma(x, r[6], s6)
		s7 = fma(x, r[7], s7)
	}
	*s = [8]float64{s0, s1, s2, s3, s4, s5, s6, s7}
}

// fma returns x·y + z, rounded once where the processor can do that at speed.
func fma(x, y, z float64) float64 {
	if fusedInHardware {
		return math.FMA(x, y, z)
	}
	return x*y + z
}

// lanes is the number of interleaved partial sums of a dot product: four
// vectors of eight.
const lanes = 32

func plainForemost(x, y []float64, share float64) int {
	most := 0.0
	for i, v := range x {
		most = max(most, math.Abs(v*y[i]))
	}
	for i, v := range x {
		if math.Abs(v*y[i]) >= share*most {
			return i
		}
	}
	return 0
}

// plainDot returns Σ x[i]·y[i]: element i belongs to partial sum i mod 32.
func plainDot(x, y []float64) float64 {
	var s [lanes]float64
	for len(x) >= lanes {
		u, v := (*[lanes]float64)(x), (*[lanes]float64)(y)
		for l := range s {
			s[l] = fma(u[l], v[l], s[l])
		}
		x, y = x[lanes:], y[lanes:]
	}
	for l := range x {
		s[l] = fma(x[l], y[l], s[l])
	}
	return sumLanes(&s)
}

// sumLanes adds the partial sums by halves: 32 to 16, 8, 4, 2, 1.
func sumLanes(s *[lanes]float64) float64 {
	for h := lanes / 2; h > 0; h /= 2 {
		for l := range h {
			s[l] += s[l+h]
		}
	}
	return s[0]
}

// plainAxpy adds alpha·x to y.
func plainAxpy(alpha float64, x, y []float64) {
	y = y[:len(x)]
	for i, v := range x {
		y[i] = fma(alpha, v, y[i])
	}
}
