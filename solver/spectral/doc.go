// Package spectral computes leading eigenpairs of symmetric matrices and
// operators.
package spectral
