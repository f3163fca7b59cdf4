package solver_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/solver"
)

// TestTold: what a solution tells of all columns is the trace of AW(WᵀAW)⁻¹WᵀA, on every route and whether
// its last step was one of IPU or an exchange.
func TestTold(t *testing.T) {
	ctx := context.Background()
	exchanged := 0
	for i := range 40 {
		rng := rand.New(rand.NewPCG(17, uint64(i)))
		n, d := 30+rng.IntN(40), 70+rng.IntN(40)
		if i%4 == 3 {
			n, d = d, n
		}
		x := mat.NewDense(n, d, nil)
		for r := range n {
			for c := range d {
				x.Set(r, c, rng.NormFloat64()*(1+float64(c%7)))
			}
		}
		a := must.Get(solver.NewData(x, solver.DataOptions{}))(t)
		k, m := 5+rng.IntN(40)%min(n-6, d-6), 1+rng.IntN(4)
		s := must.Get(solver.Solve(ctx, a, solver.Params{Features: k, Components: m}))(t)
		if s.Told == 0 {
			if s.Route == solver.RouteGram && !s.Proved {
				t.Errorf("problem %d: n = %d, d = %d, k = %d, m = %d: the Gram matrix is at hand and nothing is told", i, n, d, k, m)
			}
			continue
		}
		if s.Iterations > 0 && s.Route == solver.RouteGram {
			exchanged++
		}
		if want := explained(t, ctx, a, s, nil); math.Abs(s.Told-want) > 1e-10*want {
			t.Errorf("problem %d (%s): told %v, want %v", i, s.Route, s.Told, want)
		}
	}
	if exchanged < 10 {
		t.Errorf("%d problems tell by the Gram matrix: the test shows little", exchanged)
	}
}

// TestSolutionBlock: the block of a solution is A_SS in the order and the units of what was asked.
func TestSolutionBlock(t *testing.T) {
	ctx := context.Background()
	known := 0
	for i := range 40 {
		rng := rand.New(rand.NewPCG(18, uint64(i)))
		n, d, unit := 100+rng.IntN(400), 450+rng.IntN(100), math.Ldexp(1, 150*(i%3-1))
		x := mat.NewDense(n, d, nil)
		x.Apply(func(_, c int, _ float64) float64 { return unit * rng.NormFloat64() * (1 + float64(c%7)) }, x)
		x.SetCol(9, mat.Col(nil, 11, x)) // a copy, which takes the place of the later column
		a := must.Get(solver.NewData(x, solver.DataOptions{}))(t)
		p := solver.Params{Features: 5 + rng.IntN(40), Components: 2, Include: []int{3}, Exclude: []int{0, 7}}
		if i%2 == 0 {
			p.Effort = solver.EffortIPU
		}
		s := must.Get(solver.Solve(ctx, a, p))(t)
		if s.Block == nil {
			continue
		}
		known++
		want := must.Get(a.Block(ctx, s.Support))(t)
		if !mat.EqualApprox(s.Block, want, 1e-12*mat.Max(want)) {
			t.Errorf("problem %d (%s): the block is not that of the support", i, s.Route)
		}
	}
	if known < 20 {
		t.Errorf("%d solutions have a block: the test shows little", known)
	}
}
