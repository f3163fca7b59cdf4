// Package solver solves Feature Sparse PCA. Given a covariance A of order d, it
// chooses k columns and an m-dimensional subspace on them:
//
//	max Tr(WᵀAW)  subject to  WᵀW = I,  ‖W‖₂,₀ ≤ k,  W ∈ ℝ^{d×m},  m ≤ k ≤ d,
//
// where ‖W‖₂,₀ counts the non-zero rows of W. For a fixed support S of k rows the
// best value is the sum of the m largest eigenvalues of A_SS. The problem is to
// choose S.
//
// A Covariance is an operator. NewMatrix wraps a matrix and NewData the rows of
// a table. NewData never copies the rows, and forms a d×d matrix only where
// that is smaller than they are. Solve picks the algorithm; Go and IPU are the
// two algorithms of the paper. The package knows no names, files or missing
// values: package selector does.
//
// # Efforts and certificates
//
// Params.Effort says how hard MethodIPU searches. EffortIPU is the paper's fit. EffortQuick, the default,
// adds cheap improvements. EffortThorough adds starts, exchanges and kicks. EffortExact proves the optimum by
// branch and bound, or reports the gap that is left. Every Solution has an UpperBound on all permitted
// supports, and the Gap to it. Params.SDPIterations tightens the bound. Include and Exclude restrict the
// permitted supports in every method.
//
// Path solves for one k after another. FeaturesForTarget and ComponentsForTarget find
// k and m for a share of the variance. ParallelAnalysis finds m by comparing with
// shuffled data. Exchange improves any support. Ledger says why each column is in or
// out.
//
// The deadline is that of the context. When it passes, the best solution so far
// is returned, with a Status and a bound.
//
// # Cost
//
// With EffortIPU: the leading eigenpairs of A and a few products with it (see
// Covariance); the bound adds a tridiagonal reduction of a matrix that is at
// hand and has at most 1000 columns. EffortThorough takes some ten to two
// hundred times that. EffortExact grows exponentially in the worst case. It
// takes milliseconds for k = 7 of 20 columns, and less than a second for k = 11
// of 500 columns with few factors. For k = 50 of 500 it ends at its deadline
// with a gap below 1 %.
//
// # Conventions
//
// Letters are the paper's: A, W, S, k, m, d, n. Indices count from 0. A support
// is ascending. Ties go to the lower index, and of equal columns the lowest are
// chosen (see LowestCopies). The entry of largest magnitude in each component
// is positive. The same input gives the same bytes. No tolerance is absolute: A
// and c·A have the same support. Nothing is added to the diagonal of A unless
// Params.Epsilon asks for it.
//
// # Errors
//
// A user's mistake is an error that names the offending number. A limit that
// was reached is a Status on a usable Solution. Wrong shapes in a call of a
// Covariance method are the caller's bug and panic.
//
// # Reference
//
// L. Tian, F. Nie, R. Wang and X. Li, Learning Feature Sparse Principal Subspace,
// NeurIPS 2020.
// Go is its Algorithm 1, IPU its Algorithm 2. The bounds are proved in
// docs/algorithms.md; internal/research/certify measures what the efforts find.
package solver
