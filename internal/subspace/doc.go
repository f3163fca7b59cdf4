// Package subspace holds the rules that all methods share: which rows of a
// matrix are kept, and which of equals; how columns are made orthonormal; how
// eigenvalues are projected on the Fantope. Every rule stands here once.
package subspace
