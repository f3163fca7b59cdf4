package bestfirst

import "slices"

// waiting is an open node, with its number in the order in which nodes were opened.
type waiting[N Node] struct {
	node   N
	number int
}

// queue is a heap, for container/heap: the first is to be examined next.
type queue[N Node] []waiting[N]

func (q queue[N]) Len() int { return len(q) }

func (q queue[N]) Less(i, j int) bool {
	a, b := q[i].node.Bound(), q[j].node.Bound()
	if a != b {
		return a > b
	}
	return q[i].number > q[j].number
}

func (q queue[N]) Swap(i, j int) { q[i], q[j] = q[j], q[i] }

func (q *queue[N]) Push(n any) { *q = append(*q, n.(waiting[N])) }

func (q *queue[N]) Pop() any {
	last := len(*q) - 1
	n := (*q)[last]
	*q = slices.Delete(*q, last, last+1)
	return n
}
