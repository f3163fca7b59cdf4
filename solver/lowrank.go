package solver

import (
	"context"

	"gonum.org/v1/gonum/mat"
)

// spikedTolerance bounds λ_{m+1} − λ_d, relative to λ₁, for a spectrum that
// counts as spiked.
const spikedTolerance = 1e-10

// spectrum is what Go needs to know of A: its leading pairs and its traces.
type spectrum struct {
	values  []float64  // the m+1 (or d) leading eigenvalues
	vectors *mat.Dense // d×m or wider: their eigenvectors
	leading float64    // Tr(A_m)
	total   float64    // Tr(A)
}

// readSpectrum asks the operator for its m+1 leading eigenpairs.
func readSpectrum(ctx context.Context, a Covariance, m int) (*spectrum, error) {
	values, vectors, err := a.Leading(ctx, min(m+1, a.Order()))
	if err != nil {
		return nil, err
	}
	s := &spectrum{values: values, vectors: vectors, total: trace(a)}
	for _, v := range values[:m] {
		s.leading += v
	}
	return s, nil
}

// spiked reports whether the eigenvalues after the m-th are all equal, so
// that A − λ_d·I has rank ≤ m (rank(A) ≤ m is the case λ_d = 0). None of the
// d−m of them exceeds λ_{m+1}, so they are equal as soon as their sum, which
// the trace gives, reaches (d−m)λ_{m+1}.
func (s *spectrum) spiked(d, m int) bool {
	if m >= d {
		return true
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
	s, err := readSpectrum(ctx, a, m)
	if err != nil {
		return nil, err
	}
	if optimalByDiagonal(s, k, m, a.Order()) {
		return solveExactly(a, s, k, m)
	}
	return selectOnce(a, s, k, m, s.lowRankScores(m, 0))
}

// GoLowRank is Algorithm 1 on the best rank-m approximation A_m whatever the
// spectrum, as the paper runs it in its experiments; epsilon is its ε, added
// to the diagonal of A (0 for none).
func GoLowRank(ctx context.Context, a Covariance, k, m int, epsilon float64) (*Solution, error) {
	if err := CheckSizes(k, m, a.Order()); err != nil {
		return nil, err
	}
	s, err := readSpectrum(ctx, a, m)
	if err != nil {
		return nil, err
	}
	return selectOnce(a, s, k, m, s.lowRankScores(m, epsilon))
}

// solveExactly returns the optimum where optimalByDiagonal holds.
func solveExactly(a Covariance, s *spectrum, k, m int) (*Solution, error) {
	sol, err := selectOnce(a, s, k, m, a.Diag())
	if err != nil {
		return nil, err
	}
	sol.Status, sol.UpperBound = Proved, sol.Objective
	return sol, nil
}

// selectOnce refits A on the k indices of largest score.
func selectOnce(a Covariance, s *spectrum, k, m int, scores []float64) (*Solution, error) {
	e, err := embed(a, topK(scores, k), m)
	if err != nil {
		return nil, err
	}
	return newSolution(a, s, e, []float64{e.objective}, 0, Converged), nil
}

// embedding is a support with the leading eigenpairs of its block.
type embedding struct {
	support   []int
	values    []float64  // m, descending
	vectors   *mat.Dense // k×m
	objective float64    // sum of values
}

// embed solves max Tr(VᵀA_SSV), VᵀV = I, on a support of at least m indices.
func embed(a Covariance, support []int, m int) (*embedding, error) {
	values, vectors, err := leadingPairs(a.Block(support), m)
	if err != nil {
		return nil, err
	}
	e := &embedding{support: support, values: values, vectors: vectors}
	for _, v := range values {
		e.objective += v
	}
	return e, nil
}

// newSolution describes e for users.
func newSolution(a Covariance, s *spectrum, e *embedding, trace []float64, iterations int, status Status) *Solution {
	orientColumns(e.vectors)
	return &Solution{
		Support: e.support, Loadings: e.vectors, Values: e.values,
		Objective: e.objective, Trace: trace, Iterations: iterations, Status: status,
		LeadingVariance: s.leading, TotalVariance: s.total,
		UpperBound: max(e.objective, min(s.leading, topKSum(a.Diag(), len(e.support)))),
	}
}
