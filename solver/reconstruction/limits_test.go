package reconstruction

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/internal/oracle"
	"github.com/fspca/fspca/solver"
)

// permitted is the oracle of limits.
func permitted(a mat.Symmetric, l solver.Limits, p Params, support []int) bool {
	return oracle.Limits{
		Include: p.Include, Exclude: slices.Concat(p.Exclude, l.Unmeasured), MaxCorrelation: l.MaxCorrelation, Cost: l.Cost, Budget: l.Budget,
		Groups: lists.Map(l.Groups, func(g solver.Group) oracle.Group { return oracle.Group(g) }),
	}.Permit(a, support)
}

// randomLimits returns one of five kinds of limits.
func randomLimits(rng *rand.Rand, d, k, kind int) solver.Limits {
	var l solver.Limits
	switch kind {
	case 0:
		l.MaxCorrelation = .3 + .6*rng.Float64()
	case 1:
		l.Groups = []solver.Group{{Columns: rng.Perm(d)[:d/2], Most: 1}, {Columns: rng.Perm(d)[:d/2], Most: 2}}
	case 2:
		l.Cost = make([]float64, d)
		for j := range l.Cost {
			l.Cost[j] = float64(1 + rng.IntN(5))
		}
		l.Budget = float64(2*k + rng.IntN(2*k))
	case 3:
		l.Unmeasured = rng.Perm(d)[:d/3]
	case 4:
		l.MaxCorrelation = .5 + .4*rng.Float64()
		l.Groups = []solver.Group{{Columns: rng.Perm(d)[:d/2], Most: 2}}
		l.Unmeasured = rng.Perm(d)[:2]
	}
	return l
}

// TestLimits: against exhaustive search over permitted supports. No k columns
// are a status where there are none, and nearly nowhere else.
func TestLimits(t *testing.T) {
	problems := 300
	if testing.Short() {
		problems = 60
	}
	feasible, found, missed, none := 0, 0, 0, 0
	for i := range problems {
		rng := rand.New(rand.NewPCG(31, uint64(i)))
		d := 6 + rng.IntN(5)
		k := 2 + rng.IntN(d/2-1)
		m := []int{k, max(1, k/2)}[i%2]
		x := randomRows(rng, 4*d, d, rng.IntN(5))
		a := covarianceOf(x)
		p := Params{Features: k, Components: m, Limits: randomLimits(rng, d, k, i%5)}
		if i%3 == 0 {
			p.Include = []int{rng.IntN(d)}
		}
		sizes := []int{k}
		if p.Limits.Cost != nil {
			p.Features, m = 0, 1
			p.Components = 1
			sizes = lists.Upto[int](d)[1:]
		}
		best := math.Inf(-1)
		for _, size := range sizes {
			v, _ := bruteForce(a, size, m, func(s []int) bool { return permitted(a, p.Limits, p, s) })
			best = max(best, v)
		}
		c := operatorOf(t, a)
		for _, effort := range []solver.Effort{"", solver.EffortExact} {
			p.Effort = effort
			s, err := Solve(context.Background(), c, p)
			if err != nil {
				if !math.IsInf(best, -1) {
					t.Errorf("problem %d: %v, but %v is possible", i, err, best)
				}
				continue
			}
			if !permitted(a, p.Limits, p, s.Support) {
				t.Errorf("problem %d: %v is not permitted by %+v", i, s.Support, p.Limits)
			}
			if math.IsInf(best, -1) {
				none++
				if s.Status != solver.NoneFound || s.Proved {
					t.Errorf("problem %d: status %s where nothing is permitted: %v", i, s.Status, s.Support)
				}
				continue
			}
			if s.Status == solver.NoneFound {
				missed++
				t.Logf("problem %d (%q): none found, %d of k = %d", i, effort, len(s.Support), k)
				continue
			}
			if s.UpperBound < best*(1-1e-11) {
				t.Errorf("problem %d (%q): bound %v below %v", i, effort, s.UpperBound, best)
			}
			hit := s.Objective >= best*(1-1e-9)
			if effort == solver.EffortExact {
				if !hit || !s.Proved {
					t.Errorf("problem %d: exact %v of %v, proved %t, gap %v, limits %+v", i, s.Objective, best, s.Proved, s.Gap, p.Limits)
				}
				continue
			}
			feasible++
			if hit {
				found++
			} else {
				t.Logf("problem %d: %v of %v with %+v", i, s.Objective, best, p.Limits)
			}
		}
	}
	t.Logf("%d of %d optima found by default, %d feasible ones missed, %d infeasible", found, feasible, missed, none)
	if float64(found) < .97*float64(feasible) || missed > problems/50 {
		t.Errorf("%d of %d optima found by default, %d missed", found, feasible, missed)
	}
}

