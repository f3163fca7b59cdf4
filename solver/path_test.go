package solver

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/internal/oracle"
)

func mustPath(t *testing.T, a Covariance, p Params, sizes []int) []*Solution {
	t.Helper()
	return must.Get(Path(context.Background(), a, p, sizes))(t)
}

// TestPathIsMonotone: ascending k, rising objective, never below a fit of its
// own, honest bounds, lists kept.
func TestPathIsMonotone(t *testing.T) {
	better := 0
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 61))
		d, m := 14, 1+rng.IntN(3)
		a := randomCovariance(rng, d)
		c := mustMatrix(t, a)
		include, exclude := []int{rng.IntN(7)}, []int{7 + rng.IntN(7)}
		p := Params{Components: m, Include: include, Exclude: exclude, Effort: []Effort{EffortIPU, EffortThorough}[seed%2]}
		sizes := []int{10, 3, 4, 13, 6, 7}
		path := mustPath(t, c, p, sizes)
		for i, s := range path {
			k := len(s.Support)
			checkSolution(t, a, s, k, m)
			checkLists(t, s, include, exclude)
			if i > 0 {
				if len(path[i-1].Support) >= k {
					t.Errorf("seed %d: k %d after %d", seed, k, len(path[i-1].Support))
				}
				if s.Objective < path[i-1].Objective*(1-1e-12) {
					t.Errorf("seed %d: the objective falls to %v from %v at k = %d", seed, s.Objective, path[i-1].Objective, k)
				}
				if s.UpperBound < path[i-1].UpperBound*(1-1e-9) && !path[i-1].Proved {
					t.Errorf("seed %d: bound %v at k = %d, %v at the k before", seed, s.UpperBound, k, path[i-1].UpperBound)
				}
			}
			best := bruteForceWithin(a, k, m, include, exclude)
			if s.UpperBound < best || s.Objective > best*(1+1e-9) {
				t.Errorf("seed %d k=%d: %v to %v, optimum %v", seed, k, s.Objective, s.UpperBound, best)
			}
			p.Features = k
			own := mustSolve(t, c, p)
			if s.Objective < own.Objective*(1-1e-12) {
				t.Errorf("seed %d k=%d: %v on the path, %v alone", seed, k, s.Objective, own.Objective)
			}
			if s.Objective > own.Objective*(1+1e-9) {
				better++
			}
		}
		if len(path) != len(sizes) {
			t.Errorf("%d points for %d sizes", len(path), len(sizes))
		}
	}
	if better == 0 {
		t.Error("the neighbours never helped: a poor test")
	}
}

// TestFeaturesForTarget: the k keeps the share, and no smaller k that was
// tried does; with exact search none at all does.
func TestFeaturesForTarget(t *testing.T) {
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 62))
		d, m := 11, 1+rng.IntN(2)
		a := randomCovariance(rng, d)
		c := mustMatrix(t, a)
		share := 0.3 + 0.7*rng.Float64()
		k, path := must.Two(FeaturesForTarget(context.Background(), c, Params{Components: m, Effort: EffortExact}, share, 0))(t)
		dense := oracle.KyFan(a, m)
		want := m
		for ; ; want++ {
			if best, _ := bruteForce(a, want, m); best >= share*dense*(1-1e-9) {
				break
			}
		}
		at := slices.IndexFunc(path, func(s *Solution) bool { return len(s.Support) == k })
		if k != want || at < 0 || path[at].Objective < share*dense*(1-1e-9) {
			t.Errorf("seed %d: k = %d of %v, want %d", seed, k, share, want)
		}
	}
}

func TestTargetErrors(t *testing.T) {
	ctx := context.Background()
	c := mustMatrix(t, withSpectrum(rand.New(rand.NewPCG(1, 63)), []float64{4, 3, 2, 1, 0.5}))
	p := Params{Components: 2}
	for _, share := range []float64{0, -1, 1.01} {
		if _, _, err := FeaturesForTarget(ctx, c, p, share, 0); err == nil || !strings.Contains(err.Error(), "at most 1") {
			t.Errorf("share %v: %v", share, err)
		}
		if _, err := ComponentsForTarget(ctx, c, share); err == nil || !strings.Contains(err.Error(), "at most 1") {
			t.Errorf("share %v: %v", share, err)
		}
	}
	_, path, err := FeaturesForTarget(ctx, c, p, 0.999, 3)
	if !errors.Is(err, ErrTarget) || !strings.Contains(err.Error(), "k = 3 keeps") || len(path) == 0 {
		t.Errorf("out of reach: %v", err)
	}
	if k, _, err := FeaturesForTarget(ctx, c, p, 1, 0); k != 5 || err != nil {
		t.Errorf("all of it: %d, %v", k, err)
	}
	if k, _, err := FeaturesForTarget(ctx, c, Params{Components: 1, Include: []int{0, 3, 4}}, 0.01, 0); k != 3 || err != nil {
		t.Errorf("no less than include: %d, %v", k, err)
	}
	for _, test := range []struct {
		sizes []int
		want  string
	}{{nil, "no k"}, {[]int{3, 3}, "twice"}, {[]int{1, 9}, "k = 9"}} {
		if _, err := Path(ctx, c, p, test.sizes); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v: error %v does not say %q", test.sizes, err, test.want)
		}
	}
}

// TestPathInterrupted: what is done comes back.
func TestPathInterrupted(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 64))
	values := make([]float64, 40)
	for i := range values {
		values[i] = rng.ExpFloat64()
	}
	c := mustMatrix(t, withSpectrum(rng, values))
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	path, err := Path(ctx, c, Params{Components: 2, Progress: func(p Progress) {
		if p.Features == 5 {
			cancel()
		}
	}}, []int{3, 4, 5, 6, 7})
	if !errors.Is(err, context.Canceled) || len(path) != 3 || path[2].Status != Cancelled {
		t.Errorf("%d points, %v", len(path), err)
	}
}
