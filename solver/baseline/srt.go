package baseline

import (
	"context"

	"github.com/fspca/fspca/solver"
	"gonum.org/v1/gonum/mat"
)

// SRT is streaming PCA with row truncation in its batch form, in which one
// block holds all samples: from the start w0 (d×m) it repeats
//
//	V ← the k rows of A·W of largest norm,  W ← QR(V)
//
// until the subspace repeats. It differs from SOAP in that it truncates before it
// orthonormalises, so that directions of large variance weigh more. The method is
// not an ascent. Trace, cycles, the refit, ctx and dense starts are as in SOAP.
//
// Cost of a step: O(dkm).
//
// Source: W. Yang, H. Xu: Streaming Sparse Principal Component Analysis, ICML
// 2015.
func SRT(ctx context.Context, a solver.Covariance, k int, w0 *mat.Dense, p IterationParams) (*solver.Solution, error) {
	return iterate(ctx, a, k, w0, p, func(aw *mat.Dense) point {
		return truncated(aw, k)
	})
}
