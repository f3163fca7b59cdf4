package solver

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/solver/spectral"
)

// TestSwitching: a flat spectrum and many components form A, others do not; the pairs
// are those of products alone, on any number of processors.
func TestSwitching(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	noise := mat.NewDense(2400, 500, nil)
	for i := range 2400 {
		for j := range 500 {
			noise.Set(i, j, rng.NormFloat64())
		}
	}
	falling := factorRows(rng, 2400, 500)
	for _, c := range []struct {
		name   string
		x      *mat.Dense
		m      int
		formed bool
		most   int // passes
	}{
		{"noise", noise, 10, true, 5},
		{"factors", falling, 10, false, 9},
		{"many components", falling, 40, true, 2},
	} {
		a := must.Get(NewData(c.x, DataOptions{}))(t)
		p := Params{Features: 50, Components: c.m}
		got := mustSolve(t, a, p)
		if formed := got.Route == RouteCovariance; formed != c.formed || a.Passes() > c.most || a.entries != nil {
			t.Errorf("%s: formed %v in %d passes, want %v in %d at most", c.name, formed, a.Passes(), c.formed, c.most)
		}
		before := runtime.GOMAXPROCS(1)
		b := must.Get(NewData(c.x, DataOptions{}))(t)
		again := mustSolve(t, b, p)
		runtime.GOMAXPROCS(before)
		if !slices.Equal(again.Support, got.Support) || again.Objective != got.Objective || a.Passes() != b.Passes() {
			t.Errorf("%s: on one processor %v with %v, want %v with %v", c.name, again.Support, again.Objective, got.Support, got.Objective)
		}
		want := must.Get(krylov(t.Context(), b, c.m, spectral.Settings{}))(t)
		pairs, err := a.leading(t.Context(), c.m, nil)
		for i, v := range want.Values {
			if err != nil || math.Abs(pairs.Values[i]-v) > 1e-9*want.Values[0] {
				t.Errorf("%s: eigenvalue %d is %v, want %v (%v)", c.name, i, pairs.Values[i], v, err)
			}
		}
	}
}
