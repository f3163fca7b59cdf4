// Package baseline holds the methods that Feature Sparse PCA is compared with. They
// have the contract of package solver: a solver.Covariance in, a solver.Solution
// out.
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
// Deflate, the paper's TPower (D), finds m vectors, each with its own support. The
// result is not a Solution, so Deflate is a function of this package but not a
// method of Solve.
//
// # Conventions
//
// Letters, ties, signs and tolerances are those of package solver. A Solution is
// always refitted: its Loadings are the leading eigenvectors on the support that
// the method chose, not the method's own W. This never lowers the objective. Trace
// holds the method's own objectives. If a method is not an ascent, Trace may fall;
// a return to an earlier point is detected and reported as solver.Cycle. Only
// RandomStart is random, and it has a seed.
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
