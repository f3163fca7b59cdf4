package kernel

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestVectors(t *testing.T) {
	for range 300 {
		var want []float64
		got := everywhere(t, func(rng *rand.Rand) []float64 {
			n, m := randomSize(rng, 200), randomSize(rng, 9)
			a := randomMatrix(rng, m, n)
			x, z := randomVector(rng, n+3)[3:], randomVector(rng, m)
			y, u, w := make([]float64, m), make([]float64, n), randomVector(rng, n)
			MulVec(y, a, x)
			MulVecT(u, a, z)
			if want == nil {
				for i := range w {
					want = append(want, w[i]-1.5*x[i])
				}
				want = append(want, naive(false, false, a, column(x)).Data...)
				want = append(want, naive(true, false, a, column(z)).Data...)
			}
			Axpy(-1.5, x, w)
			return append(append(w, y...), u...)
		})
		mustBeNear(t, "y", got, want, 1e-13)
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
