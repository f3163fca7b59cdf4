package kernel

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestVectors(t *testing.T) {
	for range 300 {
		var want []float64
		most := 0.0
		got := everywhere(t, func(rng *rand.Rand) []float64 {
			n := randomSize(rng, 200)
			x, y := randomVector(rng, n+3)[3:], randomVector(rng, n)
			if want == nil {
				want = naive(true, false, column(x), column(y)).Data
				for i, v := range y {
					want, most = append(want, v-1.5*x[i]), max(most, math.Abs(v*x[i]))
				}
			}
			if got := Largest(x, y); got != most {
				t.Errorf("the largest of %d products is %v, want %v", n, got, most)
			}
			d := Dot(x, y)
			Axpy(-1.5, x, y)
			return append([]float64{d}, y...)
		})
		mustBeNear(t, "x·y and y − 1.5x", got, want, 1e-13)
	}
}

func column(x []float64) Matrix { return Matrix{Rows: len(x), Cols: 1, Data: x, Stride: 1} }

func TestDotSpecialValues(t *testing.T) {
	inf := math.Inf(1)
	for p := plain; p <= bestPath(); p++ {
		func() {
			defer use(p)()
			for n := range 70 {
				x, y := make([]float64, n+1), make([]float64, n+1)
				x[n], y[n] = 2, inf // alone in its place: no other may turn to NaN
				if got := Dot(x, y); got != inf {
					t.Errorf("%s: dot of %d is %v, want +Inf", p, n+1, got)
				}
			}
		}()
	}
}
