package solver

import (
	"cmp"
	"context"
	"slices"

	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/subspace"
)

// enumerator walks subtrees.
type enumerator struct {
	e       *enumeration
	ctx     context.Context
	forms   []*form // the Frobenius norm first
	p       prober
	cutoff  float64
	out     outcome
	nodes   int
	stopped bool // over budget, or ctx has ended
	collect bool // children are kept in out instead of walked
	in      []int32
	levels  []level // by the number of indices chosen
	row     []float64
	mark    []int32 // by index: stamp where it is free
	stamp   int32
}

// walk enumerates a node.
func (w *enumerator) walk(n *node) {
	w.in = append(w.in[:0], n.in...)
	if len(n.in) > w.e.k || len(n.in)+len(n.free) < w.e.k {
		return
	}
	v := &w.levels[len(n.in)]
	v.reset(len(n.free), len(w.forms))
	copy(v.free, n.free)
	v.trace = 0
	for _, i := range n.in {
		v.trace += w.e.trace[i]
	}
	for f, q := range w.forms {
		v.value[f] = q.constant
		for a, i := range n.in {
			v.value[f] += q.alpha[i]
			for _, j := range n.in[:a] {
				v.value[f] += q.pair(i, j)
			}
		}
		for p, j := range n.free {
			var sum float64
			for _, i := range n.in {
				sum += q.pair(i, j)
			}
			v.sums[f][p] = sum
		}
	}
	w.visit(v)
}

// visit bounds a level, drops what cannot be in a better support, and goes on to
// the children.
func (w *enumerator) visit(v *level) {
	q := w.e.k - len(w.in)
	w.nodes++
	w.spend(20*len(v.free)*len(w.forms) + w.e.k)
	if w.stopped || len(v.free) < q {
		return
	}
	if q == 0 {
		w.leaf(v)
		return
	}
	if w.narrow(v, q, false) || w.narrow(v, q, true) {
		return
	}
	w.children(v, q)
}

// spend counts work, and stops where it exceeds the budget or ctx has ended. The
// work of a batch does not depend on the order in which threads do it, so
// neither does whether it exceeds the budget.
func (w *enumerator) spend(work int) {
	if float64(w.e.work.Add(int64(work))) > w.e.budget || w.nodes%64 == 0 && w.ctx.Err() != nil {
		w.stopped = true
	}
}

// narrow scores the free indices by their pairs with the free ones that are left
// or, cheaper, with any. It drops those that no better support contains. It reports
// whether nothing is left.
func (w *enumerator) narrow(v *level, q int, exactly bool) (ended bool) {
	w.trace(v, q)
	for f := range w.forms {
		w.rate(v, f, q, exactly)
		total, last := w.total(v, f, q)
		bound := w.bound(v, f, total)
		if bound <= w.cutoff {
			w.close(bound)
			return true
		}
		kept := 0
		for p := range v.free {
			if s := v.score[f][p]; s < last {
				if b := w.bound(v, f, total+(s-last)); b <= w.cutoff {
					w.close(b)
					continue
				}
			}
			v.move(kept, p, len(w.forms))
			kept++
		}
		v.cut(kept, len(w.forms))
		if kept < q {
			return true
		}
	}
	return false
}

// rate stores the scores of a form.
func (w *enumerator) rate(v *level, f, q int, exactly bool) {
	form := w.forms[f]
	if exactly && q > 1 {
		w.stamp++
		for _, j := range v.free {
			w.mark[j] = w.stamp
		}
	}
	work := 0
	for p, j := range v.free {
		s := form.alpha[j] + v.sums[f][p]
		switch {
		case q == 1:
		case !exactly:
			s += form.top(int(j), q-1)
		default:
			sum, steps, ok := form.topOf(int(j), q-1, w.mark, w.stamp)
			if work += steps; !ok {
				sum = w.pick(form, v, j, q-1)
				work += 2 * len(v.free)
			}
			s += sum
		}
		v.score[f][p] = s
	}
	w.spend(work)
}

