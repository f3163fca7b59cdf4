package experiment

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/files"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/report"
	"github.com/fspca/fspca/pipeline"
	"github.com/fspca/fspca/pipeline/config"
)

// Options are those of a run that its config does not hold. The zero value is usable.
type Options struct {
	// Out is the folder for the results, instead of output.dir. If both are empty
	// nothing is written.
	Out string
	// Strict makes warnings errors, as strict in the config does.
	Strict bool
	// Progress, if not nil, is called before each fit, in order, from one goroutine.
	Progress func(Progress)
	// Command, if not empty, is the command that report.html names to make it again.
	Command string
}

// Progress describes the progress of a run.
type Progress struct {
	Stage       string // what is being done, such as "fold 2 of 5: all columns"
	Done, Total int    // fits done and fits in all
}

// Run reads the data of a config and measures its pipeline on rows that nothing was
// fitted on. It compares it with the same pipeline without its fspca step and with
// baselines, and writes the model, the predictions and the report. If one of those
// compared fails, the report says so and the run goes on.
//
// With a single hold-out, the saved model is the one that was measured, fitted on the training rows. With
// folds, repeats or a search, and without a split, it is fitted on all rows, and a search is repeated on all
// rows. Without a classifier nothing is measured: the selection is reported (with folds, how stable it is
// over their training rows), and the projection of all rows is written.
//
// The same config and data give the same bytes in every file. If ctx ends, the
// error is the context's and nothing is written. If only the writing fails, the
// report is returned with an *OutputError.
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
	if err := checkInputs(dir, c); err != nil {
		return nil, err
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
	r := &run{config: c, read: f, strict: opt.Strict || c.Strict}
	if err := r.measure(ctx, opt.Progress); err != nil {
		return nil, err
	}
	if s := r.final.Selector(); s != nil {
		r.mistakes = append(r.mistakes, s.Model().Mistakes()...)
	}
	if err := r.refuse(); err != nil {
		return nil, err
	}
	found, err := r.report()
	if err != nil {
		return nil, err
	}
	found.page = pageOf(ctx, r, found, opt.Command)
	return found, out.write(r, found)
}

// run is a run under way.
type run struct {
	*measurement
	config *config.Config
	read   *dataset.Frame // all that was read, with what divides the rows

	strict   bool
	mistakes []dataset.Warning // what surely is one, though possible
}

// refuse returns the mistakes as an error where none is allowed.
func (r *run) refuse() error {
	if !r.strict {
		return nil
	}
	return dataset.StrictError(r.mistakes)
}

// Mistakes returns the warnings about the rows of a config that Run finds before it fits. The error
// is that of rows that cannot be divided as split says, and of an image that has not a pixel for each column.
func Mistakes(c *config.Config, read *dataset.Frame) ([]dataset.Warning, error) {
	if c == nil || read == nil {
		return nil, errors.New("fspca: give a config and its rows: mistakes are searched in both")
	}
	data, division, err := divisionOf(c, read)
	if err != nil {
		return nil, err
	}
	_, _, err = splitsOf(c, data, division)
	if err := errors.Join(c.CheckColumns(data), checkShape(c, data), err); err != nil {
		return nil, err
	}
	return mistakesIn(c, data), nil
}

// mistakesIn looks at the rows for what surely is a mistake. Dates that a step makes numbers of are
// none.
func mistakesIn(c *config.Config, f *dataset.Frame) []dataset.Warning {
	all := f.Warnings()
	if slices.ContainsFunc(c.Steps, func(s pipeline.Step) bool { return s.Name == "dates" }) {
		all = slices.DeleteFunc(all, func(w dataset.Warning) bool { return w.Code == dataset.CountsRows })
	}
	return all
}

// measure makes all fits of the run.
func (r *run) measure(ctx context.Context, progress func(Progress)) error {
	c := r.config
	p, err := c.Pipeline()
	if err != nil {
		return err
	}
	data, division, err := divisionOf(c, r.read)
	if err != nil {
		return err
	}
	if err := errors.Join(c.CheckColumns(data), checkShape(c, data)); err != nil {
		return err
	}
	if r.measurement, err = newMeasurement(ctx, data, p); err != nil {
		return err
	}
	r.division, r.progress = division, progress
	r.mistakes = mistakesIn(c, data)
	if err := r.refuse(); err != nil {
		return inData(c, err)
	}
	if err := r.divide(data, division); err != nil {
		return err
	}
	return r.run()
}

// divide makes the splits of the rows, and plans the search within them.
func (r *run) divide(data *dataset.Frame, division SplitOptions) (err error) {
	c := r.config
	if c.Split.File != "" {
		err = r.readTest()
	} else {
		r.splits, r.warnings, err = splitsOf(c, data, division)
	}
	if err == nil && division.Group != nil && len(r.splits) == 1 {
		r.warnings = append(r.warnings, "the standard error of one test set takes its rows to be independent, and those of one "+c.Split.Group+" are not: use folds or repeats for one that does not")
	}
	if err == nil && c.Search.Given() {
		r.plan, err = r.searchPlan()
	}
	return err
}

// splitsOf divides the rows as a config says; into no parts if it says nothing, or names a file to test on.
func splitsOf(c *config.Config, data *dataset.Frame, division SplitOptions) ([]Split, []string, error) {
	if c.Split.File != "" || c.Split == (config.Split{}) {
		return nil, nil, nil
	}
	splits, warnings, err := Divide(data.Rows(), dividedBy(data), division)
	return splits, warnings, c.At("split", err)
}

// checkShape returns an error unless the columns are the pixels of the image that a config gives.
func checkShape(c *config.Config, data *dataset.Frame) error {
	if err := report.CheckShape(c.Output.Shape, len(data.Names())); err != nil {
		return c.At("output.shape", fmt.Errorf("output.shape: %w", err))
	}
	return nil
}

// searchPlan is what the config says of a search.
func (r *run) searchPlan() (*plan, error) {
	s := r.config.Search
	deadline, _ := time.ParseDuration(s.Deadline) // checked with the config; absent means none
	plan, err := newPlan(r.pipeline, s.Grid, SearchOptions{Folds: s.Folds, Metric: s.Metric, Rule: s.Rule,
		Random: s.Random, Seed: r.config.Split.Seed, Deadline: deadline}, r.data.Target() != nil)
	if err != nil {
		return nil, err
	}
	if plan.nested = s.Nested == nil || *s.Nested; !plan.nested {
		r.warnings = append(r.warnings, "search.nested is false: the setting was chosen on the rows that it is measured on, and the figures are too good")
	}
	return plan, nil
}

// readTest reads the file with the rows to test on.
func (r *run) readTest() error {
	tested, err := r.config.ReadTest(r.ctx, r.data)
	if err != nil {
		return err
	}
	r.tested = tested
	r.splits = []Split{{Train: lists.Upto[int](r.data.Rows()), Test: lists.Upto[int](tested.Rows())}}
	if class := dividedBy(r.data); class != nil {
		r.warnings = classWarnings(class, tested.Class(), r.splits, true)
	}
	return nil
}
