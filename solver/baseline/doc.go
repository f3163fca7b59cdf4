// Package baseline holds the methods that Feature Sparse PCA is compared
// with, to the same contract as our own: on a solver.Covariance, returning a
// solver.Solution.
//
//	s, err := baseline.Solve(ctx, a, solver.Params{Features: 20, Components: 5, Method: baseline.MethodSOAP})
//
// Solve takes the method by its name, which is also the name in a pipeline's
// YAML and on the command line:
//
//	ipu, go            package solver
//	soap               sparse orthogonal iteration pursuit (SOAP)
//	srt                streaming PCA with row truncation, in batch form (SRT)
//	cssp               column subset selection by leverage scores (CSSP)
//	tpower             support of the first truncated-power eigenvector (TPower)
//	convex_relaxation  Fantope projection and selection by ADMM (ConvexRelaxation)
//	brute_force        every support (BruteForce)
//
// Deflate, the paper's TPower (D), finds m vectors with supports of their own.
// That is no Solution, and so it is a function here but no method of Solve.
//
// # Conventions
//
// Letters, ties, signs and tolerances are those of package solver. Whatever a
// method's own W is, a Solution is refitted: its Loadings are the leading
// eigenvectors on the support that the method chose, which can only gain.
// Trace keeps the method's own objectives. Where a method is no ascent, Trace
// may fall, and its return to an earlier point is found and reported as
// solver.Cycle. Nothing here is random but RandomStart, which has a seed.
//
// # Cost
//
// Steps of SOAP, SRT and TPower are products with k non-zero rows. FPS and
// BruteForce need the d×d entries; each step of FPS is a partial eigenvalue
// decomposition, and BruteForce goes through C(d, k) supports.
//
// # References
//
// Each function cites its source. The comparison is that of
// L. Tian, F. Nie, R. Wang and X. Li, Learning Feature Sparse Principal Subspace,
// NeurIPS 2020.
package baseline
