package solver

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/fspca/fspca/internal/lists"
)

// relaxedOrder is the order up to which the semidefinite relaxation, which
// holds nine matrices of that order and decomposes two in each iteration, is
// solved: 1.2 GB.
const relaxedOrder = 4000

// subproblem is what the cheap bound leaves of the whole problem.
type subproblem struct {
	index  []int   // the columns that are left, ascending
	root   node    // by position in index
	dual   *dual   // the bound's scores
	closed float64 // the largest bound of what was cut off, −∞ for nothing
}

// subproblem narrows the problem to what can be above cutoff.
func (t *task) subproblem(ctx context.Context, cutoff float64) (*subproblem, error) {
	cheap, err := t.bound(ctx)
	if err != nil {
		return nil, err
	}
	deep, err := t.s.deepen(ctx, t.a, t.m)
	if err != nil {
		return nil, err
	}
	index := t.c.candidates(t.a.Order())
	in := len(t.c.must)
	s := newSoft(deep, t.a.Diag(), index, in, t.c.k, t.m)
	value, _ := s.minimise(math.Inf(-1))
	f := fixing{closed: math.Inf(-1)}
	all := lists.Upto[int32](len(index))
	f.in, f.free = all[:in:in], all[in:]
	f.apply(s.scores[in:], t.c.k-in, value, cutoff)
	return newSubproblem(f, index, s.scores, cheap.value, value-diagSum(s.scores, in, t.c.k)), nil
}

// newSubproblem is what f leaves of index, with the multiplier that the scores are.
func newSubproblem(f fixing, index []int, scores []float64, bound, rest float64) *subproblem {
	kept := append(slices.Clone(f.in), f.free...)
	slices.SortFunc(kept, func(a, b int32) int { return index[a] - index[b] })
	chosen := lists.Set(f.in)
	sub := &subproblem{root: node{bound: bound}, closed: f.closed, dual: &dual{rest: rest}}
	for at, p := range kept {
		sub.index = append(sub.index, index[p])
		sub.dual.diag = append(sub.dual.diag, scores[p])
		if chosen[p] {
			sub.root.in = append(sub.root.in, int32(at))
		} else {
			sub.root.free = append(sub.root.free, int32(at))
		}
	}
	return sub
}

// relax bounds a subproblem by at most so many iterations of the semidefinite
// relaxation and narrows it by what that bound excludes above cutoff. The
// node that is returned has the better bound, of what was cut off as well;
// closed is the largest bound of that, −∞ for nothing. It ends early where
// nothing is left above cutoff, and when ctx ends.
func (t *task) relax(ctx context.Context, l *local, n node, cutoff float64, iterations int) (narrowed node, closed float64, dual *dual, err error) {
	f := fixing{in: n.in, free: n.free, closed: math.Inf(-1)}
	bound := n.bound
	if _, ok := f.last(t.c.k); ok {
		return n, f.closed, nil, nil
	}
	index := append(append([]int32(nil), f.in...), f.free...)
	r := newRelaxation(l.matrix(index), len(f.in), t.c.k, t.m, t.s.values[0])
	err = r.run(ctx, iterations, func(iteration int) (bool, error) {
		bound = min(bound, max(r.bound, f.closed))
		t.report(Progress{Stage: StageSDP, Iteration: iteration, UpperBound: bound})
		if r.bound <= cutoff {
			return true, nil
		}
		before := len(f.free)
		f.apply(r.diag[len(f.in):], t.c.k-len(f.in), r.bound, cutoff)
		if last, ok := f.last(t.c.k); ok {
			_, upper, err := (&prober{l: l, k: t.c.k, m: t.m}).value(last)
			bound = min(bound, max(upper, f.closed))
			return true, err
		}
		if len(f.free) == before {
			return false, nil
		}
		where := lists.Index(index)
		index = append(append(index[:0:0], f.in...), f.free...)
		r.restrict(lists.Map(index, func(i int32) int { return where[i] }), len(f.in))
		return false, nil
	})
	if r.diag != nil {
		dual = newDual(r, index, len(l.index))
	}
	return node{bound: bound, in: f.in, free: f.free}, f.closed, dual, err
}

// dual is a bound that holds for every subproblem: the scores diag B of what
// it chooses, and K_m(A − B).
type dual struct {
	diag []float64 // by position in the block; 0 where unknown
	rest float64
}

func newDual(r *relaxation, index []int32, n int) *dual {
	d := &dual{diag: make([]float64, n), rest: r.rest}
	for p, i := range index {
		d.diag[i] = r.diag[p]
	}
	return d
}

// certify tightens the bound of a solution as far as that is asked for and something
// is left to prove.
func (t *task) certify(ctx context.Context, sol *Solution) error {
	if t.p.Bound == BoundTight && !sol.Proved && ctx.Err() == nil {
		if err := t.tighten(ctx, sol); err != nil && ctx.Err() == nil {
			return err
		}
	}
	if t.p.SDPIterations == 0 || sol.Proved || ctx.Err() != nil {
		return nil
	}
	cutoff := cutoff(sol.Objective)
	sub, err := t.subproblem(ctx, cutoff)
	if err != nil {
		return err
	}
	if n := len(sub.index); n > relaxedOrder {
		return fmt.Errorf("the semidefinite bound is for up to %d columns, but the cheaper bounds leave %d: leave it out, or exclude columns", relaxedOrder, n)
	}
	l, err := newLocal(ctx, t.a, sub.index)
	switch {
	case err != nil && ctx.Err() != nil:
		return nil
	case err != nil:
		return err
	}
	// A cheap bound of the part that is left may end it, or narrow it further.
	first := (&prober{l: l, k: t.c.k, m: t.m, dual: sub.dual}).examine(&sub.root, cutoff)
	if first.err != nil {
		return first.err
	}
	if len(first.children) == 0 {
		sol.certify(t.cheap.least(bound{max(first.closed, sub.closed), BoundSpectral}))
		return nil
	}
	n, closed, _, err := t.relax(ctx, l, sub.root, cutoff, t.p.SDPIterations)
	if err != nil {
		return err
	}
	sol.certify(t.cheap.least(bound{max(n.bound, sub.closed, closed), BoundSDP}))
	return nil
}
