package solver

import (
	"context"
	"fmt"

	"github.com/fspca/fspca/internal/param"
	"github.com/fspca/fspca/internal/subspace"
)

// optimalByDiagonal reports whether the permitted support with the largest
// diagonal entries of A is optimal, or nearly so: a spiked spectrum (the paper's
// theorem on rank ≤ m and its remark on A + σI); m = k (the objective is then
// Tr(A_SS)); or no other support (k = d, or the lists leave just one).
func (t *task) optimalByDiagonal() bool {
	d := t.a.Order()
	return t.c.k == t.m || t.c.only(d) || t.s.spiked(d, t.m)
}

// Go is Algorithm 1 of the paper for k of the d columns and m components. It
// selects by the diagonal of A in four cases: A has rank ≤ m; the spectrum is
// spiked (the d−m last eigenvalues are equal within 1e-10·λ₁); m = k; k = d.
// That is optimal, and the status is Proved. Otherwise it selects by the
// diagonal of the best rank-m approximation A_m. The eigenvectors of the chosen
// block are those of A.
//
// Cost: m+1 leading eigenpairs of A and the m leading ones of a k×k block.
func Go(ctx context.Context, a Covariance, k, m int) (*Solution, error) {
	return Solve(ctx, a, Params{Features: k, Components: m, Method: MethodGo})
}

// GoLowRank is Algorithm 1 on the best rank-m approximation A_m for any
// spectrum, as in the paper's experiments. Epsilon is the paper's ε, added to
// the diagonal of A; 0 adds nothing.
func GoLowRank(ctx context.Context, a Covariance, k, m int, epsilon float64) (*Solution, error) {
	p := Params{Features: k, Components: m, Method: MethodGo, Epsilon: epsilon}
	if _, err := p.checked(subspace.Order(a)); err != nil {
		return nil, err
	}
	return solveIn(ctx, a, p, func(f *frame, t *task) (*Solution, error) {
		return t.selectOnce(ctx, t.s.lowRankScores(m, f.p.Epsilon))
	})
}

// Refit returns the solution on a given support (distinct indices, at least m
// of them, in any order): the m leading eigenvectors of A_SS, with an upper
// bound over all supports of that size.
func Refit(ctx context.Context, a Covariance, support []int, m int) (*Solution, error) {
	sorted, err := checkSupport(subspace.Order(a), support)
	if err != nil {
		return nil, err
	}
	p := Params{Features: len(support), Components: m}
	if _, err := p.checked(a.Order()); err != nil {
		return nil, err
	}
	return solveIn(ctx, a, p, func(_ *frame, t *task) (*Solution, error) {
		t.given = true
		return t.refit(ctx, sorted)
	})
}

// checkSupport checks a given support and returns it ascending.
func checkSupport(d int, support []int) ([]int, error) {
	if err := param.Sizes(len(support), 1, d); err != nil {
		return nil, fmt.Errorf("the support: %w", err)
	}
	if _, err := newChoice(d, len(support), support, nil); err != nil {
		return nil, fmt.Errorf("the support: %w", err)
	}
	sorted := distinct(support)
	if len(sorted) < len(support) {
		return nil, fmt.Errorf("the support %v repeats an index: want %d distinct ones", support, len(support))
	}
	return sorted, nil
}

// solveExactly returns the optimum where the diagonal tells it, else nil. A
// spectrum counts as spiked within a tolerance, so that there the bounds have to
// say whether what the theorem selects is optimal; they are exact for one that
// is.
func (t *task) solveExactly(ctx context.Context) (*Solution, error) {
	if !t.optimalByDiagonal() {
		return nil, nil
	}
	asked := t.p.Bound
	t.p.Bound = BoundQuick
	defer func() { t.p.Bound = asked }()
	sol, err := t.selectOnce(ctx, t.a.Diag())
	if err != nil {
		return nil, err
	}
	if t.c.only(t.a.Order()) {
		sol.Prove(BoundTheorem)
	}
	if !sol.Proved {
		return nil, nil
	}
	sol.BoundSource = BoundTheorem
	return sol, nil
}

// selectOnce refits A on the permitted k indices of largest score.
func (t *task) selectOnce(ctx context.Context, scores []float64) (*Solution, error) {
	return t.refit(ctx, t.c.top(scores))
}

func (t *task) refit(ctx context.Context, support []int) (*Solution, error) {
	e, err := ascenderOf(t.a).embed(ctx, support, t.m, t.s.near(support, t.m))
	if err != nil {
		return nil, err
	}
	return t.solution(ctx, e, []float64{e.objective}, 0, Converged)
}
