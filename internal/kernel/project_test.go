package kernel

import (
	"math/rand/v2"
	"testing"
)

func TestProjection(t *testing.T) {
	for trial := range 80 {
		var want []float64
		got := everywhere(t, func(rng *rand.Rand) []float64 {
			n, k, m := randomSize(rng, 60), randomSize(rng, 40), randomSize(rng, 30)
			if trial%8 == 0 {
				n, k = 150+rng.IntN(300), 100+rng.IntN(300)
			}
			x, v := randomMatrix(rng, n, k), randomMatrix(rng, k, m)
			var mean []float64
			if rng.IntN(3) > 0 {
				mean = randomVector(rng, k)
			}
			p := NewProjection(v, mean)
			dst := randomMatrix(rng, n, m)
			p.Project(dst, x)
			row := make([]float64, m)
			for i := range n {
				p.ProjectRow(row, x.Row(i))
				mustEqual(t, "row alone", row, dst.Row(i), i)
			}
			if want == nil {
				want = naive(false, false, centred(x, mean), v).Data
			}
			return compact(dst)
		})
		mustBeNear(t, "projected", got, want, 1e-13)
	}
}

// TestProjectionOfMean: a row that is the mean gives 0, however large.
func TestProjectionOfMean(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	mean := randomVector(rng, 37)
	for i := range mean {
		mean[i] *= 1e9
	}
	p := NewProjection(randomMatrix(rng, 37, 5), mean)
	dst := []float64{1, 1, 1, 1, 1}
	p.ProjectRow(dst, mean)
	for _, v := range dst {
		if v != 0 {
			t.Errorf("projection of the mean is %v, want 0", dst)
		}
	}
}

func TestProjectRowAllocates(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 13))
	p := NewProjection(randomMatrix(rng, 100, 10), randomVector(rng, 100))
	dst, row := make([]float64, 10), randomVector(rng, 100)
	if n := testing.AllocsPerRun(200, func() { p.ProjectRow(dst, row) }); n > 0 {
		t.Errorf("%v allocations per row, want none", n)
	}
}
