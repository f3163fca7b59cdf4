package solver

import (
	"context"
	"sync"

	"github.com/fspca/fspca/internal/subspace"
)

// Solve finds a support of k columns and an m-dimensional subspace on it, by
// the method, start and effort of p. If Go is provably optimal (see Go), it is
// used with every method, and the status is Proved.
//
// One error holds all that is wrong with p. If ctx ends once a feasible point
// is known, the best so far is returned with the status Deadline or Cancelled.
// Before that the error is the context's.
func Solve(ctx context.Context, a Covariance, p Params) (*Solution, error) {
	if _, err := p.checked(subspace.Order(a)); err != nil {
		return nil, err
	}
	p.Features = p.most(a.Order())
	f, err := newFrame(ctx, a, p)
	if err != nil {
		return nil, err
	}
	sol, err := f.solve(ctx)
	if err != nil {
		return nil, f.refused(err)
	}
	return f.restore(sol)
}

// solve is Solve in the frame. A greater effort begins with the solution that IPU
// finds on the operator as it is. If ctx ends before a better one is found, it
// returns that.
func (f *frame) solve(ctx context.Context) (*Solution, error) {
	a := f.a
	if f.p.Effort.great() {
		if !f.p.Limits.Together() {
			return f.improve(ctx)
		}
		a = explicit(a)
	}
	t, err := newTask(ctx, a, f.p)
	if err != nil {
		return nil, err
	}
	return t.certified(ctx)
}

// improve solves with a greater effort, after IPU.
func (f *frame) improve(ctx context.Context) (*Solution, error) {
	p := f.p
	p.Effort, p.SDPIterations, p.Bound = EffortIPU, 0, ""
	t, err := newTask(ctx, f.a, p)
	if err != nil {
		return nil, err
	}
	if sol, err := t.solveExactly(ctx); err != nil || sol != nil {
		return sol, err
	}
	first, err := t.climbFromAll(ctx)
	if err != nil {
		return nil, err
	}
	var sol *Solution
	if ctx.Err() == nil {
		if sol, err = f.solveFrom(ctx, t, first.best.support); err != nil && ctx.Err() == nil {
			return nil, err
		}
	}
	if sol != nil && sol.Objective >= first.best.objective*(1-gainTolerance) {
		return sol, nil
	}
	if ctx.Err() != nil {
		first.status = EndOf(ctx)
	}
	if first, err = t.warmed(ctx, first, nil); err != nil {
		return nil, err
	}
	return t.solution(ctx, first.best, first.trace, first.iterations, first.status)
}

// solveFrom solves with the greater effort, with the task and the support of IPU
// in hand.
func (f *frame) solveFrom(ctx context.Context, known *task, support []int) (*Solution, error) {
	a := explicit(f.a)
	t, err := f.greater(ctx, a, known)
	if err != nil {
		return nil, err
	}
	t.near = [][]int{support}
	return t.certified(ctx)
}

// greater returns the task of the greater effort; the spectrum is that of known
// where this has all of it.
func (f *frame) greater(ctx context.Context, a Covariance, known *task) (*task, error) {
	if a == f.a && known.s.complete() {
		return &task{a: a, s: known.s, c: known.c, m: known.m, p: f.p}, nil
	}
	return newTask(ctx, a, f.p)
}

// task is one problem and what is known of it.
type task struct {
	a Covariance
	s *spectrum
	c *choice
	m int
	p Params

	near [][]int // supports to start from as well, but for those of p.Warm

	given    bool      // the support is the caller's and stays as it is
	standing *Standing // under limits: the support that is described

	held *streamAscender // the columns that the search has left there; nil for none

	untold bool    // what the components explain of all columns is wanted, but not by a product of its own
	told   float64 // that, if a product came by; see onLowestCopies

	reporting sync.Mutex // guards p.Progress

	bounding sync.Mutex // guards cheap while climbBesideBound is under way
	cheap    bound      // the best bound that costs little; its source is "" until asked for
}

// newTask checks p and reads the spectrum.
func newTask(ctx context.Context, a Covariance, p Params) (*task, error) {
	c, err := p.checked(a.Order())
	if err != nil {
		return nil, err
	}
	t := &task{a: a, c: c, m: p.Components, p: p}
	t.s = &spectrum{wanted: t.wanted(ctx)}
	if err := t.s.readFor(ctx, a, &p, []int{c.k}); err != nil {
		return nil, err
	}
	if t.s.switched != nil {
		t.a = t.s.switched.formed
	}
	return t, nil
}

