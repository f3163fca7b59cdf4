package selector

import (
	"encoding/json"

	"github.com/fspca/fspca/solver"
)

// Summary is a model in the form that the command line prints as JSON. The names of its fields are
// stable.
type Summary struct {
	Features   []string `json:"features"`   // names of the k chosen columns
	Support    []int    `json:"support"`    // their indices among the numeric feature columns, from 0, ascending
	Components int      `json:"components"` // m

	Objective                   float64   `json:"objective"`                     // Tr(WᵀAW)
	ExplainedVariance           []float64 `json:"explained_variance"`            // per component, descending
	ExplainedVarianceRatios     []float64 `json:"explained_variance_ratios"`     // the same over total_variance
	ExplainedVarianceRatio      float64   `json:"explained_variance_ratio"`      // their sum, objective over total_variance
	NormalizedExplainedVariance float64   `json:"normalized_explained_variance"` // objective over leading_variance
	LeadingVariance             float64   `json:"leading_variance"`              // Tr(A_m), what dense PCA explains
	TotalVariance               float64   `json:"total_variance"`                // Tr(A)

	UpperBound  float64            `json:"upper_bound"`            // no permitted choice of k columns has a larger objective
	Gap         float64            `json:"gap"`                    // of the objective below upper_bound, relative to it
	Proved      bool               `json:"proved"`                 // no permitted choice is better
	BoundSource solver.BoundSource `json:"bound_source,omitempty"` // what proves upper_bound

	Iterations int           `json:"iterations"`
	Status     solver.Status `json:"status"`
	Trace      []float64     `json:"trace"`           // the objective at the start and after each step
	Nodes      int           `json:"nodes"`           // subproblems that the effort "exact" examined
	Route      solver.Route  `json:"route,omitempty"` // the form in which the solver worked with A

	Rows            int       `json:"n_rows"`           // 0 when fitted from a covariance
	Weight          float64   `json:"weight,omitempty"` // the sum of the weights of the rows, where they have any
	Columns         int       `json:"n_columns"`        // d
	ConstantColumns []string  `json:"constant_columns"` // names of the columns that do not vary
	Options         Options   `json:"options"`
	Mean            []float64 `json:"mean"`  // of the chosen columns; null if none is subtracted
	Scale           []float64 `json:"scale"` // of the chosen columns; null if they are not divided

	Criterion      string          `json:"criterion"`                // "variance" or "reconstruction"
	Reconstruction *Reconstruction `json:"reconstruction,omitempty"` // how well the choice predicts all columns
	Warnings       []string        `json:"warnings,omitempty"`       // sentences about the choice
	Scree          *Scree          `json:"scree,omitempty"`          // the variances of PCA on all columns

	Cost      *SpentSummary `json:"cost,omitempty"`      // what the chosen columns cost
	Alignment *Alignment    `json:"alignment,omitempty"` // how far the components follow an older model's

	Stability *Stability `json:"stability,omitempty"` // with options.bootstrap

	Ledger []LedgerEntry `json:"ledger,omitempty"` // why each column is in or out; with options.ledger

	W [][]float64 `json:"w"` // k rows of m loadings
}

// MarshalJSON leaves out upper_bound, gap and proved if no bound was asked for.
func (s Summary) MarshalJSON() ([]byte, error) {
	if s.Options.unbounded() {
		return json.Marshal(struct {
			plainSummary
			UpperBound *float64 `json:"upper_bound,omitempty"` // hide those of the embedded one
			Gap        *float64 `json:"gap,omitempty"`
			Proved     *bool    `json:"proved,omitempty"`
		}{plainSummary: plainSummary(s)})
	}
	return json.Marshal(plainSummary(s))
}

type plainSummary Summary // without methods

// Summary returns the model as a Summary.
func (m *Model) Summary() Summary {
	bound := m.Bound()
	s := Summary{
		Features: m.Features(), Support: m.Support(), Components: len(m.variances),

		Objective: m.objective, LeadingVariance: m.leading, TotalVariance: m.total,
		ExplainedVariance: m.ExplainedVariance(), ExplainedVarianceRatios: m.ExplainedVarianceRatios(),
		ExplainedVarianceRatio: m.ExplainedVarianceRatio(), NormalizedExplainedVariance: m.NormalizedExplainedVariance(),

		UpperBound: bound.Upper, Gap: bound.Gap, Proved: bound.Proved, BoundSource: bound.Source,
		Iterations: m.iterations, Status: m.status, Trace: m.Trace(), Nodes: m.nodes, Route: m.route,

		Rows: m.rows, Weight: m.weight, Columns: m.columns, ConstantColumns: append([]string{}, m.constant...),
		Options: m.Options(), Mean: m.Mean(), Scale: m.Scale(),

		Criterion: m.Criterion(), Reconstruction: m.Reconstruction(), Warnings: m.Warnings(), Scree: m.Scree(),
		Alignment: m.Alignment(), Stability: m.Stability(), Ledger: m.Ledger(),
	}
	if cost, budget := m.Spent(); budget > 0 {
		s.Cost = &SpentSummary{cost, budget}
	}
	w := m.Loadings()
	for i := range m.features {
		s.W = append(s.W, w.RawRowView(i))
	}
	return s
}