// pick returns the sum of the r largest entries of row j in the free columns.
func (w *enumerator) pick(form *form, v *level, j int32, r int) float64 {
	row := form.m.Row(int(j))
	w.row = w.row[:0]
	for _, l := range v.free {
		if l != j {
			w.row = append(w.row, row[l])
		}
	}
	return topSum(w.row, r)
}

// total returns the value of a form with the q largest scores, and the last of
// these.
func (w *enumerator) total(v *level, f, q int) (total, last float64) {
	v.spare = append(v.spare[:0], v.score[f]...)
	total, last = v.value[f], subspace.SelectLargest(v.spare, q)
	for _, s := range v.spare[:q] {
		total += s
	}
	return total, last
}

// bound is the bound of the objective for a value of a form.
func (w *enumerator) bound(v *level, f int, total float64) float64 {
	form := w.forms[f]
	total += form.slack
	if f > 0 {
		return total
	}
	return min(v.reach+w.e.spread, blockBound(v.reach, max(0, total), w.e.k, w.e.m))
}

// trace bounds the trace of a level's supports, q indices free.
func (w *enumerator) trace(v *level, q int) {
	w.row = w.row[:0]
	for _, j := range v.free {
		w.row = append(w.row, w.e.trace[j])
	}
	v.reach = v.trace + topSum(w.row, q)
	v.reach += sumError(w.e.k, v.reach)
}

// topSum returns the sum of the q largest values, which it reorders.
func topSum(values []float64, q int) float64 {
	if q > 0 {
		subspace.SelectLargest(values, q)
	}
	return lists.Sum(values[:q])
}

func (w *enumerator) close(bound float64) { w.out.closed = max(w.out.closed, bound) }

// children goes on to each free index, the best first, with those after it.
func (w *enumerator) children(v *level, q int) {
	f := len(w.forms) - 1
	v.order = slices.Grow(v.order[:0], len(v.free))[:len(v.free)]
	for p := range v.order {
		v.order[p] = int32(p)
	}
	score := v.score[f]
	slices.SortFunc(v.order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(score[b], score[a]), cmp.Compare(v.free[a], v.free[b]))
	})
	order := slices.Clone(v.order)
	for p := 0; p+q <= len(order) && !w.stopped; p++ {
		total := v.value[f]
		for _, at := range order[p : p+q] {
			total += score[at]
		}
		if b := w.bound(v, f, total); b <= w.cutoff {
			w.close(b)
			return
		}
		w.child(v, order[p], order[p+1:])
	}
}

// child visits the supports with one more index and the rest among others.
func (w *enumerator) child(v *level, at int32, others []int32) {
	i := v.free[at]
	w.in = append(w.in, i)
	defer func() { w.in = w.in[:len(w.in)-1] }()
	if w.collect {
		c := node{in: slices.Clone(w.in)}
		for _, p := range others {
			c.free = append(c.free, v.free[p])
		}
		w.out.children = append(w.out.children, c)
		return
	}
	u := &w.levels[len(w.in)]
	u.reset(len(others), len(w.forms))
	u.trace = v.trace + w.e.trace[i]
	for p, from := range others {
		u.free[p] = v.free[from]
	}
	for f, form := range w.forms {
		u.value[f] = v.value[f] + form.alpha[i] + v.sums[f][at]
		for p, from := range others {
			u.sums[f][p] = v.sums[f][from] + form.pair(i, v.free[from])
		}
	}
	w.visit(u)
}

// leaf values a support unless a form bounds it.
func (w *enumerator) leaf(v *level) {
	w.trace(v, 0)
	for f := range w.forms {
		if b := w.bound(v, f, v.value[f]); b <= w.cutoff {
			w.close(b)
			return
		}
	}
	w.spend(10 * w.e.k * w.e.k * w.e.k)
	value, upper, err := w.p.value(w.in)
	if err != nil {
		w.out.err, w.stopped = err, true
		return
	}
	w.close(upper)
	w.out.found(w.in, value)
	w.cutoff = max(w.cutoff, cutoff(value))
}
