package solver

import (
	"context"
	"errors"
	"slices"

	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/subspace"
)

// kicks is the number of chosen indices that are kicked out, those that the
// components explain least, where not every exchange is evaluated.
const kicks = 16

// kick takes one chosen index after another out of the best run, forbids it,
// and improves what is left by exchanges. It permits it again and improves once
// more; the best of these replaces the run as long as it is better. It finds
// what takes two exchanges at once.
func (t *task) kick(ctx context.Context, runs []*run, whole *local, known *optima) (*run, error) {
	best := runs[0]
	if t.c.k+len(t.c.never) == t.a.Order() {
		return best, nil
	}
	for {
		leaving := t.weakest(best.best)
		ends, errs := make([]*embedding, len(leaving)), make([]error, len(leaving))
		t.each(len(leaving), func(at ascender, q int) {
			ends[q], errs[q] = t.kicked(ctx, at, best.best, leaving[q], whole, known)
			t.report(Progress{Stage: StageExchange, Start: q, Starts: len(leaving), Objective: best.best.objective})
		})
		before := best.best.objective
		for _, e := range ends {
			if e != nil && e.gains(best.best) {
				best.best = e
			}
		}
		if best.best.objective > before {
			best.trace, best.iterations = append(best.trace, best.best.objective), best.iterations+1
		}
		if err := errors.Join(errs...); err != nil || best.best.objective == before {
			return best, err
		}
	}
}

// weakest returns the free indices of a support, or, where there are many,
// those that the components explain least.
func (t *task) weakest(e *embedding) []int {
	var free []int
	var scores []float64
	for p, i := range e.support {
		if !t.c.free(i) {
			continue
		}
		var explained float64
		for c, v := range e.vectors.RawRowView(p) {
			explained += e.values[c] * v * v
		}
		free, scores = append(free, i), append(scores, -explained)
	}
	if t.few() || len(free) <= kicks {
		return free
	}
	return lists.At(free, subspace.TopK(scores, kicks))
}

// kicked is the end of one kick, without index i first.
func (t *task) kicked(ctx context.Context, at ascender, e *embedding, i int, whole *local, known *optima) (*embedding, error) {
	x := t.exchange(at, whole, nil)
	x.c, x.quick = t.c.without(i, t.a.Order()), true
	rest := slices.DeleteFunc(slices.Clone(e.support), func(j int) bool { return j == i })
	e, err := at.embed(ctx, x.c.fill(rest, t.a.Diag()), t.m, nil)
	if err != nil {
		return nil, err
	}
	if e, err = x.improve(ctx, e); err != nil {
		return e, err
	}
	return t.exchange(at, whole, known).improve(ctx, e)
}
