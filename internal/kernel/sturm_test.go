package kernel

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// sturmCase is a tridiagonal matrix of order n, and shifts.
func sturmCase(rng *rand.Rand, n int) (d, square []float64, x [Shifts]float64) {
	d, square = randomMatrix(rng, 1, n).Data, make([]float64, n)
	for i := 1; i < n; i++ {
		e := rng.NormFloat64()
		square[i] = e * e
	}
	for l := range x {
		x[l] = 2 * rng.NormFloat64()
	}
	if n > 0 && rng.IntN(4) == 0 { // a pivot that is zero, one after it that is infinite
		x[rng.IntN(Shifts)] = d[0]
	}
	return d, square, x
}

// TestSturm: counts are those of the signs of the leading minors, slopes those of the logarithm of the last one, and
// all paths give the same bytes.
func TestSturm(t *testing.T) {
	for trial := range 60 {
		n := trial % 30
		var d, square []float64
		var x [Shifts]float64
		got := everywhereSeeded(t, uint64(trial), func(rng *rand.Rand) []float64 {
			d, square, x = sturmCase(rng, n)
			var counts, below [Shifts]uint64
			var slope [Shifts]float64
			SturmCounts(&counts, d, square, &x)
			SturmSlopes(&below, &slope, d, square, &x)
			out := slope[:]
			for l := range below {
				if math.IsNaN(slope[l]) {
					slope[l] = math.Inf(1) // NaN has many bits
				}
				out = append(out, float64(counts[l]), float64(below[l]))
			}
			return out
		})
		for l, v := range x {
			if slices.Contains(d, v) {
				continue
			}
			negative, slope := minors(d, square, v)
			if got[Shifts+2*l] != negative || got[Shifts+2*l+1] != negative {
				t.Errorf("order %d: %v and %v pivots are negative, want %v", n, got[Shifts+2*l], got[Shifts+2*l+1], negative)
			}
			if math.Abs(got[l]-slope) > 1e-6*(1+math.Abs(slope)) {
				t.Errorf("order %d: the slope is %v, want %v", n, got[l], slope)
			}
		}
	}
}

// minors returns how many eigenvalues lie below x, by the changes of sign of the leading minors, and the logarithmic
// derivative of the last.
func minors(d, square []float64, x float64) (below, slope float64) {
	p, before, dp, dbefore := 1.0, 0.0, 0.0, 0.0
	for i, v := range d {
		p, before, dp, dbefore = (v-x)*p-square[i]*before, p, (v-x)*dp-p-square[i]*dbefore, dp
		if (p < 0) != (before < 0) {
			below++
		}
	}
	return below, dp / p
}

func BenchmarkSturmSlopes(b *testing.B) {
	d, square, x := sturmCase(rand.New(rand.NewPCG(1, 1)), 300)
	var below [Shifts]uint64
	var slope [Shifts]float64
	for p := plain; p <= bestPath(); p++ {
		b.Run(p.String(), func(b *testing.B) {
			defer use(p)()
			for b.Loop() {
				SturmSlopes(&below, &slope, d, square, &x)
			}
		})
	}
}
