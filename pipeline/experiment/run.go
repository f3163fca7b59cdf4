package experiment

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/files"
	"github.com/fspca/fspca/pipeline"
	"github.com/fspca/fspca/pipeline/config"
)

// Options are what a run takes beside its config. The zero value is usable.
type Options struct {
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
// does the run, with the context's error; nothing is written then. Where only the
// writing fails, the report comes with an *OutputError.
func Run(ctx context.Context, c *config.Config, opt Options) (*Report, error) {
	if c == nil {
		return nil, errors.New("there is nothing to run: the config is nil")
	}
	if err := c.Check(); err != nil {
		return nil, err
	}
	dir := opt.Out
	if dir == "" {
		dir = files.Home(c.Output.Dir)
	}
	if source := c.DataPath(); files.Within(source, dir) {
		return nil, fmt.Errorf("the output folder %s holds the data %s: choose another folder with --out or output.dir", dir, source)
	}
	out, err := openOutput(dir)
	if err != nil {
		return nil, err
	}
	defer out.close()
	f, err := c.ReadDataContext(ctx)
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
	return report, out.write(r, report)
}

// run is a run under way.
type run struct {
	ctx      context.Context
	config   *config.Config
	data     *dataset.Frame
	progress func(Progress)

	splits      []Split
	done, total int
	chosen, all []trial // one for each split; all is nil without an fspca step
	final       *pipeline.Pipeline
	warnings    []string
}

// trial is a pipeline fitted on the training rows of a split.
type trial struct {
	pipeline   *pipeline.Pipeline
	offered    int                  // columns that came to the last step
	prediction *pipeline.Prediction // of the test rows; nil without a classifier
	confusion  *Confusion
	truth      []float64 // of the test rows, where numbers are predicted
}

// measure makes all fits of the run.
func (r *run) measure() error {
	c := r.config
	classified := c.Classifies()
	if classified && r.data.Class() == nil {
		return fmt.Errorf("the data have no class for the classifier: name it with data.label")
	}
	if c.Split != (config.Split{}) {
		class := r.data.Class()
		if r.data.Target() != nil {
			class = nil
		}
		splits, warnings, err := Divide(r.data.Rows(), class, divisionOf(c.Split, r.data))
		if err != nil {
			return err
		}
		r.splits, r.warnings = splits, warnings
	}
	compare := classified && slices.ContainsFunc(c.Steps, isSelector)
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
	t, err := r.try(i, s, "chosen columns", all)
	if err != nil {
		return err
	}
	r.chosen = append(r.chosen, t)
	if !compare {
		return nil
	}
	t, err = r.try(i, s, "all columns", withoutSelector)
	if err != nil {
		return err
	}
	r.all = append(r.all, t)
	return nil
}

// divisionOf are the split's for the data at hand: without a class there is nothing
// to stratify by.
func divisionOf(s config.Split, f *dataset.Frame) SplitOptions {
	return SplitOptions{Test: s.Test, Folds: s.Folds, Seed: s.Seed,
		Unstratified: f.Class() == nil || f.Target() != nil || s.Stratify != nil && !*s.Stratify}
}

// try fits the steps that are wanted on the training rows and predicts the test
// rows.
func (r *run) try(i int, s Split, what string, want steps) (trial, error) {
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

func (r *run) fit(s Split, want steps) (t trial, err error) {
	if len(r.splits) > 1 { // the pipeline is measured, not saved
		chosen := want
		want = func(in []pipeline.Step) []pipeline.Step { return measureOnly(chosen(in)) }
	}
	if t.pipeline, err = r.pipeline(want); err != nil {
		return t, err
	}
	if err := t.pipeline.FitContext(r.ctx, r.data.Subset(s.Train)); err != nil {
		return t, err
	}
	t.offered = t.pipeline.Offered()
	if !t.pipeline.HasClassifier() {
		return t, nil
	}
	test := r.data.Subset(s.Test)
	if t.prediction, err = t.pipeline.PredictContext(r.ctx, test.WithoutClass()); err != nil {
		return t, fmt.Errorf("predicting the %s held out: %w", count(test.Rows(), "row"), err)
	}
	if t.prediction.Values != nil {
		t.truth = test.Target()
		return t, nil
	}
	t.confusion, err = Tally(test.Class(), t.prediction.Predicted)
	return t, err
}

func (r *run) fitWhole(want steps) error {
	p, err := r.pipeline(want)
	if err != nil {
		return err
	}
	return p.FitContext(r.ctx, r.data)
}

// fitAll fits the model that is saved on all rows.
func (r *run) fitAll() (err error) {
	const stage = "all rows"
	r.tell(stage)
	if r.final, err = r.pipeline(all); err != nil {
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

// steps picks, or changes, the steps of a config.
type steps func([]pipeline.Step) []pipeline.Step

// pipeline makes the unfitted pipeline of the steps that are wanted.
func (r *run) pipeline(want steps) (*pipeline.Pipeline, error) {
	c := *r.config
	c.Steps = want(slices.Clone(c.Steps))
	return c.Pipeline()
}

func all(in []pipeline.Step) []pipeline.Step { return in }

func isSelector(s pipeline.Step) bool { return s.Name == "fspca" }

// withoutSelector leaves out the step whose cost or gain is measured.
func withoutSelector(in []pipeline.Step) []pipeline.Step { return slices.DeleteFunc(in, isSelector) }

// measureOnly leaves out what a selection tells of itself beside the choice: it
// takes many fits, and nobody looks at it where the model is not kept.
func measureOnly(in []pipeline.Step) []pipeline.Step {
	for i, s := range in {
		if options, ok := s.Options.(*pipeline.FSPCAStep); ok && options != nil {
			short := *options
			short.Bootstrap, short.Ledger = 0, false
			in[i].Options = &short
		}
	}
	return in
}