// readFor reads as many eigenpairs as the effort uses, for the given k.
func (s *spectrum) readFor(ctx context.Context, a Covariance, p *Params, sizes []int) error {
	d := a.Order()
	r := min(p.Components+1, d)
	switch {
	case p.Effort.great():
		all := false
		if r, all = thoroughPairs(d, rowsOf(a), routeOf(a), p.Components); all {
			sizes = nil
		}
	case d <= wholeOrder:
		r = d
	}
	return s.read(ctx, a, sizes, p.Components, r)
}

const (
	// wholeOrder is the order up to which every eigenpair is found whatever
	// the effort, since the bounds are better and the time is nothing.
	wholeOrder = 64

	// decomposedOrder is the order up to which a greater effort decomposes a
	// matrix completely.
	decomposedOrder = 1000
)

// thoroughPairs returns the number of eigenpairs that a greater effort works with.
// It also reports whether these are all that are not 0, found by a decomposition,
// or only a few times m. The covariance has order d and, on the route of the Gram
// matrix, n rows.
func thoroughPairs(d, n int, route Route, m int) (r int, all bool) {
	switch {
	case route == RouteGram:
		return min(d, n), true
	case d <= decomposedOrder && route != RouteImplicit:
		return d, true
	}
	return min(d, max(64, 4*m)), false
}

// rowsOf returns the number of dense rows that a is made from, 0 if it is not.
func rowsOf(a Covariance) int {
	if c, ok := a.(*Data); ok {
		return c.n
	}
	return 0
}

// certified is solve with the bound that is asked for.
func (t *task) certified(ctx context.Context) (*Solution, error) {
	sol, err := t.solve(ctx)
	if err != nil {
		return nil, err
	}
	return sol, t.certify(ctx, sol)
}

// solve is Solve without what the checks have done.
func (t *task) solve(ctx context.Context) (*Solution, error) {
	if t.p.Limits.Together() {
		return t.solveLimited(ctx)
	}
	if sol, err := t.solveExactly(ctx); err != nil || sol != nil {
		return sol, err
	}
	if t.p.Method == MethodGo {
		return t.selectOnce(ctx, t.s.lowRankScores(t.m, t.p.Epsilon))
	}
	switch t.p.Effort {
	case EffortThorough:
		return t.solveThoroughly(ctx)
	case EffortExact:
		return t.solveBySearch(ctx)
	}
	if t.p.Effort.quick() {
		return t.solveQuickly(ctx)
	}
	best, err := t.climbFromAll(ctx)
	if err == nil {
		best, err = t.warmed(ctx, best, nil)
	}
	if err != nil {
		return nil, err
	}
	sol, err := t.solution(ctx, best.best, best.trace, best.iterations, best.status)
	if err == nil {
		sol.Told, sol.Block = best.explains(), best.best.block
	}
	return sol, err
}

// bound returns the best upper bound that costs little.
func (t *task) bound(ctx context.Context) (bound, error) {
	t.bounding.Lock()
	defer t.bounding.Unlock()
	if t.cheap.source == "" {
		s, err := t.s.deepen(ctx, t.a, t.m)
		if err != nil {
			return bound{}, err
		}
		t.cheap = cheapBound(t.a, s, t.c, t.m)
	}
	return t.cheap, nil
}

// solution describes e for users.
func (t *task) solution(ctx context.Context, e *embedding, trace []float64, iterations int, status Status) (*Solution, error) {
	var cheap bound
	if t.p.Bound != BoundNone {
		var err error
		if cheap, err = t.bound(ctx); err != nil {
			return nil, err
		}
	}
	if !t.given {
		if err := t.onLowestCopies(context.WithoutCancel(ctx), e); err != nil {
			return nil, err
		}
	}
	subspace.OrientColumns(e.vectors)
	sol := &Solution{
		Support: e.support, Loadings: e.vectors, Values: e.values,
		Objective: e.objective, Trace: trace, Iterations: iterations, Status: status,
		LeadingVariance: t.s.leadingAbove(e.objective), TotalVariance: t.s.total,
		Route: routeOf(t.a), RouteReason: t.reason(),
	}
	if t.p.Bound != BoundNone {
		sol.certify(cheap)
	}
	return sol, nil
}
