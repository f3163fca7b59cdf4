package solver

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/solver/spectral"
)

// spikedTolerance bounds λ_{m+1} − λ_d, relative to λ₁, for a spectrum that
// counts as spiked.
const spikedTolerance = 1e-10

// spectrum is what Go needs to know of A: its leading pairs and its traces.
type spectrum struct {
	values    []float64  // the m+1 (or d) leading eigenvalues
	vectors   *mat.Dense // d×m or wider: their eigenvectors
	residuals []float64  // ‖Au − λu‖ of each pair; nil where the operator does not tell
	leading   float64    // Tr(A_m)
	total     float64    // Tr(A)
}

// readSpectrum asks the operator for its m+1 leading eigenpairs: to full
// precision, or, where the operator iterates, until diag(A_m) has settled on
// k indices.
func readSpectrum(ctx context.Context, a Covariance, k, m int) (*spectrum, error) {
	s := &spectrum{total: trace(a)}
	r := min(m+1, a.Order())
	if l, ok := a.(leader); ok {
		pairs, err := l.leading(ctx, r, settledOn(k, m))
		if err != nil {
			return nil, err
		}
		s.values, s.vectors, s.residuals = pairs.Values, pairs.Vectors, pairs.Residuals
	} else {
		var err error
		if s.values, s.vectors, err = a.Leading(ctx, r); err != nil {
			return nil, err
		}
	}
	for _, v := range s.values[:m] {
		s.leading += v
	}
	return s, nil
}

const (
	// settledResidual is the residual, relative to λ₁, below which m pairs may
	// count as settled. An eigenvalue is then right to about its square.
	settledResidual = 1e-5

	// settledMargin is how many times larger than the last change of a score
	// the distance between the last score chosen and the first left out is.
	settledMargin = 10
)

// settledOn returns a test for the end of an iteration for the m leading
// pairs: their residuals are small, and the k largest entries of diag(A_m)
// have been the same twice, by a margin that the next steps, whose changes
// shrink, do not bridge.
func settledOn(k, m int) func(*spectral.Pairs) bool {
	var last []float64
	return func(p *spectral.Pairs) bool {
		scores := (&spectrum{values: p.Values, vectors: p.Vectors}).lowRankScores(m, 0)
		before := last
		last = scores
		residual := maxOf(p.Residuals[:m])
		switch {
		case residual <= pairTolerance*p.Values[0]:
			return true // whatever the margin, and the pair after the m-th
		case before == nil || residual > settledResidual*p.Values[0]:
			return false
		}
		chosen := topK(scores, k)
		if k == len(scores) {
			return true
		}
		var inside, outside, change = math.Inf(1), math.Inf(-1), 0.0
		next := 0
		for i, v := range scores {
			change = max(change, math.Abs(v-before[i]))
			if next < k && chosen[next] == i {
				inside, next = min(inside, v), next+1
			} else {
				outside = max(outside, v)
			}
		}
		return inside-outside > settledMargin*change
	}
}

// spiked reports whether the eigenvalues after the m-th are all equal, so
// that A − λ_d·I has rank ≤ m (rank(A) ≤ m is the case λ_d = 0). None of the
// d−m of them exceeds λ_{m+1}, so they are equal as soon as their sum, which
// the trace gives, reaches (d−m)λ_{m+1}.
func (s *spectrum) spiked(d, m int) bool {
	if m >= d {
		return true
	}
	// A value that is not yet an eigenvalue lies below λ_{m+1} and proves
	// nothing.
	if s.residuals != nil && s.residuals[m] > spikedTolerance*s.values[0] {
		return false
	}
	rest := s.total - s.leading
	return float64(d-m)*s.values[m]-rest <= spikedTolerance*s.values[0]
}

// lowRankScores returns diag(A_m), to whose eigenvalues ε is added.
func (s *spectrum) lowRankScores(m int, epsilon float64) []float64 {
	d, _ := s.vectors.Dims()
	scores := make([]float64, d)
	for i := range d {
		for j, u := range s.vectors.RawRowView(i)[:m] {
			scores[i] += (s.values[j] + epsilon) * u * u
		}
	}
	return scores
}

// optimalByDiagonal reports whether the k largest diagonal entries of A are an
// optimal support: a spiked spectrum (the paper's theorem on rank ≤ m and
// its remark on A + σI), m = k (the objective is then Tr(A_SS)), or k = d.
func optimalByDiagonal(s *spectrum, k, m, d int) bool {
	return k == m || k == d || s.spiked(d, m)
}

// Go is Algorithm 1 of the paper for a support of k of the d columns and m
// components. Where A has rank ≤ m, or the spectrum is spiked (the d−m last
// eigenvalues equal within 1e-10·λ₁), or m = k, or k = d, it selects by the
// diagonal of A, which is optimal, and the status is Proved. Otherwise it
// selects by the diagonal of the best rank-m approximation A_m. The
// eigenvectors of the chosen block are those of A.
//
// Cost: m+1 leading eigenpairs of A and the m leading ones of a k×k block.
func Go(ctx context.Context, a Covariance, k, m int) (*Solution, error) {
	if err := CheckSizes(k, m, a.Order()); err != nil {
		return nil, err
	}
	s, err := readSpectrum(ctx, a, k, m)
	if err != nil {
		return nil, err
	}
	if optimalByDiagonal(s, k, m, a.Order()) {
		return solveExactly(ctx, a, s, k, m)
	}
	return selectOnce(ctx, a, s, k, m, s.lowRankScores(m, 0))
}

// GoLowRank is Algorithm 1 on the best rank-m approximation A_m whatever the
// spectrum, as the paper runs it in its experiments; epsilon is its ε, added
// to the diagonal of A (0 for none).
func GoLowRank(ctx context.Context, a Covariance, k, m int, epsilon float64) (*Solution, error) {
	if err := CheckSizes(k, m, a.Order()); err != nil {
		return nil, err
	}
	s, err := readSpectrum(ctx, a, k, m)
	if err != nil {
		return nil, err
	}
	return selectOnce(ctx, a, s, k, m, s.lowRankScores(m, epsilon))
}

// solveExactly returns the optimum where optimalByDiagonal holds.
func solveExactly(ctx context.Context, a Covariance, s *spectrum, k, m int) (*Solution, error) {
	sol, err := selectOnce(ctx, a, s, k, m, a.Diag())
	if err != nil {
		return nil, err
	}
	sol.Status, sol.UpperBound = Proved, sol.Objective
	return sol, nil
}

// selectOnce refits A on the k indices of largest score.
func selectOnce(ctx context.Context, a Covariance, s *spectrum, k, m int, scores []float64) (*Solution, error) {
	e, err := embed(ctx, a, topK(scores, k), m)
	if err != nil {
		return nil, err
	}
	return newSolution(a, s, e, []float64{e.objective}, 0, Converged), nil
}

// newSolution describes e for users.
func newSolution(a Covariance, s *spectrum, e *embedding, trace []float64, iterations int, status Status) *Solution {
	orientColumns(e.vectors)
	return &Solution{
		Support: e.support, Loadings: e.vectors, Values: e.values,
		Objective: e.objective, Trace: trace, Iterations: iterations, Status: status,
		LeadingVariance: s.leading, TotalVariance: s.total,
		Route:      routeOf(a),
		UpperBound: max(e.objective, min(s.leading, topKSum(a.Diag(), len(e.support)))),
	}
}
