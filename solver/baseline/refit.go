package baseline

import (
	"context"

	"github.com/fspca/fspca/solver"
)

// refit returns the best solution on a support, or on copies of its columns with
// lower indices, even if ctx has ended. Steps and status are those of the method
// that chose the support. A support that the bounds prove optimal is Proved however
// the method ended.
func refit(ctx context.Context, a solver.Covariance, support []int, m, steps int, status solver.Status) (*solver.Solution, error) {
	ctx = context.WithoutCancel(ctx)
	support, err := solver.LowestCopies(ctx, a, support)
	if err != nil {
		return nil, err
	}
	s, err := solver.Refit(ctx, a, support, m)
	if err != nil {
		return nil, err
	}
	s.Iterations = steps
	if !s.Proved {
		s.Status = status
	}
	return s, nil
}
