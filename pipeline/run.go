package pipeline

import (
	"context"
	"fmt"

	"github.com/fspca/fspca/dataset"
)

// RunOptions are what a run takes beside its config. The zero value is usable.
type RunOptions struct {
	// Out is the folder that the results are written to, instead of output.dir.
	// Where both are empty nothing is written.
	Out string
	// Progress, if not nil, is told before each fit, in order, from one goroutine.
	Progress func(Progress)
}

// Progress is where a run stands.
type Progress struct {
	Stage       string // what is being done, such as "fold 2 of 5: all columns"
	Done, Total int    // fits done and fits in all
}

// Run reads the data of a config, measures its pipeline on rows that nothing was
// fitted on, measures the same pipeline without its fspca step beside it, and
// writes the model, the predictions and the report.
//
// The model is the one that was measured where the split is a hold-out: it is
// fitted on the training rows. With folds, and without a split, it is fitted on
// all rows. A config without a classifier has nothing to measure: it is fitted,
// the selection is reported (with folds, how stable it is over their training
// rows), and the projection of all rows is written.
//
// The same config and data give the same bytes in every file. When ctx ends, so
// does the run, with the context's error; nothing is written then.
func Run(ctx context.Context, c *Config, opt RunOptions) (*Report, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	out := opt.Out
	if out == "" {
		out = c.Output.Dir
	}
	if err := checkOutput(out); err != nil {
		return nil, err
	}
	f, err := c.ReadData()
	if err != nil {
		return nil, err
	}
	r := &run{ctx: ctx, config: c, data: f, progress: opt.Progress}
	if err := r.measure(); err != nil {
		return nil, err
	}
	report, err := r.report()
	if err != nil {
		return nil, err
	}
	if out != "" {
		if err := r.write(out, report); err != nil {
			return nil, err
		}
	}
	return report, nil
}

// run is a run under way.
type run struct {
	ctx      context.Context
	config   *Config
	data     *dataset.Frame
	progress func(Progress)

	splits      []Split
	done, total int
	chosen, all []trial // one for each split; all is nil without an fspca step
	final       *Pipeline
	warnings    []string
}

// trial is a pipeline fitted on the training rows of a split.
type trial struct {
	pipeline   *Pipeline
	offered    int         // columns that came to the last step
	prediction *Prediction // of the test rows; nil without a classifier
	confusion  *Confusion
}

// measure makes all fits of the run.
func (r *run) measure() error {
	c := r.config
	classified := classifierAt(c.Steps) >= 0
	if classified && r.data.Class() == nil {
		return fmt.Errorf("the data have no class for the classifier: name it with data.label")
	}
	if c.Split != (SplitConfig{}) {
		splits, warnings, err := Divide(r.data.Rows(), r.data.Class(), c.Split.options(r.data))
		if err != nil {
			return err
		}
		r.splits, r.warnings = splits, warnings
	}
	compare := classified && selectorStep(c.Steps) >= 0
	refit := len(r.splits) != 1
	r.total = len(r.splits)
	if compare {
		r.total *= 2
	}
	if refit {
		r.total++
	}
	for i, s := range r.splits {
		if err := r.tryBoth(i, s, compare); err != nil {
			return err
		}
	}
	if !refit {
		r.final = r.chosen[0].pipeline
		return nil
	}
	return r.fitAll()
}

// tryBoth measures the pipeline on a split, and beside it without its fspca step.
func (r *run) tryBoth(i int, s Split, compare bool) error {
	t, err := r.try(i, s, "chosen columns", func(Step) bool { return true })
	if err != nil {
		return err
	}
	r.chosen = append(r.chosen, t)
	if !compare {
		return nil
	}
	t, err = r.try(i, s, "all columns", func(s Step) bool { return s.Name != selectorKind })
	if err != nil {
		return err
	}
	r.all = append(r.all, t)
	return nil
}

// options are the split's for the data at hand: without a class there is nothing
// to stratify by.
func (s SplitConfig) options(f *dataset.Frame) SplitOptions {
	return SplitOptions{Test: s.Test, Folds: s.Folds, Seed: s.Seed,
		Unstratified: f.Class() == nil || s.Stratify != nil && !*s.Stratify}
}

// try fits the steps that are wanted on the training rows and predicts the test
// rows.
func (r *run) try(i int, s Split, what string, want func(Step) bool) (trial, error) {
	stage := what
	if len(r.splits) > 1 {
		stage = fmt.Sprintf("fold %d of %d: %s", i+1, len(r.splits), what)
	}
	r.tell(stage)
	t, err := r.fit(s, want)
	if err != nil && r.ctx.Err() == nil {
		// The same steps on all rows mostly fail alike, and then count the rows as
		// the file does.
		if whole := r.fitWhole(want); whole != nil {
			return t, whole
		}
	}
	if err != nil {
		return t, fmt.Errorf("%s: %w", stage, err)
	}
	for _, w := range t.pipeline.Warnings() {
		r.warnings = append(r.warnings, stage+": "+w)
	}
	return t, nil
}

func (r *run) fit(s Split, want func(Step) bool) (t trial, err error) {
	if t.pipeline, err = r.config.pipeline(want); err != nil {
		return t, err
	}
	if len(r.splits) > 1 { // the pipeline is measured, not saved
		t.pipeline.measureOnly()
	}
	if err := t.pipeline.FitContext(r.ctx, r.data.Subset(s.Train)); err != nil {
		return t, err
	}
	t.offered = t.pipeline.fitted.reaching
	if !t.pipeline.HasClassifier() {
		return t, nil
	}
	test := r.data.Subset(s.Test)
	if t.prediction, err = t.pipeline.predict(r.ctx, test.WithoutClass()); err != nil {
		return t, fmt.Errorf("predicting the %s held out: %w", count(test.Rows(), "row"), err)
	}
	t.confusion, err = Tally(test.Class(), t.prediction.Predicted)
	return t, err
}

func (r *run) fitWhole(want func(Step) bool) error {
	p, err := r.config.pipeline(want)
	if err != nil {
		return err
	}
	return p.FitContext(r.ctx, r.data)
}

// fitAll fits the model that is saved on all rows.
func (r *run) fitAll() (err error) {
	const stage = "all rows"
	r.tell(stage)
	if r.final, err = r.config.pipeline(func(Step) bool { return true }); err != nil {
		return err
	}
	if err := r.final.FitContext(r.ctx, r.data); err != nil {
		return fmt.Errorf("%s: %w", stage, err)
	}
	for _, w := range r.final.Warnings() {
		r.warnings = append(r.warnings, stage+": "+w)
	}
	return nil
}

func (r *run) tell(stage string) {
	if r.progress != nil {
		r.progress(Progress{Stage: stage, Done: r.done, Total: r.total})
	}
	r.done++
}

// selectorKind is the step that is left out to see what it costs or gains.
const selectorKind = "fspca"

func selectorStep(steps []Step) int {
	for i, s := range steps {
		if s.Name == selectorKind {
			return i
		}
	}
	return -1
}
