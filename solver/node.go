package solver

import (
	"math"
	"slices"

	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/subspace"
)

// probedOrder is the largest number of indices whose block is decomposed for
// the bound of a node. Above it the multiplier of the root has to do.
const probedOrder = 1500

// node is a subproblem of branch and bound: the supports that have every
// index of in and take the rest from free. Indices are positions in the block
// of the search.
type node struct {
	bound    float64 // no support of the node is better
	in, free []int32 // ascending

	warm *warmStart // multipliers of the joint dual to begin with; nil: those of the root
}

// warmStart is the joint dual of a node, for those below it.
type warmStart struct {
	joint *joint
	kept  []int32 // its indices
}

// Bound is that of bestfirst.Node.
func (n node) Bound() float64 { return n.bound }

// Size is that of bestfirst.Node. Two nodes share a start.
func (n node) Size() int64 {
	size := 72 + 4*int64(cap(n.in)+cap(n.free))
	if n.warm != nil {
		size += 4 * int64(len(n.warm.joint.x))
	}
	return size
}

// outcome is what the examination of a node has found.
type outcome struct {
	closed   float64 // the largest bound of what was cut off, −∞ for nothing
	support  []int   // the best support met, ascending; nil for none
	value    float64 // its objective
	children []node  // what is left
	err      error

	gap          float64 // where the joint dual bounds it
	wanting      int     // indices to choose
	tried, ended bool    // an enumeration
}

// found takes note of a support if it is the best yet.
func (o *outcome) found(support []int32, value float64) {
	if o.support != nil && value <= o.value {
		return
	}
	o.support, o.value = o.support[:0], value
	for _, i := range support {
		o.support = append(o.support, int(i))
	}
	slices.Sort(o.support)
}

// prober examines nodes in memory of its own.
type prober struct {
	l     *local
	k, m  int
	dual  *dual // nil: none
	eig   eigen
	f     soft
	index []int32 // in, then free
}

// examine bounds a node, fixes what it can, and splits what is left in two
// unless nothing is above cutoff. The result depends on its arguments alone.
func (p *prober) examine(n *node, cutoff float64) (out outcome) {
	out.closed = math.Inf(-1)
	in, free := slices.Clone(n.in), slices.Clone(n.free)
	bound := n.bound
	for {
		if p.single(in, free, &out) {
			return out
		}
		var ended bool
		if in, free, bound, ended = p.useDual(in, free, bound, cutoff, &out); ended {
			return out
		}
		if q := p.k - len(in); q == 0 || q == len(free) {
			continue
		}
		if len(in)+len(free) > probedOrder {
			p.split(in, free, bound, lists.At(p.dual.diag, free), &out)
			return out
		}
		if out.err = p.decompose(in, free); out.err != nil {
			return out
		}
		value, _ := p.f.minimise(cutoff)
		if bound = min(bound, value); bound > cutoff {
			cutoff = p.reach(len(in), cutoff, &out)
		}
		if out.err != nil {
			return out
		}
		if bound <= cutoff {
			out.closed = max(out.closed, bound)
			return out
		}
		next, rest, excluded := p.fix(in, free, value, cutoff, &out)
		done := len(next) == len(in) && !excluded
		in, free = next, rest
		if done {
			break
		}
	}
	p.split(in, free, bound, p.f.scores[len(in):], &out)
	return out
}

// single values the support that is left, if there is one alone.
func (p *prober) single(in, free []int32, out *outcome) bool {
	q := p.k - len(in)
	if q != 0 && q != len(free) {
		return false
	}
	support := slices.Concat(in, free[:q])
	value, upper, err := p.value(support)
	out.found(support, value)
	out.closed, out.err = max(out.closed, upper), err
	return true
}

// reach values the support with the largest scores, and returns the cutoff after it.
func (p *prober) reach(in int, cutoff float64, out *outcome) float64 {
	chosen := p.chosen(in)
	reached, _, err := p.value(chosen)
	if out.err = err; err != nil {
		return cutoff
	}
	out.found(chosen, reached)
	return max(cutoff, reached)
}

