package solver

import (
	"container/heap"
	"context"
	"slices"

	"github.com/fspca/fspca/internal/kernel"
)

// searchBatch is the number of nodes that are examined with the same cutoff. It
// does not depend on the number of threads, so neither does the search.
const searchBatch = 16

const (
	// relaxAfter is the number of nodes, times the square of the root's order,
	// after which the root is bounded once more, by the joint dual, if its order
	// is at most relaxRoot: an easy search is over by then.
	relaxAfter = 2000 * 40 * 40
	relaxRoot  = 600
)

// DefaultMemoryLimit is the memory, in bytes, for the matrix and the open nodes
// of branch and bound, if Params.MemoryLimit is 0.
const DefaultMemoryLimit = 1 << 30

// search is a branch and bound for the best permitted support.
type search struct {
	t   *task
	sub *subproblem // what the cheap bound leaves
	l   *local      // its block

	best    *run    // the incumbent
	closed  float64 // the largest bound of what was cut off
	ceiling float64 // bound of the whole
	open    nodes
	memory  int64 // of the block and the open nodes, in bytes
	number  int
	visited int
	probers []prober

	relaxAfter int // as the constant; 0: the joint dual has had its turn
	work       searchWork
	joint      *joint // of the root; nil: none yet
	jointAt    []int  // by position in the block: that in joint, −1 for none
}

// solveBySearch starts from the thorough solution and examines subproblems,
// that with the highest bound first, until none can hold a better support.
func (t *task) solveBySearch(ctx context.Context) (*Solution, error) {
	best, err := t.searchThoroughly(ctx)
	if err != nil {
		return nil, err
	}
	proved, err := t.proves(ctx, best)
	if err != nil {
		return nil, err
	}
	if proved || best.status == Deadline || best.status == Cancelled {
		return t.solution(ctx, best.best, best.trace, best.iterations, best.status)
	}
	s, fits, err := newSearch(ctx, t, best)
	if err != nil {
		if best, err = best.ended(ctx, err); err != nil {
			return nil, err
		}
		return t.solution(ctx, best.best, best.trace, best.iterations, best.status)
	}
	status := MemoryLimit
	if fits {
		if status, err = s.run(ctx); err != nil {
			return nil, err
		}
	}
	return s.solution(ctx, status)
}

// solution is the incumbent, with the bound of the search.
func (s *search) solution(ctx context.Context, status Status) (*Solution, error) {
	best := s.best
	sol, err := s.t.solution(ctx, best.best, best.trace, best.iterations, status)
	if err != nil {
		return nil, err
	}
	sol.Nodes = s.visited
	sol.certify(s.t.cheap.least(bound{s.upper(), BoundSearch}))
	return sol, nil
}

// upper is the bound that the search has reached.
func (s *search) upper() float64 {
	upper := max(s.closed, s.best.best.objective)
	if len(s.open) > 0 {
		upper = max(upper, s.open[0].bound)
	}
	return min(upper, max(s.ceiling, s.best.best.objective))
}

// cutoff is the bound at which nothing is left to find.
func (s *search) cutoff() float64 { return cutoff(s.best.best.objective) }

// newSearch prepares the search from an incumbent. It reports false where the
// block of the columns that are left does not fit in the memory.
func newSearch(ctx context.Context, t *task, best *run) (s *search, fits bool, err error) {
	s = &search{t: t, best: best, relaxAfter: relaxAfter, work: fullWork}
	if s.sub, err = t.subproblem(ctx, s.cutoff()); err != nil {
		return nil, false, err
	}
	s.ceiling, s.closed = s.sub.root.bound, s.sub.closed
	s.memory = blockMemory(len(s.sub.index))
	s.push(s.sub.root)
	if s.memory > t.p.memoryLimit() {
		return s, false, nil
	}
	if s.l, err = newLocal(ctx, t.a, s.sub.index); err != nil {
		return nil, false, err
	}
	s.probers = make([]prober, searchBatch)
	for i := range s.probers {
		s.probers[i] = prober{l: s.l, k: t.c.k, m: t.m, dual: s.sub.dual}
	}
	return s, true, nil
}

