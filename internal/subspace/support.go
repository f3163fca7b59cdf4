package subspace

import (
	"math"

	"github.com/fspca/fspca/internal/lists"
)

// Tie is the relative difference within which scores are equal. Copies of a
// column get scores that differ by rounding.
const Tie = 1e-12

// TopK returns the indices of the k largest scores, 1 ≤ k ≤ len(scores), in
// ascending order. Of scores equal to the k-th within Tie it takes the lower
// indices. This is the tie rule of every method. NaN counts as −∞. O(d).
func TopK(scores []float64, k int) []int {
	values := foremost(scores, k)
	least := SelectLargest(values, k)
	low, high := least, least
	if band := Tie * math.Abs(least); !math.IsInf(band, 0) {
		low, high = least-band, least+band
	}
	ties := k
	for _, v := range values[:k] {
		if v > high {
			ties--
		}
	}
	support := make([]int, 0, k)
	for i, v := range scores {
		v = ordered(v)
		if v < low || (v <= high && ties == 0) {
			continue
		}
		if v <= high {
			ties--
		}
		support = append(support, i)
	}
	return support
}

// foremost returns scores among which the k largest are, NaN as −∞. Where k are few, it
// leaves out most of the others: it reads the scores once, and what is no larger than k
// before is none of them.
func foremost(scores []float64, k int) []float64 {
	room := min(len(scores), max(4*k, 256))
	values, least := make([]float64, 0, room), math.Inf(-1)
	for _, v := range scores {
		if v = ordered(v); v <= least && len(values) >= k {
			continue
		}
		if len(values) == room {
			least = SelectLargest(values, k)
			if values = values[:k]; v <= least {
				continue
			}
		}
		values = append(values, v)
	}
	return values
}

// Compare returns which of two scores is larger: 1, −1, or 0 where they are
// equal within Tie. NaN counts as −∞.
func Compare(a, b float64) int {
	a, b = ordered(a), ordered(b)
	switch band := Tie * min(math.Abs(a), math.Abs(b)); {
	case a-b > band:
		return 1
	case b-a > band:
		return -1
	}
	return 0
}

// ordered returns v, or −∞ for NaN.
func ordered(v float64) float64 {
	if math.IsNaN(v) {
		return math.Inf(-1)
	}
	return v
}

// SelectLargest moves the k largest entries of v, 1 ≤ k ≤ len(v), to its front, in
// no particular order. It returns the least of them (quickselect, median of three).
func SelectLargest(v []float64, k int) float64 {
	lo, hi := 0, len(v)-1
	for lo < hi {
		pivot := median(v[lo], v[(lo+hi)/2], v[hi])
		i, j := lo, hi
		for i <= j {
			for v[i] > pivot {
				i++
			}
			for v[j] < pivot {
				j--
			}
			if i <= j {
				v[i], v[j] = v[j], v[i]
				i++
				j--
			}
		}
		switch {
		case k-1 <= j:
			hi = j
		case k-1 >= i:
			lo = i
		default:
			return v[k-1]
		}
	}
	return v[k-1]
}

func median(a, b, c float64) float64 {
	return max(min(a, b), min(max(a, b), c))
}

// TopKSum returns the sum of the k largest values, 0 for k = 0. NaN counts as −∞.
func TopKSum(values []float64, k int) float64 {
	if k == 0 {
		return 0
	}
	v := foremost(values, k)
	SelectLargest(v, k)
	return lists.Sum(v[:k])
}
