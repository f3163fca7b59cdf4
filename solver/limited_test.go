package solver

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/internal/oracle"
)

// permittedBy is the oracle of limits.
func permittedBy(a mat.Symmetric, p Params, support []int) bool {
	l := p.Limits
	return oracle.Limits{
		Include: p.Include, Exclude: slices.Concat(p.Exclude, l.Unmeasured), MaxCorrelation: l.MaxCorrelation, Cost: l.Cost, Budget: l.Budget,
		Groups: lists.Map(l.Groups, func(g Group) oracle.Group { return oracle.Group(g) }),
	}.Permit(a, support)
}

// TestLimits: the variance criterion against exhaustive search over what the
// limits permit.
func TestLimits(t *testing.T) {
	problems := 300
	if testing.Short() {
		problems = 100
	}
	feasible, found, missed := 0, 0, 0
	for i := range problems {
		rng := rand.New(rand.NewPCG(41, uint64(i)))
		d := 6 + rng.IntN(6)
		k := 2 + rng.IntN(d/2-1)
		m := max(1, k-rng.IntN(3))
		var s mat.SymDense
		stat.CovarianceMatrix(&s, factorRows(rng, 3*d, d), nil)
		a := mat.Symmetric(&s)
		p := Params{Features: k, Components: m}
		switch i % 5 {
		case 0:
			p.Limits.MaxCorrelation = .2 + .7*rng.Float64()
		case 1:
			p.Limits.Groups = []Group{{rng.Perm(d)[:d/2], 1}, {rng.Perm(d)[:d/2], 2}}
		case 2:
			p.Limits.Cost = make([]float64, d)
			for j := range d {
				p.Limits.Cost[j] = float64(1 + rng.IntN(5))
			}
			p.Limits.Budget = float64(2*k + rng.IntN(2*k))
			p.Features, m, p.Components = 0, 1, 1
		case 3:
			p.Limits.Unmeasured = rng.Perm(d)[:d/3]
		case 4:
			p.Limits.MaxCorrelation = .4 + .5*rng.Float64()
			p.Limits.Groups = []Group{{rng.Perm(d)[:d/2], 2}}
			p.Limits.Unmeasured = rng.Perm(d)[:1]
		}
		switch i % 7 {
		case 0:
			p.Include = []int{rng.IntN(d)}
		case 1:
			p.Exclude = rng.Perm(d)[:1]
		}
		sizes := []int{k}
		if p.Limits.Cost != nil {
			sizes = sizes[:0]
			for n := 1; n <= d; n++ {
				sizes = append(sizes, n)
			}
		}
		best := math.Inf(-1)
		for _, n := range sizes {
			oracle.EachSubset(d, n, func(s []int) {
				if permittedBy(a, p, s) {
					best = max(best, oracle.Objective(a, s, m))
				}
			})
		}
		c := must.Get(NewMatrix(a))(t)
		for _, effort := range []Effort{"", EffortThorough, EffortExact} {
			p.Effort = effort
			s, err := Solve(context.Background(), c, p)
			if err != nil {
				if !math.IsInf(best, -1) {
					t.Errorf("problem %d: %v, but %v is possible", i, err, best)
				}
				continue
			}
			if !permittedBy(a, p, s.Support) {
				t.Errorf("problem %d (%q): %v is not permitted by %+v", i, effort, s.Support, p.Limits)
			}
			if math.IsInf(best, -1) {
				if s.Status != NoneFound || s.Proved {
					t.Errorf("problem %d: status %s where nothing is permitted", i, s.Status)
				}
				continue
			}
			if s.Status == NoneFound {
				missed++
				t.Logf("problem %d (%q): none found, %d of k = %d", i, effort, len(s.Support), k)
				continue
			}
			if got := oracle.Objective(a, s.Support, m); math.Abs(got-s.Objective) > 1e-10*got {
				t.Errorf("problem %d: objective %v, by its definition %v", i, s.Objective, got)
			}
			if s.UpperBound < best {
				t.Errorf("problem %d (%q): bound %v below %v", i, effort, s.UpperBound, best)
			}
			hit := s.Objective >= best*(1-1e-9)
			if s.Proved && !hit || effort == EffortExact && !s.Proved {
				t.Errorf("problem %d (%q): %v of %v, proved %t, gap %v, %+v", i, effort, s.Objective, best, s.Proved, s.Gap, p)
			}
			if effort == EffortThorough {
				feasible++
				if hit {
					found++
				}
			}
		}
	}
	t.Logf("%d of %d optima found by thorough, %d feasible ones missed", found, feasible, missed)
	if float64(found) < .97*float64(feasible) || missed > problems/50 {
		t.Errorf("%d of %d optima found, %d missed", found, feasible, missed)
	}
}

