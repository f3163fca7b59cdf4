package pipeline

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/sjwhitworth/golearn/base"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/clone"
	"github.com/fspca/fspca/internal/files"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/strict"
	"github.com/fspca/fspca/pipeline/classifier"
	"github.com/fspca/fspca/selector"
	"github.com/fspca/fspca/transformer"
)

// NamedStep is one step of a pipeline: a transformer or, as the last step, a
// classifier. Messages and model folders use its name.
//
// Fit works on a copy of the step: the result of its method Clone, if it has
// one that returns its own type, else a copy of the struct. A step of your own
// without Clone must store what it learns in new memory at each Fit.
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

// Golearn makes a last step of any golearn classifier; see classifier.Golearn.
func Golearn(name string, fresh func() base.Classifier) NamedStep {
	return NamedStep{Name: name, Classifier: classifier.Golearn(name, fresh)}
}

// Pipeline is a chain of transformers, with or without a classifier at its end.
// It implements golearn's base.Classifier, for golearn's cross-validation and
// ensembles. FitContext, Transform, PredictFrame and Project work with frames.
//
// Fit fits copies of the steps and, when all have succeeded, replaces the fitted
// chain as a whole. Until then the pipeline predicts as before. The fitted chain
// is narrowed: of new data it needs only the columns from which the input of the
// last step is made (Inputs). Columns are matched by name. All methods but Load
// are safe for concurrent use.
type Pipeline struct {
	// Steps are the steps as given, with their options. They are not fitted: what
	// was fitted is in Fitted.
	Steps []NamedStep

	fitted atomic.Pointer[chain] // nil before Fit
}

// errNotFitted is the error of using a pipeline before Fit or Load.
var errNotFitted = fmt.Errorf("pipeline: %w", transformer.ErrNotFitted)

// New makes a pipeline of at least one step. Only the last may be a classifier.
// Names must not be empty.
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
		case files.Absent(s.Transformer) == files.Absent(s.Classifier), files.Absent(s.Transformer) != (s.Transformer == nil), files.Absent(s.Classifier) != (s.Classifier == nil):
			errs = append(errs, fmt.Errorf("%s: expected a transformer or a classifier, one of the two, and no nil pointer", stepLabel(i, s.Name)))
		case s.Classifier != nil && i < len(steps)-1:
			errs = append(errs, fmt.Errorf("%s: a classifier must be last, but step %d (%s) follows", stepLabel(i, s.Name), i+2, steps[i+1].Name))
		}
	}
	return errors.Join(errs...)
}

// Clone returns an independent pipeline with copies of the steps, and with the
// same fitted chain.
func (p *Pipeline) Clone() *Pipeline {
	out := &Pipeline{Steps: lists.Map(p.Steps, NamedStep.copy)}
	out.fitted.Store(p.fitted.Load())
	return out
}

// Fitted returns the fitted steps, narrowed to what the end of the chain needs; nil
// before Fit. Do not fit them.
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

// FitContext fits a copy of every step to what the steps before it make of grid. An
// error names the step, also one from a panic in golearn; the pipeline is then
// unchanged. If ctx ends, the fit ends with the context's error. The fitted chain
// shares no memory with grid. A Fitter fits several pipelines to the same rows.
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

// Transform applies all transformers to grid and returns a *dataset.Frame with
// grid's class. It is the input of a classifier at the end.
func (p *Pipeline) Transform(grid base.FixedDataGrid) (base.FixedDataGrid, error) {
	return p.TransformContext(context.Background(), grid)
}

// TransformContext is Transform with a context; if ctx ends, the error is the context's.
func (p *Pipeline) TransformContext(ctx context.Context, grid base.FixedDataGrid) (base.FixedDataGrid, error) {
	c := p.fitted.Load()
	if c == nil {
		return nil, errNotFitted
	}
	return c.transform(ctx, grid, len(c.transformers))
}

// Project applies the steps up to the fspca step to grid, and returns that
// step's output in the form that output names. The class of grid passes through.
// It is an error if there is no fspca step.
func (p *Pipeline) Project(grid base.FixedDataGrid, output selector.Output) (*dataset.Frame, error) {
	return p.ProjectContext(context.Background(), grid, output)
}

// ProjectContext is Project with a context; if ctx ends, the error is the context's.
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

// Selector returns the fitted fspca step; nil before Fit, and if there is none.
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

// Reading returns how the training rows were read from their file. Give it to
// dataset.ReadOptions.As to read new data in the same way. It is the zero value before Fit, if they
// were not read from a file, and if they were read without options.
func (p *Pipeline) Reading() dataset.Reading {
	if c := p.fitted.Load(); c != nil {
		return c.reading
	}
	return dataset.Reading{}
}

// CategoricalInputs returns the categorical columns of Inputs. A reader of new
// rows must read them as text, even if their cells look like numbers.
func (p *Pipeline) CategoricalInputs() []string {
	c := p.fitted.Load()
	if c == nil {
		return nil
	}
	return categoricalOf(c.inputs)
}

// StepFlow lists the input and output columns of a fitted step.
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
	flow := lists.Map(c.transformers, func(s NamedStep) StepFlow { return StepFlow{s.Name, s.Transformer.Inputs(), s.Transformer.Outputs()} })
	if s := c.classifier; s != nil {
		flow = append(flow, StepFlow{s.Name, s.Classifier.Inputs(), []string{c.class.name}})
	}
	return flow
}

// Offered returns the number of columns at the end of the chain in Fit: the
// input of the classifier, or the output of the last step. It is 0 before Fit
// and after Load.
func (p *Pipeline) Offered() int {
	if c := p.fitted.Load(); c != nil {
		return c.reaching
	}
	return 0
}

// HasClassifier reports whether the pipeline ends in a classifier.
func (p *Pipeline) HasClassifier() bool {
	return len(p.Steps) > 0 && p.Steps[len(p.Steps)-1].Classifier != nil
}

// Classes returns the name of the class column and the classes that the fitted
// classifier predicts. Both are empty before Fit and without a classifier.
func (p *Pipeline) Classes() (name string, levels []string) {
	if c := p.fitted.Load(); c != nil && c.classifier != nil {
		return c.class.name, c.classifier.Classifier.Classes()
	}
	return "", nil
}

// Warnings returns the warnings of the fitted classifier about its last fit,
// such as a limit that was reached; nil if there are none.
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
	return lists.Map(steps, func(s NamedStep) string { return s.Name })
}
