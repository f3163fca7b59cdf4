package selector

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/solver"
	"github.com/fspca/fspca/transformer"
)

// Model is a fitted selection: the k columns and the m components on them. It is immutable and
// safe for concurrent use; its accessors return copies. It holds only what the chosen columns
// need, so its size is O(k·m) and does not depend on d.
type Model struct {
	options  Options // without Progress
	rows     int     // n; 0 when fitted from a covariance
	weight   float64 // the sum of the weights of the rows; 0 without
	spent    float64 // what the chosen columns cost; 0 without costs
	columns  int     // d
	constant []string
	reading  dataset.Reading // of the rows

	support  []int      // ascending
	features []string   // their names
	loadings *mat.Dense // k×m
	mean     []float64  // of the chosen columns; nil if none is subtracted
	scale    []float64  // of the chosen columns; nil if they are not divided

	variances  []float64 // per component, descending unless aligned
	objective  float64
	leading    float64 // Tr(A_m)
	total      float64 // Tr(A)
	bound      float64
	source     solver.BoundSource // "" where a file does not say
	proved     bool
	nodes      int
	route      solver.Route // "" where a file does not say
	reason     string       // why that route; "" where it was read from a file
	trace      []float64
	iterations int
	status     solver.Status

	stability *Stability // nil if it was not asked for
	ledger    *ledger    // likewise

	training  *training  // nil without rows, and where a file does not say
	alignment *Alignment // nil if the components follow no other model's

	figures *Reconstruction // nil where a file does not say
	scree   *Scree          // nil where it was not computed
	rebuilt *rebuilt        // nil if it was not asked for
	decoder *mat.Dense      // k×m, D on the chosen columns; nil with the criterion variance

	mistakes []dataset.Warning // of the fit; not in files

	projection *solver.Projection // of a row of the chosen columns
}

// fitted returns an error for a zero Model, which holds nothing.
func (m *Model) fitted() error {
	if m == nil || m.loadings == nil {
		return fmt.Errorf("fspca: the model is empty: %w", transformer.ErrNotFitted)
	}
	return nil
}

// prepare derives what Project needs.
func (m *Model) prepare() {
	var directions mat.Dense
	directions.Apply(func(i, _ int, w float64) float64 { return w / at(m.scale, i, 1) }, m.loadings)
	m.projection = solver.NewProjection(&directions, m.mean)
}

// Options returns the options of the fit, with defaults spelled out and without Progress.
func (m *Model) Options() Options {
	o := m.options
	if o.Effort == "" && o.Method == string(solver.MethodIPU) {
		o.Effort = string(solver.EffortIPU) // an old file: there was no other
	}
	return o.Resolved()
}

// Rows returns n, the number of rows that the model was fitted on; 0 if it was fitted on a
// covariance.
func (m *Model) Rows() int { return m.rows }

// Columns returns d, the number of numeric feature columns that the model chose from.
func (m *Model) Columns() int { return m.columns }

// Constant returns the names of the columns that did not vary in the data of the fit, by the rule of
// transformer.ConstantColumns, in file order. Such a column is chosen only when k exceeds the number
// of the others (with Options.Uncentered it counts like any other).
func (m *Model) Constant() []string { return slices.Clone(m.constant) }

// Reading returns how the table of the fit was read from its file. Give it to
// dataset.ReadOptions.As to read new data in the same way. It is the zero value if the table was
// not read from a file, or was read without options.
func (m *Model) Reading() dataset.Reading { return m.reading }

// Support returns the indices of the k chosen columns among the numeric feature columns, counted
// from 0, ascending.
func (m *Model) Support() []int { return slices.Clone(m.support) }

// Features returns the names of the chosen columns, in the order of Support.
func (m *Model) Features() []string { return slices.Clone(m.features) }

// Criterion returns what the choice maximizes: "variance" or "reconstruction".
func (m *Model) Criterion() string { return m.options.criterion() }

// Components returns W (d×m); its rows of columns that were not chosen are 0. Its columns are orthonormal
// or, with the criterion reconstruction, give scores of variance 1. The entry of largest magnitude of each
// component is positive. With Options.Standardize W refers to the standardised columns.
func (m *Model) Components() *mat.Dense {
	if m.loadings == nil {
		return new(mat.Dense)
	}
	_, c := m.loadings.Dims()
	w := mat.NewDense(m.columns, c, nil)
	for i, row := range m.support {
		w.SetRow(row, m.loadings.RawRowView(i))
	}
	return w
}

// Loadings returns the k×m block of W on the chosen columns, in the order of Support.
func (m *Model) Loadings() *mat.Dense {
	if m.loadings == nil {
		return new(mat.Dense)
	}
	return mat.DenseCopyOf(m.loadings)
}

// Mean returns the means of the k chosen columns, which Project subtracts; nil with
// Options.Uncentered and after FitCovariance.
func (m *Model) Mean() []float64 { return slices.Clone(m.mean) }

// Scale returns the numbers by which Project divides the k chosen columns after it subtracts the
// mean; nil without Options.Standardize. It is 1 for a column that is constant in the data of the
// fit.
func (m *Model) Scale() []float64 { return slices.Clone(m.scale) }

// ExplainedVariance returns the variance of each of the m components, descending, or with Options.Align
// in the order of the older model. They are
// uncorrelated and W is orthonormal, so the variances add up exactly to Objective.
func (m *Model) ExplainedVariance() []float64 { return slices.Clone(m.variances) }

// ExplainedVarianceRatio returns Objective divided by TotalVariance: the share of the variance of all
// columns that the m components explain.
func (m *Model) ExplainedVarianceRatio() float64 { return m.objective / m.total }

// ExplainedVarianceRatios returns ExplainedVariance divided by TotalVariance.
func (m *Model) ExplainedVarianceRatios() []float64 {
	return lists.Map(m.variances, func(v float64) float64 { return v / m.total })
}

// NormalizedExplainedVariance returns Objective divided by LeadingVariance: the share of dense PCA's
// variance that is kept, at most 1 up to rounding.
func (m *Model) NormalizedExplainedVariance() float64 { return m.objective / m.leading }

// Objective returns Tr(WᵀAW), the variance that all components explain together.
func (m *Model) Objective() float64 { return m.objective }

// LeadingVariance returns Tr(A_m), the variance that dense PCA with m components explains.
func (m *Model) LeadingVariance() float64 { return m.leading }

// TotalVariance returns Tr(A), the sum of the variances of all d columns.
func (m *Model) TotalVariance() float64 { return m.total }

// Iterations returns the number of steps of the solver from the start that won.
func (m *Model) Iterations() int { return m.iterations }

// Route says in which form the solver worked with A; "" in a model from a file that does not say.
func (m *Model) Route() solver.Route { return m.route }

// RouteReason says in a few words why the solver took that route; "" in a model from a file,
// which does not hold it.
func (m *Model) RouteReason() string { return m.reason }

// Nodes returns the number of subproblems that the effort "exact" examined.
func (m *Model) Nodes() int { return m.nodes }

// Status says how the fit ended.
func (m *Model) Status() solver.Status { return m.status }

// Trace returns the objective at the start and after each step.
func (m *Model) Trace() []float64 { return slices.Clone(m.trace) }
