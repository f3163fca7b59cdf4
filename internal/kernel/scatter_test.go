package kernel

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestScatter: the moments and the scatter matrix of one reading are those of two, the
// same bytes everywhere.
func TestScatter(t *testing.T) {
	for trial := range 60 {
		var want []float64
		got := everywhere(t, func(rng *rand.Rand) []float64 {
			n, d := 40+randomSize(rng, 400), randomSize(rng, 60)
			if trial%15 == 0 {
				n += 2 * splitRows
			}
			x := randomMatrix(rng, n, d)
			mean, squares, c := randomVector(rng, d), randomVector(rng, d), randomMatrix(rng, d, d)
			if !Scatter(c, mean, squares, x, nil) {
				t.Errorf("%d×%d: a centre that is far from the means", n, d)
			}
			if want == nil && d > 0 {
				want = twoPass(x)
				xc := centred(x, want[:d])
				want = append(want, compact(naive(true, false, xc, xc))...)
			}
			return append(append(mean, squares...), compact(c)...)
		})
		mustBeNear(t, "moments and products", got, want, 1e-13)
	}
}

// TestScatterInUnits: units are powers of two, and change no digit.
func TestScatterInUnits(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 14))
	const n, d = 300, 30
	x, y, units := uniform(n, d), uniform(n, d), make([]float64, d)
	for j := range units {
		units[j] = math.Ldexp(1, []int{0, 500, -480, -1000, 900}[rng.IntN(5)])
		for i := range n {
			y.Row(i)[j] /= units[j]
		}
	}
	run := func(x Matrix, units []float64) (mean, squares []float64, c Matrix) {
		mean, squares, c = make([]float64, d), make([]float64, d), NewMatrix(d, d)
		if !Scatter(c, mean, squares, x, units) {
			t.Error("a centre that is far from the means")
		}
		return mean, squares, c
	}
	mean, squares, c := run(x, nil)
	inUnits, same, products := run(y, units)
	for j, u := range units {
		inUnits[j] *= u
	}
	if !slices.Equal(inUnits, mean) || !slices.Equal(same, squares) || !slices.Equal(products.Data, c.Data) {
		t.Error("other digits in other units")
	}
}

// TestScatterTellsLostDigits: of a centre that is far from a mean, and of numbers that are not finite;
// what a constant column has is exact.
func TestScatterTellsLostDigits(t *testing.T) {
	const n, d = 10000, 3
	for _, c := range []struct {
		name  string
		first float64 // of the middle column
		want  bool
	}{{"nothing", 0.5, true}, {"an outlier in the sample", 1e12, false}, {"infinite", math.Inf(1), false}, {"not a number", math.NaN(), false}, {"too large", 1e300, false}} {
		x, mean, squares, out := uniform(n, d), make([]float64, d), make([]float64, d), NewMatrix(d, d)
		for i := range n {
			x.Row(i)[0] = 0.1
		}
		x.Row(0)[1] = c.first
		if got := Scatter(out, mean, squares, x, nil); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
		if c.want && (mean[0] != 0.1 || squares[0] != 0 || slices.ContainsFunc(out.Row(0), func(v float64) bool { return v != 0 })) {
			t.Errorf("constant column: mean %v, squares %v, products %v; want 0.1 and exactly 0", mean[0], squares[0], out.Row(0))
		}
	}
}

// TestGramMoments: in one reading the same bytes as in two, everywhere.
func TestGramMoments(t *testing.T) {
	for trial := range 40 {
		everywhere(t, func(rng *rand.Rand) []float64 {
			n, d := randomSize(rng, 200), randomSize(rng, 700)
			if trial%10 == 0 {
				d += momentColumns
			}
			x := randomMatrix(rng, n, d)
			mean, squares, c := randomVector(rng, d), randomVector(rng, d), randomMatrix(rng, n, n)
			GramMoments(c, mean, squares, x)
			twice, squaresTwice, gram := make([]float64, d), make([]float64, d), NewMatrix(n, n)
			Moments(twice, squaresTwice, x)
			Gram(gram, View{X: x, Mean: twice})
			got, want := append(append(mean, squares...), compact(c)...), append(append(twice, squaresTwice...), compact(gram)...)
			mustEqual(t, "one reading", got, want, []int{n, d})
			return got
		})
	}
}
