package solver

import (
	"context"
	"math"
	"slices"

	"github.com/fspca/fspca/internal/bestfirst"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/subspace"
)

// branch is branch and bound under limits, best first: the bounds are those of
// all supports that take no more columns, and what the limits forbid beside the
// chosen ones is not branched on. It returns the upper bound reached.
func (s *limited) branch(ctx context.Context) (float64, Status, error) {
	upper, err := s.search(ctx)
	status, err := endOfSearch(ctx, err)
	if status == Proved {
		status = Converged // until the bound says so
	}
	return upper, status, err
}

func (s *limited) search(ctx context.Context) (upper float64, err error) {
	t := s.t
	index := t.c.candidates(t.a.Order())
	slices.Sort(index)
	memory := blockMemory(len(index))
	if memory > t.p.memoryLimit() || len(index) > probedOrder {
		return math.Inf(1), bestfirst.ErrMemory
	}
	l, err := newLocal(ctx, t.a, index)
	if err != nil {
		return math.Inf(1), err
	}
	b := &limitedSearch{limited: s, l: l, p: prober{l: l, m: t.m}}
	b.tree = bestfirst.Search[node, outcome]{Problem: b, Batch: 1, Limit: t.p.memoryLimit(), Closed: math.Inf(-1), Memory: memory}
	root := node{bound: math.Inf(1)}
	for p, j := range index {
		if t.c.free(j) {
			root.free = append(root.free, int32(p))
		} else {
			root.in = append(root.in, int32(p))
		}
	}
	if err := b.restrict(ctx, &root); err != nil {
		return math.Inf(1), err
	}
	b.tree.Push(root)
	err = b.tree.Run(ctx)
	s.nodes = b.tree.Nodes
	return b.upper(), err
}

// limitedSearch is a branch and bound under limits.
type limitedSearch struct {
	*limited
	l    *local
	tree bestfirst.Search[node, outcome]
	p    prober
}

// upper is the bound that the search has reached.
func (b *limitedSearch) upper() float64 {
	if b.best == nil {
		return b.tree.Upper()
	}
	return max(b.tree.Upper(), b.best.objective)
}

// restrict takes out of a node what the limits forbid beside its columns.
func (b *limitedSearch) restrict(ctx context.Context, n *node) error {
	standing := b.rule.Standing()
	if err := standing.Add(ctx, b.columns(n.in)...); err != nil {
		return err
	}
	n.free = slices.DeleteFunc(n.free, func(p int32) bool { return !standing.Admits(b.l.index[p]) })
	return nil
}

func (b *limitedSearch) columns(positions []int32) []int {
	columns := lists.At(b.l.index, positions)
	slices.Sort(columns)
	return columns
}

// Cutoff is that of bestfirst.Problem.
func (b *limitedSearch) Cutoff() float64 { return cutoff(b.value()) }

// Examine is that of bestfirst.Problem.
func (b *limitedSearch) Examine(_ context.Context, _ int, n *node, cutoff float64) (out outcome, err error) {
	out.closed = math.Inf(-1)
	limits := &b.t.p.Limits
	if limits.Cost == nil && len(n.in)+len(n.free) < b.t.c.k {
		return out, nil // no k columns are left
	}
	q := limits.Most(b.columns(n.in), b.columns(n.free), min(b.t.c.k-len(n.in), len(n.free)))
	if q == 0 {
		return b.leaf(n, out)
	}
	value, scores, err := b.bound(n, q)
	if err != nil {
		return out, err
	}
	bound := min(n.bound, value)
	if bound <= cutoff {
		out.closed = bound
		return out, nil
	}
	b.p.split(n.in, n.free, bound, scores, &out)
	return out, nil
}

// leaf values a node that is one support.
func (b *limitedSearch) leaf(n *node, out outcome) (outcome, error) {
	if len(n.in) < b.t.m {
		return out, nil // not permitted: it has fewer columns than components
	}
	value, upper, err := b.p.value(n.in)
	out.found(n.in, value)
	out.closed = upper
	return out, err
}

// Take is that of bestfirst.Problem.
func (b *limitedSearch) Take(ctx context.Context, r *outcome) (closed float64, children []node, err error) {
	if r.support != nil {
		e, err := b.at.embed(ctx, lists.At(b.l.index, r.support), b.t.m, nil)
		if err != nil {
			return 0, nil, err
		}
		b.keep(e)
	}
	for i := range r.children {
		if err := b.restrict(ctx, &r.children[i]); err != nil {
			return 0, nil, err
		}
	}
	return r.closed, r.children, nil
}

// Between is that of bestfirst.Problem.
func (b *limitedSearch) Between(context.Context) error {
	if upper := b.upper(); b.best != nil && !math.IsInf(upper, 1) {
		b.t.report(Progress{Stage: StageSearch, Nodes: b.tree.Nodes, Open: b.tree.Len(), Objective: b.best.objective,
			UpperBound: upper, Gap: subspace.Gap(upper, b.best.objective)})
	}
	return nil
}

// bound bounds a node with q more columns, and returns scores of the free ones.
func (b *limitedSearch) bound(n *node, q int) (float64, []float64, error) {
	diag := b.t.a.Diag()
	scores := make([]float64, len(n.free))
	var sum float64
	for _, p := range n.in {
		sum += diag[b.l.index[p]]
	}
	for i, p := range n.free {
		scores[i] = diag[b.l.index[p]]
	}
	sum += subspace.TopKSum(scores, q)
	sum += float64(max(0, len(n.in)+q-b.t.m)) * -b.t.s.least
	value := sum + sumError(len(n.in)+q, sum)
	if len(n.in)+q <= b.t.m || q == len(n.free) {
		if q == len(n.free) && len(n.in)+q >= b.t.m {
			_, upper, err := b.p.value(slices.Concat(n.in, n.free))
			return min(value, upper), scores, err
		}
		return value, scores, nil
	}
	b.p.k = len(n.in) + q
	if err := b.p.decompose(n.in, n.free); err != nil {
		return 0, nil, err
	}
	soft, _ := b.p.f.minimise(math.Inf(-1))
	return min(value, soft), b.p.f.scores[len(n.in):], nil
}
