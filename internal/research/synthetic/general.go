package synthetic

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/cmplx"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/lists"
)

// GeneralLeading returns the m leading eigenpairs of a as a solver for general
// matrices finds them: unit vectors, real values descending. On a matrix that is
// symmetric only up to rounding, the vectors of a repeated eigenvalue span its
// eigenspace but are not orthogonal. The "A_m" made of them is then not the best
// rank-m approximation. That is what happens in a program that takes UΛUᵀ as it is,
// and it explains what the paper reports of Go on scheme A. It is of no other use.
func GeneralLeading(a *mat.Dense, m int) ([]float64, *mat.Dense, error) {
	d, _ := a.Dims()
	if m < 1 || m > d {
		return nil, nil, fmt.Errorf("%d eigenpairs asked of a matrix of order %d", m, d)
	}
	var eig mat.Eigen
	if !eig.Factorize(a, mat.EigenRight) {
		return nil, nil, errors.New("the general eigenvalue iteration did not converge")
	}
	all := eig.Values(nil)
	var q mat.CDense
	eig.VectorsTo(&q)
	order := lists.Upto[int](d)
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(real(all[j]), real(all[i])) })
	values, vectors := make([]float64, m), mat.NewDense(d, m, nil)
	for j, at := range order[:m] {
		values[j] = real(all[at])
		var norm float64
		for i := range d {
			norm = math.Hypot(norm, cmplx.Abs(q.At(i, at)))
		}
		for i := range d {
			vectors.Set(i, j, real(q.At(i, at))/norm)
		}
	}
	return values, vectors, nil
}
