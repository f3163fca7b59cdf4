package kernel

import (
	"math/rand/v2"
	"testing"
)

// TestAdded: what is added is what is set, for tables of all heights, with and without a mean, to few and to
// many columns.
func TestAdded(t *testing.T) {
	for _, shape := range [][3]int{{1, 5, 3}, {60, 7, 16}, {190, 40, 8}, {700, 30, 20}, {3000, 12, 5}, {300, 4 * columnBlock, 9}} {
		n, d, c := shape[0], shape[1], shape[2]
		everywhereOn(t, 5, []int{1, 2}, func(rng *rand.Rand) (all []float64) {
			x, q := randomMatrix(rng, n, d), randomMatrix(rng, d, c)
			for _, mean := range [][]float64{nil, randomVector(rng, d)} {
				p := NewPass(x, mean, c)
				view := View{X: x, Columns: []int{0, d / 2, d - 1}}
				w := randomMatrix(rng, 3, c)
				for what, f := range map[string][2]func(y Matrix){
					"Fused":   {func(y Matrix) { p.Fused(y, q) }, func(y Matrix) { p.AddFused(y, q) }},
					"LeftOf":  {func(y Matrix) { p.LeftOf(y, view, w) }, func(y Matrix) { p.AddLeftOf(y, view, w) }},
					"CrossOf": {func(y Matrix) { CrossOf(y, View{X: x, Mean: mean}, View{X: x.Slice(0, n, 0, min(c, d))}) }, func(y Matrix) { AddCrossOf(y, View{X: x, Mean: mean}, View{X: x.Slice(0, n, 0, min(c, d))}) }},
				} {
					cols := c
					if what == "CrossOf" {
						cols = min(c, d)
					}
					want, got := NewMatrix(d, cols), NewMatrix(d, cols)
					for i := range got.Data {
						got.Data[i] = float64(i % 7)
					}
					f[0](want)
					f[1](got)
					for i, v := range want.Data {
						if e := got.Data[i] - v - float64(i%7); e > 1e-12*float64(n*d) || e < -1e-12*float64(n*d) {
							t.Fatalf("%s of %d×%d, %d columns: number %d is %v, want %d + %v", what, n, d, c, i, got.Data[i], i%7, v)
						}
					}
				}
				y := NewMatrix(d, c)
				p.AddFused(y, q)
				p.AddLeftOf(y, view, w)
				all = append(all, y.Data...)
			}
			return all
		})
	}
}
