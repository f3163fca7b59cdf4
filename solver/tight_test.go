package solver

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/must"
)

// TestTightBounds: a tight bound is no looser than the quick one, on every route, and
// tighter where the quick one knows too few eigenpairs; no bound claims nothing. The
// choice is the same.
func TestTightBounds(t *testing.T) {
	tighter := 0
	seeds := uint64(raced(6))
	for seed := range seeds {
		rng := rand.New(rand.NewPCG(seed, 92))
		n, d := 120, 500+rng.IntN(200)
		x := factorRows(rng, n, d)
		for j := range d {
			f := 1 + 5*rng.Float64()*rng.Float64()
			for i := range n {
				x.Set(i, j, f*x.At(i, j))
			}
		}
		rows := must.Get(NewData(x, DataOptions{}))(t)
		entries := must.Get(rows.Entries(t.Context()))(t)
		for _, a := range []Covariance{rows, mustMatrix(t, entries)} {
			p := Params{Features: 20, Components: 1 + int(seed%3)}
			quick := mustSolve(t, a, p)
			p.Bound = BoundTight
			tight := mustSolve(t, a, p)
			p.Bound = BoundNone
			none := mustSolve(t, a, p)
			if tight.Objective != quick.Objective || none.Objective != quick.Objective {
				t.Errorf("seed %d: %v, tight %v, none %v", seed, quick.Objective, tight.Objective, none.Objective)
			}
			if tight.UpperBound > quick.UpperBound || tight.UpperBound < tight.Objective {
				t.Errorf("seed %d %s: bound %v, tight %v, objective %v", seed, quick.Route, quick.UpperBound, tight.UpperBound, tight.Objective)
			}
			if tight.Gap < .9*quick.Gap {
				tighter++
			}
			if none.UpperBound != 0 || none.Gap != 0 || none.Proved || none.Status == Proved || none.BoundSource != "" {
				t.Errorf("seed %d: without a bound: %v %v %v %v", seed, none.UpperBound, none.Gap, none.Proved, none.Status)
			}
		}
	}
	if tighter < int(2*seeds)/3 {
		t.Errorf("%d of %d are tighter", tighter, 2*seeds)
	}
}

// TestNoBoundClaimsNothing where a theorem would prove.
func TestNoBoundClaimsNothing(t *testing.T) {
	a := mustMatrix(t, mat.NewSymDense(3, []float64{3, 0, 0, 0, 2, 0, 0, 0, 1}))
	s := mustSolve(t, a, Params{Features: 2, Components: 2, Bound: BoundNone})
	if s.Proved || s.UpperBound != 0 || s.Status != Converged || s.Objective != 5 {
		t.Errorf("%+v", s)
	}
	for _, p := range []Params{{Effort: EffortExact, Bound: BoundNone}, {SDPIterations: 3, Bound: BoundNone}, {Bound: "loose"}} {
		p.Features, p.Components = 2, 1
		if _, err := Solve(t.Context(), a, p); err == nil {
			t.Errorf("%+v: no error", p)
		}
	}
}
