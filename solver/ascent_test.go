package solver

import (
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/must"
)

// TestRowsAscender: whatever supports came before, the block is that of the
// last.
func TestRowsAscender(t *testing.T) {
	rng := rand.New(rand.NewPCG(71, 5))
	const n, d = 400, 500
	x := factorRows(rng, n, d)
	scale := make([]float64, d)
	for j := range scale {
		scale[j] = 1 + rng.Float64()
	}
	c := must.Get(NewData(x, DataOptions{Scale: scale}))(t)
	order := rng.Perm(d)
	choose := func(from, to int) []int {
		s := slices.Clone(order[from:to])
		slices.Sort(s)
		return s
	}
	at := &rowsAscender{c: c}
	for step, support := range [][]int{
		choose(0, 30), choose(0, 30), choose(3, 33), choose(10, 33), choose(10, 40),
		choose(100, 130), choose(95, 131), choose(95, 96), choose(90, 96), choose(0, 380), choose(20, 400),
	} {
		e := must.Get(at.embed(t.Context(), support, 1, nil))(t)
		if !slices.Equal(e.support, support) {
			t.Fatalf("step %d: support %v, want %v", step, e.support, support)
		}
		want := must.Get(c.Block(t.Context(), support))(t)
		if got := symmetric(at.block); !mat.EqualApprox(got, want, 1e-12*want.At(0, 0)) {
			t.Errorf("step %d: the block of %d columns is not A_SS", step, len(support))
		}
	}
}
