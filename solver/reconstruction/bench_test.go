package reconstruction

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/fspca/fspca/solver"
)

// BenchmarkSolve: the default search beside the default fit of the same shape,
// from the rows on.
func BenchmarkSolve(b *testing.B) {
	for _, s := range []struct{ n, d, k, m int }{{2000, 500, 50, 50}, {2000, 500, 50, 10}, {2000, 500, 50, 5}} {
		x := randomRows(rand.New(rand.NewPCG(1, 2)), s.n, s.d, 0)
		b.Run(fmt.Sprintf("variance/%dx%d/k=%d/m=%d", s.n, s.d, s.k, s.m), func(b *testing.B) {
			for range b.N {
				if _, err := solver.Solve(context.Background(), dataOf(b, x, false), solver.Params{Features: s.k, Components: s.m}); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprintf("reconstruction/%dx%d/k=%d/m=%d", s.n, s.d, s.k, s.m), func(b *testing.B) {
			for range b.N {
				if _, err := Solve(context.Background(), dataOf(b, x, false), Params{Features: s.k, Components: s.m}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
