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
// # Conventions
//
// Letters are the paper's: A, W, S, k, m, d, n. Indices count from 0. A
// support is ascending. Of equal scores the lower index wins, and the entry
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
// L. Tian, F. Nie, X. Li: Learning Feature Sparse Principal Subspace, 2019.
// Go is its Algorithm 1, IPU its Algorithm 2.
package solver
