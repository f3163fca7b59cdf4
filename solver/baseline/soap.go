package baseline

import (
	"context"

	"github.com/fspca/fspca/internal/subspace"
	"github.com/fspca/fspca/solver"
	"gonum.org/v1/gonum/mat"
)

// SOAP is sparse orthogonal iteration pursuit: from the start w0 (d×m) it
// repeats
//
//	V ← QR(A·W),  V ← the k rows of V of largest norm,  W ← QR(V)
//
// until the subspace repeats. On a fixed support that is orthogonal iteration on
// A_SS. The method is not an ascent: Trace may fall, and the points may cycle. From
// a cycle (Status Cycle) it takes the point of largest objective, otherwise the
// last point, as published. The solution is refitted on the support of that point,
// so that Objective ≥ the last of Trace. If ctx ends once a feasible point is
// known, the point reached is returned with the status Deadline or Cancelled;
// before that, the context's error.
//
// A start with at most k non-zero rows is the first point of Trace. One with
// more enters the first step as it is; the original truncates it first, which
// Truncate does.
//
// Cost of a step: O(dkm), the product with k non-zero rows.
//
// Source: Z. Wang, H. Lu, H. Liu: Tighten after Relax: Minimax-Optimal Sparse
// PCA in Polynomial Time, NIPS 2014 (sparse orthogonal iteration pursuit).
func SOAP(ctx context.Context, a solver.Covariance, k int, w0 *mat.Dense, p IterationParams) (*solver.Solution, error) {
	return iterate(ctx, a, k, w0, p, func(aw *mat.Dense) point {
		subspace.Orthonormalise(aw)
		return truncated(aw, k)
	})
}
