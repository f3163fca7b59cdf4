package reconstruction

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"github.com/fspca/fspca/internal/bestfirst"
	"github.com/fspca/fspca/internal/kernel"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/subspace"
	"github.com/fspca/fspca/solver"
)

// branchOrder is the largest number of columns whose matrix is searched.
const branchOrder = 2000

// branching is a best-first branch and bound. It works on the matrix of the
// columns that vary.
type branching struct {
	s     *search
	index []int         // the columns
	a     kernel.Matrix // their block of the operator
	fixed []int         // the columns that do not vary and must be chosen
	k     int           // how many columns are chosen besides these
	tree  bestfirst.Search[node, outcome]
}

// node holds the supports with every column of in and others of free only, positions in the index, and
// of idle: columns that do not vary.
type node struct {
	bound    float64
	in, free []int32
	idle     []int
}

// Bound is that of bestfirst.Node.
func (n node) Bound() float64 { return n.bound }

// Size is that of bestfirst.Node.
func (n node) Size() int64 { return 96 + 4*int64(cap(n.in)+cap(n.free)) + 8*int64(cap(n.idle)) }

// branch examines nodes until none can hold a better support or a limit is
// reached, and returns an upper bound, rounding included.
func (s *search) branch(ctx context.Context) (float64, error) {
	r := s.r
	b := &branching{s: s, index: r.op.varying(), k: r.k}
	n := len(b.index)
	limit := cmp.Or(r.p.MemoryLimit, solver.DefaultMemoryLimit)
	b.tree = bestfirst.Search[node, outcome]{Problem: b, Batch: bestfirst.Batch, Limit: limit, Memory: 8 * int64(n) * int64(n)}
	if n > branchOrder || b.tree.Memory > limit {
		s.status = solver.MemoryLimit
		return math.Inf(1), nil
	}
	block, err := r.op.a.Block(ctx, b.index)
	if stop := s.ended(ctx, err); stop != nil || err != nil {
		return math.Inf(1), stop
	}
	b.a = kernel.NewMatrix(n, n)
	for i := range n {
		for j := range n {
			b.a.Row(i)[j] = r.op.scale * block.At(i, j)
		}
	}
	root := b.root()
	if err := b.restrict(ctx, &root); err != nil {
		return math.Inf(1), s.ended(ctx, err)
	}
	b.tree.Push(root)
	err = b.tree.Run(ctx)
	s.nodes = b.tree.Nodes
	if errors.Is(err, bestfirst.ErrMemory) {
		s.status, err = solver.MemoryLimit, nil
	}
	return b.upper(), s.ended(ctx, err)
}

// root is the node of all supports.
func (b *branching) root() node {
	r := b.s.r
	root := node{bound: r.ceiling}
	for j, may := range r.may {
		switch {
		case !may || r.op.diag[j] != 0:
		case slices.Contains(r.must, j):
			b.fixed, b.k = append(b.fixed, j), b.k-1
		default:
			root.idle = append(root.idle, j)
		}
	}
	for p, j := range b.index {
		switch {
		case slices.Contains(r.must, j):
			root.in = append(root.in, int32(p))
		case r.may[j]:
			root.free = append(root.free, int32(p))
		}
	}
	return root
}

// upper is the bound that the search has reached.
func (b *branching) upper() float64 { return max(b.tree.Upper(), b.s.best.value) }

// Cutoff is that of bestfirst.Problem.
func (b *branching) Cutoff() float64 {
	if b.s.short() {
		return math.Inf(-1) // any other is better
	}
	return b.s.best.value * (1 + provedTolerance/2)
}

// outcome is what the examination of a node has found.
type outcome struct {
	bound    float64 // of what it closed, −∞ for nothing
	found    []int   // a support to be completed; nil for none
	others   []int   // what may complete it where it is short
	children []node
}

// Take is that of bestfirst.Problem.
func (b *branching) Take(ctx context.Context, o *outcome) (closed float64, children []node, err error) {
	if o.found != nil {
		possible, err := b.try(ctx, o)
		if err != nil {
			return 0, nil, err
		}
		if !possible {
			o.bound = math.Inf(-1)
		}
	}
	for i := range o.children {
		if err := b.restrict(ctx, &o.children[i]); err != nil {
			return 0, nil, err
		}
	}
	return o.bound, o.children, nil
}

// Between is that of bestfirst.Problem.
func (b *branching) Between(context.Context) error {
	upper, best, scale := b.upper(), b.s.best.value, b.s.r.op.scale
	b.s.report(solver.Progress{Stage: solver.StageSearch, Nodes: b.tree.Nodes, Open: b.tree.Len(), Objective: best / scale,
		UpperBound: upper / scale, Gap: subspace.Gap(upper, best)})
	return nil
}

