package reproduce

import (
	"context"

	"github.com/fspca/fspca/solver"
)

// owns are the efforts of ours that go beyond the paper.
func owns() []solver.Effort { return []solver.Effort{solver.EffortThorough, solver.EffortExact} }

// spend solves with an effort.
func spend(ctx context.Context, a solver.Covariance, k, m int, e solver.Effort) (*solver.Solution, error) {
	return solver.Solve(ctx, a, solver.Params{Features: k, Components: m, Effort: e})
}
