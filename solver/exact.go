package solver

import (
	"context"
	"errors"
	"slices"

	"github.com/fspca/fspca/internal/bestfirst"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/subspace"
)

const (
	// A root of order at most relaxRoot is bounded once more, by the joint
	// dual, after relaxAfter/order² nodes. An easy search is over by then.
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
	ceiling float64 // bound of the whole
	tree    bestfirst.Search[node, outcome]
	probers []prober

	enumerated bool // by trace and norm, or not worth it
	relaxAfter int  // as the constant; 0: the joint dual has had its turn
	work       searchWork
	joint      *joint    // of the root; nil: none yet
	jointAt    []int     // by position in the block: that in joint, −1 for none
	nodeGap    []float64 // by the number of indices to choose: see the constant
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
	sol.Nodes = s.tree.Nodes
	sol.certify(s.t.cheap.least(bound{s.upper(), BoundSearch}))
	return sol, nil
}

// upper is the bound that the search has reached.
func (s *search) upper() float64 {
	return min(max(s.tree.Upper(), s.best.best.objective), max(s.ceiling, s.best.best.objective))
}

// Cutoff is that of bestfirst.Problem.
func (s *search) Cutoff() float64 { return cutoff(s.best.best.objective) }

// newSearch prepares the search from an incumbent. It reports false where the
// block of the columns that are left does not fit in the memory.
func newSearch(ctx context.Context, t *task, best *run) (s *search, fits bool, err error) {
	s = &search{t: t, best: best, relaxAfter: relaxAfter, work: fullWork, nodeGap: slices.Repeat([]float64{nodeGap}, t.c.k+1)}
	if s.sub, err = t.subproblem(ctx, s.Cutoff()); err != nil {
		return nil, false, err
	}
	s.ceiling = s.sub.root.bound
	s.tree = bestfirst.Search[node, outcome]{Problem: s, Batch: bestfirst.Batch, Limit: t.p.memoryLimit(),
		Closed: s.sub.closed, Memory: blockMemory(len(s.sub.index))}
	s.tree.Push(s.sub.root)
	if s.tree.Memory > s.tree.Limit {
		return s, false, nil
	}
	if s.l, err = newLocal(ctx, t.a, s.sub.index); err != nil {
		return nil, false, err
	}
	s.probers = slices.Repeat([]prober{{l: s.l, k: t.c.k, m: t.m, dual: s.sub.dual}}, bestfirst.Batch)
	return s, true, nil
}

// run examines nodes until all are closed or a limit is reached.
func (s *search) run(ctx context.Context) (Status, error) { return endOfSearch(ctx, s.tree.Run(ctx)) }

// endOfSearch turns the end of a search into a status, and passes other errors on.
func endOfSearch(ctx context.Context, err error) (Status, error) {
	switch {
	case err == nil:
		return Proved, nil
	case errors.Is(err, bestfirst.ErrMemory):
		return MemoryLimit, nil
	case ctx.Err() != nil:
		return EndOf(ctx), nil
	}
	return "", err
}

// Examine is that of bestfirst.Problem. The joint dual is cut off where ctx ends.
func (s *search) Examine(ctx context.Context, worker int, n *node, cutoff float64) (outcome, error) {
	if s.joint == nil {
		out := s.probers[worker].examine(n, cutoff)
		return out, out.err
	}
	out := s.examine(ctx, &s.probers[worker], n, cutoff)
	if err := ctx.Err(); err != nil {
		return out, err
	}
	return out, out.err
}

// Take is that of bestfirst.Problem.
func (s *search) Take(_ context.Context, r *outcome) (closed float64, children []node, err error) {
	s.learn(r)
	return r.closed, r.children, s.improve(r)
}

// Between turns to the enumeration and to the joint dual where the search is not easy.
func (s *search) Between(ctx context.Context) error {
	n := len(s.l.index)
	if order := float64(n); !s.enumerated && float64(s.tree.Nodes)*order*order*order >= s.work.before {
		s.enumerated = true
		if err := s.enumerateFirst(ctx); err != nil {
			return err
		}
	}
	if s.relaxAfter > 0 && n <= relaxRoot && s.tree.Nodes*n*n >= s.relaxAfter {
		s.relaxAfter = 0
		if err := s.reach(ctx); err != nil {
			return err
		}
	}
	s.tell(s.tree.Len())
	return nil
}

// tell reports how far the search is.
func (s *search) tell(open int) {
	upper := s.upper()
	s.t.report(Progress{Stage: StageSearch, Nodes: s.tree.Nodes, Open: open, Objective: s.best.best.objective,
		UpperBound: upper, Gap: subspace.Gap(upper, s.best.best.objective)})
}

// blockMemory is what the matrix of n columns takes, with the copies that two
// threads decompose.
func blockMemory(n int) int64 {
	probed := int64(min(n, probedOrder))
	return 8 * (int64(n)*int64(n) + 6*probed*probed)
}

// narrow takes what a bound of the root fixes over to the open nodes. The bound is
// n's, closed the largest of what it cut off.
func (s *search) narrow(n node, closed float64, dual *dual) {
	for i := range s.probers {
		s.probers[i].dual = dual
	}
	root := s.sub.root
	s.tree.Closed = max(s.tree.Closed, closed)
	s.ceiling = min(s.ceiling, max(n.bound, s.tree.Closed)) // it says nothing of what was cut off before
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
	for _, o := range s.tree.Empty() {
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
		s.tree.Push(o)
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
	e, err := b.at.embed(context.Background(), lists.At(s.l.index, r.support), s.t.m, nil)
	if err == nil && e.gains(b.best) {
		b.best, b.trace, b.iterations = e, append(b.trace, e.objective), b.iterations+1
	}
	return err
}
