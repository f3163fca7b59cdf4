// Package reconstruction chooses the k columns from which all d columns of a table
// are rebuilt best, by m ≤ k linear combinations of them. Describe measures how
// well any choice of columns rebuilds the others.
//
//	s, err := reconstruction.Solve(ctx, a, reconstruction.Params{Features: 10, Components: 10})
//	f, err := reconstruction.Describe(ctx, a, s.Support, s.Loadings, reconstruction.Question{Columns: true})
//
// # The criterion
//
// Let A be the covariance of the rows. The best approximation of all columns by
// m combinations of those in S explains
//
//	f_m(S) = K_m(A_·S·A_SS†·A_S·),
//
// K_m being the sum of the m largest eigenvalues: reduced-rank regression on the
// columns of S (Izenman 1975), for m = k column subset selection or McCabe's
// principal variables. f_m(S) never falls when S or m grows. If S holds all
// columns, it is that of dense PCA. K_m(A_SS) ≤ f_m(S) ≤ K_m(A): FSPCA's objective
// is therefore a lower bound of f_m. A column that the others in S span to within
// 1e-8 of its variance adds nothing. Copies of a column therefore never predict
// each other's rounding errors.
//
// # The solution
//
// A solver.Solution. Its Loadings are V (k×m) with VᵀA_SSV = I and AV orthogonal:
// scores z = Vᵀ(x_S − μ_S) are uncorrelated and have variance 1. All columns are
// rebuilt as μ + Dz with D = A_·S·V (Decoder), and DᵀD = diag(Values). V is not
// orthonormal. If S holds all columns, the columns of V are those of PCA divided by
// the standard deviation of the component. Objective is f_m(S), LeadingVariance is
// K_m(A), and UpperBound, Gap and Proved refer to f_m.
//
// # Search and certificates
//
// The default search grows a support greedily (Farahat, Ghodsi and Kamel 2011).
// Then it exchanges columns as long as one of the k(d−k) exchanges gains more than
// 1e-10 of the value. For m < k the exchanges are ranked by an estimate, and only
// those ranked first are tried. If that is cheap (d·k² < 2²⁰) there are more
// starts: a pivoted QR of the leading eigenvectors, FSPCA's support and up to 20
// random supports. EffortThorough takes at least 20 random supports and then
// perturbs the best result. EffortExact is best-first branch and bound. With I
// chosen and F open,
//
//	f_k(S) ≤ f_k(I) + K_q(Γ_F), Γ_F = E_·F·E_FF†·E_F·, q = k − |I|,
//
// E being the residual covariance after I; for m < k also f_m(S) ≤ f_m(I ∪ F).
//
// UpperBound includes rounding errors, to first order: the relative error of a
// step's gain is 2⁻⁵⁰ times the share of its variance that the column has lost,
// times the number of steps. Proved means that UpperBound with these errors is at
// most Objective·(1 + 1e-10). If A_SS is nearly singular, an optimum may stay
// unproved, and Gap shows what is missing. A column that the open ones span to
// within 1e-8, but not to rounding, counts as a direction of its own.
//
// All of this respects limits on which columns may be chosen together
// (solver.Limits): bounds cover the permitted supports or a larger set. If no k
// columns were found that the limits permit together, the status is
// solver.NoneFound. The support then holds the largest permitted set that was
// found.
//
// # Cost
//
// The search reads from A its diagonal, the diagonal of A² (solver.ColumnSquares),
// two products for each column that it considers, and leading eigenpairs. A greedy
// step takes O(dk), the table of all exchanges O(dk²). For m < k it adds up to k
// decompositions of order k and O(dkm). EffortExact needs the d×d matrix.
//
// # References
//
// A. Izenman: Reduced-rank regression for the multivariate linear model, J.
// Multivariate Analysis 5 (1975). G. McCabe: Principal variables, Technometrics
// 26 (1984). A. Farahat, A. Ghodsi, M. Kamel: An efficient greedy method for
// unsupervised feature selection, ICDM 2011. H. Arai, C. Maung, H. Schweitzer:
// Optimal column subset selection by A-star search, AAAI 2015.
package reconstruction