// TestLimitsMistakes: all that is wrong in one error.
func TestLimitsMistakes(t *testing.T) {
	c := must.Get(NewMatrix(mat.NewDiagDense(4, []float64{4, 3, 2, 1})))(t)
	for _, l := range []Limits{
		{MaxCorrelation: 1.5}, {MaxCorrelation: math.NaN()}, {Budget: 3}, {Cost: []float64{1, 2}, Budget: 3},
		{Cost: []float64{1, -1, 1, 1}, Budget: 3}, {Cost: []float64{1, 1, 1, 1}}, {Groups: []Group{{[]int{9}, 1}}},
		{Groups: []Group{{[]int{1}, -1}}}, {Unmeasured: []int{-1}}, {Unmeasured: []int{0, 1, 2}},
		{Cost: []float64{5, 5, 5, 5}, Budget: 3},
	} {
		if s, err := Solve(context.Background(), c, Params{Features: 2, Components: 1, Limits: l}); err == nil {
			t.Errorf("no error for %+v: %v", l, s.Support)
		}
	}
	if _, err := Solve(context.Background(), c, Params{Features: 2, Components: 1, Method: MethodGo, Limits: Limits{MaxCorrelation: .5}}); err == nil {
		t.Error("no error for Go with limits")
	}
}

// diagonal is the covariance of columns without correlations.
func diagonal(t *testing.T, variances ...float64) Covariance {
	t.Helper()
	a := mat.NewSymDense(len(variances), nil)
	for j, v := range variances {
		a.SetSym(j, j, v)
	}
	return must.Get(NewMatrix(a))(t)
}

// A support of fewer columns than asked for is none found, whatever its bound, and proves nothing.
func TestFewerColumnsProveNothing(t *testing.T) {
	for _, effort := range []Effort{EffortIPU, EffortQuick, EffortThorough, EffortExact} {
		s := must.Get(Solve(context.Background(), diagonal(t, 1, 1, 1, 1), Params{Features: 4, Components: 2, Effort: effort, Bound: BoundTight,
			Limits: Limits{Groups: []Group{{Columns: []int{1, 2, 3}, Most: 2}}}}))(t)
		if s.Status != NoneFound || s.Proved || len(s.Support) != 3 {
			t.Errorf("%s: columns %v with the status %s, proved %v", effort, s.Support, s.Status, s.Proved)
		}
	}
}

// Where a budget affords m columns, they are found, though others explain more.
func TestBudgetForTheCheapest(t *testing.T) {
	for _, effort := range []Effort{EffortIPU, EffortQuick, EffortThorough, EffortExact} {
		s, err := Solve(context.Background(), diagonal(t, 1000, 900, 1, 1), Params{Features: 3, Components: 2, Effort: effort,
			Limits: Limits{Cost: []float64{2, 2, 1, 1}, Budget: 2}})
		if err != nil {
			t.Errorf("%s: %v", effort, err)
		} else if !slices.Equal(s.Support, []int{2, 3}) {
			t.Errorf("%s: columns %v", effort, s.Support)
		}
	}
}

// Nothing explained below a large bound is a solution, though its gap has no number.
func TestNothingExplained(t *testing.T) {
	for _, scale := range []float64{1, 1e300} {
		s, err := Solve(context.Background(), diagonal(t, 2*scale, 0, scale), Params{Features: 1, Components: 1,
			Limits: Limits{MaxCorrelation: .5, Groups: []Group{{Columns: []int{0, 2}, Most: 0}}}})
		if err != nil {
			t.Errorf("%v: %v", scale, err)
		} else if s.Objective != 0 || !slices.Equal(s.Support, []int{1}) || s.UpperBound < scale {
			t.Errorf("%v: %+v", scale, s)
		}
	}
}

// TestBudgetIsOneRule: the search, the number of columns that are affordable and the proof hold a support to
// the same budget, whatever the size of the costs.
func TestBudgetIsOneRule(t *testing.T) {
	for _, tc := range []struct {
		name   string
		cost   []float64
		budget float64
		want   []int
		most   int
	}{
		{"the sum of two is infinite", []float64{1.5e308, 1e308, 1e308, 1.2e308}, math.MaxFloat64, []int{0}, 1},
		{"that of one in and one out is", []float64{1.6e308, 1e308, 1.4e308, 1.4e308}, 1.5e308, []int{1}, 1},
		{"what is left is within rounding", []float64{1e6, 9e5, 5e-7, 6e-7}, 1e6, []int{0, 2}, 3},
		{"subnormal", []float64{15e-324, 10e-324, 5e-324, 5e-324}, 20e-324, []int{0, 2}, 3},
	} {
		a := must.Get(NewMatrix(mat.NewDiagDense(4, []float64{4, 3, 2, 1})))(t)
		p := Params{Components: 1, Limits: Limits{Cost: tc.cost, Budget: tc.budget}}
		if len(tc.want) == 2 {
			p.Components = 2
		}
		for _, p.Effort = range []Effort{EffortQuick, EffortExact} {
			s := must.Get(Solve(t.Context(), a, p))(t)
			if !slices.Equal(s.Support, tc.want) || p.Effort == EffortExact && !s.Proved {
				t.Errorf("%s, %s: %v, proved %v, want %v", tc.name, p.Effort, s.Support, s.Proved, tc.want)
			}
		}
		if n := p.Limits.Most(nil, []int{0, 1, 2, 3}, 4); n != tc.most {
			t.Errorf("%s: the budget affords %d of the columns, want %d", tc.name, n, tc.most)
		}
		if n := p.Limits.Most(tc.want[:1], []int{1, 2, 3}, 3); n != len(tc.want)-1 {
			t.Errorf("%s: beside the first the budget affords %d columns, want %d", tc.name, n, len(tc.want)-1)
		}
	}
}
