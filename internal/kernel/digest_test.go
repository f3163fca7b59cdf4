package kernel

import (
	"math"
	"math/rand/v2"
	"testing"
)

// digestOf returns the sum of numbers that are added in pieces of some length.
func digestOf(x []float64, piece int) (uint64, bool) {
	var d Digest
	for ; len(x) > piece; x = x[piece:] {
		d.Add(x[:piece])
	}
	d.Add(x)
	return d.Sum(), d.Finite()
}

// TestDigest: every path gives the same sum, at once and in pieces of whole vectors; any change of a
// number, or of the places of two, gives another.
func TestDigest(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 5))
	for _, n := range []int{0, 1, 7, 8, 9, 64, 100, 1003} {
		x := make([]float64, n)
		for i := range x {
			x[i] = float64(rng.IntN(1000)) // the lower halves are 0
		}
		defer use(plain)()
		want, _ := digestOf(x, n+1)
		eachPath(t, func(t *testing.T) {
			for _, piece := range []int{8, 64, n + 1} {
				if got, finite := digestOf(x, piece); got != want || !finite {
					t.Errorf("n = %d in pieces of %d: got %x (%v), want %x", n, piece, got, finite, want)
				}
			}
			for i := range x {
				keep := x[i]
				for _, v := range []float64{keep + 1, -keep - 1, math.Nextafter(keep, 2000)} {
					x[i] = v
					if got, _ := digestOf(x, n+1); got == want {
						t.Errorf("n = %d: number %d is %v instead of %v, and the sum is the same", n, i, v, keep)
					}
				}
				x[i] = keep
				j := rng.IntN(n)
				x[i], x[j] = x[j], x[i]
				if got, _ := digestOf(x, n+1); got == want && x[i] != x[j] {
					t.Errorf("n = %d: numbers %d and %d change places, and the sum is the same", n, i, j)
				}
				x[i], x[j] = x[j], x[i]
				for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
					x[i] = v
					if _, finite := digestOf(x, n+1); finite {
						t.Errorf("n = %d: number %d is %v, and all are said to be finite", n, i, v)
					}
				}
				x[i] = keep
			}
		})
	}
}

// TestDigestMerge: a change of any number in any piece, and pieces that change places, change the sum.
func TestDigestMerge(t *testing.T) {
	x := make([]float64, 40)
	for i := range x {
		x[i] = float64(i % 13)
	}
	merged := func(order ...int) (uint64, bool) {
		var all Digest
		for _, piece := range order {
			var d Digest
			d.Add(x[10*piece : 10*piece+10])
			all.Merge(&d)
		}
		return all.Sum(), all.Finite()
	}
	want, _ := merged(0, 1, 2, 3)
	for _, order := range [][]int{{1, 0, 2, 3}, {0, 1, 3, 2}, {0, 1, 2}, {3, 2, 1, 0}} {
		if got, _ := merged(order...); got == want {
			t.Errorf("the pieces %v have the sum of all in order", order)
		}
	}
	for i := range x {
		keep := x[i]
		x[i] = keep + 1
		if got, finite := merged(0, 1, 2, 3); got == want || !finite {
			t.Errorf("number %d changes, and the sum is the same (or finite: %v)", i, finite)
		}
		x[i] = math.Inf(1)
		if _, finite := merged(0, 1, 2, 3); finite {
			t.Errorf("number %d is infinite, and all are said to be finite", i)
		}
		x[i] = keep
	}
}

// TestSpreads: the moments are those of Moments, and the limits those of the columns, on every path.
func TestSpreads(t *testing.T) {
	for _, shape := range [][2]int{{1, 3}, {5, 1}, {70, 17}, {300, 40}, {33, 2*momentColumns + 5}} {
		n, d := shape[0], shape[1]
		everywhere(t, func(rng *rand.Rand) []float64 {
			x := randomMatrix(rng, n, d)
			x.Row(n / 2)[d/2] = math.NaN()
			mean, squares, least, most := make([]float64, d), make([]float64, d), make([]float64, d), make([]float64, d)
			for j := range least {
				least[j], most[j] = 0.5, math.Inf(-1)
			}
			Spreads(mean, squares, least, most, nil, x)
			for j := range d {
				lo, hi := 0.5, math.Inf(-1)
				for i := range n {
					if v := x.Row(i)[j]; v == v {
						lo, hi = min(lo, v), max(hi, v)
					}
				}
				if least[j] != lo || most[j] != hi {
					t.Fatalf("%d×%d, column %d: %v to %v, want %v to %v", n, d, j, least[j], most[j], lo, hi)
				}
			}
			again, other := make([]float64, d), make([]float64, d)
			Moments(again, other, x)
			mustEqual(t, "means", mean, again, shape)
			mustEqual(t, "squares", squares, other, shape)
			return append(append(append(mean, squares...), least...), most...)
		})
	}
}
