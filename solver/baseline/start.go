package baseline

import (
	"context"

	"github.com/fspca/fspca/internal/subspace"
	"github.com/fspca/fspca/solver"
	"gonum.org/v1/gonum/mat"
)

// StartConvexRelaxation is the start that Solve offers in addition to those of
// package solver: the subspace that FPSPath estimates.
const StartConvexRelaxation solver.Start = "convex_relaxation"

// Starts returns the names that Params.Start may have in Solve.
func Starts() []solver.Start {
	return []solver.Start{solver.StartGo, solver.StartRandom, StartConvexRelaxation}
}

// RandomStart returns a d×m matrix with orthonormal columns that span a
// uniformly distributed subspace: Q of a Gaussian matrix, whose numbers are
// the stream PCG(seed, index) in row order. It panics unless 1 ≤ m ≤ d.
func RandomStart(d, m int, seed, index uint64) *mat.Dense {
	return subspace.Random(d, m, seed, index)
}

// LowRankStart returns the d×m solution of Go on A_m, the paper's "low rank"
// start.
func LowRankStart(ctx context.Context, a solver.Covariance, k, m int) (*mat.Dense, error) {
	s, err := solver.GoLowRank(ctx, a, k, m, 0)
	if err != nil {
		return nil, err
	}
	return s.W(subspace.Order(a)), nil
}

// ConvexRelaxationStart returns the d×m subspace that FPSPath estimates for k
// variables.
func ConvexRelaxationStart(ctx context.Context, a solver.Covariance, k, m int, p FPSParams) (*mat.Dense, error) {
	r, err := FPSPath(ctx, a, k, m, p)
	if err != nil {
		return nil, err
	}
	return r.Start(m)
}

// Truncate returns w (d×m) with all rows set to zero except the k of largest norm,
// and the columns made orthonormal again. It panics unless 1 ≤ m ≤ k ≤ d.
func Truncate(w *mat.Dense, k int) *mat.Dense {
	d, m := w.Dims()
	p := truncated(w, k)
	out := mat.NewDense(d, m, nil)
	for r, i := range p.support {
		out.SetRow(i, p.block.RawRowView(r))
	}
	return out
}
