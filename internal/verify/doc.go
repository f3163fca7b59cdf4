// Package verify checks what a model claims, by code that shares none with the
// solver: eigenvalues are gonum's, sums are plain loops, and no kernel, no
// package of the solver and no search is imported.
//
// A is the d×d covariance, S the support, K_m the sum of the m largest
// eigenvalues. Columns must be centred and divided as the data say, and components
// orthonormal. The objective must be K_m(A_SS), and the upper bound must hold. So
// must the figures beside the choice, such as ranges, R² and the decoder, but for
// those that are drawn at random. A certificate
// is a tree of subproblems, each with what closes it; checking it takes one
// evaluation of a bound for each of its ends.
package verify
