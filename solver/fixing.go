package solver

import (
	"slices"

	"github.com/fspca/fspca/internal/subspace"
)

// fixing narrows a subproblem.
type fixing struct {
	in, free []int32 // ascending
	closed   float64 // the largest bound of what was cut off
}

// last returns the only support of k that is left, if that is so.
func (f *fixing) last(k int) (support []int32, only bool) {
	switch k - len(f.in) {
	case 0:
		return f.in, true
	case len(f.free):
		return slices.Concat(f.in, f.free), true
	}
	return nil, false
}

// apply moves the free indices that every better support has to in, and drops
// those that none has. The scores, one for each free index, are such that
// bound, which has the q largest as summands, would be one for any other q: a
// subproblem without one of the largest, or with another, that has no bound
// above cutoff is closed. It reports whether an index was dropped.
func (f *fixing) apply(scores []float64, q int, bound, cutoff float64) (dropped bool) {
	order := slices.Clone(scores)
	last := subspace.SelectLargest(order, q)
	next := maxOf(order[q:])
	rounding := sumError(0, bound)
	in, free := slices.Clone(f.in), make([]int32, 0, len(f.free))
	for r, i := range f.free {
		b := scores[r]
		with, without := bound, bound
		if b < last {
			with += b - last + rounding
		} else if b > next {
			without += next - b + rounding
		}
		switch {
		case without <= cutoff:
			f.closed = max(f.closed, without)
			in = append(in, i)
		case with <= cutoff:
			f.closed = max(f.closed, with)
			dropped = true
		default:
			free = append(free, i)
		}
	}
	slices.Sort(in)
	f.in, f.free = in, free
	return dropped
}
