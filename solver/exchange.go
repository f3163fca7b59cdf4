package solver

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/fspca/fspca/internal/param"
	"github.com/fspca/fspca/internal/subspace"
)

const (
	// exchangePairs is the number of pairs (one index out, one in) up to which
	// every pair is evaluated before the search ends.
	exchangePairs = 5000

	// exchangeEntering is how many unchosen indices are considered where there
	// are more pairs, the best by IPU's score.
	exchangeEntering = 256
)

// exchangeBatches are the numbers of pairs, the best by an estimate, that are
// evaluated before the search for a gain goes on to more.
var exchangeBatches = []int{4, 16, 64}

// ExchangeParams are the parameters of Exchange. The zero value is usable.
type ExchangeParams struct {
	Include, Exclude []int // as in Params
	MaxExchanges     int   // cap on the number of exchanges; 0 means none

	// Step is called after each exchange when not nil.
	Step func(exchanges int, objective float64)
}

// Exchange improves a support (k distinct indices, in any order) by single exchanges:
// one index out and one in, until none gains more than 1e-12 of the objective f. The
// pairs are ranked by the estimate f(S−i) + f(S+j) − f(S), which costs one
// decomposition for all of them; the first 4 are evaluated, then 16, then 64, and the
// best that gains is taken. If k(d−k) ≤ 5000 and k ≤ 256, all others are evaluated
// before the search ends, so that no exchange improves the result. With k > 256 only
// the first 4 are evaluated, and the first that gains is taken. Where there are more
// pairs, only the 256 outside indices with the largest diagonal of IPU's proxy enter.
// The objective never falls, and the result does not depend on the number of threads.
//
// If ctx ends, the best so far is returned with the status Deadline or
// Cancelled. An exchange costs a few k×k eigendecompositions. The search also
// needs, a few times, one product A·W and the block of A on the indices that
// are considered.
func Exchange(ctx context.Context, a Covariance, support []int, m int, p ExchangeParams) (*Solution, error) {
	sorted, err := checkSupport(subspace.Order(a), support)
	if err != nil {
		return nil, err
	}
	if err := param.AtLeast("MaxExchanges", "max exchanges", p.MaxExchanges, 1, "none"); err != nil {
		return nil, err
	}
	params := Params{Features: len(sorted), Components: m, Include: p.Include, Exclude: p.Exclude}
	c, err := params.checked(a.Order())
	if err != nil {
		return nil, err
	}
	if !c.permits(sorted) {
		return nil, fmt.Errorf("the support %v lacks a column of include %v or has one of exclude %v", support, p.Include, p.Exclude)
	}
	return solveIn(ctx, a, params, func(f *frame, t *task) (*Solution, error) {
		if step := p.Step; step != nil {
			p.Step = func(exchanges int, objective float64) { step(exchanges, objective*f.unit) }
		}
		return t.exchangeFrom(ctx, f.places(sorted), p)
	})
}

// exchangeFrom is Exchange in the frame.
func (t *task) exchangeFrom(ctx context.Context, sorted []int, p ExchangeParams) (*Solution, error) {
	at, m := ascenderOf(t.a), t.m
	e, err := at.embed(ctx, sorted, m, nil)
	if err != nil {
		return nil, err
	}
	whole, err := t.whole(ctx)
	if err != nil {
		return nil, err
	}
	x := t.exchange(at, whole, nil)
	x.limit, x.step, x.trace = p.MaxExchanges, p.Step, []float64{e.objective}
	e, err = x.improve(ctx, e)
	status := Converged
	switch {
	case err != nil && ctx.Err() != nil:
		status = EndOf(ctx)
	case errors.Is(err, errExchangeLimit):
		status = IterationLimit
	case err != nil:
		return nil, err
	}
	return t.solution(ctx, e, x.trace, len(x.trace)-1, status)
}

var errExchangeLimit = errors.New("the limit on exchanges is reached")

// exchange is a local search by single exchanges.
type exchange struct {
	a     Covariance
	at    ascender
	c     *choice
	m     int
	whole *local // the block of all candidates; nil: of the foremost ones, anew for each round
	every bool   // all pairs are evaluated before the search ends; needs whole
	quick bool   // only the pairs with the best estimates are evaluated
	known *optima

	limit int // 0: none
	step  func(exchanges int, objective float64)
	trace []float64 // the objective after each exchange, if begun by the caller
	count int
}

// exchange prepares a local search; whole as of task.whole, known may be nil.
func (t *task) exchange(at ascender, whole *local, known *optima) *exchange {
	return &exchange{a: t.a, at: at, c: t.c, m: t.m, whole: whole, every: t.few(), known: known}
}

// few reports whether all exchanges of one index are evaluated.
func (t *task) few() bool {
	return t.c.k <= wholeBasis && (t.c.k-len(t.c.must))*(t.a.Order()-len(t.c.never)-t.c.k) <= exchangePairs
}

