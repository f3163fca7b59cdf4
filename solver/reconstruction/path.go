package reconstruction

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/param"
	"github.com/fspca/fspca/internal/subspace"
	"github.com/fspca/fspca/solver"
)

// Path solves the problem for every k in sizes: at least one, each between m and d,
// in any order and without repeats. The other parameters are those of p; Features
// is ignored. Each k also starts from the solution of the next smaller one, so the
// objective never falls as k grows. The solutions are in ascending order of k. If
// ctx ends, the solutions so far are returned with the context's error.
func Path(ctx context.Context, a solver.Covariance, p Params, sizes []int) ([]*solver.Solution, error) {
	d := subspace.Order(a)
	sorted, err := param.Path(sizes, p.Limits.Cost != nil, func(k int) error {
		p.Features = k
		return p.check(d)
	})
	if err != nil {
		return nil, err
	}
	var path []*solver.Solution
	for i, k := range sorted {
		p := p
		p.Features = k
		if i > 0 {
			p.Starts = append(slices.Clone(p.Starts), path[i-1].Support)
		}
		s, err := Solve(ctx, a, p)
		if err != nil {
			return path, fmt.Errorf("path at k = %d: %w", k, err)
		}
		path = append(path, s)
		if err := ctx.Err(); err != nil {
			return path, err
		}
	}
	for i := len(path) - 2; i >= 0; i-- { // no smaller k has a better optimum
		if small, large := path[i], path[i+1]; large.UpperBound < small.UpperBound && !small.Proved {
			small.UpperBound, small.BoundSource = large.UpperBound, large.BoundSource
			small.Gap = (small.UpperBound - small.Objective) / small.Objective
		}
	}
	return path, nil
}

// FeaturesForTarget returns the smallest k found whose solution reaches the given
// share of the variance that dense PCA with m components explains; 0 < share ≤ 1.
// Path holds the solutions for all k that were tried, ascending. maxFeatures is the
// largest k; 0 means no limit. The search doubles k until the share is reached and
// then bisects. The error wraps solver.ErrTarget if maxFeatures does not reach the
// share.
func FeaturesForTarget(ctx context.Context, a solver.Covariance, p Params, share float64, maxFeatures int) (k int, path []*solver.Solution, err error) {
	if err := param.Share("Target", "the target", share, "dense PCA's variance"); err != nil {
		return 0, nil, err
	}
	if p.Limits.Cost != nil {
		return 0, nil, errors.New("a target and costs exclude each other: the budget decides how many columns are chosen")
	}
	low, high := max(p.Components, len(p.Include), 1), subspace.Order(a)-len(distinct(p.Exclude, p.Limits.Unmeasured))
	if maxFeatures > 0 {
		high = min(high, maxFeatures)
	}
	found := map[int]*solver.Solution{}
	floor := low - 1
	for next := low; k == 0 || k-floor > 1; {
		s, err := p.beyond(ctx, a, found, next)
		if s != nil {
			found[next] = s
		}
		if err == nil {
			err = ctx.Err()
		}
		switch {
		case err != nil:
			return 0, ascending(found), err
		case s.Objective >= share*s.LeadingVariance*(1-provedTolerance):
			k = next
		case next >= high:
			return 0, ascending(found), fmt.Errorf("k = %d keeps %.6g of dense PCA's variance with m = %d, less than %v: %w",
				next, s.Objective/s.LeadingVariance, p.Components, share, solver.ErrTarget)
		default:
			floor = next
		}
		if next = min(2*next, high); k > 0 {
			next = (k + floor) / 2
		}
	}
	err = rising(ctx, a, p, found)
	return k, ascending(found), err
}

// beyond solves for k, also from the solutions for smaller k.
func (p Params) beyond(ctx context.Context, a solver.Covariance, found map[int]*solver.Solution, k int) (*solver.Solution, error) {
	p.Features, p.Starts = k, slices.Clone(p.Starts)
	for _, s := range ascending(found) {
		if len(s.Support) < k {
			p.Starts = append(p.Starts, s.Support)
		}
	}
	slices.SortStableFunc(p.Starts, func(a, b []int) int { return len(a) - len(b) })
	return Solve(ctx, a, p)
}

// rising starts solutions that are worse than that of a smaller k from there.
func rising(ctx context.Context, a solver.Covariance, p Params, found map[int]*solver.Solution) error {
	sizes := slices.Sorted(maps.Keys(found))
	for i := 1; i < len(sizes); i++ {
		before, now := found[sizes[i-1]], found[sizes[i]]
		if now.Objective >= before.Objective*(1-provedTolerance) {
			continue
		}
		again := p
		again.Features = sizes[i]
		again.Starts = append(slices.Clone(p.Starts), before.Support, now.Support)
		s, err := Solve(ctx, a, again)
		if err != nil {
			return err
		}
		found[sizes[i]] = s
	}
	return nil
}

// distinct returns the different elements of both lists.
func distinct(a, b []int) []int {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}

func ascending(found map[int]*solver.Solution) []*solver.Solution {
	return lists.Map(slices.Sorted(maps.Keys(found)), func(k int) *solver.Solution { return found[k] })
}
