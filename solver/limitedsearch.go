package solver

import (
	"container/heap"
	"context"
	"math"
	"slices"

	"github.com/fspca/fspca/internal/subspace"
)

// branch is branch and bound under limits, best first: the bounds are those of
// all supports that take no more columns, and what the limits forbid beside the
// chosen ones is not branched on. It returns the upper bound reached.
func (s *limited) branch(ctx context.Context) (float64, Status, error) {
	t := s.t
	index := t.c.candidates(t.a.Order())
	slices.Sort(index)
	memory := blockMemory(len(index))
	if memory > t.p.memoryLimit() || len(index) > probedOrder {
		return math.Inf(1), MemoryLimit, nil
	}
	l, err := newLocal(ctx, t.a, index)
	if err != nil {
		return 0, "", err
	}
	b := &limitedSearch{limited: s, l: l, closed: math.Inf(-1), p: prober{l: l, m: t.m}}
	root := node{bound: math.Inf(1)}
	for p, j := range index {
		if t.c.free(j) {
			root.free = append(root.free, int32(p))
		} else {
			root.in = append(root.in, int32(p))
		}
	}
	if err := b.push(ctx, root); err != nil {
		return 0, "", err
	}
	for ; len(b.open) > 0; s.nodes++ {
		if ctx.Err() != nil {
			return b.upper(), endOf(ctx), nil
		}
		if memory+b.memory > t.p.memoryLimit() {
			return b.upper(), MemoryLimit, nil
		}
		if err := b.step(ctx); err != nil {
			return 0, "", err
		}
		if upper := b.upper(); !math.IsInf(upper, 1) {
			t.report(Progress{Stage: StageSearch, Nodes: s.nodes + 1, Open: len(b.open), Objective: s.best.objective,
				UpperBound: upper, Gap: relativeGap(upper, s.best.objective)})
		}
	}
	return b.upper(), Converged, nil
}

// limitedSearch is a branch and bound under limits.
type limitedSearch struct {
	*limited
	l      *local
	open   nodes
	closed float64
	memory int64
	number int
	p      prober
}

// upper is the bound that the search has reached.
func (b *limitedSearch) upper() float64 {
	upper := max(b.closed, b.best.objective)
	if len(b.open) > 0 {
		upper = max(upper, b.open[0].bound)
	}
	return upper
}

// push queues a node without what the limits forbid in it.
func (b *limitedSearch) push(ctx context.Context, n node) error {
	standing, err := b.rule.standingOf(ctx, b.columns(n.in))
	if err != nil {
		return err
	}
	n.free = slices.DeleteFunc(n.free, func(p int32) bool { return !standing.Admits(b.l.index[p]) })
	n.number = b.number
	b.number++
	b.memory += n.size()
	heap.Push(&b.open, n)
	return nil
}

func (b *limitedSearch) columns(positions []int32) []int {
	columns := make([]int, len(positions))
	for q, p := range positions {
		columns[q] = b.l.index[p]
	}
	slices.Sort(columns)
	return columns
}

// step examines the node with the highest bound.
func (b *limitedSearch) step(ctx context.Context) error {
	n := heap.Pop(&b.open).(node)
	b.memory -= n.size()
	t := b.t
	limit := cutoff(b.best.objective)
	if n.bound <= limit {
		b.closed = max(b.closed, n.bound)
		return nil
	}
	limits := t.p.Limits
	if limits.Cost == nil && len(n.in)+len(n.free) < t.c.k {
		return nil // no k columns are left
	}
	q := min(t.c.k-len(n.in), len(n.free))
	if limits.Cost != nil && q > 0 {
		for _, p := range n.in {
			limits.Budget -= limits.Cost[b.l.index[p]]
		}
		q = limits.Most(b.columns(n.free), q)
	}
	if q == 0 {
		return b.leaf(ctx, n)
	}
	value, scores, err := b.bound(&n, q)
	if err != nil {
		return err
	}
	n.bound = min(n.bound, value)
	if n.bound <= limit {
		b.closed = max(b.closed, n.bound)
		return nil
	}
	at := 0
	for i, v := range scores {
		if v > scores[at] {
			at = i
		}
	}
	rest := slices.Delete(slices.Clone(n.free), at, at+1)
	with := append(slices.Clone(n.in), n.free[at])
	slices.Sort(with)
	if err := b.push(ctx, node{bound: n.bound, in: with, free: slices.Clone(rest)}); err != nil {
		return err
	}
	return b.push(ctx, node{bound: n.bound, in: n.in, free: rest})
}

// leaf values a node that is one support.
func (b *limitedSearch) leaf(ctx context.Context, n node) error {
	if len(n.in) < b.t.m {
		return nil // not permitted: it has fewer columns than components
	}
	_, upper, err := b.p.value(n.in)
	if err != nil {
		return err
	}
	b.closed = max(b.closed, upper)
	e, err := b.at.embed(ctx, b.columns(n.in), b.t.m, nil)
	if err != nil {
		return err
	}
	b.keep(e)
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
