package solver

import (
	"context"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/fspca/fspca/internal/must"
)

// warmProblem is a covariance of d columns with limits.
func warmProblem(seed uint64, d int) *mat.SymDense {
	rng := rand.New(rand.NewPCG(77, seed))
	x := mat.NewDense(30, d, nil)
	x.Apply(func(_, _ int, _ float64) float64 { return rng.NormFloat64() }, x)
	for i := range 30 { // some columns go together
		for j := 3; j < d; j += 3 {
			x.Set(i, j, x.At(i, j-1)+0.3*x.At(i, j))
		}
	}
	var a mat.SymDense
	stat.CovarianceMatrix(&a, x, nil)
	return &a
}

// TestWarmStart: a fit that starts from a support as well is never worse than that support, for every
// effort, with limits and without, whatever the size of the support.
func TestWarmStart(t *testing.T) {
	ctx := context.Background()
	for i := range uint64(40) {
		a := must.Get(NewMatrix(warmProblem(i, 12)))(t)
		best := must.Get(Solve(ctx, a, Params{Features: 5, Components: 2, Effort: EffortExact}))(t)
		for _, p := range []Params{
			{Features: 5, Components: 2, Warm: [][]int{best.Support}},
			{Features: 5, Components: 2, Warm: [][]int{best.Support[:3]}},
			{Features: 4, Components: 2, Warm: [][]int{best.Support}},
			{Features: 5, Components: 2, Warm: [][]int{best.Support}, Effort: EffortThorough},
			{Features: 5, Components: 2, Warm: [][]int{best.Support}, Exclude: []int{best.Support[0]}},
			{Features: 5, Components: 2, Warm: [][]int{best.Support}, Include: []int{0}, Limits: Limits{MaxCorrelation: 0.9}},
		} {
			warm := must.Get(Solve(ctx, a, p))(t)
			cold := p
			cold.Warm = nil
			without := must.Get(Solve(ctx, a, cold))(t)
			if warm.Objective < without.Objective*(1-1e-12) {
				t.Errorf("problem %d, %+v: %v with the start and %v without", i, p, warm.Objective, without.Objective)
			}
			if p.Features == 5 && len(p.Warm[0]) == 5 && p.Exclude == nil && p.Include == nil && warm.Objective < best.Objective*(1-1e-12) {
				t.Errorf("problem %d, %+v: %v is worse than the start, %v", i, p, warm.Objective, best.Objective)
			}
		}
	}
	a, _ := NewMatrix(warmProblem(0, 12))
	if _, err := Solve(ctx, a, Params{Features: 2, Components: 1, Warm: [][]int{{12}}}); err == nil {
		t.Error("a start outside of the columns is taken")
	}
}

// TestWarmNeverWorse: with a support to start from as well, whichever it is, the result is the one without it or
// a better one.
func TestWarmNeverWorse(t *testing.T) {
	ctx := context.Background()
	better, tables := 0, 200
	if testing.Short() {
		tables = 130
	}
	tables = raced(tables)
	for i := range tables {
		rng := rand.New(rand.NewPCG(78, uint64(i)))
		n, d := 12+rng.IntN(60), 8+rng.IntN(30)
		if i%6 == 1 {
			d += 60 // exchanges once
		}
		x := mat.NewDense(n, d, nil)
		x.Apply(func(_, c int, _ float64) float64 { return rng.NormFloat64() * float64(1+c%3) }, x)
		for c := 2; c < d; c++ { // columns that go together
			for r := range n {
				x.Set(r, c, x.At(r, c)+x.At(r, c-2)*float64(c%4)/3)
			}
		}
		a := must.Get(NewData(x, DataOptions{}))(t)
		k := 2 + rng.IntN(d/2)
		p := Params{Features: k, Components: 1 + rng.IntN(min(k, 4)), Effort: []Effort{EffortIPU, EffortQuick, EffortThorough}[i%3], Seed: uint64(i)}
		if i%5 == 4 {
			p.Include, p.Exclude = []int{3}, []int{0}
		}
		cold := must.Get(Solve(ctx, a, p))(t)
		for range 4 {
			warm := p
			warm.Warm = [][]int{rng.Perm(d)[:1+rng.IntN(d)]}
			s := must.Get(Solve(ctx, a, warm))(t)
			if s.Objective < cold.Objective || s.UpperBound < s.Objective {
				t.Errorf("problem %d, %+v: %v (bound %v) with the start %v and %v without", i, p, s.Objective, s.UpperBound, warm.Warm[0], cold.Objective)
			}
			if s.Objective > cold.Objective {
				better++
			}
		}
	}
	if better < tables/50 {
		t.Errorf("%d starts help: the test shows little", better)
	}
}

// TestWarmAtTheEnd: a support to start from counts also where the time is over.
func TestWarmAtTheEnd(t *testing.T) {
	a := must.Get(NewMatrix(warmProblem(3, 12)))(t)
	best := mustSolve(t, a, Params{Features: 5, Components: 2, Effort: EffortExact})
	task := must.Get(newTask(context.Background(), a, Params{Features: 5, Components: 2, Warm: [][]int{best.Support}}))(t)
	cold := newRun(a, ascenderOf(a), task.c, 2, IPUParams{})
	e := must.Get(cold.at.embed(context.Background(), []int{0, 1, 2, 3, 4}, 2, nil))(t)
	cold.best, cold.trace = e, []float64{e.objective}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	r := must.Get(task.warmed(ctx, cold, func(*run) error { t.Error("it goes on after the end"); return nil }))(t)
	if r.status != Cancelled || r.best.objective < best.Objective*(1-1e-12) {
		t.Errorf("status %s and %v, want %s and the start's %v", r.status, r.best.objective, Cancelled, best.Objective)
	}
}

// TestLimitedPathRises: under limits too a larger k is never worse.
func TestLimitedPathRises(t *testing.T) {
	for i := range uint64(raced(60)) {
		a := must.Get(NewMatrix(warmProblem(i, 15)))(t)
		p := Params{Components: 2, Restarts: 1, Limits: Limits{MaxCorrelation: 0.8, Groups: []Group{{Columns: []int{0, 1, 2, 3, 4}, Most: 2}}}}
		path := must.Get(Path(context.Background(), a, p, []int{2, 3, 4, 5, 6, 7, 8, 9, 10}))(t)
		_, tried, err := FeaturesForTarget(context.Background(), a, p, 0.8, 0)
		if err != nil {
			continue // out of reach
		}
		for _, all := range [][]*Solution{path, tried} {
			for j := 1; j < len(all); j++ {
				if all[j].Objective < all[j-1].Objective*(1-1e-12) {
					t.Errorf("problem %d: the objective falls from %v to %v with %d columns", i, all[j-1].Objective, all[j].Objective, len(all[j].Support))
				}
			}
		}
	}
}
