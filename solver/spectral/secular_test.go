package spectral

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// The roots interlace with the poles, and the vectors that belong to them and
// to the recomputed weights are orthogonal to working precision however close
// the poles are.
func TestSecular(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.IntRange(1, 40).Draw(t, "k")
		gap := rapid.SampledFrom([]float64{1e-12, 1e-9, 1e-4, 0.1, 1})
		weight := rapid.SampledFrom([]float64{1e-14, 1e-10, 1e-5, 0.1, 1, -1, -1e-7})
		rho := rapid.SampledFrom([]float64{1e-3, 1, 30}).Draw(t, "rho")
		d, z := make([]float64, k), make([]float64, k)
		at := -3.0
		for j := range d {
			at += gap.Draw(t, "gap")
			d[j], z[j] = at, weight.Draw(t, "z")
		}
		if !unit(z) {
			t.Fatal("no weights")
		}
		s := newSecular(d, z, rho)
		rows, roots := make([][]float64, k), make([]float64, k)
		for i := range rows {
			rows[i] = make([]float64, k)
			roots[i] = s.root(i, rows[i])
			if rows[i][i] > 0 || i+1 < k && rows[i][i+1] < 0 {
				t.Errorf("root %d is %g and %g from its poles", i, -rows[i][i], rows[i][i+1])
			}
		}
		s.weights(z, func(i int) []float64 { return rows[i] })
		order, work := make([]int, k), make([]float64, k)
		for j := range order {
			order[j] = j
		}
		for i := range rows {
			vectorRow(rows[i], z, order, work)
		}
		for i := range rows {
			for l := range i + 1 {
				s := 0.0
				for j, v := range rows[i] {
					s += v * rows[l][j]
				}
				if want := map[bool]float64{true: 1}[i == l]; math.Abs(s-want) > 1e-13 {
					t.Errorf("vectors %d and %d have the product %g", i, l, s)
				}
			}
		}
	})
}
