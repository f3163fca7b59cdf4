package reconstruction

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/fspca/fspca/internal/oracle"
	"github.com/fspca/fspca/solver"
)

// narrowLimits are limits of several kinds at once that few sets of columns keep.
func narrowLimits(rng *rand.Rand, d int) solver.Limits {
	var l solver.Limits
	for range 1 + rng.IntN(4) {
		l.Groups = append(l.Groups, solver.Group{Columns: rng.Perm(d)[:2+rng.IntN(d-2)], Most: 1 + rng.IntN(2)})
	}
	if rng.IntN(2) == 0 {
		l.Cost = make([]float64, d)
		for j := range l.Cost {
			l.Cost[j] = float64(1 + rng.IntN(6))
		}
		l.Budget = float64(2 + rng.IntN(9))
	}
	if rng.IntN(3) == 0 {
		l.MaxCorrelation = .1 + .5*rng.Float64()
	}
	return l
}

// TestWhatIsPermittedIsFound: where the limits permit as many columns as are needed, both criteria find so many,
// though all that the budget affords do not vary; else the most that are permitted. With exact effort the
// optimum is proved.
func TestWhatIsPermittedIsFound(t *testing.T) {
	problems := 400
	if testing.Short() {
		problems = 150
	}
	possible, impossible := 0, 0
	for i := range problems {
		rng := rand.New(rand.NewPCG(57, uint64(i)))
		d := 5 + rng.IntN(5)
		x := randomRows(rng, 3*d, d, rng.IntN(3))
		for j := range d {
			for r := 0; rng.IntN(2) == 0 && r < 3*d; r++ {
				x.Set(r, j, 1)
			}
		}
		a := covarianceOf(x)
		c := operatorOf(t, a)
		m := 1 + rng.IntN(4)
		k := m + rng.IntN(d-m)
		l := narrowLimits(rng, d)
		needed := k
		if l.Cost != nil {
			k, needed = d, m
		}
		largest := 0
		for n := 1; n <= d; n++ {
			oracle.EachSubset(d, n, func(s []int) {
				if permitted(a, l, Params{}, s) {
					largest = n
				}
			})
		}
		if largest >= needed {
			possible++
		} else {
			impossible++
		}
		for _, effort := range []solver.Effort{solver.EffortQuick, solver.EffortThorough, solver.EffortExact} {
			for criterion, solve := range map[string]func() (*solver.Solution, error){
				"variance": func() (*solver.Solution, error) {
					return solver.Solve(context.Background(), c, solver.Params{Features: k, Components: m, Effort: effort, Limits: l})
				},
				"reconstruction": func() (*solver.Solution, error) {
					return Solve(context.Background(), c, Params{Features: k, Components: m, Effort: effort, Limits: l})
				},
			} {
				s, err := solve()
				switch {
				case err != nil && largest >= min(m, needed):
					t.Errorf("problem %d, %s, %s: %v, but %d columns are permitted and %d needed: %+v", i, criterion, effort, err, largest, needed, l)
				case err != nil:
				case !permitted(a, l, Params{}, s.Support) || len(s.Support) < min(needed, largest):
					t.Errorf("problem %d, %s, %s: columns %v, %d are permitted and %d needed: %+v", i, criterion, effort, s.Support, largest, needed, l)
				case effort == solver.EffortExact && largest >= needed && !s.Proved:
					t.Errorf("problem %d, %s: the choice is not proved: %v, gap %v, %+v", i, criterion, s.Support, s.Gap, l)
				case criterion == "reconstruction" && effort == solver.EffortExact && largest >= needed:
					best := math.Inf(-1)
					for n := needed; n <= min(k, largest); n++ {
						v, _ := bruteForce(a, n, m, func(s []int) bool { return permitted(a, l, Params{}, s) })
						best = max(best, v)
					}
					if s.Objective < best*(1-1e-9) {
						t.Errorf("problem %d: %v of %v, said to be proved: %v of %+v", i, s.Objective, best, s.Support, l)
					}
				}
			}
		}
	}
	t.Logf("%d possible, %d impossible", possible, impossible)
	if possible < problems/4 || impossible < problems/10 {
		t.Error("the problems are too much alike")
	}
}

// TestPack: the largest set that limits permit, against all sets; and that a search which is cut says so.
func TestPack(t *testing.T) {
	for i := range 200 {
		rng := rand.New(rand.NewPCG(58, uint64(i)))
		d := 4 + rng.IntN(7)
		a := covarianceOf(randomRows(rng, 3*d, d, 0))
		l := narrowLimits(rng, d)
		diag := make([]float64, d)
		for j := range diag {
			diag[j] = a.At(j, j)
		}
		rule := solver.NewRule(l, diag, func(_ context.Context, j int) ([]float64, error) {
			column := make([]float64, d)
			for i := range column {
				column[i] = a.At(i, j)
			}
			return column, nil
		})
		must := []int{rng.IntN(d)}
		if !permitted(a, l, Params{}, must) {
			continue
		}
		var free []int
		for _, j := range rng.Perm(d)[1:] {
			if j != must[0] {
				free = append(free, j)
			}
		}
		largest := 0
		for n := 1; n <= d; n++ {
			oracle.EachSubset(d, n, func(s []int) {
				without := slices.ContainsFunc(s, func(j int) bool { return j != must[0] && !slices.Contains(free, j) })
				if !without && slices.Contains(s, must[0]) && permitted(a, l, Params{}, s) {
					largest = n
				}
			})
		}
		for _, need := range []int{1, largest, d} {
			set, whole, err := rule.Pack(context.Background(), must, free, need, 1<<20)
			if err != nil || !whole || len(set) != min(need, largest) || !permitted(a, l, Params{}, set) || !slices.Contains(set, must[0]) {
				t.Errorf("problem %d: %v (whole: %v, %v), want %d of at most %d columns: %+v", i, set, whole, err, need, largest, l)
			}
		}
		if set, whole, err := rule.Pack(context.Background(), must, free, d, 0); err != nil || len(set) != 1 || whole && largest > 1 {
			t.Errorf("problem %d: without a step %v (whole: %v, %v)", i, set, whole, err)
		}
	}
}

// TestCheapestBlocksOthers: the cheapest column, which does not vary, may stand beside none of the two that
// are permitted together.
func TestCheapestBlocksOthers(t *testing.T) {
	c := diagonal(t, 9, 0, 0, 0, 8)
	l := solver.Limits{Cost: []float64{9, 1, 2, 2, 9}, Budget: 4, Groups: []solver.Group{{Columns: []int{1, 2}, Most: 1}, {Columns: []int{1, 3}, Most: 1}}}
	for _, effort := range []solver.Effort{solver.EffortQuick, solver.EffortThorough, solver.EffortExact} {
		s, err := Solve(context.Background(), c, Params{Components: 2, Effort: effort, Limits: l})
		v, other := solver.Solve(context.Background(), c, solver.Params{Components: 2, Effort: effort, Limits: l})
		if err != nil || other != nil {
			t.Errorf("%s: %v, %v", effort, err, other)
		} else if want := []int{2, 3}; !slices.Equal(s.Support, want) || !slices.Equal(v.Support, want) {
			t.Errorf("%s: %v and %v, want %v", effort, s.Support, v.Support, want)
		}
	}
}
