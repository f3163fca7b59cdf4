package solver

import "slices"

// level is a subproblem on the way down.
type level struct {
	free  []int32      // in any order
	sums  [2][]float64 // per form: Σ_{i∈I} (M_ij + M_ji) for each free j
	score [2][]float64 // per form: what j adds at most, half of its pairs with free ones
	value [2]float64   // per form: its value on the chosen ones
	trace float64
	reach float64 // bound of the trace of any support
	order []int32
	spare []float64
}

// reset makes room for n free indices.
func (v *level) reset(n, forms int) {
	v.free = slices.Grow(v.free[:0], n)[:n]
	for f := range forms {
		v.sums[f] = slices.Grow(v.sums[f][:0], n)[:n]
		v.score[f] = slices.Grow(v.score[f][:0], n)[:n]
	}
}

// move copies what is known of a free index to another place.
func (v *level) move(to, from, forms int) {
	v.free[to] = v.free[from]
	for f := range forms {
		v.sums[f][to], v.score[f][to] = v.sums[f][from], v.score[f][from]
	}
}

// cut keeps the first n free indices.
func (v *level) cut(n, forms int) {
	v.free = v.free[:n]
	for f := range forms {
		v.sums[f], v.score[f] = v.sums[f][:n], v.score[f][:n]
	}
}