// useDual bounds and narrows a node by the multiplier that was found for the
// root. It reports whether nothing is left.
func (p *prober) useDual(in, free []int32, bound, cutoff float64, out *outcome) (in2, free2 []int32, value float64, ended bool) {
	scores := lists.At(p.dual.diag, free)
	q := p.k - len(in)
	value = p.dual.rest + subspace.TopKSum(scores, q)
	for _, i := range in {
		value += p.dual.diag[i]
	}
	value += sumError(p.k, max(value, 0)+math.Abs(p.dual.rest))
	if min(value, bound) <= cutoff {
		out.closed = max(out.closed, min(value, bound))
		return in, free, value, true
	}
	f := fixing{in: in, free: free, closed: out.closed}
	f.apply(scores, q, value, cutoff)
	out.closed = f.closed
	return f.in, f.free, min(value, bound), false
}

// decompose prepares the bounds of a node from the eigenpairs of the block on
// its indices: what is excluded can only lower the eigenvalues.
func (p *prober) decompose(in, free []int32) error {
	p.index = append(append(p.index[:0], in...), free...)
	n := len(p.index)
	load(&p.eig, p.l, p.index)
	if err := p.eig.solve(); err != nil {
		return err
	}
	f := &p.f
	f.m, f.in, f.q = p.m, len(in), p.k-len(in)
	f.off = decompositionError(n, max(p.eig.values[n-1], -p.eig.values[0]))
	if cap(f.squares) < n*n {
		f.squares, f.values = make([]float64, n*n), make([]float64, n)
	}
	f.squares, f.values = f.squares[:n*n], f.values[:n]
	for i := range n {
		f.values[i] = p.eig.values[n-1-i]
	}
	for r := range n {
		from, to := p.eig.a[r*n:(r+1)*n], f.squares[r*n:(r+1)*n]
		for i, v := range from {
			to[n-1-i] = v * v
		}
	}
	f.allocate(n)
	return nil
}

// chosen returns the support with the largest scores at the best threshold.
func (p *prober) chosen(in int) []int32 {
	support := slices.Clone(p.index[:in])
	for _, q := range subspace.TopK(p.f.scores[in:], p.f.q) {
		support = append(support, p.index[in+q])
	}
	return support
}

// value returns the objective of a support, and what it is with the rounding
// error.
func (p *prober) value(support []int32) (value, upper float64, err error) {
	k := len(support)
	load(&p.eig, p.l, support)
	if err := p.eig.solveValues(); err != nil {
		return math.Inf(-1), math.Inf(1), err
	}
	value = lists.Sum(p.eig.values[k-p.m:])
	off := decompositionError(k, max(p.eig.values[k-1], -p.eig.values[0]))
	return value, value + float64(p.m)*off + sumError(p.m, value), nil
}

// fix applies what the scores at the best threshold say. The bound has to be
// theirs: a lower one from elsewhere does not move with them.
func (p *prober) fix(in, free []int32, bound, cutoff float64, out *outcome) (in2, free2 []int32, excluded bool) {
	f := fixing{in: in, free: free, closed: out.closed}
	excluded = f.apply(p.f.scores[len(in):], p.f.q, bound, cutoff)
	out.closed = f.closed
	return f.in, f.free, excluded
}

// split divides a node by the free index with the largest score.
func (p *prober) split(in, free []int32, bound float64, scores []float64, out *outcome) {
	at := 0
	for r, b := range scores {
		if b > scores[at] {
			at = r
		}
	}
	i := free[at]
	rest := slices.Delete(slices.Clone(free), at, at+1)
	with := append(slices.Clone(in), i)
	slices.Sort(with)
	out.children = []node{{bound: bound, in: with, free: rest}, {bound: bound, in: in, free: slices.Clone(rest)}}
}