// whole returns the block of all candidates, nil where it is too large to be
// worth it.
func (t *task) whole(ctx context.Context) (*local, error) {
	if d := t.a.Order(); t.few() || d <= directOrder {
		return newLocal(ctx, t.a, t.c.candidates(d))
	}
	return nil, nil
}

// optima remembers the supports that no exchange improves. Nil remembers
// nothing.
type optima struct{ supports sync.Map }

func (o *optima) has(e *embedding) (known bool) {
	if o != nil {
		_, known = o.supports.Load(fmt.Sprint(e.support))
	}
	return known
}

func (o *optima) add(e *embedding) {
	if o != nil {
		o.supports.Store(fmt.Sprint(e.support), true)
	}
}

// improve returns the best embedding reached from e. With an error (of the
// context, or of a decomposition) it is the best so far.
func (x *exchange) improve(ctx context.Context, e *embedding) (*embedding, error) {
	d := x.a.Order()
	out := len(e.support) - len(x.c.must)
	in := d - len(x.c.never) - len(e.support)
	if out == 0 || in == 0 {
		return e, nil
	}
	if x.whole != nil {
		return x.search(ctx, x.whole, e)
	}
	for {
		if x.known.has(e) {
			return e, nil
		}
		before := e.objective
		entering, err := x.entering(ctx, e, in)
		if err != nil {
			return e, err
		}
		l, err := newLocal(ctx, x.a, slices.Concat(e.support, entering))
		if err != nil {
			return e, err
		}
		if e, err = x.search(ctx, l, e); err != nil {
			return e, err
		}
		if e.objective == before {
			x.known.add(e)
			return e, nil
		}
	}
}

// entering returns the best unchosen indices by IPU's score, of the in that
// there are.
func (x *exchange) entering(ctx context.Context, e *embedding, in int) ([]int, error) {
	r := &run{a: x.a, at: x.at, c: x.c, m: x.m, best: e}
	scores, _, err := r.scores(ctx)
	if err != nil {
		return nil, err
	}
	scores = slices.Clone(x.c.masked(scores))
	for _, i := range e.support {
		scores[i] = math.Inf(-1)
	}
	return subspace.TopK(scores, min(exchangeEntering, in)), nil
}

// search exchanges indices within the local block until nothing is gained.
func (x *exchange) search(ctx context.Context, l *local, e *embedding) (*embedding, error) {
	for {
		if err := ctx.Err(); err != nil {
			return e, err
		}
		if x.known.has(e) {
			return e, nil
		}
		next, err := x.best(ctx, l, e)
		if err != nil {
			return e, err
		}
		if next == nil {
			if l == x.whole {
				x.known.add(e)
			}
			return e, nil
		}
		e = next
		x.count++
		if x.trace != nil {
			x.trace = append(x.trace, e.objective)
		}
		if x.step != nil {
			x.step(x.count, e.objective)
		}
		if x.count == x.limit {
			return e, errExchangeLimit
		}
	}
}

// best returns the embedding after the best exchange found, nil if none
// gains.
func (x *exchange) best(ctx context.Context, l *local, e *embedding) (*embedding, error) {
	inside := l.positions(e.support)
	leaving, entering := l.sides(e.support, x.c)
	pairs, err := l.rank(inside, leaving, entering, x.m, exchangeBatches[len(exchangeBatches)-1])
	if err != nil {
		return nil, err
	}
	if len(inside) > wholeBasis {
		for _, p := range pairs[:min(exchangeBatches[0], len(pairs))] {
			if next, err := x.after(ctx, l, e, p); err != nil || next.gains(e) {
				return next, err
			}
		}
		return nil, nil
	}
	return x.bestOf(ctx, l, e, inside, pairs)
}

// bestOf returns the embedding after the best of the ranked pairs, in batches, nil if none gains.
func (x *exchange) bestOf(ctx context.Context, l *local, e *embedding, inside []int, pairs []pair) (*embedding, error) {
	batches := exchangeBatches
	switch {
	case x.quick:
		batches = batches[:2]
	case x.every:
		batches = append(slices.Clone(batches), len(pairs))
	}
	done := 0
	for _, n := range batches {
		n = min(n, len(pairs))
		top, err := l.evaluate(inside, pairs[done:n], x.m)
		if err != nil {
			return nil, err
		}
		if top.value > e.objective*(1+gainTolerance) {
			next, err := x.after(ctx, l, e, top)
			if err != nil || next.gains(e) {
				return next, err
			}
		}
		done = n
	}
	return nil, nil
}

// after is the embedding after an exchange.
func (x *exchange) after(ctx context.Context, l *local, e *embedding, p pair) (*embedding, error) {
	support := slices.DeleteFunc(slices.Clone(e.support), func(i int) bool { return i == l.index[p.out] })
	support = append(support, l.index[p.in])
	slices.Sort(support)
	return x.at.embed(ctx, support, x.m, nil)
}
