package baseline

import (
	"slices"

	"gonum.org/v1/gonum/lapack/lapack64"
	"gonum.org/v1/gonum/mat"
)

// topK returns the indices of the k largest scores, ascending; of equal
// scores the lower index is taken.
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

// rowsOf returns a copy of the rows of z in support.
func rowsOf(z *mat.Dense, support []int) *mat.Dense {
	_, c := z.Dims()
	block := mat.NewDense(len(support), c, nil)
	for p, i := range support {
		block.SetRow(p, z.RawRowView(i))
	}
	return block
}

// orthonormalise replaces x (r×c, r ≥ c) by its thin Q. A column that depends
// on those before it becomes some unit vector orthogonal to the rest.
func orthonormalise(x *mat.Dense) {
	raw := x.RawMatrix()
	tau := make([]float64, raw.Cols)
	work := make([]float64, 64*raw.Cols)
	lapack64.Geqrf(raw, tau, work, len(work))
	lapack64.Orgqr(raw, tau, work, len(work))
}

// truncateRows returns the k rows of z of largest norm: which, and a copy of
// them.
func truncateRows(z *mat.Dense, k int) ([]int, *mat.Dense) {
	support := topK(rowSquares(z), k)
	return support, rowsOf(z, support)
}
