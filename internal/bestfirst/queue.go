// Package bestfirst is the queue of a branch and bound: the node with the highest bound comes first, of
// equals the latest made, which lies deepest.
package bestfirst

import "slices"

// Node is a node that waits. Rank returns the bound that nothing in it is above, and its number in the
// order of creation.
type Node interface {
	Rank() (bound float64, number int)
}

// Queue is a heap of nodes, for container/heap: the first is to be examined next.
type Queue[N Node] []N

// Len is the number of nodes; it and what follows are heap.Interface.
func (q Queue[N]) Len() int { return len(q) }

// Less orders nodes as they are to be examined.
func (q Queue[N]) Less(i, j int) bool {
	a, first := q[i].Rank()
	b, second := q[j].Rank()
	if a != b {
		return a > b
	}
	return first > second
}

// Swap exchanges two nodes.
func (q Queue[N]) Swap(i, j int) { q[i], q[j] = q[j], q[i] }

// Push appends a node; call heap.Push.
func (q *Queue[N]) Push(n any) { *q = append(*q, n.(N)) }

// Pop removes the last node; call heap.Pop.
func (q *Queue[N]) Pop() any {
	last := len(*q) - 1
	n := (*q)[last]
	*q = slices.Delete(*q, last, last+1)
	return n
}
