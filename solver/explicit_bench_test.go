package solver

import (
	"math/rand/v2"
	"testing"

	"github.com/fspca/fspca/internal/must"
)

// BenchmarkExplicit compares work with A formed to the same on the rows.
func BenchmarkExplicit(b *testing.B) {
	x := factorRows(rand.New(rand.NewPCG(4, 1500)), 4000, 1500)
	var sizes []int
	for k := 5; k <= 60; k++ {
		sizes = append(sizes, k)
	}
	for _, form := range []string{"rows", "formed"} {
		data := func(b *testing.B) *Data {
			c := must.Get(NewData(x, DataOptions{}))(b)
			if form == "rows" {
				c.twinOnce.Do(func() { c.twin = c })
			}
			return c
		}
		b.Run("thorough/4000x1500/"+form, func(b *testing.B) {
			for b.Loop() {
				must.Get(Solve(b.Context(), data(b), Params{Features: 50, Components: 5, Effort: EffortThorough}))(b)
			}
		})
		b.Run("path/4000x1500/"+form, func(b *testing.B) {
			for b.Loop() {
				must.Get(Path(b.Context(), data(b), Params{Components: 5}, sizes))(b)
			}
		})
	}
}
