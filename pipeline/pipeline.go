package pipeline

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/sjwhitworth/golearn/base"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/strict"
	"github.com/fspca/fspca/pipeline/classifier"
	"github.com/fspca/fspca/selector"
	"github.com/fspca/fspca/transformer"
)

// NamedStep is one step of a pipeline: a transformer or, as the last step, a
// classifier. The name is what messages and model folders call it.
type NamedStep struct {
	Name        string
	Transformer transformer.Transformer
	Classifier  classifier.Classifier
}

// Pipeline is a chain of transformers with a classifier at its end, or none. It
// implements golearn's base.Classifier, so that golearn's cross-validation and
// ensembles take it; what it does with frames is in FitContext, Transform,
// PredictFrame and Project.
//
// Fit fits every step anew, in place, and then keeps a narrowed copy of the
// chain: one that needs only those columns of new data that what the last step
// sees is made from (Inputs). Columns are matched by name. A fitted pipeline may
// be used by several goroutines; Fit must not run beside them.
type Pipeline struct {
	// Steps are the steps as given. They are not to be changed after the first Fit.
	Steps []NamedStep

	fitted *chain // nil before Fit; replaced as a whole
}

// errNotFitted is the error of using a pipeline before Fit or Load.
var errNotFitted = fmt.Errorf("pipeline: %w", transformer.ErrNotFitted)

