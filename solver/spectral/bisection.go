package spectral

import (
	"math"
	"sort"
)

// place is an eigenvalue of a tridiagonal matrix and the block it belongs to.
type place struct {
	value float64
	block int
}

// leading returns the r leading eigenvalues of T, descending, each with its
// block. limits and norm come from split and norm. The error of a value is a
// few ε·norm (Demmel, Dhillon and Ren, 1995).
func (t tridiagonal) leading(r int, limits []int, norm float64) []place {
	var all []place
	for b := range limits[:len(limits)-1] {
		block := t.block(limits[b], limits[b+1])
		want := min(r, len(block.d))
		for _, v := range newSturm(block, norm).leading(want) {
			all = append(all, place{v, b})
		}
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].value > all[j].value })
	return all[:r]
}

// sturm counts eigenvalues of an unreduced tridiagonal matrix.
type sturm struct {
	d, square []float64 // diagonal; squared off-diagonal, with a 0 before it
	lo, hi    float64   // all eigenvalues lie between
	precision float64
}

func newSturm(t tridiagonal, norm float64) *sturm {
	s := &sturm{d: t.d, square: make([]float64, len(t.d)), lo: math.Inf(1), hi: math.Inf(-1)}
	for i, v := range t.d {
		if i > 0 {
			s.square[i] = t.e[i-1] * t.e[i-1]
		}
		radius := t.off(i-1) + t.off(i)
		s.lo, s.hi = min(s.lo, v-radius), max(s.hi, v+radius)
	}
	slack := 4 * epsilon * norm
	s.lo, s.hi = s.lo-slack, s.hi+slack
	s.precision = epsilon / 2 * norm
	return s
}

// lanes is how many shifts are counted at once: the divisions of one shift
// wait for each other, those of four overlap.
const lanes = 4

// above sets counts[l] to the number of eigenvalues above x[l]. The recurrence
// of the pivots of LDLᵀ = T − x·I runs through zero and infinite pivots as
// IEEE arithmetic has them; the sign bit also tells −0.
func (s *sturm) above(x *[lanes]float64, counts *[lanes]int) {
	x0, x1, x2, x3 := x[0], x[1], x[2], x[3]
	q0, q1, q2, q3 := 1.0, 1.0, 1.0, 1.0
	var c0, c1, c2, c3 uint64
	square := s.square[:len(s.d)]
	for i, d := range s.d {
		e := square[i]
		q0 = d - x0 - e/q0
		q1 = d - x1 - e/q1
		q2 = d - x2 - e/q2
		q3 = d - x3 - e/q3
		c0 += math.Float64bits(q0) >> 63
		c1 += math.Float64bits(q1) >> 63
		c2 += math.Float64bits(q2) >> 63
		c3 += math.Float64bits(q3) >> 63
	}
	n := len(s.d)
	*counts = [lanes]int{n - int(c0), n - int(c1), n - int(c2), n - int(c3)}
}

// leading returns the r largest eigenvalues, descending.
func (s *sturm) leading(r int) []float64 {
	if len(s.d) == 1 {
		return []float64{s.d[0]}
	}
	lo, hi := make([]float64, r), make([]float64, r)
	for i := range lo {
		lo[i], hi[i] = s.lo, s.hi
	}
	for i := 0; i < r; i += lanes {
		s.bisect(lo, hi, i, min(r, i+lanes))
	}
	for i := range lo {
		lo[i] += (hi[i] - lo[i]) / 2
	}
	return lo
}

// bisect narrows the intervals of eigenvalues i0 ≤ i < i1 (0 is the largest)
// to the precision. What a count tells about the others is kept too.
func (s *sturm) bisect(lo, hi []float64, i0, i1 int) {
	var x [lanes]float64
	var counts [lanes]int
	for {
		open := false
		for l := range x {
			i := min(i0+l, i1-1)
			x[l] = lo[i] + (hi[i]-lo[i])/2
			open = open || hi[i]-lo[i] > s.precision+epsilon*math.Abs(x[l])
		}
		if !open {
			return
		}
		s.above(&x, &counts)
		for l, c := range counts {
			for i := i0; i < len(lo); i++ {
				if i < c {
					lo[i] = max(lo[i], x[l])
				} else {
					hi[i] = min(hi[i], x[l])
				}
			}
		}
	}
}
