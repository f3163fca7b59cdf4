package baseline

import (
	"math"
	"slices"

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
		if r < d && clippedSum(pairs.Values, last) < float64(m) {
			continue
		}
		theta := fantopeShift(pairs.Values, m)
		return clipped(pairs, theta), nil
	}
}

// clip returns γ − θ limited to [0, 1].
func clip(gamma, theta float64) float64 {
	return math.Min(math.Max(gamma-theta, 0), 1)
}

func clippedSum(gammas []float64, theta float64) float64 {
	var sum float64
	for _, g := range gammas {
		sum += clip(g, theta)
	}
	return sum
}

// fantopeShift returns the θ at which clippedSum is m. The sum is piecewise
// linear in θ with knots at γ_i and γ_i − 1, falls from len(gammas) to 0, and
// is interpolated between the two knots that enclose m.
func fantopeShift(gammas []float64, m int) float64 {
	var knots []float64
	for _, g := range gammas {
		knots = append(knots, g, g-1)
	}
	slices.Sort(knots)
	target := float64(m)
	// The first knot with a sum of at most m; the sum is 0 at the last.
	hi, _ := slices.BinarySearchFunc(knots, target, func(theta, target float64) int {
		if clippedSum(gammas, theta) > target {
			return -1
		}
		return 1
	})
	above := clippedSum(gammas, knots[hi])
	if hi == 0 || above == target {
		return knots[hi]
	}
	below := clippedSum(gammas, knots[hi-1])
	share := (below - target) / (below - above)
	return knots[hi-1] + share*(knots[hi]-knots[hi-1])
}

// clipped returns Σ clip(γ_i − θ)·v_i·v_iᵀ.
func clipped(pairs *spectral.Pairs, theta float64) *mat.SymDense {
	d, r := pairs.Vectors.Dims()
	x := mat.NewSymDense(d, nil)
	used := 0
	scaled := mat.NewDense(d, r, nil)
	for j, g := range pairs.Values {
		f := math.Sqrt(clip(g, theta))
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