// try completes a support and takes it where it is better. It reports whether the limits may permit so many
// columns as are needed with it.
func (b *branching) try(ctx context.Context, o *outcome) (possible bool, err error) {
	r := b.s.r
	c, err := r.build(ctx, o.found)
	possible = true
	if err == nil && len(c.support) < r.needed() {
		with := distinct(slices.Concat(b.fixed, r.must), o.found)
		c, possible, err = r.packed(ctx, with, o.others)
		possible = !possible || len(c.support) >= r.needed()
	}
	if err != nil {
		return possible, err
	}
	if b.s.beats(c) && (r.p.Limits.Cost != nil || len(c.support) >= len(b.s.best.support)) {
		b.s.note(c)
	}
	return possible, nil
}

// restrict takes out of free what the limits forbid beside in.
func (b *branching) restrict(ctx context.Context, n *node) error {
	if !b.s.r.p.Limits.Together() {
		return nil
	}
	standing := b.s.r.rule.Standing()
	if err := standing.Add(ctx, append(b.columns(n.in), b.fixed...)...); err != nil {
		return err
	}
	n.free = slices.DeleteFunc(n.free, func(p int32) bool { return !standing.Admits(b.index[p]) })
	n.idle = slices.DeleteFunc(slices.Clone(n.idle), func(j int) bool { return !standing.Admits(j) })
	return nil
}

func (b *branching) columns(positions []int32) []int {
	return lists.At(b.index, positions)
}

// Examine is that of bestfirst.Problem.
func (b *branching) Examine(_ context.Context, _ int, n *node, cutoff float64) (o outcome, err error) {
	o.bound = math.Inf(-1)
	r := b.s.r
	if b.few(n) {
		return o, nil // the limits leave too few columns
	}
	e := newElimination(b.a)
	for _, p := range n.in {
		e.add(p)
	}
	q := r.p.Limits.Most(append(b.columns(n.in), b.fixed...), b.columns(n.free), min(b.k-len(n.in), len(n.free)))
	first, most := b.gain(e, n.free)
	if q == 0 || first < 0 { // nothing can be added, or nothing gains
		value, err := e.value(r.m)
		o.bound, o.found = value+e.rounding(), b.columns(n.in)
		o.others = append(b.columns(n.free), n.idle...)
		return o, err
	}
	if q == 1 && r.m >= b.k && r.p.Limits.Cost == nil { // with costs, not each of free leaves room for m
		value, err := e.value(b.k)
		o.bound = value + most + e.rounding() + b.lastError(e, n.free[first], most)
		o.found = append(b.columns(n.in), b.index[n.free[first]])
		return o, err
	}
	bound, err := e.bound(n.free, q, r.m, b.k)
	if err != nil {
		return o, err
	}
	if bound = min(bound, n.bound); bound <= cutoff {
		o.bound = bound
		return o, nil
	}
	rest := slices.Delete(slices.Clone(n.free), first, first+1)
	in := append(slices.Clone(n.in), n.free[first])
	o.children = []node{{bound: bound, in: in, free: rest, idle: n.idle}, {bound: bound, in: n.in, free: slices.Clone(rest), idle: n.idle}}
	return o, nil
}

// few reports whether no support of a node has as many columns as are needed: k or, with costs, m.
func (b *branching) few(n *node) bool {
	r := b.s.r
	if r.p.Limits.Cost == nil {
		return len(n.in)+len(n.free)+len(n.idle) < b.k
	}
	chosen := append(b.columns(n.in), b.fixed...)
	others := append(b.columns(n.free), n.idle...)
	return len(chosen)+r.p.Limits.Most(chosen, others, min(r.k-len(chosen), len(others))) < r.m
}

// gain returns which of free gains most as the next column, and what; −1 where none gains.
func (b *branching) gain(e *elimination, free []int32) (first int, most float64) {
	first = -1
	f := e.squares()
	for i, p := range free {
		if e.g[p] <= spanTolerance*b.a.Row(int(p))[p] {
			continue
		}
		if gain := f[p] / e.g[p]; gain > most {
			first, most = i, gain
		}
	}
	return first, most
}

// lastError is the error of the gain of one more column.
func (b *branching) lastError(e *elimination, p int32, gain float64) float64 {
	return float64(len(e.omega)+1) * stepError(gain, b.a.Row(int(p))[p], e.g[p])
}
