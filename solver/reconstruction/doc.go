// Package reconstruction chooses the k columns from which all d columns of a
// table are rebuilt best, by m ≤ k combinations of them, and says of any choice
// what it tells of the columns that it leaves out.
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
// K_m being the sum of the m largest eigenvalues: reduced-rank regression on
// the columns of S (Izenman 1975), for m = k column subset selection or
// McCabe's principal variables. It never falls when S or m grows, and S = all
// gives dense PCA. K_m(A_SS) ≤ f_m(S) ≤ K_m(A): FSPCA's objective is a lower
// bound of it. A column that the others in S span to within 1e-8 of its variance
// adds nothing, so that copies never are predictors of each other's rounding.
//
// # The solution
//
// A solver.Solution. Its Loadings are V (k×m) with VᵀA_SSV = I and AV
// orthogonal: scores z = Vᵀ(x_S − μ_S) are uncorrelated and have variance 1.
// All columns are rebuilt as μ + Dz with D = A_·S·V (Decoder), and DᵀD =
// diag(Values). V is not orthonormal; with S = all its columns are those of PCA
// divided by the root of the component's variance. Objective is f_m(S),
// LeadingVariance K_m(A), and UpperBound, Gap and Proved speak of f_m.
//
// # Search and certificates
//
// The default search grows a support greedily (Farahat, Ghodsi and Kamel 2011)
// and exchanges columns as long as one exchange of all k(d−k) gains more than
// 1e-10 of the value; for m < k, where exchanges are ranked by an estimate, of
// those ranked first. Where that is cheap (d·k² < 2²⁰) it does so from a pivoted
// QR of the leading eigenvectors, from FSPCA's support and from up to 20 random
// ones too. EffortThorough takes at least 20 and then shakes the best.
// EffortExact is best-first branch and bound: with I chosen and F open,
//
//	f_k(S) ≤ f_k(I) + K_q(Γ_F), Γ_F = E_·F·E_FF†·E_F·, q = k − |I|,
//
// E being the residual covariance after I; for m < k also f_m(S) ≤ f_m(I ∪ F).
//
// UpperBound includes what rounding can add, to first order: the relative error
// of a step's gain is 2⁻⁵⁰ times the share of its variance that the column has
// lost, times the number of steps. Proved says that UpperBound, this included,
// is at most Objective·(1 + 1e-10): a nearly singular A_SS leaves an optimum
// unproved, and Gap says by how much. A column that the open ones span to within
// 1e-8 but not to rounding is taken to stand for a direction of its own.
//
// Limits that columns must meet together (solver.Limits) hold in all of it:
// bounds are of permitted supports or of a larger set. Where no k columns were
// found that may stand together, the status is solver.NoneFound and the support
// holds the most that were.
//
// # Cost
//
// Of A: its diagonal and that of A² (solver.ColumnSquares), two products for
// each column that is looked at, leading eigenpairs. A step of greedy takes
// O(dk), the table of all exchanges O(dk²); for m < k up to k decompositions of
// order k and O(dkm). EffortExact needs the d×d matrix.
//
// # References
//
// A. Izenman: Reduced-rank regression for the multivariate linear model, J.
// Multivariate Analysis 5 (1975). G. McCabe: Principal variables, Technometrics
// 26 (1984). A. Farahat, A. Ghodsi, M. Kamel: An efficient greedy method for
// unsupervised feature selection, ICDM 2011. H. Arai, C. Maung, H. Schweitzer:
// Optimal column subset selection by A-star search, AAAI 2015.
package reconstruction