// run examines nodes until all are closed or a limit is reached.
func (s *search) run(ctx context.Context) (Status, error) {
	enumerated := false
	for len(s.open) > 0 {
		if ctx.Err() != nil {
			return endOf(ctx), nil
		}
		if s.memory > s.t.p.memoryLimit() {
			return MemoryLimit, nil
		}
		if err := s.step(ctx); err != nil {
			return "", err
		}
		if n := float64(len(s.l.index)); !enumerated && float64(s.visited)*n*n*n >= s.work.before {
			enumerated = true
			if err := s.enumerateFirst(ctx); err != nil {
				return "", err
			}
		}
		if n := len(s.l.index); s.relaxAfter > 0 && n <= relaxRoot && s.visited*n*n >= s.relaxAfter {
			s.relaxAfter = 0
			if err := s.reach(ctx); err != nil {
				return "", err
			}
		}
		upper := s.upper()
		s.t.report(Progress{Stage: StageSearch, Nodes: s.visited, Open: len(s.open), Objective: s.best.best.objective,
			UpperBound: upper, Gap: relativeGap(upper, s.best.best.objective)})
	}
	return Proved, nil
}

// blockMemory is what the matrix of n columns takes, with the copies that two
// threads decompose.
func blockMemory(n int) int64 {
	probed := int64(min(n, probedOrder))
	return 8 * (int64(n)*int64(n) + 6*probed*probed)
}

// step examines a batch of nodes.
func (s *search) step(ctx context.Context) error {
	cutoff := s.cutoff()
	var batch []node
	for len(batch) < searchBatch && len(s.open) > 0 {
		n := s.pop()
		if n.bound <= cutoff {
			s.closed = max(s.closed, n.bound)
			continue
		}
		batch = append(batch, n)
	}
	results := make([]outcome, len(batch))
	done := make([]bool, len(batch))
	kernel.Parallel(len(batch), func(worker, q int) {
		if ctx.Err() == nil {
			if s.joint != nil {
				results[q] = s.examine(ctx, &s.probers[worker], &batch[q], cutoff)
			} else {
				results[q] = s.probers[worker].examine(&batch[q], cutoff)
			}
			done[q] = ctx.Err() == nil || s.joint == nil
		}
	})
	for q := range batch {
		if !done[q] {
			s.push(batch[q])
			continue
		}
		r := &results[q]
		if r.err != nil {
			return r.err
		}
		s.visited++
		s.closed = max(s.closed, r.closed)
		if err := s.improve(r); err != nil {
			return err
		}
		for _, c := range r.children {
			s.push(c)
		}
	}
	return nil
}

// narrow takes what a bound of the root fixes over to the open nodes. The bound is
// n's, closed the largest of what it cut off.
func (s *search) narrow(n node, closed float64, dual *dual) {
	for i := range s.probers {
		s.probers[i].dual = dual
	}
	root := s.sub.root
	s.closed = max(s.closed, closed)
	s.ceiling = min(s.ceiling, max(n.bound, s.closed)) // it says nothing of what was cut off before
	const undecided, out, in = 0, 1, 2
	state := make([]int8, len(s.l.index))
	for _, i := range root.free {
		state[i] = out
	}
	for _, i := range n.free {
		state[i] = undecided
	}
	for _, i := range n.in {
		state[i] = in
	}
	open := s.open
	s.open, s.memory = nil, blockMemory(len(s.l.index))
	for _, o := range open {
		if slices.ContainsFunc(o.in, func(i int32) bool { return state[i] == out }) {
			continue // covered by closed
		}
		free := o.free[:0]
		for _, i := range o.free {
			switch state[i] {
			case undecided:
				free = append(free, i)
			case in:
				o.in = append(o.in, i)
			}
		}
		if o.free = free; len(o.in)+len(free) < s.t.c.k || len(o.in) > s.t.c.k || s.lacks(o, n.in) {
			continue
		}
		slices.Sort(o.in)
		s.push(o)
	}
}

// lacks reports whether a node has excluded one of the indices.
func (s *search) lacks(o node, indices []int32) bool {
	return slices.ContainsFunc(indices, func(i int32) bool { return !slices.Contains(o.in, i) })
}

// improve takes a better support as the incumbent.
func (s *search) improve(r *outcome) error {
	b := s.best
	if r.support == nil || r.value <= b.best.objective*(1+gainTolerance) {
		return nil
	}
	e, err := b.at.embed(context.Background(), pickInts(s.l.index, r.support), s.t.m, nil)
	if err == nil && e.objective > b.best.objective {
		b.best, b.trace, b.iterations = e, append(b.trace, e.objective), b.iterations+1
	}
	return err
}

func pickInts(values, at []int) []int {
	picked := make([]int, len(at))
	for q, p := range at {
		picked[q] = values[p]
	}
	return picked
}

func (s *search) push(n node) {
	n.number = s.number
	s.number++
	s.memory += n.size()
	heap.Push(&s.open, n)
}

func (s *search) pop() node {
	n := heap.Pop(&s.open).(node)
	s.memory -= n.size()
	return n
}
