package selector

import (
	"errors"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/solver"
)

// NewModel makes a model of a solution for the variance of d columns with these names, such as
// solver.Solve returns. Project subtracts mean (of length d, or nil) from the columns and divides them
// by scale (of length d, or nil). All is copied.
//
// Errors: names that are empty or used twice, a mean or scale of another length, an invalid solution;
// numbers that are not finite, and a scale that is not positive: a support that is not ascending
// within the columns, components that are not orthonormal, sums that contradict each other.
func NewModel(names []string, mean, scale []float64, solution *solver.Solution) (*Model, error) {
	if solution == nil || solution.Loadings == nil || solution.Loadings.IsEmpty() {
		return nil, errors.New("fspca: the solution is nil or has no loadings")
	}
	d := len(names)
	if d == 0 {
		return nil, errors.New("fspca: there are no names: want one for each column")
	}
	header, err := headerOf(names, d)
	if err != nil {
		return nil, err
	}
	if err := checkParts(d, mean, scale, solution); err != nil {
		return nil, err
	}
	k, c := solution.Loadings.Dims()
	o := Options{Features: k, Components: c, Standardize: scale != nil}
	t := &table{names: header.Names(), mean: mean, scale: scale}
	m := o.modelOf(t, solution)
	m.complete()
	if problems := m.check(); problems != nil {
		return nil, fmt.Errorf("fspca: the solution makes no model: %w", errors.Join(problems...))
	}
	m.prepare()
	return m, nil
}

// checkParts holds what a model of d columns is made of to their number.
func checkParts(d int, mean, scale []float64, solution *solver.Solution) error {
	for i, list := range [][]float64{mean, scale} {
		if list != nil && len(list) != d {
			return fmt.Errorf("fspca: the %s has %d numbers for %d columns", []string{"mean", "scale"}[i], len(list), d)
		}
	}
	for _, j := range solution.Support {
		if j < 0 || j >= d {
			return fmt.Errorf("fspca: the support holds column %d, but the columns are 0 to %d", j, d-1)
		}
	}
	k, c := solution.Loadings.Dims()
	if k != len(solution.Support) || c != len(solution.Values) {
		return fmt.Errorf("fspca: the loadings are %d×%d: want a row for each of the %d chosen columns and a column for each of the %d values", k, c, len(solution.Support), len(solution.Values))
	}
	if !finite(mean, scale, solution.Loadings.RawMatrix().Data, solution.Values, solution.Trace,
		[]float64{solution.Objective, solution.LeadingVariance, solution.TotalVariance, solution.UpperBound}) {
		return errors.New("fspca: a number of the model is NaN or infinite")
	}
	return nil
}

// complete makes copies of what the solution holds, and adds what it may leave out.
func (m *Model) complete() {
	m.support, m.loadings = slices.Clone(m.support), mat.DenseCopyOf(m.loadings)
	m.variances, m.trace = slices.Clone(m.variances), slices.Clone(m.trace)
	if m.trace == nil {
		m.trace = []float64{m.objective}
	}
	if m.status == "" {
		m.status = solver.Converged
	}
}

// finite reports whether all numbers are.
func finite(lists ...[]float64) bool {
	return !slices.ContainsFunc(slices.Concat(lists...), func(v float64) bool { return v-v != 0 })
}
