package solver

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/fspca/fspca/internal/must"
)

// endsAfter is a context whose deadline passes once X was read so often.
type endsAfter struct {
	context.Context
	data  *Data
	reads int
}

func (c endsAfter) Err() error {
	if c.data.Passes() >= c.reads {
		return context.DeadlineExceeded
	}
	return nil
}

// TestAnytime: whenever the deadline passes, a greater effort has what IPU alone
// would have by then, or better.
func TestAnytime(t *testing.T) {
	const k, m = 12, 3
	x := randomRows(rand.New(rand.NewPCG(5, 74)), 460, 450) // rows that a greater effort forms A of
	efforts := []Effort{EffortExact, EffortThorough}
	if raceDetector {
		efforts = efforts[:1] // which begins as the other does
	}
	for _, include := range [][]int{nil, {3, 77}} {
		for _, effort := range efforts {
			gave := false
			for reads := 1; reads < 60; reads++ {
				run := func(effort Effort) *Solution {
					data := must.Get(NewData(x, DataOptions{}))(t)
					s, err := Solve(endsAfter{t.Context(), data, reads}, data, Params{Features: k, Components: m, Effort: effort, Include: include, SDPIterations: 0})
					if err != nil {
						return nil
					}
					return s
				}
				ipu := run("")
				if ipu == nil {
					continue
				}
				gave = true
				got := run(effort)
				if got == nil || got.Objective < ipu.Objective*(1-gainTolerance) {
					t.Fatalf("%s, include %v, deadline after %d readings: %+v, IPU alone %+v", effort, include, reads, got, ipu)
				}
				if got.Status != Deadline {
					t.Fatalf("%s, deadline after %d readings: status %s", effort, reads, got.Status)
				}
				if ipu.Status != Deadline { // IPU is done, and A about to be formed
					break
				}
			}
			if !gave {
				t.Errorf("%s: IPU gave nothing", effort)
			}
		}
	}
}

// TestIncludeElsewhere: IPU finds the columns that fit an included one which no
// leading eigenvector of A has.
func TestIncludeElsewhere(t *testing.T) {
	a := symmetricOf(6, func(i, j int) float64 {
		if i/3 == j/3 {
			return 0.9
		}
		return 0
	})
	for _, effort := range []Effort{EffortIPU, EffortThorough, EffortExact} {
		for include := range 6 {
			s := mustSolve(t, mustMatrix(t, a), Params{Features: 3, Components: 1, Include: []int{include, include}, Effort: effort})
			first := include / 3 * 3
			if want := []int{first, first + 1, first + 2}; !slices.Equal(s.Support, want) {
				t.Errorf("%s with %d: %v explains %v", effort, include, s.Support, s.Objective)
			}
		}
	}
}

// TestIncludeIsNearTheOptimum: with random columns included IPU is within a few
// per cent of the optimum.
func TestIncludeIsNearTheOptimum(t *testing.T) {
	var sum float64
	const problems = 60
	for seed := range uint64(problems) {
		rng := rand.New(rand.NewPCG(seed, 75))
		a := gaussianCorrelation(rng, 12)
		k := 4 + rng.IntN(4)
		m := 1 + rng.IntN(2)
		p := Params{Features: k, Components: m, Include: rng.Perm(12)[:1+rng.IntN(k-1)]}
		s := mustSolve(t, mustMatrix(t, a), p)
		loss := 1 - s.Objective/bruteForceWithin(a, k, m, p.Include, nil)
		if sum += loss; loss > 0.06 {
			t.Errorf("seed %d: k=%d m=%d include %v: %.1f %% below the optimum", seed, k, m, p.Include, 100*loss)
		}
	}
	if mean := sum / problems; mean > 0.005 {
		t.Errorf("%.2f %% below the optimum on average", 100*mean)
	}
}

// TestRepeatedLists: an index counts once, wherever lists are read.
func TestRepeatedLists(t *testing.T) {
	a := mustMatrix(t, gaussianScatter(7, 8))
	once := Params{Components: 2, Include: []int{1}, Exclude: []int{0}}
	often := Params{Components: 2, Include: []int{1, 1, 1}, Exclude: []int{0, 0, 0}}
	k1, _, err1 := FeaturesForTarget(t.Context(), a, once, 1, 0)
	k2, _, err2 := FeaturesForTarget(t.Context(), a, often, 1, 0)
	if k1 != k2 || err1 != nil || err2 != nil {
		t.Errorf("%d (%v), repeated %d (%v)", k1, err1, k2, err2)
	}
	once.Features, often.Features = 7, 7
	if got, want := mustSolve(t, a, often), mustSolve(t, a, once); !slices.Equal(got.Support, want.Support) {
		t.Errorf("%v, repeated %v", want.Support, got.Support)
	}
}
