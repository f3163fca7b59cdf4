package spectral

import (
	"fmt"

	"gonum.org/v1/gonum/mat"
)

// Pairs holds leading eigenpairs of a symmetric matrix A, in descending order
// of the eigenvalues.
type Pairs struct {
	// Values are the m leading eigenvalues, descending.
	Values []float64

	// Vectors is order×m; its orthonormal columns belong to Values. The sign
	// of a column is deterministic and otherwise arbitrary.
	Vectors *mat.Dense

	// Residuals are upper bounds of ‖A·v_i − λ_i·v_i‖₂, rounding included.
	// An eigenvalue of A lies within Residuals[i] of Values[i].
	Residuals []float64

	// Passes counts the products with A (calls of Operator.Mul); it is 0 when
	// the matrix was decomposed directly.
	Passes int

	// Converged is true when every pair met the tolerance, or when
	// Settings.Converged said that the pairs suffice. It is false when a limit
	// was reached first; the pairs are then the best so far.
	Converged bool

	// Certified is true when it is proved that no leading pair was missed: the
	// i-th largest eigenvalue of A is at most Values[i] plus the tolerance, for
	// every i. Direct solutions are always certified.
	Certified bool
}

// checkCount says what is wrong with a demand for m of order eigenpairs.
func checkCount(m, order int) error {
	if order < 1 {
		return fmt.Errorf("spectral: the matrix is empty, at least order 1 is needed")
	}
	if m < 1 || m > order {
		return fmt.Errorf("spectral: %d eigenpairs asked of a matrix of order %d, want 1 to %d", m, order, order)
	}
	return nil
}
