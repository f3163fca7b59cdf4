package experiment

import (
	"context"
	"fmt"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/pipeline"
	"github.com/fspca/fspca/selector"
)

// measurement measures a pipeline on rows held out, beside what it is compared with.
type measurement struct {
	ctx      context.Context
	data     *dataset.Frame // the rows that Train counts
	tested   *dataset.Frame // the rows that Test counts: the same, or a file's
	splits   []Split
	division SplitOptions // by which data was divided
	pipeline *pipeline.Pipeline
	plan     *plan // of the search; nil without one
	progress func(Progress)

	done, total int
	chosen      contender
	all         contender   // without the fspca step
	dummy, pca  contender   // baselines
	random      []contender // one for each draw of columns
	found       []*SearchResult
	setting     *SearchResult // of the search on all rows
	final       *pipeline.Pipeline
	held        []heldOut
	warnings    []string
}

// contender is a pipeline that is compared, with a trial for each split.
type contender struct {
	trials []trial
	err    error // why there are no more
}

// draws is the number of random choices of columns that are tried.
const draws = 5

// run makes all fits.
func (m *measurement) run() error {
	m.count()
	if m.plan != nil && !m.plan.nested {
		var err error
		if m.setting, err = m.searchAll(); err != nil {
			return err
		}
	}
	for i, s := range m.splits {
		if err := m.split(i, s); err != nil {
			return err
		}
	}
	if m.keepsFirst() {
		m.final = m.chosen.trials[0].pipeline
		if m.plan != nil && m.plan.nested {
			m.setting = m.found[0]
		}
		return nil
	}
	return m.fitAll()
}

// keepsFirst says whether the model of the first split is the one that is saved: that
// of a hold-out, but after a search one of all rows.
func (m *measurement) keepsFirst() bool {
	return len(m.splits) == 1 && (m.plan == nil || len(m.splits[0].Train) == m.data.Rows())
}

// compares says whether there is a choice of columns to compare with others.
func (m *measurement) compares() bool {
	return m.pipeline.HasClassifier() && selectorAt(m.pipeline.Steps) >= 0
}

// count finds the number of stages.
func (m *measurement) count() {
	each, searches := 1, 0
	if m.pipeline.HasClassifier() {
		each++ // the baselines
	}
	if m.compares() {
		each++ // all columns
	}
	m.total = each * len(m.splits)
	if m.plan != nil && m.plan.nested {
		searches = len(m.splits)
	}
	if !m.keepsFirst() {
		m.total++
		if m.plan != nil {
			searches++
		}
	} else if m.plan != nil && !m.plan.nested {
		searches++
	}
	if m.plan != nil {
		m.total += searches * len(m.plan.points)
	}
}

// split measures all contenders on one split.
func (m *measurement) split(i int, s Split) error {
	train, test := m.data, m.tested.Subset(s.Test)
	if len(s.Train) < m.data.Rows() {
		train = m.data.Subset(s.Train)
	}
	recipe, err := m.recipe(i, s, train)
	if err != nil {
		return err
	}
	fitter, err := pipeline.NewFitter(train)
	if err != nil {
		return err
	}
	fitter.KeepBefore(selectorAt(recipe.Steps)) // where the others differ
	t, err := m.tryChosen(i, fitter, recipe, test)
	if err != nil {
		return err
	}
	if err := m.holdOut(fitter, recipe, t, train, test); err != nil {
		return err
	}
	if !recipe.HasClassifier() {
		return nil
	}
	if err := m.compareAll(i, fitter, recipe, test); err != nil {
		return err
	}
	return m.baselines(i, fitter, recipe, t.pipeline, train, test)
}

// tryChosen measures the pipeline itself.
func (m *measurement) tryChosen(i int, fitter *pipeline.Fitter, recipe *pipeline.Pipeline, test *dataset.Frame) (t trial, err error) {
	stage := m.tell(i, "chosen columns")
	t, err = m.try(fitter, recipe, test)
	if err != nil && m.ctx.Err() == nil {
		// The same steps on all rows mostly fail alike, and then count the rows as
		// the file does.
		if whole := recipe.Clone().FitContext(m.ctx, m.data); whole != nil {
			return t, whole
		}
	}
	if err != nil {
		return t, fmt.Errorf("%s: %w", stage, err)
	}
	m.warn(stage, t.pipeline)
	m.chosen.trials = append(m.chosen.trials, t)
	return t, nil
}

