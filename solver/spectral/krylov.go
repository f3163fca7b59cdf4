package spectral

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"
)

// Operator is a symmetric matrix A known by its products.
type Operator interface {
	// Order returns the number of rows of A.
	Order() int

	// Mul stores A·x in dst. Both are order×c with c a multiple of 16, or any
	// c when the order is below 16; they do not overlap.
	Mul(dst, x *mat.Dense)
}

// Settings steer an iteration. The zero value is usable.
type Settings struct {
	// Tolerance is the largest residual ‖A·v − λ·v‖₂ of a pair that has
	// converged, relative to the largest eigenvalue; 0 means 1e-10.
	Tolerance float64

	// Start holds order×any columns whose span is near the eigenvectors; they
	// need not be orthonormal. Nil: random columns made from Seed.
	Start *mat.Dense

	// Seed makes the random columns.
	Seed uint64

	// MaxPasses bounds the products with 16 columns; 0 means 300.
	MaxPasses int

	// MaxBasis bounds the number of vectors kept in memory; 0 means a default
	// near 16·16.
	MaxBasis int

	// Converged, when not nil, is called after each pass with the current
	// pairs, which it must not change or keep. True stops the iteration.
	Converged func(p *Pairs) bool

	// Certify asks Refine to prove that no leading pair was missed, by a
	// Cholesky factorisation where cheaper tests do not suffice.
	Certify bool
}

// Krylov returns the m leading eigenpairs of op.
func Krylov(ctx context.Context, op Operator, m int, s Settings) (*Pairs, error) {
	n := op.Order()
	if err := checkCount(m, n); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("spectral: %w", err)
	}
	width := (n + 15) / 16 * 16
	x, y := mat.NewDense(n, width, nil), mat.NewDense(n, width, nil)
	for i := range n {
		x.Set(i, i, 1)
	}
	op.Mul(y, x)
	a := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			a.SetSym(i, j, (y.At(i, j)+y.At(j, i))/2)
		}
	}
	p, err := Leading(a, m)
	if err == nil {
		p.Passes = 1
	}
	return p, err
}

// Refine returns the m leading eigenpairs of a, given a start in s.
func Refine(ctx context.Context, a mat.Symmetric, m int, s Settings) (*Pairs, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("spectral: %w", err)
	}
	return Leading(a, m)
}
