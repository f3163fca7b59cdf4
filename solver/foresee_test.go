package solver

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/must"
)

// TestForesee: the blocks of supports that follow each other have the same bits whether what is new in
// them was computed at once before.
func TestForesee(t *testing.T) {
	ctx := context.Background()
	for _, n := range []int{300, 5000} { // sums in one piece and in several
		rng := rand.New(rand.NewPCG(3, uint64(n)))
		x := mat.NewDense(n, 40, nil)
		x.Apply(func(int, int, float64) float64 { return rng.NormFloat64() }, x)
		c := must.Get(NewData(x, DataOptions{}))(t)
		first := []int{1, 4, 9, 16, 25, 36}
		next := [][]int{{1, 4, 9, 16, 25, 37}, {1, 3, 4, 9, 25, 36}}
		at, plain := &rowsAscender{c: c}, &rowsAscender{c: c}
		for _, s := range []*rowsAscender{at, plain} {
			must.Get(s.embed(ctx, first, 2, nil))(t)
		}
		if at.foresee(next); at.ahead == nil || !slices.Equal(at.ahead.others, []int{3, 36, 37}) {
			t.Fatalf("foreseen %+v", at.ahead)
		}
		at.ahead.products.Data[0]++ // column 1 with column 3: to be seen in the second block
		for i, support := range next {
			a := must.Get(at.embed(ctx, support, 2, nil))(t)
			b := must.Get(plain.embed(ctx, support, 2, nil))(t)
			if i == 1 {
				if a.block.At(0, 1) != b.block.At(0, 1)+1 {
					t.Error("what was foreseen is computed again")
				}
				a.block.SetSym(0, 1, b.block.At(0, 1))
			}
			if !mat.Equal(a.block, b.block) {
				t.Errorf("n = %d, support %v: the blocks differ", n, support)
			}
		}
	}
}
