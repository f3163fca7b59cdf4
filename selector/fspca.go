package selector

import (
	"fmt"
	"slices"

	"github.com/sjwhitworth/golearn/base"

	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/spelling"
	"github.com/fspca/fspca/transformer"
)

// FSPCA is the estimator. It chooses Features columns, shared by all Components, and keeps the
// result as a Model. It is a transformer.Transformer. Set the options, call Fit or one of its
// siblings, then use Transform, or take the Model.
//
// Fit must not run beside other methods of the same value; Transform may run concurrently.
type FSPCA struct {
	Options

	state *state // nil before Fit; replaced as a whole, never changed
}

var _ transformer.Transformer = (*FSPCA)(nil)

// New returns a selector with the given options, which Fit checks.
func New(opt Options) *FSPCA { return &FSPCA{Options: opt} }

// state is a fitted selector: the model and the columns that it yields.
type state struct {
	model   *Model
	output  Output
	outputs []column
}

// newState yields all columns of the output. A chosen column with the name of a component would
// stand beside it.
func newState(m *Model, output Output) (*state, error) {
	columns := m.outputs(output)
	if output == Both {
		for _, c := range columns[len(m.features):] {
			if slices.Contains(m.features, c.name) {
				return nil, fmt.Errorf("fspca: the chosen column %q has the name of a component: rename it, or yield one of the two alone", c.name)
			}
		}
	}
	return &state{model: m, output: output, outputs: columns}, nil
}

// ours begins an error with the name of the step; nil for none.
func ours(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("fspca: %w", err)
}

func notFitted() error { return ours(transformer.ErrNotFitted) }

// Model returns what was fitted, nil before Fit. It does not change when the selector is fitted
// again.
func (s *FSPCA) Model() *Model {
	if s.state == nil {
		return nil
	}
	return s.state.model
}

// Transform returns the columns of the option Output at the time of Fit, and the class of grid, as
// a *dataset.Frame. It needs only the chosen columns of grid. They must be numeric and, for
// components, complete.
func (s *FSPCA) Transform(grid base.FixedDataGrid) (base.FixedDataGrid, error) {
	if s.state == nil {
		return nil, notFitted()
	}
	f, err := s.state.model.transform(grid, s.state.outputs)
	if err != nil {
		return nil, err
	}
	return f, nil
}

// Inputs returns the names of the columns that Transform needs, in the order of the table that was
// fitted: the chosen columns; after Narrow to some of these alone, only them. Nil before Fit.
func (s *FSPCA) Inputs() []string {
	if s.state == nil {
		return nil
	}
	return lists.At(s.state.model.features, s.state.model.needs(s.state.outputs))
}

// Outputs returns the names of the columns that Transform yields, in order; nil before Fit.
func (s *FSPCA) Outputs() []string {
	if s.state == nil {
		return nil
	}
	return namesOf(s.state.outputs)
}

// Narrow returns a selector that yields only the named outputs, in the order given. A component
// needs all k chosen columns; a chosen column needs itself alone. The Model stays whole.
func (s *FSPCA) Narrow(outputs []string) (transformer.Transformer, error) {
	if s.state == nil {
		return nil, notFitted()
	}
	narrow, err := s.state.narrow(outputs)
	if err != nil {
		return nil, err
	}
	return &FSPCA{s.Options, narrow}, nil
}

func (s *state) narrow(outputs []string) (*state, error) {
	at, err := spelling.Outputs("fspca", outputs, namesOf(s.outputs))
	if err != nil {
		return nil, err
	}
	return &state{s.model, s.output, lists.At(s.outputs, at)}, nil
}

func namesOf(columns []column) []string {
	return lists.Map(columns, func(c column) string { return c.name })
}
