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
// "Leading" is algebraically largest; values are in descending order and
// vectors are the orthonormal columns of an order×m matrix, to 10⁻¹³. Their
// signs are arbitrary but deterministic: the same input and seed give the same
// bytes whatever GOMAXPROCS. Matrices are read in their upper triangle and
// never changed. They may have any scale: work is done on a copy that a power
// of two brings near 1.
//
// Every pair comes with an upper bound of its residual ‖A·v − λ·v‖₂, and some
// eigenvalue of A lies within the bound. What besides is known, namely whether
// a leading pair may have been missed, is said by Pairs.Certified and in the
// comments of Krylov and Refine. The sum of the values of an iteration is
// never more than that of the eigenvalues: the vectors are orthonormal and
// explain as much as the values say.
//
// # How, and at what cost
//
// Direct (Leading, Full, Values). Householder reduction to tridiagonal form,
// 4/3·n³ flop: up to an order of 448 in sweeps that update the matrix and
// multiply it with the next reflection at once, above in panels of 32. A few
// values come from Sturm counts, with the slope of the determinant once a value
// is alone in its bracket, and their vectors from inverse iteration, with
// explicit orthogonality within a block. Many vectors come from divide and
// conquer with recomputed weights, which needs no such care, at up to 4/3·n³
// flop in products; so do few ones should inverse iteration not succeed. The
// reflections cost 2·n² flop per vector (2·n³ in panels for all).
//
// Iterative (Krylov, Refine). Block Lanczos with full reorthogonalisation in
// blocks of 16 columns (more for m > 16, at most 64), thick restarts that bound
// the memory to m plus 12 blocks, random columns where a block loses rank. A
// pass is one product with a block; beside it 8·16·n flop per basis vector.
// Eigenvalues with more copies than the block has columns are searched for by
// starting again from random columns when the rest has converged.
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
