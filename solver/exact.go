package solver

import (
	"container/heap"
	"context"
	"math"
	"slices"

	"github.com/fspca/fspca/internal/kernel"
)

// searchBatch is the number of nodes that are examined with the same cutoff,
// whatever the number of threads, so that the search does not depend on it.
const searchBatch = 16

// DefaultMemoryLimit is the memory, in bytes, that branch and bound may take
// for the matrix and its waiting nodes where Params does not say.
const DefaultMemoryLimit = 1 << 30

// search is a branch and bound for the best permitted support.
type search struct {
	t     *task
	l     *local // the block of all candidates
	slack float64

	best    *run // the incumbent
	closed  float64
	open    nodes
	memory  int64 // of the open nodes
	number  int
	visited int
	probers []prober
}

// solveBySearch starts from the thorough solution and examines subproblems,
// that with the highest bound first, until none can hold a better support.
func (t *task) solveBySearch(ctx context.Context) (*Solution, error) {
	best, err := t.searchThoroughly(ctx)
	if err != nil {
		return nil, err
	}
	if t.proves(best) || best.status == Deadline || best.status == Cancelled {
		return t.solution(best.best, best.trace, best.iterations, best.status), nil
	}
	s := &search{t: t, slack: t.s.slack(), best: best, closed: math.Inf(-1)}
	s.l = t.whole()
	if s.l == nil {
		s.l = newLocal(t.a, t.c.candidates(t.a.Order()))
	}
	status, err := s.run(ctx)
	if err != nil {
		return nil, err
	}
	sol := t.solution(best.best, best.trace, best.iterations, status)
	sol.Nodes = s.visited
	sol.certify(t.bound().least(bound{s.upper(), BoundSearch}), s.slack)
	return sol, nil
}

// upper is the bound that the search has reached, without slack.
func (s *search) upper() float64 {
	upper := max(s.closed, s.best.best.objective)
	if len(s.open) > 0 {
		upper = max(upper, s.open[0].bound)
	}
	return upper
}

// cutoff is the bound at which nothing is left to find.
func (s *search) cutoff() float64 {
	return s.best.best.objective*(1+provedTolerance) + s.slack
}

// run examines nodes until all are closed or a limit is reached.
func (s *search) run(ctx context.Context) (Status, error) {
	s.push(s.root())
	s.probers = make([]prober, kernel.Workers(searchBatch))
	for i := range s.probers {
		s.probers[i] = prober{l: s.l, k: s.t.c.k, m: s.t.m}
	}
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
		upper := s.upper()
		s.t.report(Progress{Stage: StageSearch, Nodes: s.visited, Open: len(s.open), Objective: s.best.best.objective,
			UpperBound: upper + s.slack, Gap: (upper + s.slack - s.best.best.objective) / s.best.best.objective})
	}
	return Proved, nil
}

// root is the whole problem.
func (s *search) root() node {
	n := node{bound: s.t.bound().value}
	for p, i := range s.l.index {
		if s.t.c.free(i) {
			n.free = append(n.free, int32(p))
		} else {
			n.in = append(n.in, int32(p))
		}
	}
	return n
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
			results[q], done[q] = s.probers[worker].examine(&batch[q], cutoff), true
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

// nodes is a heap: the highest bound first, of equals the latest made, which
// lies deepest.
type nodes []node

func (h nodes) Len() int { return len(h) }

func (h nodes) Less(i, j int) bool {
	if h[i].bound != h[j].bound {
		return h[i].bound > h[j].bound
	}
	return h[i].number > h[j].number
}

func (h nodes) Swap(i, j int) { h[i], h[j] = h[j], h[i] }

func (h *nodes) Push(n any) { *h = append(*h, n.(node)) }

func (h *nodes) Pop() any {
	last := len(*h) - 1
	n := (*h)[last]
	(*h)[last] = node{}
	*h = slices.Delete(*h, last, last+1)
	return n
}
