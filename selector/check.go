package selector

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/param"
	"github.com/fspca/fspca/solver"
)

// orthonormalTolerance bounds |WᵀW − I| in a model file. Solvers reach 1e-14; what was edited or
// rounded by hand does not come near.
const orthonormalTolerance = 1e-8

// uncorrelatedTolerance bounds |VᵀD − I|, in which a nearly singular A_SS loses digits.
const uncorrelatedTolerance = 1e-6

// varianceTolerance is by how much Tr(A_m) may seem to exceed Tr(A) in a file: a given covariance may
// have eigenvalues that rounding left a little below 0.
const varianceTolerance = 0.01

// check returns what is wrong with a model that was read from a file, whose fields are all there.
func (m *Model) check() []error {
	var problems []error
	bad := func(format string, args ...any) { problems = append(problems, fmt.Errorf(format, args...)) }
	k, c, d := m.options.Features, m.options.Components, m.columns
	if err := param.Sizes(k, c, d); err != nil {
		bad("the fields \"options\" and \"data.columns\" contradict each other: %w", err)
		return problems
	}
	if d > math.MaxInt32 {
		bad("the field \"data.columns\" is %d, more columns than any table has", d)
	}
	if len(m.features) != k {
		bad("the field \"features\" has %d elements, want options.features = %d", len(m.features), k)
		return problems
	}
	if err := m.options.checkValues(); err != nil { // an older version may have kept what is not read
		bad("the field \"options\": %w", err)
	}
	if m.rows < 0 || m.rows == 1 {
		bad("the field \"data.rows\" is %d, want at least 2, or 0 for a model of a covariance", m.rows)
	}
	if m.weight != 0 && !(m.weight > 1) {
		bad("the field \"data.weight\" is %v, want the sum of the weights, above 1", m.weight)
	}
	m.checkFeatures(bad)
	m.checkSolution(bad)
	m.checkStability(bad)
	m.checkAlignment(bad)
	m.checkTraining(bad)
	m.checkLedger(bad)
	m.checkReconstruction(bad)
	m.checkScree(bad)
	m.checkDecoder(bad)
	return problems
}

func (m *Model) checkFeatures(bad func(string, ...any)) {
	seen := make(map[string]bool)
	for i, name := range m.features {
		if name == "" || seen[name] {
			bad("the field \"features[%d].name\" is %q, which is empty or stands twice", i, name)
		}
		seen[name] = true
		if j := m.support[i]; j < 0 || j >= m.columns || i > 0 && j <= m.support[i-1] {
			bad("the field \"features[%d].column\" is %d, want columns in ascending order, from 0 to below data.columns = %d", i, j, m.columns)
		}
		if m.scale != nil && !(m.scale[i] > 0) {
			bad("the field \"features[%d].scale\" is %v, want a number above 0", i, m.scale[i])
		}
	}
	if (m.scale != nil) != m.options.Standardize {
		bad("the field \"options.standardize\" is %v, but features have a scale: %v", m.options.Standardize, m.scale != nil)
	}
	if centred := m.rows > 0 && !m.options.Uncentered; (m.mean != nil) != centred && (m.rows > 0 || m.options.Uncentered) {
		bad("features have a mean: %v; want one where data.rows is above 0 and options.uncentered is false, and none where that is true", m.mean != nil)
	}
	m.checkLoadings(bad)
}

// checkLoadings holds the loadings to be orthonormal.
func (m *Model) checkLoadings(bad func(string, ...any)) {
	// With the criterion reconstruction VᵀA_SSV = VᵀD = I, otherwise WᵀW = I.
	var g mat.Dense
	tolerance := orthonormalTolerance
	if left := m.loadings; m.decoder != nil {
		tolerance = uncorrelatedTolerance
		g.Mul(left.T(), m.decoder)
	} else {
		g.Mul(left.T(), left)
	}
	for i := range m.options.Components {
		for j := range i + 1 {
			want := 0.0
			if i == j {
				want = 1
			}
			if m.decoder != nil && i == j && m.variances[i] == 0 {
				continue // a component beyond the rank
			}
			if v := g.At(i, j); math.Abs(v-want) > tolerance {
				bad("the fields \"features[].w\" are not orthonormal: the product of components %d and %d is %v, want %v", j+1, i+1, v, want)
			}
		}
	}
}

func (m *Model) checkSolution(bad func(string, ...any)) {
	known := []solver.Status{solver.Converged, solver.IterationLimit, solver.Deadline, solver.Cancelled, solver.Cycle, solver.MemoryLimit, solver.Proved, solver.NoneFound}
	if !slices.Contains(known, m.status) {
		bad("the field \"solution.status\" is %q, want one of %q", m.status, known)
	}
	if m.iterations < 0 {
		bad("the field \"solution.iterations\" is %d, want at least 0", m.iterations)
	}
	m.checkVariances(bad)
	if m.options.unbounded() {
		if m.bound != 0 || m.proved {
			bad("the solution claims a bound, and options.bound is %q", m.options.Bound)
		}
	} else if m.bound < m.objective*(1-1e-8) {
		bad("the field \"solution.upper_bound\" is %v, below solution.objective, %v", m.bound, m.objective)
	}
	if m.nodes < 0 {
		bad("the field \"solution.nodes\" is %d, want at least 0", m.nodes)
	}
	if len(m.trace) == 0 {
		bad("the field \"solution.trace\" is empty, want the objective at the start and after each step")
	}
}

// checkVariances holds the variances to their order and to their sum.
func (m *Model) checkVariances(bad func(string, ...any)) {
	if len(m.variances) != m.options.Components {
		bad("the field \"solution.explained_variance\" has %d numbers, want options.components = %d", len(m.variances), m.options.Components)
	}
	var sum float64
	for i, v := range m.variances {
		if i > 0 && v > m.variances[i-1] && m.alignment == nil {
			bad("the field \"solution.explained_variance\" is not descending: %v comes after %v", v, m.variances[i-1])
		}
		sum += v
	}
	if math.Abs(sum-m.objective) > 1e-8*math.Abs(m.objective) {
		bad("the field \"solution.objective\" is %v, want the sum of solution.explained_variance, %v", m.objective, sum)
	}
	if !(m.leading > 0) || !(m.total > 0) {
		bad("the fields \"solution.leading_variance\" and \"solution.total_variance\" are %v and %v, want numbers above 0", m.leading, m.total)
	}
	if m.objective > m.leading*(1+varianceTolerance) || m.leading > m.total*(1+varianceTolerance) {
		bad("the fields \"solution.objective\", \"solution.leading_variance\" and \"solution.total_variance\" are %v, %v and %v, want them ascending", m.objective, m.leading, m.total)
	}
}
