package baseline

import (
	"math"

	"github.com/fspca/fspca/internal/subspace"
	"github.com/fspca/fspca/solver/spectral"
	"gonum.org/v1/gonum/mat"
)

// projectFantope returns the matrix nearest to b in the Fantope {X : 0 ⪯ X ⪯
// I, tr X = m}: b with its eigenvalues γ replaced by min(max(γ − θ, 0), 1),
// where θ makes their sum m. Only eigenvectors with γ > θ count, so that many
// are computed and no more: r leading ones suffice when θ ≥ γ_r.
func projectFantope(b *mat.SymDense, m int) (*mat.SymDense, error) {
	d := b.SymmetricDim()
	for r := min(2*m+6, d); ; r = min(2*r, d) {
		pairs, err := spectral.Leading(b, r)
		if err != nil {
			return nil, err
		}
		last := pairs.Values[r-1]
		if r < d && subspace.ClippedSum(pairs.Values, last) < float64(m) {
			continue
		}
		theta := subspace.FantopeShift(pairs.Values, m)
		return clipped(pairs, theta), nil
	}
}

// clipped returns Σ clip(γ_i − θ)·v_i·v_iᵀ.
func clipped(pairs *spectral.Pairs, theta float64) *mat.SymDense {
	d, r := pairs.Vectors.Dims()
	x := mat.NewSymDense(d, nil)
	used := 0
	scaled := mat.NewDense(d, r, nil)
	for j, g := range pairs.Values {
		f := math.Sqrt(subspace.Clip(g, theta))
		if f == 0 {
			break
		}
		for i := range d {
			scaled.Set(i, j, f*pairs.Vectors.At(i, j))
		}
		used++
	}
	x.SymOuterK(1, scaled.Slice(0, d, 0, used))
	return x
}
