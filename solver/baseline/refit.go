package baseline

import (
	"context"
	"errors"
	"math"

	"github.com/fspca/fspca/solver"
	"github.com/fspca/fspca/solver/spectral"
	"gonum.org/v1/gonum/mat"
)

// refit returns the best solution on a support, as solver.Solution describes
// it: the m leading eigenvectors of A_SS.
func refit(ctx context.Context, a solver.Covariance, support []int, m int) (*solver.Solution, error) {
	leading, _, err := a.Leading(ctx, m)
	if err != nil {
		return nil, err
	}
	pairs, err := spectral.Leading(a.Block(support), m)
	if err != nil {
		return nil, err
	}
	s := &solver.Solution{
		Support: support, Loadings: pairs.Vectors, Values: pairs.Values,
		Status: solver.Converged,
	}
	for _, v := range s.Values {
		s.Objective += v
	}
	for _, v := range leading[:m] {
		s.LeadingVariance += v
	}
	diag := a.Diag()
	for _, v := range diag {
		s.TotalVariance += v
	}
	var top float64
	for _, i := range topK(diag, len(support)) {
		top += diag[i]
	}
	s.UpperBound = math.Max(s.Objective, math.Min(s.LeadingVariance, top))
	s.Trace = []float64{s.Objective}
	orient(s.Loadings)
	return s, nil
}

// orient makes the entry of largest magnitude in each column of v positive,
// the upper one of equals.
func orient(v *mat.Dense) {
	r, c := v.Dims()
	for j := range c {
		var peak float64
		for i := range r {
			if x := v.At(i, j); math.Abs(x) > math.Abs(peak) {
				peak = x
			}
		}
		if peak < 0 {
			for i := range r {
				v.Set(i, j, -v.At(i, j))
			}
		}
	}
}

// endOf returns the status of work that the ended ctx interrupted.
func endOf(ctx context.Context) solver.Status {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return solver.Deadline
	}
	return solver.Cancelled
}
