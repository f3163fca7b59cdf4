// Package spectral computes leading eigenpairs of symmetric matrices and
// operators: a few of the largest eigenvalues with their vectors, without the
// full decomposition.
//
//	p, err := spectral.Leading(a, 10)             // a is a mat.Symmetric
//	p, err := spectral.Krylov(ctx, op, 10, s)     // op multiplies, no matrix
//	p, err := spectral.Refine(ctx, a, 10, s)      // from s.Start, a subspace near
//
// # Conventions
//
// "Leading" means algebraically largest. Values are in descending order. Vectors
// are the columns of an order×m matrix, orthonormal to 10⁻¹³. Their signs are
// arbitrary but deterministic: the same input and seed give the same bytes for any
// GOMAXPROCS. Only the upper triangle of a matrix is read, and a matrix is never
// changed. It may have any scale: the work is done on a copy that is scaled by a
// power of two to about 1.
//
// Every pair has an upper bound of its residual ‖A·v − λ·v‖₂, and some eigenvalue
// of A lies within that bound of λ. Pairs.Certified and the comments of Krylov and
// Refine say whether a leading pair may have been missed. The values of an
// iteration never sum to more than the leading eigenvalues: the vectors are
// orthonormal, and the values are what they explain.
//
// # How, and at what cost
//
// Direct (Leading, Full, Values). Householder reduction to tridiagonal form takes
// 4/3·n³ flop. Up to order 448 one sweep updates the matrix and multiplies it with
// the next reflection; above that, panels of 32 are used. A few values come from
// Sturm counts, with the slope of the determinant once a value is alone in its
// bracket. Their vectors come from inverse iteration, with explicit orthogonality
// within a block. Many vectors come from divide and conquer with recomputed
// weights, which keeps them orthogonal, at up to 4/3·n³ flop in products. It also
// replaces inverse iteration where that fails. The reflections cost 2·n² flop per
// vector (2·n³ in panels for all).
//
// Iterative (Krylov, Refine). Block Lanczos with full reorthogonalisation, in
// blocks of 16 columns (more for m > 16, at most 64). Thick restarts limit the
// memory to m plus 12 blocks. If a block loses rank, random columns are added. A
// pass is one product with a block, plus 8·16·n flop per basis vector. To find
// eigenvalues with more copies than a block has columns, the iteration starts again
// from random columns when the rest has converged.
//
// # References
//
// Golub and Van Loan, Matrix Computations, 4th edition, chapters 8 and 10.
// Parlett, The Symmetric Eigenvalue Problem, chapters 4, 7, 11 and 13.
// Gu and Eisenstat, A divide-and-conquer algorithm for the symmetric
// tridiagonal eigenproblem, SIAM J. Matrix Anal. Appl. 16, 1995.
// Li, Solving secular equations stably and efficiently, LAPACK working note 89.
// Demmel, Dhillon and Ren, On the correctness of some bisection-like parallel
// eigenvalue algorithms in floating point arithmetic, ETNA 3, 1995.
// Wu and Simon, Thick-restart Lanczos method for large symmetric eigenvalue
// problems, SIAM J. Matrix Anal. Appl. 22, 2000.
package spectral
