package classifier

import (
	"cmp"
	"sync"
)

// rowPools keeps the neighbours of single rows between predictions.
type rowPools struct{ lists sync.Pool } // of *[]neighbor

func (k *knnFit) predictRow(row, to []float64) {
	if k.target == nil {
		k.classRow(row, to)
		return
	}
	list := k.borrow()
	to[0] = k.mean(k.search.nearestTo(row, k.neighbors, *list))
	k.pools.lists.Put(list)
}

// classRow stores the shares of the votes, and returns the class.
func (k *knnFit) classRow(row, to []float64) int {
	clear(to)
	list := k.borrow()
	class := k.vote(k.search.nearestTo(row, k.neighbors, *list), to)
	k.pools.lists.Put(list)
	return class
}

// borrow returns room for the neighbours of a row.
func (k *knnFit) borrow() *[]neighbor {
	if list, ok := k.pools.lists.Get().(*[]neighbor); ok {
		return list
	}
	list := make([]neighbor, k.neighbors)
	return &list
}

// nearestTo returns in room, which holds k, the k nearest rows of x to a row, the nearest first: those of
// nearest.
func (s *neighborSearch) nearestTo(row []float64, k int, room []neighbor) []neighbor {
	s.ready()
	n, _ := s.x.Dims()
	found := room[:0]
	for i := range n {
		now := neighbor{i, 0}
		if len(found) < k {
			now.distance = s.distance(row, i)
		} else if worst := found[k-1].distance; !s.within(row, i, worst, &now.distance) {
			continue
		}
		at := len(found) - 1
		if len(found) < k {
			found = append(found, now)
		} else if compareNeighbors(now, found[at]) >= 0 {
			continue
		} else {
			at--
		}
		for ; at >= 0 && compareNeighbors(now, found[at]) < 0; at-- {
			found[at+1] = found[at]
		}
		found[at+1] = now
	}
	return found
}

// distance is Σ(a−b)², as decide sums it.
func (s *neighborSearch) distance(row []float64, i int) float64 {
	sum := 0.0
	for j, v := range s.x.RawRowView(i) {
		d := (row[j] - v) * s.scale
		sum += d * d
	}
	return sum
}

// within stores the distance of row i, unless it is seen to be above worst, and says whether it is not.
func (s *neighborSearch) within(row []float64, i int, worst float64, distance *float64) bool {
	const together = 8 // terms between two looks at the sum, which only grows
	sum, other := 0.0, s.x.RawRowView(i)
	row = row[:len(other)]
	for len(other) > 0 {
		part := min(together, len(other))
		for j, v := range other[:part] {
			d := (row[j] - v) * s.scale
			sum += d * d
		}
		if sum > worst {
			return false
		}
		row, other = row[part:], other[part:]
	}
	*distance = sum
	return true
}

// compareNeighbors orders by distance, then by the place of the row.
func compareNeighbors(a, b neighbor) int {
	return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.row, b.row))
}
