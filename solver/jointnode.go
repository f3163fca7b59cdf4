package solver

import (
	"context"
	"math"
	"slices"

	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/subspace"
)

// examine bounds a node by the joint dual, from the multipliers of the root, and
// by an enumeration where its gap is small.
func (s *search) examine(ctx context.Context, p *prober, n *node, cutoff float64) (out outcome) {
	out.closed = math.Inf(-1)
	f := fixing{in: slices.Clone(n.in), free: slices.Clone(n.free)}
	if s.lastOf(p, &f, &out) {
		return out
	}
	var bound float64
	var ended bool
	if f.in, f.free, bound, ended = p.useDual(f.in, f.free, n.bound, cutoff, &out); ended || s.lastOf(p, &f, &out) {
		return out
	}
	kept := append(slices.Clone(f.in), f.free...)
	j, b, bound, err := s.descendNode(ctx, n, kept, len(f.in), bound, cutoff)
	if out.err = err; err != nil {
		return out
	}
	if bound <= cutoff {
		out.closed = max(out.closed, bound)
		return out
	}
	chosen := slices.Clone(f.in)
	for _, q := range subspace.TopK(b.scores[len(f.in):], j.k-j.in) {
		chosen = append(chosen, f.free[q])
	}
	value, _, err := p.value(chosen)
	if out.err = err; err != nil {
		return out
	}
	out.found(chosen, value)
	if out.gap = (bound - cutoff) / cutoff; out.gap < s.nodeGap[j.k-len(f.in)] && s.enumerateNode(ctx, &f, b.form.within(kept, len(s.l.index)), cutoff, &out) {
		return out
	}
	f.closed = out.closed
	f.apply(b.scores[j.in:], j.k-j.in, b.value, cutoff)
	if out.closed = f.closed; !s.lastOf(p, &f, &out) {
		p.split(f.in, f.free, bound, lists.At(s.branching(j, b, kept), f.free), &out)
		if s.tree.Memory < s.t.p.memoryLimit()/2 {
			warm := &warmStart{joint: j.start(), kept: kept}
			for c := range out.children {
				out.children[c].warm = warm
			}
		}
	}
	return out
}

// descendNode improves the multipliers of a node on the indices kept, from those above
// it, until the bound is at most cutoff.
func (s *search) descendNode(ctx context.Context, n *node, kept []int32, in int, bound, cutoff float64) (j *joint, b *jointBound, least float64, err error) {
	from, at := s.joint, s.jointAt
	if n.warm != nil {
		from, at = n.warm.joint, places(n.warm.kept, len(s.l.index))
	}
	j = from.restrict(s.l.matrix(kept), lists.At(at, kept), in)
	mu := j.smoothing(bound, cutoff)
	for _, share := range smoothings[1:3] {
		j.mu = share * mu
		if err := descend(ctx, j.moving(), s.work.joint.of(j.n), j.smoothed); err != nil {
			return nil, nil, bound, err
		}
		if b, err = j.evaluate(); err != nil {
			return nil, nil, bound, err
		}
		if bound = min(bound, b.value); bound <= cutoff {
			break
		}
	}
	return j, b, bound, nil
}

// branching returns scores by position in the block: the largest is branched on, but
// first those that are not all but decided.
func (s *search) branching(j *joint, b *jointBound, kept []int32) []float64 {
	scores := make([]float64, len(s.l.index))
	for q, i := range kept {
		scores[i] = b.scores[q]
		if j.z[q] > decided {
			scores[i] -= 2 * math.Abs(b.value)
		}
	}
	return scores
}

// learn adjusts the gaps below which nodes are enumerated.
func (s *search) learn(r *outcome) {
	for q := range s.nodeGap {
		switch limit := &s.nodeGap[q]; {
		case r.ended && q <= r.wanting:
			*limit = min(nodeGap, max(*limit, nodeGapRises*r.gap))
		case r.tried && !r.ended && q >= r.wanting:
			*limit = min(*limit, nodeGapFalls*r.gap)
		}
	}
}

// lastOf values the only support that is left, if that is so.
func (s *search) lastOf(p *prober, f *fixing, out *outcome) bool {
	last, only := f.last(s.t.c.k)
	if !only {
		return len(f.in) > s.t.c.k || len(f.in)+len(f.free) < s.t.c.k
	}
	value, upper, err := p.value(last)
	out.found(last, value)
	out.closed, out.err = max(out.closed, upper), err
	return true
}

// enumerateNode goes through a node; it reports whether it came to an end.
func (s *search) enumerateNode(ctx context.Context, f *fixing, dual *form, cutoff float64, out *outcome) bool {
	e := newEnumeration(s.l, s.t.c.k, s.t.m, s.spread(), dual, s.work.node)
	w := e.member(ctx, cutoff)
	w.walk(&node{in: f.in, free: f.free})
	if out.tried, out.wanting = true, s.t.c.k-len(f.in); w.stopped {
		return false
	}
	out.ended = true
	out.closed, out.err = max(out.closed, w.out.closed), w.out.err
	if w.out.support != nil && w.out.value > out.value {
		out.support, out.value = w.out.support, w.out.value
	}
	return true
}
