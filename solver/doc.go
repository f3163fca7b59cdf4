// Package solver holds the mathematics of Feature Sparse PCA: given a
// covariance A of order d, choose k columns and an m-dimensional subspace on
// them,
//
//	max Tr(WᵀAW)  subject to  WᵀW = I,  ‖W‖₂,₀ ≤ k,  W ∈ ℝ^{d×m},  m ≤ k ≤ d,
//
// where ‖W‖₂,₀ counts the non-zero rows of W. For a fixed support S of k
// rows the best value is the sum of the m largest eigenvalues of A_SS, so the
// problem is to choose S.
//
// A Covariance is an operator: NewMatrix wraps a matrix, NewData the rows of a
// table, which it neither copies nor turns into a d×d matrix unless that is
// the smaller thing. Solve picks the algorithm; Go and IPU are the two of the
// paper.
//
// # Efforts and certificates
//
// Params.Effort says how hard MethodIPU looks: EffortIPU is the paper's fit,
// EffortQuick, the default, adds what costs little beside it, EffortThorough adds starts, exchanges and kicks, EffortExact proves the
// optimum by branch and bound, or says how far it can be. Every Solution has
// an UpperBound that no permitted support exceeds, whatever found it, and
// Gap, the distance to it; Params.SDPIterations buys a tighter one. Include
// and Exclude narrow what is permitted, everywhere.
//
// Path solves for one k after another, FeaturesForTarget and
// ComponentsForTarget find k and m for a share of variance, ParallelAnalysis
// finds m by
// comparing with shuffled data, Exchange improves a support from anywhere, and Ledger
// says why each column is in or out.
//
// A deadline is the context's: what was found until then comes back with a
// Status and a bound.
//
// # Cost
//
// With EffortIPU: the leading eigenpairs of A and a few products with it (see
// Covariance); the bound adds a tridiagonal reduction of a matrix that is at
// hand and has at most 1000 columns. EffortThorough takes some ten to two
// hundred times that. EffortExact grows exponentially in the worst case: at
// k = 7 of 20 columns it takes milliseconds, at k = 11 of 500 with factors less
// than a second, at k = 50 of 500 it ends at its deadline with a gap below 1 %.
//
// # Conventions
//
// Letters are the paper's: A, W, S, k, m, d, n. Indices count from 0. A
// support is ascending. Of equal scores the lower index wins, of equal columns
// the lowest are chosen (see LowestCopies), and the entry
// of largest magnitude in each component is positive, so that the same input
// gives the same bytes. No tolerance is absolute: A and c·A have the same
// support. Nothing is added to the diagonal of A unless Params.Epsilon asks
// for it.
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
