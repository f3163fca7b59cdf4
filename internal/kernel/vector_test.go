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
			n := randomSize(rng, 200)
			x, y := randomVector(rng, n+3)[3:], randomVector(rng, n)
			if want == nil {
				want = naive(true, false, column(x), column(y)).Data
				for i, v := range y {
					want = append(want, v-1.5*x[i])
				}
			}
			d := Dot(x, y)
			Axpy(-1.5, x, y)
			return append([]float64{d}, y...)
		})
		mustBeNear(t, "x·y and y − 1.5x", got, want, 1e-13)
	}
}

// TestForemost compares with a scan, at every place and length.
func TestForemost(t *testing.T) {
	for p := plain; p <= bestPath(); p++ {
		func() {
			defer use(p)()
			for n := 1; n < 90; n++ {
				for at := range n {
					x, y := make([]float64, n+1), make([]float64, n+1)
					for i := range x {
						x[i], y[i] = float64(i%7)-3, 1
					}
					want := at / 2
					x[0], x[at], x[want], x[n], y[n] = 7.9, -8, 8*(1-1e-13), 9, 9 // what is behind the end does not count
					if got := Foremost(x[:n], y[:n], 1-1e-12); got != want {
						t.Fatalf("%s: the foremost of %v is %d, want %d", p, x[:n], got, want)
					}
				}
				if got := Foremost(make([]float64, n), make([]float64, n), 1-1e-12); got != 0 {
					t.Fatalf("%s: the foremost of %d zeros is %d", p, n, got)
				}
			}
		}()
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
