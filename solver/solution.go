package solver

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

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

	// UpperBound is a number that the objective of no permitted support of k
	// indices exceeds, floating-point error included. It presumes that A is
	// semidefinite within the limits that NewMatrix describes.
	UpperBound float64

	// BoundSource says what proves UpperBound.
	BoundSource BoundSource

	// Gap is (UpperBound − Objective)/Objective: the share by which the best
	// support can at most be better.
	Gap float64

	// Proved: no permitted support is better. UpperBound is then at most
	// Objective·(1 + 1e-10) beyond floating-point error, and Status is Proved.
	Proved bool

	Nodes int // subproblems that branch and bound has examined
}

// certify takes b as the upper bound, whose value does not include the
// floating-point error slack. A bound below the objective is rounding.
func (s *Solution) certify(b bound, slack float64) {
	s.Proved = closed(b.value, s.Objective, slack)
	s.UpperBound, s.BoundSource = max(b.value, s.Objective)+slack, b.source
	s.Gap = relativeGap(s.UpperBound, s.Objective)
	if s.Proved {
		s.Status = Proved
		if s.Objective <= 0 { // nothing varies
			s.Gap = 0
		}
	}
}

// Scale multiplies what is in the units of A by f, above 0.
func (s *Solution) Scale(f float64) {
	if f == 1 {
		return
	}
	s.Values, s.Trace = times(s.Values, f), times(s.Trace, f)
	for _, v := range []*float64{&s.Objective, &s.LeadingVariance, &s.TotalVariance, &s.UpperBound} {
		*v *= f
	}
}

// check returns an error where a number is not finite: no such solution leaves
// the package.
func (s *Solution) check() error {
	sum := s.Objective + s.LeadingVariance + s.TotalVariance + s.UpperBound + s.Gap + mat.Sum(s.Loadings)
	for _, v := range s.Values {
		sum += v
	}
	if sum-sum != 0 {
		return fmt.Errorf("the solution has a number that is not finite (objective %v, upper bound %v, total variance %v): divide the data by a constant", s.Objective, s.UpperBound, s.TotalVariance)
	}
	return nil
}

// relativeGap is (upper − value)/value, and for a value of 0 either 0 or the
// largest number.
func relativeGap(upper, value float64) float64 {
	switch {
	case value > 0:
		return (upper - value) / value
	case upper > value:
		return math.MaxFloat64
	}
	return 0
}

// closed reports whether an upper bound leaves nothing to find above value.
func closed(upper, value, slack float64) bool {
	return upper <= value*(1+provedTolerance)+slack
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
