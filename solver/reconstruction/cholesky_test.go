package reconstruction

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/solver"
)

// Columns whose variances are equal but for rounding are taken in their order. So the figures of nearly dependent
// columns, of which some add nothing, do not depend on how A was summed.
func TestPivotsDoNotFollowRounding(t *testing.T) {
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 1))
		n, d := 60, 6
		x := mat.NewDense(n, d, nil)
		for j := range d {
			spread := 1e-5 * math.Exp(4*rng.Float64()) // of values about 1: beside the first, most add nothing
			for i := range n {
				x.Set(i, j, 1+spread*rng.NormFloat64())
			}
		}
		var a mat.SymDense
		a.SymOuterK(1, x.T())
		s := mat.NewSymDense(d, nil)
		for i := range d {
			for j := range i + 1 {
				s.SetSym(i, j, a.At(i, j)/math.Sqrt(a.At(i, i)*a.At(j, j)))
			}
		}
		order := func(rounding bool) []int {
			o := must.Get(newOperator(must.Get(solver.NewMatrix(s))(t), nil))(t)
			columns := mat.NewDense(d, d, nil)
			columns.Copy(s)
			for j := range d { // the rows are summed in another way than the diagonal
				if rounding {
					columns.Set(j, j, columns.At(j, j)*(1+float64(rng.IntN(5)-2)*0x1p-52))
				}
			}
			return o.factored(columns, lists.Upto[int](d)).order
		}
		want := order(false)
		for range 20 {
			if got := order(true); got[0] != want[0] {
				t.Fatalf("seed %d: the columns are taken as %v and, with other rounding, as %v", seed, want, got)
			}
		}
		if want[0] != 0 || slices.Contains(want[1:], 0) {
			t.Fatalf("seed %d: order %v does not begin with the first of equal columns", seed, want)
		}
	}
}
