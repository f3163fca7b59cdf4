package subspace

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// RowSquares returns the squared Euclidean norm of every row of z.
func RowSquares(z *mat.Dense) []float64 {
	r, _ := z.Dims()
	s := make([]float64, r)
	for i := range s {
		for _, v := range z.RawRowView(i) {
			s[i] += v * v
		}
	}
	return s
}

// Rows returns a copy of the rows of z that support lists.
func Rows(z *mat.Dense, support []int) *mat.Dense {
	_, c := z.Dims()
	block := mat.NewDense(len(support), c, nil)
	for p, i := range support {
		block.SetRow(p, z.RawRowView(i))
	}
	return block
}

// signTie is the relative difference below which OrientColumns takes magnitudes as equal: eigenvectors
// whose eigenvalues are close differ by more than the rounding of one number.
const signTie = 1e-9

// OrientColumns makes the entry of largest magnitude in each column of v
// positive; of equal magnitudes, up to rounding, the one in the lower row
// decides. It fixes the sign that an eigenvector leaves open.
func OrientColumns(v *mat.Dense) {
	r, c := v.Dims()
	for j := range c {
		var peak float64
		for i := range r {
			if x := v.At(i, j); math.Abs(x) > math.Abs(peak)*(1+signTie) {
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
