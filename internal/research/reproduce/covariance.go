package reproduce

import (
	"context"

	"github.com/fspca/fspca/solver"
	"gonum.org/v1/gonum/mat"
)

// paperEpsilon is what the paper adds to the diagonal of every A but scheme
// C's.
const paperEpsilon = 0.1

// shifted returns A + εI.
func shifted(a *mat.SymDense, epsilon float64) *mat.SymDense {
	d := a.SymmetricDim()
	s := mat.NewSymDense(d, nil)
	s.CopySym(a)
	for i := range d {
		s.SetSym(i, i, a.At(i, i)+epsilon)
	}
	return s
}

// remembered is a covariance that decomposes itself once: every method asks
// for the same leading pairs.
type remembered struct {
	solver.Covariance
	values  []float64
	vectors *mat.Dense
}

// remember asks a for its r leading pairs.
func remember(ctx context.Context, a solver.Covariance, r int) (*remembered, error) {
	values, vectors, err := a.Leading(ctx, min(r, a.Order()))
	if err != nil {
		return nil, err
	}
	return &remembered{a, values, vectors}, nil
}

// rememberShifted is remember for A + εI.
func rememberShifted(ctx context.Context, a *mat.SymDense, epsilon float64, r int) (*remembered, error) {
	c, err := solver.NewMatrix(shifted(a, epsilon))
	if err != nil {
		return nil, err
	}
	return remember(ctx, c, r)
}

// Leading returns the first r of what is known, and asks again for more.
func (c *remembered) Leading(ctx context.Context, r int) ([]float64, *mat.Dense, error) {
	if r > len(c.values) {
		return c.Covariance.Leading(ctx, r)
	}
	d := c.Order()
	return append([]float64(nil), c.values[:r]...), mat.DenseCopyOf(c.vectors.Slice(0, d, 0, r)), nil
}