// New makes a pipeline of at least one step. Each step is a transformer or a
// classifier, and only the last may be a classifier; names must differ from "".
func New(steps ...NamedStep) (*Pipeline, error) {
	var errs []error
	if len(steps) == 0 {
		errs = append(errs, errors.New("a pipeline needs at least one step"))
	}
	for i, s := range steps {
		switch {
		case s.Name == "":
			errs = append(errs, fmt.Errorf("step %d has no name", i+1))
		case (s.Transformer == nil) == (s.Classifier == nil):
			errs = append(errs, fmt.Errorf("%s: expected a transformer or a classifier, one of the two", stepLabel(i, s.Name)))
		case s.Classifier != nil && i < len(steps)-1:
			errs = append(errs, fmt.Errorf("%s: a classifier must be last, but step %d (%s) follows", stepLabel(i, s.Name), i+2, steps[i+1].Name))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return &Pipeline{Steps: slices.Clone(steps)}, nil
}

// Fit is FitContext without a limit.
func (p *Pipeline) Fit(grid base.FixedDataGrid) error {
	return p.FitContext(context.Background(), grid)
}

// FitContext fits every step to what the steps before it make of grid. An error
// names the step, and so does one that a panic in golearn was turned into; the
// pipeline then stays as it was last fitted. When ctx ends, so does the fit, with
// the context's error.
func (p *Pipeline) FitContext(ctx context.Context, grid base.FixedDataGrid) error {
	f, err := readGrid(grid)
	if err != nil {
		return err
	}
	c := &chain{selectorAt: -1, class: trainingClass(grid, f)}
	now := f
	for i, s := range p.Steps {
		err := runStep(i, s.Name, func() error {
			if s.Classifier != nil {
				c.classifier = &p.Steps[i]
				return s.Classifier.FitFrame(ctx, now)
			}
			if err := fitTransformer(ctx, s.Transformer, now); err != nil {
				return err
			}
			now, err = transformFrame(s.Transformer, now)
			return err
		})
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		if s.Classifier == nil {
			c.transformers = append(c.transformers, s)
		}
	}
	c.reaching = len(now.Columns())
	if err := c.narrow(f); err != nil {
		return err
	}
	p.fitted = c
	return nil
}

// Transform returns a *dataset.Frame: what the last transformer makes of grid,
// with grid's class. It is what a classifier at the end sees.
func (p *Pipeline) Transform(grid base.FixedDataGrid) (base.FixedDataGrid, error) {
	if p.fitted == nil {
		return nil, errNotFitted
	}
	return p.fitted.transform(grid, len(p.fitted.transformers))
}

// Project gives what the fspca step makes of grid, in the form that output names
// instead of the one it was fitted for: the steps before it are applied, those
// after it are not. grid's class passes through. It is an error if there is no
// fspca step.
func (p *Pipeline) Project(grid base.FixedDataGrid, output selector.Output) (*dataset.Frame, error) {
	c := p.fitted
	if c == nil {
		return nil, errNotFitted
	}
	s := p.Selector()
	if s == nil {
		return nil, fmt.Errorf("the pipeline has no fspca step to project by: its steps are %s", strict.Listing(p.names(), "and"))
	}
	f, err := c.transform(grid, c.selectorAt)
	if err != nil {
		return nil, err
	}
	err = runStep(c.selectorAt, c.transformers[c.selectorAt].Name, func() error {
		f, err = s.Model().Transform(f, output)
		return err
	})
	return f, err
}

// Selector returns the fitted fspca step, nil before Fit and without one.
func (p *Pipeline) Selector() *selector.FSPCA {
	if p.fitted == nil || p.fitted.selectorAt < 0 {
		return nil
	}
	return p.fitted.transformers[p.fitted.selectorAt].Transformer.(*selector.FSPCA)
}

// Inputs returns the columns that a fitted pipeline needs, nil before Fit.
func (p *Pipeline) Inputs() []string {
	if p.fitted == nil {
		return nil
	}
	return p.fitted.inputNames()
}

// CategoricalInputs returns those of Inputs that are categorical: a reader of new
// rows takes them as text even where their cells look like numbers.
func (p *Pipeline) CategoricalInputs() []string {
	if p.fitted == nil {
		return nil
	}
	var names []string
	for _, in := range p.fitted.inputs {
		if in.Kind == categoricalKind {
			names = append(names, in.Name)
		}
	}
	return names
}

// StepFlow is what goes into a fitted step and what comes out, by name.
type StepFlow struct {
	Name    string   `json:"name"`
	Inputs  []string `json:"inputs"`
	Outputs []string `json:"outputs"` // of a classifier: the class column
}

// Flow lists the columns from step to step of a fitted, narrowed pipeline; nil
// before Fit.
func (p *Pipeline) Flow() []StepFlow {
	if p.fitted == nil {
		return nil
	}
	var flow []StepFlow
	for _, s := range p.fitted.transformers {
		flow = append(flow, StepFlow{s.Name, s.Transformer.Inputs(), s.Transformer.Outputs()})
	}
	if s := p.fitted.classifier; s != nil {
		flow = append(flow, StepFlow{s.Name, s.Classifier.Inputs(), []string{p.fitted.class.name}})
	}
	return flow
}

// Offered is the number of columns that came to the end of the chain in Fit: to
// the classifier, or out of the last step. It is 0 before Fit and after Load.
func (p *Pipeline) Offered() int {
	if p.fitted == nil {
		return 0
	}
	return p.fitted.reaching
}

// HasClassifier says whether the pipeline ends in a classifier.
func (p *Pipeline) HasClassifier() bool {
	return len(p.Steps) > 0 && p.Steps[len(p.Steps)-1].Classifier != nil
}

// Classes returns the name of the class column and the classes that the fitted
// classifier predicts; nothing before Fit and without a classifier.
func (p *Pipeline) Classes() (name string, levels []string) {
	if p.fitted == nil || p.fitted.classifier == nil {
		return "", nil
	}
	return p.fitted.class.name, p.fitted.classifier.Classifier.Classes()
}

// Warnings are what the fitted classifier has to say about its last fit, such as
// a limit that was reached; nil for nothing.
func (p *Pipeline) Warnings() []string {
	if p.fitted == nil || p.fitted.classifier == nil {
		return nil
	}
	if w, ok := p.fitted.classifier.Classifier.(classifier.Warner); ok {
		return w.Warnings()
	}
	return nil
}

// String names the steps in order.
func (p *Pipeline) String() string {
	return "pipeline(" + strings.Join(p.names(), " → ") + ")"
}

func (p *Pipeline) names() []string {
	names := make([]string, len(p.Steps))
	for i, s := range p.Steps {
		names[i] = s.Name
	}
	return names
}
