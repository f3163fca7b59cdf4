package solver

import (
	"context"
	"math"

	"github.com/fspca/fspca/internal/lists"
	"gonum.org/v1/gonum/mat"
)

// exactTolerance is the error, relative to λ₁, of pairs that count as exact: it
// becomes part of every bound.
const exactTolerance = 1e-9

// residualsOf returns ‖Au − λu‖ for each pair.
func residualsOf(ctx context.Context, a Covariance, values []float64, vectors *mat.Dense) ([]float64, error) {
	d, r := vectors.Dims()
	au := mat.NewDense(d, r, nil)
	if err := a.Mul(ctx, au, vectors); err != nil {
		return nil, err
	}
	residuals := make([]float64, r)
	for i := range d {
		u := vectors.RawRowView(i)
		for j, v := range au.RawRowView(i) {
			e := v - values[j]*u[j]
			residuals[j] += e * e
		}
	}
	return lists.Map(residuals, math.Sqrt), nil
}
