package pipeline

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/sjwhitworth/golearn/base"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/files"
	"github.com/fspca/fspca/internal/golearn"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/memory"
	"github.com/fspca/fspca/selector"
	"github.com/fspca/fspca/transformer"
)

// chain is a fitted pipeline, narrowed to what its end needs.
type chain struct {
	transformers []NamedStep
	classifier   *NamedStep // nil without one
	inputs       []input
	reading      dataset.Reading // of the training rows
	class        *classInfo      // nil where the training rows had no class
	selectorAt   int             // index of the fspca step, -1 without one
	around       *around         // nil where the choice cannot be measured
	reaching     int             // columns that came to the end in Fit: to the classifier, or out of the last step
	classes      []string        // those of the classifier
	rows         *rowChain       // the chain for single rows; nil where it needs a table
}

// input is a column that a fitted pipeline needs.
type input struct {
	Name string `json:"name"`
	Kind string `json:"kind"` // numeric or categorical
}

const (
	numericKind     = "numeric"
	categoricalKind = "categorical"
)

// fitTransformer fits a step, under the context where it takes one.
func fitTransformer(ctx context.Context, t transformer.Transformer, f *dataset.Frame) error {
	if c, ok := t.(interface {
		FitContext(context.Context, base.FixedDataGrid) error
	}); ok {
		return c.FitContext(ctx, f)
	}
	return t.Fit(f)
}

func transformFrame(t transformer.Transformer, f *dataset.Frame) (*dataset.Frame, error) {
	out, err := t.Transform(f)
	if err != nil {
		return nil, err
	}
	made, err := dataset.FromGrid(out)
	if err != nil {
		return nil, err
	}
	if made.Rows() != f.Rows() {
		return nil, fmt.Errorf("the step makes %d rows of %d, but steps keep the rows", made.Rows(), f.Rows())
	}
	if made.ClassName() != f.ClassName() {
		return nil, fmt.Errorf("the step gives the class %q to rows of the class %q, but steps keep the class", made.ClassName(), f.ClassName())
	}
	return made.WithRows(f), nil // errors name those of the file
}

// narrow walks the chain backwards and leaves each step what the next one needs.
func (c *chain) narrow(f *dataset.Frame) error {
	if err := c.surround(f); err != nil {
		return err
	}
	var need []string
	err := runStep(len(c.steps())-1, c.names()[len(c.steps())-1], func() error {
		if c.classifier != nil {
			need = c.classifier.Classifier.Inputs()
		} else if n := len(c.transformers); n > 0 {
			need = c.transformers[n-1].Transformer.Outputs()
		}
		return nil
	})
	if err != nil {
		return err
	}
	if need, err = c.narrowTo(need); err != nil {
		return err
	}
	c.inputs = inputsOf(f, need)
	return c.prepare()
}

// narrowTo leaves the steps what these outputs need, and returns the columns of new data that do.
func (c *chain) narrowTo(need []string) ([]string, error) {
	for i, s := range slices.Backward(c.transformers) {
		err := runStep(i, s.Name, func() error {
			narrowed, err := s.Transformer.Narrow(need)
			if err == nil && files.Absent(narrowed) {
				err = errors.New("its method Narrow returned nil and no error")
			}
			if err == nil {
				c.transformers[i].Transformer = narrowed
				need = narrowed.Inputs()
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return need, nil
}

// inputsOf are the columns of f with these names.
func inputsOf(f *dataset.Frame, names []string) []input {
	return lists.Map(names, func(name string) input {
		if f.Factor(name) != nil {
			return input{name, categoricalKind}
		}
		return input{name, numericKind}
	})
}

// prepare derives what follows from the fitted steps. A panic of somebody's own step is an error.
func (c *chain) prepare() error {
	return golearn.Guard("preparing the fitted steps", func() error {
		c.findSelector()
		if c.classifier != nil {
			c.classes = c.classifier.Classifier.Classes()
		}
		c.rows = newRowChain(c)
		return nil
	})
}

func (c *chain) findSelector() {
	c.selectorAt = slices.IndexFunc(c.transformers, func(s NamedStep) bool { return selectorOf(s.Transformer) != nil })
}

// selectorOf returns the fspca step that t is, or that is inside of it; nil for none.
func selectorOf(t transformer.Transformer) *selector.FSPCA {
	if on, ok := t.(*transformer.OnColumns); ok {
		t = on.Step()
	}
	s, _ := t.(*selector.FSPCA)
	return s
}

func (c *chain) selector() *selector.FSPCA {
	if c.selectorAt < 0 {
		return nil
	}
	return selectorOf(c.transformers[c.selectorAt].Transformer)
}

func (c *chain) names() []string { return namesOf(c.steps()) }

// transform applies the first steps of the chain. All columns that the chain
// lacks are named in one error, before any arithmetic.
func (c *chain) transform(ctx context.Context, grid base.FixedDataGrid, steps int) (*dataset.Frame, error) {
	f, err := readGrid(grid)
	if err != nil {
		return nil, err
	}
	if f, err = f.Pick(c.inputNames()); err != nil {
		return nil, err
	}
	for i, s := range c.transformers[:steps] {
		err := runStep(i, s.Name, func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := checkMemory(s.Transformer, f.Rows()); err != nil {
				return err
			}
			f, err = transformFrame(s.Transformer, f)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return f, nil
}

// checkMemory returns an error if there is no memory for what a fitted step makes of so many rows.
func checkMemory(t transformer.Transformer, rows int) error {
	return memory.Check("the result of the step", 8*int64(rows)*int64(len(t.Outputs())))
}

func (c *chain) inputNames() []string { return namesOfInputs(c.inputs) }

func namesOfInputs(inputs []input) []string {
	return lists.Map(inputs, func(in input) string { return in.Name })
}

func categoricalOf(inputs []input) []string {
	categorical := lists.Where(inputs, func(in input) bool { return in.Kind == categoricalKind })
	if categorical == nil {
		return nil
	}
	return namesOfInputs(categorical)
}

func stepLabel(i int, name string) string { return fmt.Sprintf("step %d (%s)", i+1, name) }

// stepError is what went wrong in a step.
type stepError struct {
	label, name string
	err         error
}

// Error begins with the step, and does not name it twice.
func (e *stepError) Error() string {
	return e.label + ": " + strings.TrimPrefix(e.err.Error(), e.name+": ")
}

// Unwrap gives what errors.Is and errors.As look into.
func (e *stepError) Unwrap() error { return e.err }

// runStep runs part of a step; errors, and panics of golearn, come back with
// the step's place and name.
func runStep(i int, name string, f func() error) error {
	label := stepLabel(i, name)
	err := golearn.Guard(label, f)
	if panicked, ok := err.(*golearn.PanicError); err == nil || ok && panicked.Step == label {
		return err
	}
	return &stepError{label, name, err}
}

// readGrid makes a frame of any golearn grid.
func readGrid(grid base.FixedDataGrid) (f *dataset.Frame, err error) {
	if files.Absent(grid) {
		return nil, errors.New("there are no rows: the grid is nil")
	}
	err = golearn.Guard("reading the data", func() error {
		f, err = dataset.FromGrid(grid)
		return err
	})
	return f, err
}
