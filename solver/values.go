package solver

import (
	"context"

	"github.com/fspca/fspca/internal/kernel"
	"github.com/fspca/fspca/internal/param"
	"github.com/fspca/fspca/internal/subspace"
	"github.com/fspca/fspca/solver/spectral"
)

// Eigenvalues returns the r leading eigenvalues of A without eigenvectors, descending. It needs A as a
// stored matrix, or the Gram matrix of fewer rows than columns; beyond the order of that matrix the values
// are 0. It returns nil if there is neither: use Leading then.
func Eigenvalues(ctx context.Context, a Covariance, r int) ([]float64, error) {
	if err := param.Sizes(r, 1, subspace.Order(a)); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if c, ok := a.(*Data); ok && c.Route() == RouteGram {
		room := kernel.Borrow()
		defer room.Release()
		values, err := spectral.Values(symmetric(c.gramMatrix(room)), min(r, c.n))
		for len(values) < r && err == nil {
			values = append(values, 0)
		}
		return values, err
	}
	m, err := atHand(ctx, a)
	if m == nil || err != nil {
		return nil, err
	}
	return spectral.Values(symmetric(m.full), r)
}

// wide reports whether the Gram matrix is small beside X.
func (c *Data) wide() bool { return c.d >= 16*c.n }

// gramMatrix returns XXᵀ/(n−1) of the centred and scaled rows. Where it is not small beside X it lies in room the
// first time: pages of fresh memory take a good part of the time of forming it, and most fits need it once. Whoever
// asks again has it kept.
func (c *Data) gramMatrix(room *kernel.Buffer) kernel.Matrix {
	c.forming.Lock()
	defer c.forming.Unlock()
	if c.gram != nil {
		return *c.gram
	}
	var g kernel.Matrix
	if c.grams++; c.grams > 1 || c.wide() {
		g = kernel.NewMatrix(c.n, c.n)
		defer c.keepGram(g)
	} else {
		g = room.Matrix(c.n, c.n)
		defer scaleAll(g, 1/float64(c.n-1))
	}
	c.reads.Add(1)
	kernel.Gram(g, c.view(nil))
	return g
}

// keepGram keeps XXᵀ/(n−1), given XXᵀ.
func (c *Data) keepGram(g kernel.Matrix) {
	scaleAll(g, 1/float64(c.n-1))
	c.gram = &g
}
