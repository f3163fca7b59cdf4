package solver

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/kernel"
	"github.com/fspca/fspca/solver/spectral"
)

// directOrder is the order up to which a matrix is decomposed directly.
const directOrder = 448

// direct says whether r leading pairs of a matrix of order d are found by a decomposition.
func direct(d, r int) bool { return d <= directOrder || 6*r > d }

// leadingFull returns the r leading eigenpairs of the symmetric matrix full,
// both of whose triangles are filled.
func leadingFull(ctx context.Context, full kernel.Matrix, r int, settled func(*spectral.Pairs) bool) (*spectral.Pairs, error) {
	if direct(full.Rows, r) {
		return spectral.Leading(symmetric(full), r)
	}
	pairs, err := spectral.Krylov(ctx, &matrix{full: full}, r, spectral.Settings{Tolerance: pairTolerance, Converged: settled, Aim: settledResidual})
	if err == nil && !pairs.Converged && settled == nil {
		return spectral.Leading(symmetric(full), r) // eigenvalues too close to be told apart by products
	}
	return pairs, err
}

// pairTolerance is the residual, relative to λ₁, of an eigenpair that has
// converged.
const pairTolerance = 1e-10

// krylov returns the r leading eigenpairs of an operator from products alone,
// when all have converged or s.Converged says that they suffice. Without it
// pairs that do not converge are an error; with it the best so far are enough.
func krylov(ctx context.Context, a spectral.Operator, r int, s spectral.Settings) (*spectral.Pairs, error) {
	s.Tolerance = pairTolerance
	pairs, err := spectral.Krylov(ctx, a, r, s)
	if err != nil {
		return nil, err
	}
	if !pairs.Converged && s.Converged == nil {
		return nil, fmt.Errorf("the %d leading eigenpairs did not converge in %d products (residual %.1e of the largest eigenvalue)",
			r, pairs.Passes, maxOf(pairs.Residuals)/pairs.Values[0])
	}
	return pairs, nil
}

// leading is Covariance.Leading for an operator that is a leader when it is
// normalised.
func leading(ctx context.Context, a Covariance, r int) ([]float64, *mat.Dense, error) {
	if d := a.Order(); r < 1 || r > d {
		return nil, nil, fmt.Errorf("%d leading eigenpairs of a covariance of order %d: want 1 to %d", r, d, d)
	}
	b, unit := Normalised(a)
	p, err := b.(leader).leading(ctx, r, nil)
	if err != nil {
		return nil, nil, err
	}
	return times(p.Values, unit), p.Vectors, nil
}

// unpack splits pairs as Covariance.Leading returns them.
func unpack(p *spectral.Pairs, err error) ([]float64, *mat.Dense, error) {
	if err != nil {
		return nil, nil, err
	}
	return p.Values, p.Vectors, nil
}
