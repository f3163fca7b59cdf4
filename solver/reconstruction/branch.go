package reconstruction

import (
	"container/heap"
	"context"
	"math"
	"slices"

	"github.com/fspca/fspca/internal/bestfirst"
	"github.com/fspca/fspca/internal/kernel"
	"github.com/fspca/fspca/solver"
)

const (
	// branchBatch is the number of nodes that are examined with the same
	// incumbent, whatever the number of threads.
	branchBatch = 16

	// branchOrder is the largest number of columns whose matrix is searched.
	branchOrder = 2000
)

// branching is a best-first branch and bound. It works on the matrix of the
// columns that vary.
type branching struct {
	s      *search
	index  []int         // the columns
	a      kernel.Matrix // their block of the operator
	still  int           // how many columns that do not vary may be chosen
	open   nodes
	closed float64 // the largest bound of what is done with
	number int
	memory int64
}

// node holds the supports with every column of in and others of free only,
// positions in the index.
type node struct {
	bound    float64
	number   int
	in, free []int32
}

// nodes are those that wait.
type nodes = bestfirst.Queue[node]

// Rank is that of bestfirst.Node.
func (n node) Rank() (bound float64, number int) { return n.bound, n.number }

func (n *node) size() int64 { return 64 + 4*int64(cap(n.in)+cap(n.free)) }

