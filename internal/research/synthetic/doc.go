// Package synthetic makes the six kinds of covariance on which the paper
// compares methods (its Table 1, "schemes" A to F), from a seed.
//
//	a, err := synthetic.Instance{Scheme: "D", Basis: synthetic.Haar, Seed: 1, Index: 7}.Matrix()
//
// A to D have fixed eigenvalues and a random eigenspace; E and F are XXᵀ for
// a square X of independent uniform or Gaussian entries, not centred, as the
// paper defines them.
//
// # What the paper leaves open
//
// "Generate the eigenspace randomly" has several readings, and Basis names
// three: Haar (every orthogonal matrix equally likely), Uniform (Q of a matrix
// with entries from U[0, 1]), Singular (the left singular vectors of such). In
// the last two the first vector is close to that of ones. Scheme A
// has a double leading eigenvalue, for which the basis that an eigensolver
// returns matters; GeneralLeading gives that of a solver that does not know
// that its matrix is symmetric.
//
// # Conventions
//
// An instance is a function of its fields alone. Instances with different
// fields use unrelated streams of random numbers.
//
// # Reference
//
// L. Tian, F. Nie, R. Wang and X. Li, Learning Feature Sparse Principal Subspace,
// NeurIPS 2020,
// Table 1 and Section 5.1; A and B come from Z. Wang, H. Lu, H. Liu: Tighten
// after Relax, 2014.
package synthetic
