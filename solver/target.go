package solver

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/fspca/fspca/internal/param"
	"github.com/fspca/fspca/internal/subspace"
)

// FeaturesForTarget returns the smallest k found whose solution keeps the given
// share of Tr(A_m), the variance that dense PCA with m components explains; 0 <
// share ≤ 1. Path holds the solutions for all k that were tried, ascending,
// including k. MaxFeatures is the largest k; 0 means d.
//
// The search doubles k until the share is reached and then bisects; the
// objective never falls as k grows. If the solution for k−1 has an UpperBound
// below the share, no smaller k is possible. The error wraps ErrTarget if
// maxFeatures does not reach the share.
func FeaturesForTarget(ctx context.Context, a Covariance, p Params, share float64, maxFeatures int) (k int, path []*Solution, err error) {
	d, m := subspace.Order(a), p.Components
	if err := param.Share("Target", "the target", share, "dense PCA's variance"); err != nil {
		return 0, nil, err
	}
	if p.Limits.Cost != nil {
		return 0, nil, errors.New("a target and costs exclude each other: the budget decides how many columns are chosen")
	}
	hi := d - len(distinct(slices.Concat(p.Exclude, p.Limits.Unmeasured)))
	if maxFeatures > 0 {
		hi = min(hi, maxFeatures)
	}
	lo := max(m, len(distinct(p.Include)), 1)
	for _, k := range []int{lo, hi} {
		p.Features = k
		if _, err := p.checked(d); err != nil {
			return 0, nil, err
		}
	}
	f, err := newFrame(ctx, a, p)
	if err != nil {
		return 0, nil, err
	}
	var doubled []int
	for k := lo; k < hi; k *= 2 {
		doubled = append(doubled, k)
	}
	w, err := newWalk(ctx, f.a, f.p, append(doubled, hi))
	if err != nil {
		return 0, nil, err
	}
	w.leading = f.leading(w.s)
	k, err = w.reach(ctx, share, lo, hi)
	path, err = f.restoreAll(w.points(), err)
	return k, path, err
}

// targetTolerance is the relative rounding error that a target is met within.
const targetTolerance = 1e-10

// ErrTarget is returned (wrapped) if no permitted k reaches the target.
var ErrTarget = errors.New("the target is out of reach")

// reach returns the smallest size found from lo to hi that keeps the share.
func (w *walk) reach(ctx context.Context, share float64, lo, hi int) (int, error) {
	keeps := func(k int) bool {
		return w.at[k].Objective >= share*w.leading*(1-targetTolerance)
	}
	if err := w.double(ctx, share, lo, hi, keeps); err != nil {
		return 0, err
	}
	for {
		if err := w.settle(ctx); err != nil {
			return 0, err
		}
		floor, k := lo-1, hi // what fails, what keeps the share
		for _, size := range w.sizes() {
			if keeps(size) {
				k = size
				break
			}
			floor = size
		}
		if k-floor <= 1 {
			return k, nil
		}
		if err := w.visit(ctx, (k+floor)/2); err != nil {
			return 0, err
		}
	}
}

// double visits lo and so on, each size twice the one before, until one keeps the share.
func (w *walk) double(ctx context.Context, share float64, lo, hi int, keeps func(k int) bool) error {
	for k := lo; ; k = min(2*k, hi) {
		if err := w.visit(ctx, k); err != nil {
			return err
		}
		if keeps(k) {
			return nil
		}
		if k == hi {
			best := w.at[k]
			return fmt.Errorf("k = %d keeps %.6g of dense PCA's variance with m = %d, less than %v: %w",
				k, best.Objective/w.leading, w.p.Components, share, ErrTarget)
		}
	}
}
