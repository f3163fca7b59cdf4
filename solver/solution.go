package solver

import "gonum.org/v1/gonum/mat"

// Solution is a feasible point of max Tr(WᵀAW), WᵀW = I, ‖W‖₂,₀ ≤ k, and what
// is known of it.
type Solution struct {
	// Support holds the k chosen indices, ascending.
	Support []int

	// Loadings is the k×m block of W on the support: orthonormal columns, the
	// leading eigenvectors of A_SS, with the entry of largest magnitude in
	// each column positive.
	Loadings *mat.Dense

	// Values holds the m leading eigenvalues of A_SS, descending: the
	// variance that each component explains.
	Values []float64

	// Objective is Tr(WᵀAW), the sum of Values.
	Objective float64

	// Trace is the objective at the (feasible) start and after each step. It
	// never falls where the method is an ascent, as Go and IPU are.
	Trace []float64

	Iterations int // steps done from the start that won
	Status     Status

	Route Route // the form in which A was worked with

	LeadingVariance float64 // Tr(A_m), what dense PCA with m components explains
	TotalVariance   float64 // Tr(A)

	// UpperBound is a number that no support of k indices exceeds.
	UpperBound float64
}

// W returns the d×m matrix whose rows are those of Loadings on the support
// and zero elsewhere.
func (s *Solution) W(d int) *mat.Dense {
	_, m := s.Loadings.Dims()
	w := mat.NewDense(d, m, nil)
	for i, row := range s.Support {
		w.SetRow(row, s.Loadings.RawRowView(i))
	}
	return w
}
