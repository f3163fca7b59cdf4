package transformer

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/sjwhitworth/golearn/base"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/files"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/saved"
)

const onColumnsStep = saved.OnColumns

// OnColumns applies a step to some columns; the others pass through.
//
// An entry of Columns is a name, a pattern in which * stands for any text and ? for one character, or
// "numeric" or "categorical" for all columns of that kind. If a column has exactly that name, the
// entry means this column. An entry that matches no column is an error in Fit.
//
// An output of the step with the name of a chosen column takes the place of that column. Any other
// output follows the output before it, and the first one takes the place of the first chosen column.
// It is an error in Fit if an output has the name of a column that passes through, or of the class.
type OnColumns struct {
	Columns []string
	// New makes the step, not fitted, with the same options at each call.
	New func() Transformer

	fitted[*onColumnsState]
}

var _ Transformer = (*OnColumns)(nil)

type onColumnsState struct {
	wanted  []string // Columns
	chosen  []string
	inputs  []column
	outputs []onOutput
	step    Transformer // nil where Narrow left nothing of it
}

func (s *onColumnsState) takes() []column { return s.inputs }

func (s *onColumnsState) gives() []string {
	return lists.Map(s.outputs, onOutput.name)
}

// onOutput is an output: of the step, or a column that passes through.
type onOutput struct {
	Name   string `json:"name"`
	Passes bool   `json:"passes,omitempty"`
}

func (o onOutput) name() string { return o.Name }
func (o onOutput) passes() bool { return o.Passes }

// Step returns the fitted step, which must not be fitted again; nil before Fit, and if Narrow left
// nothing of it.
func (c *OnColumns) Step() Transformer {
	if c.state == nil {
		return nil
	}
	return c.state.step
}

// Chosen returns the columns that the step was fitted to, in the order of the table; nil before Fit. Narrow
// does not change them.
func (c *OnColumns) Chosen() []string {
	if c.state == nil {
		return nil
	}
	return slices.Clone(c.state.chosen)
}

// Fit is FitContext without a limit.
func (c *OnColumns) Fit(grid base.FixedDataGrid) error {
	return c.FitContext(context.Background(), grid)
}

// FitContext finds the columns and fits a new step to them, with the context if the step takes one.
func (c *OnColumns) FitContext(ctx context.Context, grid base.FixedDataGrid) error {
	return c.FitBy(ctx, grid, nil, nil)
}

// FitBy is FitContext for a caller that keeps what several fits have in common: pick gives the columns of
// these names as Frame.Pick does, and fit fits the new step to them. Either may be nil.
func (c *OnColumns) FitBy(ctx context.Context, grid base.FixedDataGrid,
	pick func(f *dataset.Frame, names []string) (*dataset.Frame, error), fit func(context.Context, Transformer, *dataset.Frame) error) error {
	if pick == nil {
		pick = (*dataset.Frame).Pick
	}
	if fit == nil {
		fit = fitStep
	}
	f, err := open(onColumnsStep, grid)
	if err != nil {
		return err
	}
	at, err := choose(onColumnsStep, f, c.Columns)
	if err != nil {
		return err
	}
	step, err := c.newStep()
	if err != nil {
		return err
	}
	part, err := pick(f, lists.At(f.Names(), at))
	if err == nil && part == nil {
		err = errors.New("no columns were picked")
	}
	if err != nil {
		return fmt.Errorf("%s: %w", onColumnsStep, err)
	}
	if err := fit(ctx, step, part); err != nil {
		return err
	}
	s := &onColumnsState{wanted: slices.Clone(c.Columns), chosen: part.Names(), step: step}
	if s.outputs, err = s.arrange(f); err != nil {
		return err
	}
	s.inputs = s.needs(schema(f))
	c.state = s
	return nil
}

// newStep returns a step to fit.
func (c *OnColumns) newStep() (Transformer, error) {
	if c.New == nil {
		return nil, errors.New("columns: there is no step to apply: set New")
	}
	step := c.New()
	if files.Absent(step) {
		return nil, errors.New("columns: there is no step to apply")
	}
	return step, nil
}

// fitStep fits a step, under the context if it takes one.
func fitStep(ctx context.Context, step Transformer, part *dataset.Frame) error {
	if limited, ok := step.(interface {
		FitContext(context.Context, base.FixedDataGrid) error
	}); ok {
		return limited.FitContext(ctx, part)
	}
	return step.Fit(part)
}

