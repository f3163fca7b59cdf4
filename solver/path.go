package solver

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/param"
	"github.com/fspca/fspca/internal/subspace"
)

// Path solves the problem for every k in sizes: at least one, each between m
// and d, in any order and without repeats. The other parameters are those of p;
// Features is ignored. Each k also starts from the solutions for the
// neighbouring k, filled up or trimmed. The objective never falls from one k to
// the next larger one. The solutions are in ascending order of k.
//
// Progress.Features is the current k. If ctx ends, the solutions so far are
// returned with the context's error; the last has the status Deadline or
// Cancelled.
func Path(ctx context.Context, a Covariance, p Params, sizes []int) ([]*Solution, error) {
	d := subspace.Order(a)
	sorted, err := param.Path(sizes, p.Limits.Cost != nil, func(k int) error {
		p.Features = k
		_, err := p.checked(d)
		return err
	})
	if err != nil {
		return nil, err
	}
	f, err := newFrame(ctx, a, p)
	if err != nil {
		return nil, err
	}
	return f.restoreAll(f.path(ctx, sorted))
}

// path is Path in the frame, for sizes in ascending order.
func (f *frame) path(ctx context.Context, sizes []int) ([]*Solution, error) {
	w, err := newWalk(ctx, f.a, f.p, sizes)
	if err != nil {
		return nil, err
	}
	for _, k := range sizes {
		if err := w.visit(ctx, k); err != nil {
			return w.points(), err
		}
	}
	err = w.settle(ctx)
	return w.points(), err
}

// walk solves for one k after another.
type walk struct {
	a  Covariance
	p  Params
	s  *spectrum
	at map[int]*Solution

	leading float64 // what dense PCA explains, for targets
}

// manySizes is the number of sizes from which on forming A of order d pays.
func manySizes(d int) int { return max(5, d/500) }

// newWalk reads the spectrum that all k share.
func newWalk(ctx context.Context, a Covariance, p Params, sizes []int) (*walk, error) {
	if len(sizes) >= manySizes(a.Order()) {
		a = explicit(a)
	}
	s := &spectrum{}
	err := s.readFor(ctx, a, &p, sizes)
	return &walk{a: a, p: p, s: s, at: map[int]*Solution{}}, err
}

// points returns the solutions in ascending order of k.
func (w *walk) points() []*Solution {
	return lists.Map(w.sizes(), func(k int) *Solution { return w.at[k] })
}

func (w *walk) sizes() []int { return slices.Sorted(maps.Keys(w.at)) }

// neighbours returns the nearest sizes below and above k that are solved, 0
// for none.
func (w *walk) neighbours(k int) (below, above int) {
	for _, other := range w.sizes() {
		if other < k {
			below = other
		} else if other > k && above == 0 {
			above = other
		}
	}
	return below, above
}

// visit solves for k from its own starts and from the neighbours.
func (w *walk) visit(ctx context.Context, k int) error {
	t, err := w.task(k)
	if err != nil {
		return err
	}
	below, above := w.neighbours(k)
	for _, other := range []int{below, above} {
		if other > 0 && w.p.Limits.Together() {
			t.near = append(t.near, w.at[other].Support)
		} else if other > 0 {
			support, err := w.adapted(ctx, t, other)
			if err != nil {
				return err
			}
			t.near = append(t.near, support)
		}
	}
	sol, err := t.certified(ctx)
	if err != nil {
		return fmt.Errorf("path at k = %d: %w", k, err)
	}
	sol.Block = nil // of many k they take much together
	w.at[k] = sol
	return ctx.Err()
}

// task returns the problem for k.
func (w *walk) task(k int) (*task, error) {
	p := w.p
	p.Features = k
	c, err := p.checked(w.a.Order())
	if err != nil {
		return nil, err
	}
	return &task{a: w.a, s: w.s, c: c, m: p.Components, p: p}, nil
}

