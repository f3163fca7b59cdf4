package baseline

import (
	"context"
	"slices"

	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/subspace"
	"github.com/fspca/fspca/solver"
	"gonum.org/v1/gonum/mat"
)

// Deflated is the result of TPower (D): m sparse vectors, each with its own
// support. It is not a feasible point of the FSPCA problem: it may use up to k·m
// columns, and its vectors need not be orthogonal. It can therefore explain more
// than any feasible point.
type Deflated struct {
	// Vectors is d×m: unit columns of at most k non-zero entries each, the one
	// of largest magnitude positive.
	Vectors *mat.Dense

	// Supports holds the ascending indices of each column's non-zero entries;
	// Union those of all.
	Supports [][]int
	Union    []int

	// Explained is Tr(VᵀAV), the figure that the paper reports. If two vectors are
	// not orthogonal, it counts twice the variance that both explain.
	Explained float64

	// Adjusted is Tr(QᵀAQ) for an orthonormal basis Q of the vectors' span:
	// the variance in that subspace.
	Adjusted float64

	LeadingVariance float64 // Tr(A_m), what dense PCA with m components explains
	Iterations      int     // steps for all vectors
	Status          solver.Status
}

// Deflate is TPower (D) of the paper: the truncated power method finds one sparse
// eigenvector of cardinality k, A is replaced by (I − xxᵀ)A(I − xxᵀ), and so on m
// times. If ctx ends, each remaining vector gets a single step, and the status is
// Deadline or Cancelled.
//
// Source: X.-T. Yuan, T. Zhang: Truncated Power Method for Sparse Eigenvalue
// Problems, JMLR 14, 2013, with the projection deflation of L. Mackey:
// Deflation Methods for Sparse PCA, NIPS 2008.
func Deflate(ctx context.Context, a solver.Covariance, k, m int, p TPowerParams) (*Deflated, error) {
	d := subspace.Order(a)
	if err := p.check(k, m, d); err != nil {
		return nil, err
	}
	leading, _, err := a.Leading(ctx, m)
	if err != nil {
		return nil, err
	}
	out := &Deflated{Vectors: mat.NewDense(d, m, nil), LeadingVariance: lists.Sum(leading[:m]), Status: solver.Converged}
	var taken []sparseVector
	for j := range m {
		x, err := powerIteration(ctx, a, taken, k, p.withDefaults())
		if err != nil {
			return nil, err
		}
		taken = append(taken, x)
		out.Vectors.SetCol(j, x.dense(d))
		out.Supports = append(out.Supports, nonzero(x))
		out.Union = append(out.Union, nonzero(x)...)
		out.Iterations += x.steps
		if x.status.Early() {
			out.Status = x.status
		}
	}
	slices.Sort(out.Union)
	out.Union = slices.Compact(out.Union)
	return out, out.measure(ctx, a)
}

// nonzero returns the indices of the non-zero entries of x.
func nonzero(x sparseVector) []int {
	return lists.At(x.support, lists.Places(len(x.support), func(p int) bool { return x.entries.At(p, 0) != 0 }))
}

// measure fills in the variances.
func (out *Deflated) measure(ctx context.Context, a solver.Covariance) (err error) {
	if out.Explained, err = quadratic(ctx, a, out.Vectors); err != nil {
		return err
	}
	q := mat.DenseCopyOf(out.Vectors)
	subspace.Orthonormalise(q)
	out.Adjusted, err = quadratic(ctx, a, q)
	return err
}

// quadratic returns Tr(VᵀAV).
func quadratic(ctx context.Context, a solver.Covariance, v *mat.Dense) (float64, error) {
	d, m := v.Dims()
	av := mat.NewDense(d, m, nil)
	if err := a.Mul(ctx, av, v); err != nil {
		return 0, err
	}
	av.MulElem(av, v)
	return mat.Sum(av), nil
}
