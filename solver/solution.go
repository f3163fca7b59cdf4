package solver

import (
	"errors"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/subspace"
)

// Solution is a feasible point of max Tr(WᵀAW), WᵀW = I, ‖W‖₂,₀ ≤ k, with its
// bound and status.
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

	// Told is the variance of all d columns that the components explain by least
	// squares: the trace of AW(WᵀAW)†WᵀA. It is 0 if the last step did not compute
	// it.
	Told float64

	// Block is A_SS, k×k, where the last step has computed it and k is at most 448;
	// nil otherwise. Path and FeaturesForTarget do not keep it.
	Block *mat.SymDense

	Iterations int // steps done from the start that won
	Status     Status

	Route       Route  // the form in which A was worked with
	RouteReason string // why, in a few words; "" for an operator from outside

	LeadingVariance float64 // Tr(A_m), what dense PCA with m components explains
	TotalVariance   float64 // Tr(A)

	// UpperBound is at least the objective of every permitted support of k
	// indices. It includes floating-point error, for the entries of A as they are
	// formed. It presumes that A is semidefinite within the limits of NewMatrix.
	UpperBound float64

	// BoundSource says what proves UpperBound.
	BoundSource BoundSource

	// Gap is (UpperBound − Objective)/Objective: the share by which the best
	// support can at most be better.
	Gap float64

	// Proved says that no permitted support is better: Gap is at most 1e-10.
	// Status is then Proved.
	Proved bool

	Nodes int // subproblems that branch and bound has examined
}

// certify takes b as the upper bound. It is no lower than the objective and the
// rounding error of that. Fewer columns than asked for prove nothing.
func (s *Solution) certify(b bound) {
	own := min(sumError(2*len(s.Support), s.Objective), ProvedGap/2*s.Objective)
	s.UpperBound = max(b.value, s.Objective+own)
	s.BoundSource = b.source
	s.Gap = subspace.Gap(s.UpperBound, s.Objective)
	if s.Proved = s.Gap <= ProvedGap && s.Status != NoneFound; s.Proved {
		s.Status = Proved
	}
}

// Prove records that a search or a theorem covers all supports: the objective
// becomes the upper bound, up to rounding.
func (s *Solution) Prove(source BoundSource) { s.certify(bound{s.Objective, source}) }

// Scale multiplies all variances of the solution by f > 0.
func (s *Solution) Scale(f float64) {
	if f == 1 {
		return
	}
	s.Values, s.Trace = times(s.Values, f), times(s.Trace, f)
	if s.Block != nil {
		scaled := new(mat.SymDense)
		scaled.ScaleSym(f, s.Block)
		s.Block = scaled
	}
	for _, v := range []*float64{&s.Objective, &s.LeadingVariance, &s.TotalVariance, &s.UpperBound, &s.Told} {
		*v *= f
	}
}

// check returns an error where a number is not finite: no such solution leaves
// the package.
func (s *Solution) check() error {
	numbers := append([]float64{s.Objective, s.LeadingVariance, s.TotalVariance, s.UpperBound, s.Gap, s.Told, mat.Sum(s.Loadings)}, s.Values...)
	if slices.ContainsFunc(numbers, func(v float64) bool { return v-v != 0 }) {
		return fmt.Errorf("the solution has a number that is not finite (objective %v, upper bound %v, total variance %v): divide the data by a constant", s.Objective, s.UpperBound, s.TotalVariance)
	}
	return nil
}

// cutoff is the bound at which nothing is left to find above value: far enough
// below ProvedGap for the rounding of a gap.
func cutoff(value float64) float64 { return value * (1 + 0.9*ProvedGap) }

// fits returns an error unless s is a solution for a covariance of order d.
func (s *Solution) fits(d int) error {
	if s == nil || s.Loadings == nil || s.Loadings.IsEmpty() {
		return errors.New("there is no solution")
	}
	k := len(s.Support)
	if r, m := s.Loadings.Dims(); r != k || m != len(s.Values) {
		return fmt.Errorf("the solution has loadings %d×%d for %d columns and %d values", r, m, k, len(s.Values))
	}
	for p, j := range s.Support {
		if j < 0 || j >= d || p > 0 && j <= s.Support[p-1] {
			return fmt.Errorf("the solution is not of this covariance of order %d: its support is %v", d, s.Support)
		}
	}
	return nil
}

// W returns the d×m matrix whose rows are those of Loadings on the support
// and zero elsewhere. It panics unless s is a solution for d columns.
func (s *Solution) W(d int) *mat.Dense {
	_, m := s.Loadings.Dims()
	w := mat.NewDense(d, m, nil)
	for i, row := range s.Support {
		w.SetRow(row, s.Loadings.RawRowView(i))
	}
	return w
}
