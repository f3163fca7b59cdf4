package pipeline

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/sjwhitworth/golearn/base"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/clone"
	"github.com/fspca/fspca/internal/strict"
	"github.com/fspca/fspca/pipeline/classifier"
	"github.com/fspca/fspca/selector"
	"github.com/fspca/fspca/transformer"
)

// NamedStep is one step of a pipeline: a transformer or, as the last step, a
// classifier. The name is what messages and model folders call it.
//
// Fit works on a copy of the step: what its method Clone returns, if it has one
// that returns its own type, else a copy of the struct. A step of one's own
// that has no Clone must put what it learns in new memory at each Fit.
type NamedStep struct {
	Name        string
	Transformer transformer.Transformer
	Classifier  classifier.Classifier

	kind    string // of a step that the registry built
	options any    // that it was built of, for With; not to be changed
}

// copy returns the step as a fit may change it.
func (s NamedStep) copy() NamedStep {
	if s.Transformer != nil {
		s.Transformer = clone.Of(s.Transformer)
	}
	if s.Classifier != nil {
		s.Classifier = clone.Of(s.Classifier)
	}
	return s
}

// Golearn is a step that ends a chain in any golearn classifier; see
// classifier.Golearn.
func Golearn(name string, fresh func() base.Classifier) NamedStep {
	return NamedStep{Name: name, Classifier: classifier.Golearn(name, fresh)}
}

// Pipeline is a chain of transformers with a classifier at its end, or none. It
// implements golearn's base.Classifier, so that golearn's cross-validation and
// ensembles take it; what it does with frames is in FitContext, Transform,
// PredictFrame and Project.
//
// Fit fits copies of the steps, and puts the fitted chain in the place of the one
// before as a whole: until it has succeeded, the pipeline answers as before. The
// fitted chain is narrowed: it needs only those columns of new data that what the
// last step sees is made from (Inputs). Columns are matched by name. All methods
// but Load may be used by several goroutines at the same time.
type Pipeline struct {
	// Steps are the steps as given, with their options. They are not fitted: what
	// was fitted is in Fitted.
	Steps []NamedStep

	fitted atomic.Pointer[chain] // nil before Fit
}

// errNotFitted is the error of using a pipeline before Fit or Load.
var errNotFitted = fmt.Errorf("pipeline: %w", transformer.ErrNotFitted)

// New makes a pipeline of at least one step. Each step is a transformer or a
// classifier, and only the last may be a classifier; names must differ from "".
func New(steps ...NamedStep) (*Pipeline, error) {
	if err := checkSteps(steps); err != nil {
		return nil, err
	}
	return &Pipeline{Steps: slices.Clone(steps)}, nil
}

func checkSteps(steps []NamedStep) error {
	var errs []error
	if len(steps) == 0 {
		errs = append(errs, errors.New("a pipeline needs at least one step"))
	}
	for i, s := range steps {
		switch {
		case s.Name == "":
			errs = append(errs, fmt.Errorf("step %d has no name", i+1))
		case isNil(s.Transformer) == isNil(s.Classifier):
			errs = append(errs, fmt.Errorf("%s: expected a transformer or a classifier, one of the two", stepLabel(i, s.Name)))
		case s.Classifier != nil && i < len(steps)-1:
			errs = append(errs, fmt.Errorf("%s: a classifier must be last, but step %d (%s) follows", stepLabel(i, s.Name), i+2, steps[i+1].Name))
		}
	}
	return errors.Join(errs...)
}

// isNil says whether a step is absent: nil, or a nil pointer.
func isNil(step any) bool {
	v := reflect.ValueOf(step)
	return !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil()
}

// Clone returns a pipeline with copies of the steps that answers as this one does,
// and is fitted by itself.
func (p *Pipeline) Clone() *Pipeline {
	out := &Pipeline{Steps: slices.Clone(p.Steps)}
	for i, s := range out.Steps {
		out.Steps[i] = s.copy()
	}
	out.fitted.Store(p.fitted.Load())
	return out
}

// Fitted returns the fitted steps, narrowed to what the end of the chain needs; nil
// before Fit. They are not to be fitted themselves.
func (p *Pipeline) Fitted() []NamedStep {
	if c := p.fitted.Load(); c != nil {
		return c.steps()
	}
	return nil
}

// Fit is FitContext without a limit.
func (p *Pipeline) Fit(grid base.FixedDataGrid) error {
	return p.FitContext(context.Background(), grid)
}

// FitContext fits a copy of every step to what the steps before it make of grid.
// An error names the step, and so does one that a panic in golearn was turned into;
// the pipeline then stays as it was last fitted. When ctx ends, so does the fit,
// with the context's error. What is fitted holds nothing of grid's memory. A Fitter
// fits several pipelines to the same rows.
func (p *Pipeline) FitContext(ctx context.Context, grid base.FixedDataGrid) error {
	if err := checkSteps(p.Steps); err != nil {
		return err
	}
	f, err := NewFitter(grid)
	if err != nil {
		return err
	}
	f.KeepBefore() // nothing
	return f.Fit(ctx, p)
}

