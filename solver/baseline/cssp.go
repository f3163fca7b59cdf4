package baseline

import (
	"context"
	"math"

	"github.com/fspca/fspca/internal/param"
	"github.com/fspca/fspca/internal/subspace"
	"github.com/fspca/fspca/solver"
	"github.com/fspca/fspca/solver/spectral"
	"gonum.org/v1/gonum/mat"
)

// pinvTolerance is the eigenvalue, relative to the largest, below which a
// direction counts as null.
const pinvTolerance = 1e-12

// CSSP chooses the k columns with the largest leverage scores Σ_{j≤m} u_ij² over
// the m leading eigenvectors of A: column subset selection, the step from which a
// sparse linear encoder is made (see Encoder). Trace holds the objective of the
// encoder's own subspace and then that of the refit, which is the solution. The
// method does not iterate.
//
// Source: M. Magdon-Ismail, C. Boutsidis: Optimal Sparse Linear Encoders and Sparse
// PCA, NIPS 2016. Its theory needs a spectral sparsifier followed by adaptive
// sampling. Leverage scores replace these deterministically, as analysed by D.
// Papailiopoulos, A. Kyrillidis, C. Boutsidis: Provable Deterministic Leverage
// Score Sampling, KDD 2014.
func CSSP(ctx context.Context, a solver.Covariance, k, m int) (*solver.Solution, error) {
	if err := param.Sizes(k, m, subspace.Order(a)); err != nil {
		return nil, err
	}
	_, u, err := a.Leading(ctx, m)
	if err != nil {
		return nil, err
	}
	support := subspace.TopK(subspace.RowSquares(u), k)
	s, err := refit(ctx, a, support, m, 0, solver.Converged)
	if err != nil {
		return nil, err
	}
	h, err := Encoder(ctx, a, support, m)
	if err != nil {
		return nil, err
	}
	subspace.Orthonormalise(h)
	aw := mat.NewDense(a.Order(), m, nil)
	if err := a.MulRows(ctx, aw, support, h); err != nil {
		return nil, err
	}
	s.Trace = []float64{point{support, h}.value(aw), s.Objective}
	return s, nil
}

// Encoder returns the k×m matrix H for which X_S·H spans the best rank-m
// approximation of X from the k columns of X in support. Here A = XᵀX.
// With X_S = Q·R, H is R⁻¹ times the m leading left singular vectors of QᵀX. H
// minimises the reconstruction error instead of maximising the variance, and its
// columns are not orthonormal. It is computed from A alone: with C = A_SS and B =
// A_{S,:}, H = C^{-1/2}·E for the m leading eigenvectors E of
// C^{-1/2}·B·Bᵀ·C^{-1/2}.
//
// Source: Magdon-Ismail and Boutsidis 2016.
func Encoder(ctx context.Context, a solver.Covariance, support []int, m int) (*mat.Dense, error) {
	k := len(support)
	if err := param.Sizes(k, m, subspace.Order(a)); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	block, err := a.Block(ctx, support)
	if err != nil {
		return nil, err
	}
	root, err := inverseRoot(block)
	if err != nil {
		return nil, err
	}
	b := mat.NewDense(a.Order(), k, nil) // A_{:,S}·C^{-1/2}
	if err := a.MulRows(ctx, b, support, root); err != nil {
		return nil, err
	}
	gram := mat.NewSymDense(k, nil)
	gram.SymOuterK(1, b.T())
	pairs, err := spectral.Leading(gram, m)
	if err != nil {
		return nil, err
	}
	var h mat.Dense
	h.Mul(root, pairs.Vectors)
	return &h, nil
}

// inverseRoot returns C^{-1/2}, with the null directions of C left out.
func inverseRoot(c *mat.SymDense) (*mat.Dense, error) {
	k := c.SymmetricDim()
	pairs, err := spectral.Full(c)
	if err != nil {
		return nil, err
	}
	scaled := mat.DenseCopyOf(pairs.Vectors)
	for j, v := range pairs.Values {
		f := 0.0
		if v > pinvTolerance*pairs.Values[0] {
			f = 1 / math.Sqrt(v)
		}
		for i := range k {
			scaled.Set(i, j, f*scaled.At(i, j))
		}
	}
	var root mat.Dense
	root.Mul(scaled, pairs.Vectors.T())
	return &root, nil
}
