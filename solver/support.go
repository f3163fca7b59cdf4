package solver

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// tieTolerance is the relative difference within which scores count as equal:
// copies of a column get scores that differ by rounding.
const tieTolerance = 1e-12

// topK returns the indices of the k largest scores in ascending order.
// Of scores equal to the k-th within tieTolerance the lower indices are taken;
// NaN counts as −∞. O(d).
func topK(scores []float64, k int) []int {
	values := make([]float64, len(scores))
	for i, v := range scores {
		values[i] = ordered(v)
	}
	least := selectLargest(values, k)
	low, high := least, least
	if band := tieTolerance * math.Abs(least); !math.IsInf(band, 0) {
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

// ordered returns v, or −∞ for NaN.
func ordered(v float64) float64 {
	if math.IsNaN(v) {
		return math.Inf(-1)
	}
	return v
}

// selectLargest moves the k largest entries of v, 1 ≤ k ≤ len(v), to its
// front, in no particular order, and returns the least of them (quickselect,
// median of three).
func selectLargest(v []float64, k int) float64 {
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

// topKSum returns the sum of the k largest values, 0 for k = 0.
func topKSum(values []float64, k int) float64 {
	if k == 0 {
		return 0
	}
	v := append([]float64(nil), values...)
	selectLargest(v, k)
	var sum float64
	for _, x := range v[:k] {
		sum += x
	}
	return sum
}

// orientColumns makes the entry of largest magnitude in each column of v
// positive; of equal magnitudes the one in the lower row decides. It fixes
// the sign that an eigenvector leaves open.
func orientColumns(v *mat.Dense) {
	r, c := v.Dims()
	for j := range c {
		var peak float64
		for i := range r {
			if x := v.At(i, j); math.Abs(x) > math.Abs(peak) {
				peak = x
			}
		}
		if peak >= 0 {
			continue
		}
		for i := range r {
			v.Set(i, j, -v.At(i, j))
		}
	}
}

// rowSquares returns the squared Euclidean norm of every row of z.
func rowSquares(z *mat.Dense) []float64 {
	r, _ := z.Dims()
	s := make([]float64, r)
	for i := range s {
		for _, v := range z.RawRowView(i) {
			s[i] += v * v
		}
	}
	return s
}