// Transform returns a *dataset.Frame: what the last transformer makes of grid,
// with grid's class. It is what a classifier at the end sees.
func (p *Pipeline) Transform(grid base.FixedDataGrid) (base.FixedDataGrid, error) {
	return p.TransformContext(context.Background(), grid)
}

// TransformContext is Transform; when ctx ends, so does it, with the context's error.
func (p *Pipeline) TransformContext(ctx context.Context, grid base.FixedDataGrid) (base.FixedDataGrid, error) {
	c := p.fitted.Load()
	if c == nil {
		return nil, errNotFitted
	}
	return c.transform(ctx, grid, len(c.transformers))
}

// Project gives what the fspca step makes of grid, in the form that output names
// instead of the one it was fitted for: the steps before it are applied, those
// after it are not. grid's class passes through. It is an error if there is no
// fspca step.
func (p *Pipeline) Project(grid base.FixedDataGrid, output selector.Output) (*dataset.Frame, error) {
	return p.ProjectContext(context.Background(), grid, output)
}

// ProjectContext is Project; when ctx ends, so does it, with the context's error.
func (p *Pipeline) ProjectContext(ctx context.Context, grid base.FixedDataGrid, output selector.Output) (*dataset.Frame, error) {
	c := p.fitted.Load()
	if c == nil {
		return nil, errNotFitted
	}
	s := c.selector()
	if s == nil {
		return nil, fmt.Errorf("the pipeline has no fspca step to project by: its steps are %s", strict.Listing(c.names(), "and"))
	}
	f, err := c.transform(ctx, grid, c.selectorAt)
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
	if c := p.fitted.Load(); c != nil {
		return c.selector()
	}
	return nil
}

// Inputs returns the columns that a fitted pipeline needs, nil before Fit.
func (p *Pipeline) Inputs() []string {
	if c := p.fitted.Load(); c != nil {
		return c.inputNames()
	}
	return nil
}

// Reading returns how the training rows were read from their file, for dataset.ReadOptions.As: new
// data are read alike. It is the zero value before Fit, where they were not read from a file, or as
// they are without options.
func (p *Pipeline) Reading() dataset.Reading {
	if c := p.fitted.Load(); c != nil {
		return c.reading
	}
	return dataset.Reading{}
}

// CategoricalInputs returns those of Inputs that are categorical: a reader of new
// rows takes them as text even where their cells look like numbers.
func (p *Pipeline) CategoricalInputs() []string {
	c := p.fitted.Load()
	if c == nil {
		return nil
	}
	return categoricalOf(c.inputs)
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
	c := p.fitted.Load()
	if c == nil {
		return nil
	}
	var flow []StepFlow
	for _, s := range c.transformers {
		flow = append(flow, StepFlow{s.Name, s.Transformer.Inputs(), s.Transformer.Outputs()})
	}
	if s := c.classifier; s != nil {
		flow = append(flow, StepFlow{s.Name, s.Classifier.Inputs(), []string{c.class.name}})
	}
	return flow
}

// Offered is the number of columns that came to the end of the chain in Fit: to
// the classifier, or out of the last step. It is 0 before Fit and after Load.
func (p *Pipeline) Offered() int {
	if c := p.fitted.Load(); c != nil {
		return c.reaching
	}
	return 0
}

// HasClassifier says whether the pipeline ends in a classifier.
func (p *Pipeline) HasClassifier() bool {
	return len(p.Steps) > 0 && p.Steps[len(p.Steps)-1].Classifier != nil
}

// Classes returns the name of the class column and the classes that the fitted
// classifier predicts; nothing before Fit and without a classifier.
func (p *Pipeline) Classes() (name string, levels []string) {
	if c := p.fitted.Load(); c != nil && c.classifier != nil {
		return c.class.name, c.classifier.Classifier.Classes()
	}
	return "", nil
}

// Warnings are what the fitted classifier has to say about its last fit, such as
// a limit that was reached; nil for nothing.
func (p *Pipeline) Warnings() []string {
	c := p.fitted.Load()
	if c == nil || c.classifier == nil {
		return nil
	}
	if w, ok := c.classifier.Classifier.(classifier.Warner); ok {
		return w.Warnings()
	}
	return nil
}

// String names the steps in order.
func (p *Pipeline) String() string {
	return "pipeline(" + strings.Join(namesOf(p.Steps), " → ") + ")"
}

func namesOf(steps []NamedStep) []string {
	names := make([]string, len(steps))
	for i, s := range steps {
		names[i] = s.Name
	}
	return names
}
