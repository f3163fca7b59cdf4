package solver

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// topK returns the indices of the k largest scores in ascending order.
// Of equal scores the lower index is taken.
func topK(scores []float64, k int) []int {
	order := make([]int, len(scores))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		switch {
		case scores[i] > scores[j]:
			return -1
		case scores[i] < scores[j]:
			return 1
		}
		return 0
	})
	support := order[:k:k]
	slices.Sort(support)
	return support
}

// topKSum returns the sum of the k largest values.
func topKSum(values []float64, k int) float64 {
	var sum float64
	for _, i := range topK(values, k) {
		sum += values[i]
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
