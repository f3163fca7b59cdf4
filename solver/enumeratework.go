package solver

import (
	"context"
	"math"
	"sync/atomic"

	"github.com/fspca/fspca/internal/bestfirst"
	"github.com/fspca/fspca/internal/kernel"
)

// enumerate goes through all that is open. It reports whether it came to an end:
// then nothing is open. What it finds in a batch that it cannot finish is
// dropped, since that depends on the threads.
func (s *search) enumerate(ctx context.Context, e *enumeration) (done bool, err error) {
	tasks, closed := s.tree.Open(), math.Inf(-1)
	for len(tasks) > 0 {
		batch := tasks[:min(len(tasks), bestfirst.Batch)]
		widen := len(tasks) < tasksAhead && len(batch[0].in) < e.k-2
		if widen {
			batch = tasks[:1]
		}
		results, visited, ok := e.batch(ctx, batch, s.Cutoff(), widen)
		if !ok {
			return false, nil
		}
		tasks = tasks[len(batch):]
		for q := range results {
			r := &results[q]
			if r.err != nil {
				return false, r.err
			}
			if err := s.improve(r); err != nil {
				return false, err
			}
			closed = max(closed, r.closed)
			tasks = append(tasks, r.children...)
		}
		s.tree.Nodes += visited
		s.tell(len(tasks))
	}
	s.tree.Closed = max(s.tree.Closed, closed)
	s.tree.Empty()
	return true, nil
}

// batch enumerates some subtrees, or with widen only their first nodes. It
// reports whether budget and ctx sufficed.
func (e *enumeration) batch(ctx context.Context, tasks []node, cutoff float64, widen bool) (results []outcome, visited int, ok bool) {
	e.work.Store(0)
	walkers := make([]*enumerator, len(tasks))
	kernel.Parallel(len(tasks), func(_, q int) {
		w := e.member(ctx, cutoff)
		w.collect = widen
		w.walk(&tasks[q])
		walkers[q] = w
	})
	ok = true
	for _, w := range walkers {
		ok = ok && (!w.stopped || w.out.err != nil)
		results, visited = append(results, w.out), visited+w.nodes
	}
	e.budget -= float64(e.work.Load())
	return results, visited, ok && ctx.Err() == nil
}

// enumerateFirst enumerates the whole problem within firstWork.
func (s *search) enumerateFirst(ctx context.Context) error {
	n := len(s.l.index)
	if n > probedOrder || s.tree.Memory+enumerationMemory(n, s.t.c.k) > s.t.p.memoryLimit() {
		return nil
	}
	_, err := s.enumerate(ctx, newEnumeration(s.l, s.t.c.k, s.t.m, s.spread(), nil, s.work.first))
	return err
}

// spread is what the trace of a block may lack to its trace norm.
func (s *search) spread() float64 { return float64(s.t.c.k-s.t.m) * -s.t.s.least }

// enumerationMemory is what an enumeration of n columns takes, in bytes.
func enumerationMemory(n, k int) int64 { return 8 * (int64(n)*int64(n) + int64(n)*int64(k)) }

// member returns an enumerator with memory of its own, of the subtrees that
// have the incumbent's cutoff.
func (e *enumeration) member(ctx context.Context, cutoff float64) *enumerator {
	w := &enumerator{e: e, ctx: ctx, cutoff: cutoff, p: prober{l: e.l, k: e.k, m: e.m}}
	w.out.closed = math.Inf(-1)
	w.forms = []*form{e.norm}
	if e.dual != nil {
		w.forms = append(w.forms, e.dual)
	}
	w.levels = make([]level, e.k+1)
	w.mark = make([]int32, len(e.trace))
	return w
}

// enumeration goes depth first through all supports of a subproblem that its
// bounds do not cut off. No bound needs an eigenvalue: each is the trace and the
// Frobenius norm, or a quadratic form. A support that is left is decomposed.
type enumeration struct {
	l      *local
	k, m   int
	spread float64 // what the trace may lack to the trace norm
	trace  []float64
	norm   *form   // squared Frobenius norm
	dual   *form   // nil: none
	budget float64 // multiplications

	work atomic.Int64 // since the batch began
}

// newEnumeration prepares the enumeration of the supports within a block.
func newEnumeration(l *local, k, m int, spread float64, dual *form, budget float64) *enumeration {
	n := len(l.index)
	e := &enumeration{l: l, k: k, m: m, spread: spread, dual: dual, budget: budget, trace: make([]float64, n)}
	squares := kernel.NewMatrix(n, n)
	alpha := make([]float64, n)
	for i := range n {
		row := squares.Row(i)
		for j := range row {
			v := l.at(i, j)
			row[j] = v * v
		}
		e.trace[i], alpha[i] = l.at(i, i), row[i]
	}
	e.norm = newForm(squares, alpha, 0, k)
	return e
}

// tasksAhead is the number of subtrees from which they are enumerated in
// parallel.
const tasksAhead = 64