// branch examines nodes until none can hold a better support or a limit is
// reached, and returns an upper bound, rounding included.
func (s *search) branch(ctx context.Context) (float64, error) {
	r := s.r
	b := &branching{s: s, index: r.op.varying()}
	n := len(b.index)
	limit := r.p.MemoryLimit
	if limit == 0 {
		limit = solver.DefaultMemoryLimit
	}
	if b.memory = 8 * int64(n) * int64(n); n > branchOrder || b.memory > limit {
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
	for j, may := range r.may {
		if may && r.op.diag[j] == 0 {
			b.still++
		}
	}
	root := node{bound: r.ceiling}
	for p, j := range b.index {
		switch {
		case slices.Contains(r.must, j):
			root.in = append(root.in, int32(p))
		case r.may[j]:
			root.free = append(root.free, int32(p))
		}
	}
	if err := b.restrict(ctx, &root); err != nil {
		return math.Inf(1), s.ended(ctx, err)
	}
	b.push(root)
	for len(b.open) > 0 {
		if ctx.Err() != nil {
			return b.upper(), s.ended(ctx, ctx.Err())
		}
		if b.memory > limit {
			s.status = solver.MemoryLimit
			return b.upper(), nil
		}
		if err := b.step(ctx); err != nil {
			if stop := s.ended(ctx, err); stop != nil {
				return 0, stop
			}
			return b.upper(), nil
		}
		upper := b.upper()
		s.report(solver.Progress{Stage: solver.StageSearch, Nodes: s.nodes, Open: len(b.open), Objective: s.best.value / r.op.scale,
			UpperBound: upper / r.op.scale, Gap: (upper - s.best.value) / s.best.value})
	}
	return b.upper(), nil
}

// upper is the bound that the search has reached.
func (b *branching) upper() float64 {
	upper := max(b.closed, b.s.best.value)
	if len(b.open) > 0 {
		upper = max(upper, b.open[0].bound)
	}
	return upper
}

// cutoff is the bound at which nothing is left to find.
func (b *branching) cutoff() float64 { return b.s.best.value * (1 + provedTolerance/2) }

// outcome is what the examination of a node has found.
type outcome struct {
	bound    float64 // of what it closed, −∞ for nothing
	found    []int   // a support to be completed; nil for none
	children []node
	err      error
}

// step examines a batch of nodes.
func (b *branching) step(ctx context.Context) error {
	cutoff := b.cutoff()
	var batch []node
	for len(batch) < branchBatch && len(b.open) > 0 {
		n := heap.Pop(&b.open).(node)
		b.memory -= n.size()
		if n.bound <= cutoff {
			b.closed = max(b.closed, n.bound)
			continue
		}
		batch = append(batch, n)
	}
	results := make([]outcome, len(batch))
	kernel.Parallel(len(batch), func(_, q int) { results[q] = b.examine(&batch[q], cutoff) })
	for q := range results {
		o := &results[q]
		if o.err != nil {
			return o.err
		}
		b.s.nodes++
		b.closed = max(b.closed, o.bound)
		if o.found != nil {
			if err := b.try(ctx, o.found); err != nil {
				for _, n := range batch[q:] {
					b.push(n)
				}
				return err
			}
		}
		for _, c := range o.children {
			if err := b.restrict(ctx, &c); err != nil {
				return err
			}
			b.push(c)
		}
	}
	return nil
}

// try completes a support and takes it where it is better.
func (b *branching) try(ctx context.Context, found []int) error {
	c, err := b.s.r.build(ctx, found)
	if err != nil {
		return err
	}
	if b.s.beats(c) && (b.s.r.p.Limits.Cost != nil || len(c.support) >= len(b.s.best.support)) {
		b.s.note(c)
	}
	return nil
}

// restrict takes out of free what the limits forbid beside in.
func (b *branching) restrict(ctx context.Context, n *node) error {
	if !b.s.r.p.Limits.Together() {
		return nil
	}
	standing := b.s.r.rule.Standing()
	for _, p := range n.in {
		if err := standing.Add(ctx, b.index[p]); err != nil {
			return err
		}
	}
	n.free = slices.DeleteFunc(n.free, func(p int32) bool { return !standing.Admits(b.index[p]) })
	return nil
}

func (b *branching) push(n node) {
	n.number = b.number
	b.number++
	b.memory += n.size()
	heap.Push(&b.open, n)
}

// room returns how many of free can still be chosen beside in.
func (b *branching) room(n *node) int {
	l := &b.s.r.p.Limits
	q := min(b.s.r.k-len(n.in), len(n.free))
	if l.Cost == nil || q == 0 {
		return q
	}
	left := *l
	for _, p := range n.in {
		left.Budget -= l.Cost[b.index[p]]
	}
	return left.Most(b.columns(n.free), q)
}

func (b *branching) columns(positions []int32) []int {
	columns := make([]int, len(positions))
	for q, p := range positions {
		columns[q] = b.index[p]
	}
	return columns
}

// examine bounds a node and splits it where a better support is possible.
func (b *branching) examine(n *node, cutoff float64) (o outcome) {
	o.bound = math.Inf(-1)
	if b.s.r.p.Limits.Cost == nil && len(n.in)+len(n.free)+b.still < b.s.r.k {
		return o // the limits leave no k columns
	}
	e := newElimination(b.a)
	for _, p := range n.in {
		e.add(p)
	}
	q := b.room(n)
	gains := make([]float64, len(n.free))
	first, most := -1, 0.0
	f := e.squares()
	for i, p := range n.free {
		if e.g[p] > spanTolerance*b.a.Row(int(p))[p] {
			gains[i] = f[p] / e.g[p]
		}
		if gains[i] > most {
			first, most = i, gains[i]
		}
	}
	r := b.s.r
	if q == 0 || first < 0 { // nothing can be added, or nothing gains
		value, err := e.value(r.m)
		o.bound, o.err = value+e.rounding(), err
		o.found = b.columns(n.in)
		return o
	}
	if q == 1 && r.m >= r.k {
		value, err := e.value(r.k)
		o.bound, o.err = value+most+e.rounding()+b.lastError(e, n.free[first], most), err
		o.found = append(b.columns(n.in), b.index[n.free[first]])
		return o
	}
	bound, err := e.bound(n.free, q, r.m, r.k)
	if err != nil {
		o.err = err
		return o
	}
	if bound = min(bound, n.bound); bound <= cutoff {
		o.bound = bound
		return o
	}
	rest := slices.Delete(slices.Clone(n.free), first, first+1)
	in := append(slices.Clone(n.in), n.free[first])
	o.children = []node{{bound: bound, in: in, free: rest}, {bound: bound, in: n.in, free: slices.Clone(rest)}}
	return o
}

// lastError is the error of the gain of one more column.
func (b *branching) lastError(e *elimination, p int32, gain float64) float64 {
	return float64(len(e.omega)+1) * stepError(gain, b.a.Row(int(p))[p], e.g[p])
}