// diagonal is the covariance of columns without correlations.
func diagonal(t *testing.T, variances ...float64) solver.Covariance {
	t.Helper()
	a := mat.NewSymDense(len(variances), nil)
	for j, v := range variances {
		a.SetSym(j, j, v)
	}
	return must.Get(solver.NewMatrix(a))(t)
}

// Where a budget affords m columns, they are found, though others explain more, and they are proved.
func TestBudgetForTheCheapest(t *testing.T) {
	for _, test := range []struct {
		variances, cost []float64
		budget          float64
		m               int
		want            []int
	}{
		{[]float64{1000, 900, 1, 1}, []float64{2, 2, 1, 1}, 2, 2, []int{2, 3}},
		{[]float64{1000, 1, 0, 0}, []float64{2, 1, 1, 1}, 3, 3, []int{1, 2, 3}},
		{[]float64{9, 8, 0, 7, 0}, []float64{2, 0, .6, 0, 1}, 2.5, 4, []int{1, 2, 3, 4}},
	} {
		for _, effort := range []solver.Effort{solver.EffortQuick, solver.EffortThorough, solver.EffortExact} {
			s, err := Solve(context.Background(), diagonal(t, test.variances...), Params{Features: len(test.cost), Components: test.m, Effort: effort,
				Limits: solver.Limits{Cost: test.cost, Budget: test.budget}})
			if err != nil {
				t.Errorf("%s: %+v: %v", effort, test, err)
			} else if !slices.Equal(s.Support, test.want) || effort == solver.EffortExact && !s.Proved {
				t.Errorf("%s: %+v: columns %v, %s, gap %v", effort, test, s.Support, s.Status, s.Gap)
			}
		}
	}
}

// A column that does not vary and has to be chosen takes the place of one that explains something.
func TestIncludedWithoutVariance(t *testing.T) {
	for _, test := range []struct {
		k, m    int
		include []int
		limits  solver.Limits
		want    []int
	}{
		{2, 2, []int{2}, solver.Limits{}, []int{0, 2}},
		{3, 2, []int{1, 2}, solver.Limits{}, []int{0, 1, 2}},
		{1, 1, []int{2}, solver.Limits{}, []int{2}},
		{3, 1, []int{2}, solver.Limits{Cost: []float64{1, 1, 1, 1}, Budget: 2}, []int{0, 2}},
		{2, 1, []int{2}, solver.Limits{Groups: []solver.Group{{Columns: []int{0, 2}, Most: 1}}}, []int{1, 2}},
	} {
		p := Params{Features: test.k, Components: test.m, Effort: solver.EffortExact, Include: test.include, Limits: test.limits}
		s := must.Get(Solve(context.Background(), diagonal(t, 5, 4, 0, 1), p))(t)
		if !slices.Equal(s.Support, test.want) || !s.Proved || s.Gap > provedTolerance {
			t.Errorf("%+v: columns %v, %s, gap %v", test, s.Support, s.Status, s.Gap)
		}
	}
}

// A single permitted support is proved without a search; so are all permitted columns, whatever they cost.
func TestSinglePermittedSupport(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	x := mat.NewDense(40, 6, nil)
	x.Apply(func(_, _ int, _ float64) float64 { return rng.NormFloat64() }, x)
	c := must.Get(solver.NewData(x, solver.DataOptions{}))(t)
	for what, p := range map[string]Params{
		"unmeasured": {Features: 3, Limits: solver.Limits{Unmeasured: []int{0, 2, 5}}},
		"included":   {Features: 3, Include: []int{1, 3, 4}},
		"afforded":   {Limits: solver.Limits{Unmeasured: []int{0, 2, 5}, Cost: []float64{1, 1, 1, 1, 1, 1}, Budget: 3}},
	} {
		p.Components = 2
		s := must.Get(Solve(context.Background(), c, p))(t)
		if !slices.Equal(s.Support, []int{1, 3, 4}) || !s.Proved || s.BoundSource != solver.BoundTheorem {
			t.Errorf("%s: columns %v, gap %v by %s", what, s.Support, s.Gap, s.BoundSource)
		}
	}
	p := Params{Features: 3, Components: 2, Include: []int{1, 3}}
	if s := must.Get(Solve(context.Background(), c, p))(t); s.BoundSource == solver.BoundTheorem {
		t.Errorf("several permitted supports: gap %v by %s", s.Gap, s.BoundSource)
	}
}
