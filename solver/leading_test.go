package solver

import (
	"context"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/must"
)

// Dense PCA explains at least what the chosen columns do, though the iteration for its components ends as soon as
// the choice has settled: with more components than strong ones it ends early.
func TestLeadingIsNotBelowTheObjective(t *testing.T) {
	const n, d, varying = 600, 470, 450
	random := rand.New(rand.NewPCG(5, 6))
	x, u, v := mat.NewDense(n, d, nil), mat.NewDense(n, 4, nil), mat.NewDense(4, d, nil)
	for _, m := range []*mat.Dense{u, v} {
		m.Apply(func(_, _ int, _ float64) float64 { return random.NormFloat64() }, m)
	}
	x.Mul(u, v)
	x.Apply(func(_, j int, s float64) float64 {
		if j >= varying {
			return 1e-3 * random.NormFloat64()
		}
		return 10*s + random.NormFloat64()
	}, x)
	c := must.Get(NewData(x, DataOptions{}))(t)
	s := must.Get(Solve(context.Background(), c, Params{Features: varying, Components: 8}))(t)
	if s.Route != RouteImplicit || s.LeadingVariance < s.Objective || s.LeadingVariance > s.UpperBound {
		t.Errorf("route %s: the chosen columns explain %v, all %v, bound %v", s.Route, s.Objective, s.LeadingVariance, s.UpperBound)
	}
}
