package solver

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/fspca/fspca/internal/kernel"
	"github.com/fspca/fspca/internal/subspace"
)

// TestRankedSums: the largest entries of a row in some columns, from the ranked ones,
// are those that a selection finds; and the ranked ones say where they are too few.
func TestRankedSums(t *testing.T) {
	found, short := 0, 0
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 91))
		n, k := 5+rng.IntN(60), 2+rng.IntN(3)
		m := kernel.NewMatrix(n, n)
		for i := range m.Data {
			m.Data[i] = math.Round(4 * rng.NormFloat64()) // with ties
		}
		f := newForm(m, make([]float64, n), 0, k)
		mark, stamp := make([]int32, n), int32(seed+1)
		var free []int
		for l := range n {
			if rng.Float64() < .3 {
				free, mark[l] = append(free, l), stamp
			}
		}
		for j := range n {
			var row []float64
			for _, l := range free {
				if l != j {
					row = append(row, m.Row(j)[l])
				}
			}
			r := 1 + rng.IntN(k-1)
			sum, steps, ok := f.topOf(j, r, mark, stamp)
			switch {
			case !ok && steps != f.reach:
				t.Fatalf("seed %d, row %d: gave up after %d of %d entries", seed, j, steps, f.reach)
			case !ok:
				short++
			case len(row) < r || sum != subspace.TopKSum(row, r): // integers: no rounding
				t.Fatalf("seed %d, row %d of %d: the %d largest of %v sum up to %v", seed, j, n, r, row, sum)
			default:
				found++
			}
		}
	}
	if found < 1000 || short < 100 {
		t.Errorf("%d sums found, %d not: the test has too few", found, short)
	}
}

// TestLearn: what cannot be enumerated lowers the gap below which nodes with as much to
// choose or more are; what can raises it for those with less, never above the first.
func TestLearn(t *testing.T) {
	s := &search{nodeGap: []float64{nodeGap, nodeGap, nodeGap}}
	for _, step := range []struct {
		of   outcome
		want [3]float64
	}{
		{outcome{gap: .02, wanting: 1}, [3]float64{nodeGap, nodeGap, nodeGap}}, // not tried
		{outcome{gap: .02, wanting: 1, tried: true, ended: true}, [3]float64{nodeGap, nodeGap, nodeGap}},
		{outcome{gap: .02, wanting: 1, tried: true}, [3]float64{nodeGap, .018, .018}},
		{outcome{gap: .01, wanting: 2, tried: true}, [3]float64{nodeGap, .018, .009}},
		{outcome{gap: .03, wanting: 1, tried: true}, [3]float64{nodeGap, .018, .009}},
		{outcome{gap: .016, wanting: 1, tried: true, ended: true}, [3]float64{nodeGap, .02, .009}},
		{outcome{gap: .008, wanting: 2, tried: true, ended: true}, [3]float64{nodeGap, .02, .01}},
		{outcome{gap: .039, wanting: 2, tried: true, ended: true}, [3]float64{nodeGap, nodeGap, nodeGap}},
	} {
		s.learn(&step.of)
		for q, want := range step.want {
			if math.Abs(s.nodeGap[q]-want) > 1e-15 {
				t.Fatalf("after %+v: %v, want %v", step.of, s.nodeGap, step.want)
			}
		}
	}
}
