package experiment

import (
	"context"
	"errors"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/pipeline"
)

// EvaluateOptions say how a pipeline is measured. The zero value is usable: 5 folds.
type EvaluateOptions struct {
	// Split divides the rows; the zero value is 5 folds, stratified where there are
	// classes.
	Split SplitOptions
	// Grid, if not empty, is searched within the training rows of each split, as
	// Search says. The figures then measure search and fit together.
	Grid   Grid
	Search SearchOptions
	// Progress, if not nil, is called before each fit, in order, from one goroutine.
	Progress func(Progress)
}

// Evaluate measures a pipeline on rows of f that it was not fitted on. It compares it
// with the same pipeline without its fspca step and with baselines. Neither f nor p is
// changed: each split fits a copy of p's steps. The errors are those of Run.
func Evaluate(ctx context.Context, f *dataset.Frame, p *pipeline.Pipeline, opt EvaluateOptions) (*Result, error) {
	m, err := newMeasurement(ctx, f, p)
	if err != nil {
		return nil, err
	}
	m.progress = opt.Progress
	m.division = opt.Split.usual(f)
	if len(opt.Grid) > 0 {
		search := opt.Search
		if m.plan, err = newPlan(p, opt.Grid, search, f.Target() != nil); err != nil {
			return nil, err
		}
	}
	if m.splits, m.warnings, err = Divide(f.Rows(), dividedBy(f), m.division); err != nil {
		return nil, err
	}
	if err := m.run(); err != nil {
		return nil, err
	}
	return m.result()
}

// Search tries the settings of a grid by cross-validation on the rows of f. It
// returns a pipeline with the setting that the rule chooses, fitted to all rows, and
// the scores. The score of the chosen setting is too good, since it was chosen for
// it: Evaluate with the grid gives an honest figure.
//
// First steps that settings have in common are fitted once for each fold. A setting
// with contradictory values is listed with its error. Make the steps with
// pipeline.NewStep and Build, or from a config: others do not know their options. The
// same rows, grid and options give the same choice on any number of processors,
// unless the deadline is reached.
func Search(ctx context.Context, f *dataset.Frame, p *pipeline.Pipeline, grid Grid, opt SearchOptions) (*pipeline.Pipeline, *SearchResult, error) {
	m, err := newMeasurement(ctx, f, p)
	if err != nil {
		return nil, nil, err
	}
	if m.plan, err = newPlan(p, grid, opt, f.Target() != nil); err != nil {
		return nil, nil, err
	}
	m.progress = opt.Progress
	m.total = len(m.plan.points) + 1
	division := opt.Split
	division.Seed, division.Test, division.Folds = opt.Seed, 0, m.plan.folds
	m.division = division.usual(f)
	if err := m.fitAll(); err != nil {
		return nil, nil, err
	}
	return m.final, m.setting, nil
}

// newMeasurement checks the rows and the pipeline.
func newMeasurement(ctx context.Context, f *dataset.Frame, p *pipeline.Pipeline) (*measurement, error) {
	switch {
	case ctx == nil:
		return nil, errors.New("there is no context")
	case f == nil:
		return nil, errors.New("there are no rows: the frame is nil")
	case p == nil || len(p.Steps) == 0:
		return nil, errors.New("there is no pipeline to measure")
	case p.HasClassifier() && f.Class() == nil:
		return nil, errors.New("the data have no class for the classifier: name it with data.label")
	}
	p, err := pipeline.New(p.Steps...)
	if err != nil {
		return nil, err
	}
	return &measurement{ctx: ctx, data: f, tested: f, pipeline: p}, nil
}

// usual fills in what an absent division means for the rows.
func (opt SplitOptions) usual(f *dataset.Frame) SplitOptions {
	if opt.Test == 0 && opt.Folds == 0 && opt.Group == nil && opt.Time == nil && opt.Fold == nil {
		opt.Folds = usualFolds
	}
	opt.Unstratified = opt.Unstratified || dividedBy(f) == nil
	return opt
}

// dividedBy is the class that rows are divided by; nil for none, and for numbers.
func dividedBy(f *dataset.Frame) *dataset.Factor {
	if f.Target() != nil {
		return nil
	}
	return f.Class()
}
