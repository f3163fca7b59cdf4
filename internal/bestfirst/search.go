// Package bestfirst is branch and bound: of the nodes that wait, the one with the highest bound is examined
// first, of equals the latest made, which lies deepest. What a node is and how it is examined, the problem says.
package bestfirst

import (
	"container/heap"
	"context"
	"errors"

	"github.com/fspca/fspca/internal/kernel"
)

// Batch is the usual Search.Batch.
const Batch = 16

// ErrMemory is the end of a search whose nodes take more memory than Search.Limit.
var ErrMemory = errors.New("the nodes of the search take more memory than permitted")

// Node is a part of the problem.
type Node interface {
	Bound() float64 // nothing in the node is above it
	Size() int64    // memory that the node takes while it waits, in bytes
}

// Problem is what is searched: R is what the examination of a node N finds.
type Problem[N Node, R any] interface {
	// Cutoff is the bound at which a node has nothing better than the best known.
	Cutoff() float64

	// Examine bounds and divides a node. The nodes of a batch are examined in parallel, each
	// worker with one at a time. An error leaves the node open.
	Examine(ctx context.Context, worker int, n *N, cutoff float64) (R, error)

	// Take keeps the best known, and returns the largest bound of what the examination closed
	// (−∞ for nothing) and the nodes that it leaves open. It is called in the order of the
	// batch. An error leaves the examined node open.
	Take(ctx context.Context, r *R) (closed float64, children []N, err error)

	// Between is called after each batch.
	Between(ctx context.Context) error
}

// Search is a branch and bound. The result does not depend on the number of threads.
type Search[N Node, R any] struct {
	Problem Problem[N, R]
	Batch   int   // nodes that are examined with the same cutoff
	Limit   int64 // of Memory, in bytes

	Closed float64 // the largest bound of what is not open any more
	Memory int64   // of the open nodes, and what else counts, in bytes
	Nodes  int     // examined

	open   queue[N]
	number int
}

// Push opens a node.
func (s *Search[N, R]) Push(n N) {
	s.Memory += n.Size()
	heap.Push(&s.open, waiting[N]{n, s.number})
	s.number++
}

func (s *Search[N, R]) pop() N {
	w := heap.Pop(&s.open).(waiting[N])
	s.Memory -= w.node.Size()
	return w.node
}

// Len returns the number of open nodes.
func (s *Search[N, R]) Len() int { return len(s.open) }

// Open returns the open nodes.
func (s *Search[N, R]) Open() []N {
	nodes := make([]N, len(s.open))
	for i, w := range s.open {
		nodes[i] = w.node
	}
	return nodes
}

// Empty takes out all open nodes. The caller answers for their bounds.
func (s *Search[N, R]) Empty() []N {
	nodes := s.Open()
	for i := range nodes {
		s.Memory -= nodes[i].Size()
	}
	s.open = nil
	return nodes
}

// Upper returns the bound that the search has reached: nothing but the best known is above it.
func (s *Search[N, R]) Upper() float64 {
	if len(s.open) == 0 {
		return s.Closed
	}
	return max(s.Closed, s.open[0].node.Bound())
}

// Run examines nodes until none is open. It ends with ErrMemory, the error of ctx or that of
// the problem before that; then Upper still covers all that is not examined.
func (s *Search[N, R]) Run(ctx context.Context) error {
	for len(s.open) > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		if s.Memory > s.Limit {
			return ErrMemory
		}
		if err := s.Step(ctx); err != nil {
			return err
		}
		if err := s.Problem.Between(ctx); err != nil {
			return err
		}
	}
	return nil
}

// Step examines a batch of nodes. Those that an error prevents stay open.
func (s *Search[N, R]) Step(ctx context.Context) error {
	cutoff := s.Problem.Cutoff()
	batch := s.next(cutoff)
	results, errs := make([]R, len(batch)), make([]error, len(batch))
	kernel.Parallel(len(batch), func(worker, q int) {
		if errs[q] = ctx.Err(); errs[q] == nil {
			results[q], errs[q] = s.Problem.Examine(ctx, worker, &batch[q], cutoff)
		}
	})
	var first error
	for q := range batch {
		if errs[q] == nil {
			errs[q] = s.take(ctx, &results[q])
		}
		if errs[q] != nil {
			s.Push(batch[q])
			if first == nil {
				first = errs[q]
			}
		}
	}
	return first
}

// next takes out the nodes to be examined, and closes those before that hold nothing better.
func (s *Search[N, R]) next(cutoff float64) (batch []N) {
	for len(batch) < s.Batch && len(s.open) > 0 {
		if n := s.pop(); n.Bound() <= cutoff {
			s.Closed = max(s.Closed, n.Bound())
		} else {
			batch = append(batch, n)
		}
	}
	return batch
}

// take replaces an examined node by what it leaves open.
func (s *Search[N, R]) take(ctx context.Context, r *R) error {
	closed, children, err := s.Problem.Take(ctx, r)
	if err != nil {
		return err
	}
	s.Nodes++
	s.Closed = max(s.Closed, closed)
	for _, n := range children {
		s.Push(n)
	}
	return nil
}
