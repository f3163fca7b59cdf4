package kernel

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestPoles(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 4))
	for n := range 35 {
		weight, at := make([]float64, n), make([]float64, n)
		for i := range at {
			weight[i], at[i] = rng.Float64(), rng.NormFloat64()
		}
		// 0 is where a kernel must not divide past the end of the poles.
		for _, x := range []float64{0, 0.3, -2} {
			wantSum, wantSlope := plainPoles(weight, at, x)
			var sum, slope, size float64
			for i, w := range weight {
				d := at[i] - x
				sum, slope, size = sum+w/d, slope+w/(d*d), size+w/(d*d)+math.Abs(w/d)
			}
			if math.Abs(sum-wantSum) > 1e-14*size || math.Abs(slope-wantSlope) > 1e-14*size {
				t.Errorf("%d poles, x = %g: %g and %g, want %g and %g", n, x, wantSum, wantSlope, sum, slope)
			}
			eachPath(t, func(t *testing.T) {
				if s, d := Poles(weight, at, x); s != wantSum || d != wantSlope {
					t.Errorf("%d poles, x = %g: %g and %g, the plain path has %g and %g", n, x, s, d, wantSum, wantSlope)
				}
			})
		}
	}
	if sum, slope := Poles([]float64{1}, []float64{2}, 2); !math.IsInf(sum, 0) || !math.IsInf(slope, 0) {
		t.Errorf("at a pole: %g and %g", sum, slope)
	}
}

func BenchmarkPoles(b *testing.B) {
	weight, at := make([]float64, 1000), make([]float64, 1000)
	for i := range at {
		weight[i], at[i] = 1, float64(i)
	}
	for b.Loop() {
		Poles(weight, at, 7.5)
	}
}