// adapted returns the support of another size, changed to k indices by the diagonal
// of IPU's proxy. It is filled up with the largest entries, or trimmed to the
// chosen ones with the largest.
func (w *walk) adapted(ctx context.Context, t *task, size int) ([]int, error) {
	sol := w.at[size]
	e := &embedding{support: sol.Support, values: sol.Values, vectors: sol.Loadings, objective: sol.Objective}
	r := &run{a: w.a, at: ascenderOf(w.a), c: t.c, m: t.m, best: e}
	scores, _, err := r.scores(ctx)
	if err != nil {
		return nil, err
	}
	if size < t.c.k {
		return t.c.fill(sol.Support, scores), nil
	}
	return t.c.trim(sol.Support, lists.At(scores, sol.Support)), nil
}

// settle passes solutions on, from the larger to the smaller k and back, until
// none gains by its neighbour. A solution that is better than the next larger
// one replaces it, filled up.
func (w *walk) settle(ctx context.Context) error {
	sizes := w.sizes()
	for changed := true; changed; {
		changed = false
		for i := len(sizes) - 2; i >= 0; i-- {
			gained, err := w.pass(ctx, sizes[i+1], sizes[i])
			if err != nil {
				return err
			}
			changed = changed || gained
		}
		for i := 1; i < len(sizes); i++ {
			gained, err := w.pass(ctx, sizes[i-1], sizes[i])
			if err != nil {
				return err
			}
			changed = changed || gained
		}
	}
	for i := len(sizes) - 2; i >= 0; i-- { // no smaller k has a better optimum
		if small, large := w.at[sizes[i]], w.at[sizes[i+1]]; large.UpperBound < small.UpperBound && !small.Proved {
			small.certify(bound{large.UpperBound, large.BoundSource})
		}
	}
	return nil
}

// pass improves the solution for size to by IPU from that for size from, and
// reports whether it gained.
func (w *walk) pass(ctx context.Context, from, to int) (bool, error) {
	sol := w.at[to]
	if sol.Proved {
		return false, nil
	}
	t, err := w.task(to)
	if err != nil {
		return false, err
	}
	if w.p.Limits.Together() {
		return w.passLimited(ctx, t, from, to)
	}
	support, err := w.adapted(ctx, t, from)
	if err != nil {
		return false, err
	}
	r, err := w.climbFrom(ctx, t, support)
	if err != nil {
		return false, err
	}
	if r.best.objective <= sol.Objective*(1+gainTolerance) {
		return false, ctx.Err()
	}
	better, err := t.solution(ctx, r.best, r.trace, r.iterations, r.status)
	if err != nil {
		return false, err
	}
	w.take(better, to)
	return true, ctx.Err()
}

// climbFrom runs IPU from a support.
func (w *walk) climbFrom(ctx context.Context, t *task, support []int) (*run, error) {
	r := newRun(w.a, ascenderOf(w.a), t.c, t.m, IPUParams{MaxIterations: w.p.MaxIterations, Epsilon: w.p.Epsilon})
	if err := r.startOn(ctx, support, nil); err != nil {
		return nil, err
	}
	return r, r.climb(ctx)
}

// take keeps a better solution for size k, with the bound and the nodes of that before.
func (w *walk) take(better *Solution, k int) {
	sol := w.at[k]
	if sol.UpperBound < better.UpperBound {
		better.certify(bound{sol.UpperBound, sol.BoundSource})
	}
	better.Nodes = sol.Nodes
	w.at[k] = better
}

// passLimited is pass under limits: a smaller solution that is better than a larger
// one becomes a start of that.
func (w *walk) passLimited(ctx context.Context, t *task, from, to int) (bool, error) {
	sol := w.at[to]
	if from > to || w.at[from].Objective <= sol.Objective*(1+gainTolerance) {
		return false, nil
	}
	t.near = [][]int{w.at[from].Support, sol.Support}
	better, err := t.certified(ctx)
	if err != nil || better.Objective <= sol.Objective*(1+gainTolerance) {
		return false, err
	}
	w.at[to] = better
	return true, ctx.Err()
}