// compareAll measures the steps without the selection, where that is compared with.
func (m *measurement) compareAll(i int, fitter *pipeline.Fitter, recipe *pipeline.Pipeline, test *dataset.Frame) error {
	if !m.compares() {
		return nil
	}
	stage := m.tell(i, "all columns")
	if err := m.challenge(&m.all, fitter, withoutSelector(recipe.Steps), test); err != nil {
		return err
	}
	if n := len(m.all.trials); m.all.err == nil {
		m.warn(stage, m.all.trials[n-1].pipeline)
	}
	return nil
}

// recipe is the pipeline to fit to the training rows of a split: the one given, or
// what a search within them chooses. What a selection tells of itself beside the
// choice takes many fits, and is left out where the model is not kept.
func (m *measurement) recipe(i int, s Split, train *dataset.Frame) (*pipeline.Pipeline, error) {
	p := m.pipeline
	switch {
	case m.plan == nil:
	case !m.plan.nested:
		p = m.setting.pipeline
	default:
		found, err := m.plan.search(m.ctx, train, m.division.subset(s.Train, m.plan.folds), func(what string) { m.tell(i, what) })
		if err != nil {
			return nil, err
		}
		m.found = append(m.found, found)
		p = found.pipeline
	}
	if m.keepsFirst() {
		return p, nil
	}
	return pipeline.New(measureOnly(p.Steps)...)
}

// challenge tries a pipeline beside the one that is measured. Its failure is noted and
// not an error; the end of the context is one.
func (m *measurement) challenge(c *contender, fitter *pipeline.Fitter, steps []pipeline.NamedStep, test *dataset.Frame) error {
	if c.err != nil {
		return nil
	}
	p, err := pipeline.New(steps...)
	var t trial
	if err == nil {
		t, err = m.try(fitter, p, test)
	}
	if ended := m.ctx.Err(); ended != nil {
		return ended
	}
	if err != nil {
		c.trials, c.err = nil, err
		return nil
	}
	c.trials = append(c.trials, t)
	return nil
}

// try fits a pipeline and predicts the test rows.
func (m *measurement) try(fitter *pipeline.Fitter, p *pipeline.Pipeline, test *dataset.Frame) (trial, error) {
	return tryPipeline(m.ctx, fitter, p, test)
}

// searchAll chooses the setting of the saved model.
func (m *measurement) searchAll() (*SearchResult, error) {
	return m.plan.search(m.ctx, m.data, m.division.subset(lists.Upto[int](m.data.Rows()), m.plan.folds), func(what string) { m.tell(-1, what) })
}

// fitAll fits the model that is saved on all rows.
func (m *measurement) fitAll() (err error) {
	p := m.pipeline
	if m.plan != nil {
		if m.setting == nil {
			if m.setting, err = m.searchAll(); err != nil {
				return err
			}
		}
		p = m.setting.pipeline
	}
	stage := m.tell(-1, "all rows")
	m.final = p.Clone()
	if err := m.final.FitContext(m.ctx, m.data); err != nil {
		return fmt.Errorf("%s: %w", stage, err)
	}
	m.warn(stage, m.final)
	return nil
}

func (m *measurement) warn(stage string, p *pipeline.Pipeline) {
	for _, w := range p.Warnings() {
		m.warnings = append(m.warnings, stage+": "+w)
	}
}

// tell says what is done on a split, −1 for all rows, and returns that.
func (m *measurement) tell(split int, what string) string {
	stage := what
	if split >= 0 && len(m.splits) > 1 {
		stage = fmt.Sprintf("fold %d of %d: %s", split+1, len(m.splits), what)
	}
	if m.progress != nil {
		m.progress(Progress{Stage: stage, Done: m.done, Total: m.total})
	}
	m.done++
	return stage
}

// chosenOptions are those of the fitted fspca step.
func chosenOptions(p *pipeline.Pipeline) (opt selector.Options, k int) {
	model := p.Selector().Model()
	return model.Options(), len(model.Features())
}
