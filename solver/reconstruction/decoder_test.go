package reconstruction

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/solver"
)

// TestLargeRidge: a ridge so large that products with it would overflow shrinks the decoder in proportion, as
// a large one does that overflows nothing.
func TestLargeRidge(t *testing.T) {
	x := randomRows(rand.New(rand.NewPCG(91, 1)), 30, 7, 0)
	for _, unit := range []float64{1, 1e149, 1e-149} {
		scaled := mat.NewDense(30, 7, nil)
		scaled.Scale(unit, x)
		a := must.Get(solver.NewData(scaled, solver.DataOptions{}))(t)
		variance := must.Get(solver.Solve(t.Context(), a, solver.Params{Features: 4, Components: 2}))(t)
		for _, s := range []*solver.Solution{variance, mustSolve(t, a, Params{Features: 4, Components: 2})} {
			const plain = 0x1p60
			want := must.Get(Decoder(t.Context(), a, s.Support, s.Loadings, nil, plain))(t)
			size := mat.Max(want) - mat.Min(want)
			for _, ridge := range []float64{1e154, 1e200, 1e300} {
				d := must.Get(Decoder(t.Context(), a, s.Support, s.Loadings, nil, ridge))(t)
				for j := range 7 {
					for c := range 2 {
						if got := d.At(j, c) * (ridge / plain); !(math.Abs(got-want.At(j, c)) <= 1e-9*size) && size*(plain/ridge) > 0x1p-960 {
							t.Errorf("unit %v, ridge %v: D[%d, %d] is %v times that of a ridge of 2⁶⁰", unit, ridge, j, c, got/want.At(j, c))
						}
					}
				}
			}
			if d := must.Get(Decoder(t.Context(), a, s.Support, s.Loadings, nil, math.MaxFloat64))(t); !(mat.Norm(d, 2) <= 1e-100*size) {
				t.Errorf("unit %v: the decoder of the largest ridge has the norm %v, that of 2⁶⁰ %v", unit, mat.Norm(d, 2), size)
			}
		}
	}
}