// arrange returns the outputs in order.
func (s *onColumnsState) arrange(f *dataset.Frame) ([]onOutput, error) {
	chosen, present := lists.Set(s.chosen), lists.Set(f.Names())
	after := make(map[string][]string) // of a chosen column, the outputs that stand in its place
	anchor := s.chosen[0]
	var problems []error
	for _, name := range s.step.Outputs() {
		if chosen[name] {
			anchor = name
		}
		after[anchor] = append(after[anchor], name)
		if name == f.ClassName() || !chosen[name] && present[name] {
			problems = append(problems, fmt.Errorf("%s: the step gives a column %q, and the table has another of that name: rename it", onColumnsStep, name))
		}
	}
	var out []onOutput
	for _, name := range f.Names() {
		if !chosen[name] {
			out = append(out, onOutput{name, true})
		}
		for _, made := range after[name] {
			out = append(out, onOutput{Name: made})
		}
	}
	return out, errors.Join(problems...)
}

// needs returns those of the columns that the outputs are made from.
func (s *onColumnsState) needs(of []column) []column {
	used := lists.Set(lists.Map(lists.Where(s.outputs, onOutput.passes), onOutput.name))
	if s.step != nil {
		for _, name := range s.step.Inputs() {
			used[name] = true
		}
	}
	return lists.Where(of, func(c column) bool { return used[c.Name] })
}

// Transform applies the step to its columns and passes the others, and the class, through.
func (c *OnColumns) Transform(grid base.FixedDataGrid) (base.FixedDataGrid, error) {
	return c.transform(onColumnsStep, grid)
}

func (s *onColumnsState) transform(grid base.FixedDataGrid) (base.FixedDataGrid, error) {
	f, err := take(onColumnsStep, grid, s.inputs)
	if err != nil {
		return nil, err
	}
	made := f
	if s.step != nil {
		out, err := s.step.Transform(f)
		if err != nil {
			return nil, err
		}
		if made, err = dataset.FromGrid(out); err == nil {
			err = s.keeps(f, made)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", onColumnsStep, err)
		}
	}
	return s.merge(f, made)
}

// keeps returns an error if the step made other rows than those of f, or not the columns that it names as its
// outputs.
func (s *onColumnsState) keeps(f, made *dataset.Frame) error {
	if made.Rows() != f.Rows() {
		return fmt.Errorf("the step makes %d rows of %d, but steps keep the rows", made.Rows(), f.Rows())
	}
	there, missing := lists.Set(made.Names()), &dataset.MissingColumnsError{What: "the output of the step"}
	for _, o := range s.outputs {
		if !o.Passes && !there[o.Name] {
			missing.Missing = append(missing.Missing, o.Name)
		}
	}
	if missing.Missing != nil {
		return missing
	}
	return nil
}

// merge puts the columns of f that pass through beside those that the step made.
func (s *onColumnsState) merge(f, made *dataset.Frame) (base.FixedDataGrid, error) {
	passing, others := lists.Index(f.NumericNames()), lists.Index(made.NumericNames())
	var cols []dataset.Column
	var sources []*dataset.Frame
	var places []int
	for _, o := range s.outputs {
		from, place := made, others
		if o.Passes {
			from, place = f, passing
		}
		c := dataset.Column{Name: o.Name, Factor: from.Factor(o.Name)}
		cols = append(cols, c)
		if c.Factor == nil {
			sources, places = append(sources, from), append(places, place[o.Name])
		}
	}
	var y *mat.Dense
	if sources != nil {
		y = mat.NewDense(f.Rows(), len(sources), nil)
		cells := make([]float64, f.Rows())
		for j, from := range sources {
			y.SetCol(j, mat.Col(cells, places[j], from.Numeric()))
		}
	}
	return assemble(onColumnsStep, f, y, cols)
}

// Narrow returns a copy for the named outputs alone.
func (c *OnColumns) Narrow(outputs []string) (Transformer, error) {
	return narrowed(&OnColumns{slices.Clone(c.Columns), c.New, c.fitted}, onColumnsStep, outputs)
}

func (s *onColumnsState) narrow(at []int) (*onColumnsState, error) {
	n := &onColumnsState{wanted: s.wanted, chosen: s.chosen, outputs: lists.At(s.outputs, at)}
	made := lists.Where(n.outputs, func(o onOutput) bool { return !o.Passes })
	if made != nil {
		var err error
		n.step, err = s.step.Narrow(lists.Map(made, onOutput.name))
		if err == nil && files.Absent(n.step) {
			err = errors.New("columns: the method Narrow of the step returned nil and no error")
		}
		if err != nil {
			return nil, err
		}
	}
	n.inputs = n.needs(s.inputs)
	return n, nil
}
