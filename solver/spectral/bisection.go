package spectral

import (
	"cmp"
	"math"
	"slices"

	"github.com/fspca/fspca/internal/kernel"
	"github.com/fspca/fspca/internal/lists"
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
	slices.SortStableFunc(all, func(a, b place) int { return cmp.Compare(b.value, a.value) })
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

// lanes is how many shifts are counted at once.
const lanes = kernel.Shifts

// count sets above to the number of eigenvalues above each of x.
func (s *sturm) count(x *[lanes]float64, above *[lanes]int) {
	var below [lanes]uint64
	kernel.SturmCounts(&below, s.d, s.square, x)
	s.others(above, &below)
}

// slopes is count and also sets slope to Σ 1/(x − λ_j), the logarithmic derivative
// of det(T − x·I). It is not finite if a pivot is zero.
func (s *sturm) slopes(x *[lanes]float64, above *[lanes]int, slope *[lanes]float64) {
	var below [lanes]uint64
	kernel.SturmSlopes(&below, slope, s.d, s.square, x)
	s.others(above, &below)
}

// others sets above to how many eigenvalues are not below.
func (s *sturm) others(above *[lanes]int, below *[lanes]uint64) {
	for l, c := range below {
		above[l] = len(s.d) - int(c)
	}
}

// bracket is an interval that holds an eigenvalue: below of them lie above lo,
// over above hi. slopeLo and slopeHi are the slopes there, NaN if unknown.
type bracket struct {
	lo, hi           float64
	below, over      int
	slopeLo, slopeHi float64
}

// alone reports whether the bracket holds one eigenvalue.
func (b *bracket) alone() bool { return b.below-b.over == 1 }

// cut uses that above eigenvalues lie above x. i is the eigenvalue's index.
func (b *bracket) cut(i int, x float64, above int, slope float64) {
	if i < above {
		if x > b.lo {
			b.lo, b.below, b.slopeLo = x, above, slope
		}
	} else if x < b.hi {
		b.hi, b.over, b.slopeHi = x, above, slope
	}
}

// propose returns where λ would be if the slope were 1/(x − λ) plus a constant
// for the other eigenvalues: with w = hi − lo and u = λ − lo the difference of
// the slopes at the ends is w/(u·(w − u)). The end with the steeper slope is
// the nearer one. NaN: the slopes do not allow it.
func (b *bracket) propose() float64 {
	w, d := b.hi-b.lo, b.slopeHi-b.slopeLo
	disc := w * (w - 4/d)
	if !(disc >= 0) {
		return math.NaN()
	}
	// The smaller root of u² − w·u + w/d without cancellation.
	u := 2 * (w / d) / (w + math.Sqrt(disc))
	if math.Abs(b.slopeLo) > math.Abs(b.slopeHi) {
		return b.lo + u
	}
	return b.hi - u
}

// leading returns the r largest eigenvalues, descending.
func (s *sturm) leading(r int) []float64 {
	if len(s.d) == 1 {
		return []float64{s.d[0]}
	}
	b := slices.Repeat([]bracket{{lo: s.lo, hi: s.hi, below: len(s.d), slopeLo: math.NaN(), slopeHi: math.NaN()}}, r)
	half := (r/2 + lanes - 1) / lanes * lanes
	if len(s.d)*r < halvedWork {
		half = r
	}
	shared((r+half-1)/half, sweepWork*len(s.d)*r, func(part int) { // what a half learns, the other does not
		end := min(r, (part+1)*half)
		for i := part * half; i < end; i += lanes {
			s.narrow(b[:end], i, min(end, i+lanes))
		}
	})
	return lists.Map(b, func(v bracket) float64 { return v.lo + (v.hi-v.lo)/2 })
}

// halvedWork is the product of the order and the number of values from which these are
// found in two halves, whatever the number of processors. sweepWork is about as long as one
// of them takes for each row, in multiply-adds of vectors.
const (
	halvedWork = 1 << 9
	sweepWork  = 800
)

// narrow closes the brackets i0 ≤ i < i1 to the precision: by bisection, and
// with the slopes once each holds a single eigenvalue. What a sweep tells
// about the other brackets is kept too.
func (s *sturm) narrow(b []bracket, i0, i1 int) {
	var x, slope [lanes]float64
	var above [lanes]int
	last := [lanes]float64{} // widths two sweeps ago decide whether slopes help
	for step := 0; ; step++ {
		open, alone := false, true
		for l := range x {
			v := &b[min(i0+l, i1-1)]
			if v.hi-v.lo > s.precision+epsilon*max(math.Abs(v.lo), math.Abs(v.hi)) {
				open = true
				alone = alone && v.alone()
			}
			x[l] = s.point(v, &last[l], step)
		}
		if !open {
			return
		}
		if alone {
			s.slopes(&x, &above, &slope)
		} else {
			s.count(&x, &above)
			slope = [lanes]float64{math.NaN(), math.NaN(), math.NaN(), math.NaN()}
		}
		for l, a := range above {
			for i := i0; i < len(b); i++ {
				b[i].cut(i, x[l], a, slope[l])
			}
		}
	}
}

// point returns where to look next: where the slopes propose, if they do, but
// not so near to an end that little could be learned; in the middle otherwise,
// and whenever three sweeps have not halved the width.
func (s *sturm) point(b *bracket, before *float64, step int) float64 {
	w := b.hi - b.lo
	middle := b.lo + w/2
	if step%3 == 0 {
		slow := w > *before/2
		*before = w
		if slow {
			return middle
		}
	}
	near := s.precision/2 + epsilon*math.Abs(middle)
	x := b.propose()
	if !b.alone() || x != x || w <= 4*near {
		return middle
	}
	return min(max(x, b.lo+near), b.hi-near)
}
