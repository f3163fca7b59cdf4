package experiment

import (
	"context"
	"math/rand/v2"
	"reflect"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/pipeline"
	"github.com/fspca/fspca/selector"
	"github.com/fspca/fspca/transformer"
)

// Baselines are simpler pipelines on the same splits, for comparison. All but Dummy are
// nil without an fspca step.
type Baselines struct {
	// Dummy predicts the most frequent class, or the mean.
	Dummy *Baseline `json:"dummy,omitempty"`
	// RandomColumns is the same chain on as many columns drawn at random, among those
	// that came to the fspca step, vary and may be chosen: the mean of several draws.
	RandomColumns *Baseline `json:"random_columns,omitempty"`
	// PCA is the same chain on as many principal components of all columns.
	PCA *Baseline `json:"pca,omitempty"`
}

// Baseline holds the figures of a baseline, for predicted classes or for predicted
// numbers. Error says why there are none.
type Baseline struct {
	Columns          int      `json:"columns,omitempty"` // that came to the classifier (in the first fold)
	Draws            int      `json:"draws,omitempty"`
	Accuracy         *float64 `json:"accuracy,omitempty"`
	AccuracySE       *float64 `json:"accuracy_se,omitempty"`
	BalancedAccuracy *float64 `json:"balanced_accuracy,omitempty"`
	MacroF1          *float64 `json:"macro_f1,omitempty"`
	LogLoss          *float64 `json:"log_loss,omitempty"`
	AUC              *float64 `json:"auc,omitempty"`
	R2               *float64 `json:"r2,omitempty"`
	R2SE             *float64 `json:"r2_se,omitempty"`
	RMSE             *float64 `json:"rmse,omitempty"`
	MAE              *float64 `json:"mae,omitempty"`
	Error            string   `json:"error,omitempty"`
}

// baselines tries what a pipeline must beat, on the rows of one split.
func (m *measurement) baselines(i int, fitter *pipeline.Fitter, recipe, fitted *pipeline.Pipeline, train, test *dataset.Frame) error {
	m.tell(i, "baselines")
	if err := m.tryDummy(train, test); err != nil {
		return err
	}
	if !m.compares() {
		return nil
	}
	opt, k := chosenOptions(fitted)
	if m.random == nil {
		m.random = make([]contender, draws)
	}
	for draw := range m.random {
		seed := rand.New(rand.NewPCG(m.division.Seed, uint64(i*draws+draw)+1<<32)).Uint64()
		steps := replaceSelector(recipe.Steps, "random columns", func(o selector.Options) transformer.Transformer {
			return &stand{barred: barred(o), fit: func(ctx context.Context, f *dataset.Frame) (transformer.Transformer, error) {
				return fitRandom(ctx, f, seed, selector.Options{Features: k, Components: opt.Components, Output: opt.Output,
					Uncentered: opt.Uncentered, Standardize: opt.Standardize})
			}}
		})
		if err := m.challenge(&m.random[draw], fitter, steps, test); err != nil {
			return err
		}
	}
	return m.challenge(&m.pca, fitter, replaceSelector(recipe.Steps, "pca", func(o selector.Options) transformer.Transformer {
		return &stand{barred: barred(o), fit: func(ctx context.Context, f *dataset.Frame) (transformer.Transformer, error) {
			pca := &selector.PCA{Components: opt.Components}
			return pca, pca.FitContext(ctx, f)
		}}
	}), test)
}

// tryDummy fits to a column of zeros: a dummy looks at none, and missing cells and
// text are no concern of its.
func (m *measurement) tryDummy(train, test *dataset.Frame) error {
	blank := func(f *dataset.Frame) (*dataset.Frame, error) {
		return dataset.Assemble(mat.NewDense(f.Rows(), 1, nil), []dataset.Column{{Name: "none"}}, f.ClassName(), f.Class())
	}
	if m.dummy.err != nil {
		return nil
	}
	rows, err := blank(train)
	if err == nil {
		test, err = blank(test)
	}
	if err != nil {
		m.dummy = contender{err: err}
		return nil
	}
	fitter, err := pipeline.NewFitter(rows)
	if err != nil {
		return err
	}
	dummy, err := pipeline.Step{Name: "dummy"}.Build()
	if err != nil {
		return err
	}
	return m.challenge(&m.dummy, fitter, []pipeline.NamedStep{dummy}, test)
}

// baselineOf puts the draws of a baseline together: the mean of their figures.
func (m *measurement) baselineOf(of ...contender) *Baseline {
	b := new(Baseline)
	if len(of) > 1 {
		b.Draws = len(of)
	}
	var sum scores
	for _, c := range of {
		e, err := m.evaluation(c)
		if err == nil {
			err = c.err
		}
		if err != nil {
			return &Baseline{Error: err.Error()}
		}
		b.Columns = e.Columns
		b.add(e, len(of))
		z, _ := c.scores()
		sum = sum.plus(z, float64(len(of)))
	}
	if se := sum.standardError(m.splits, b.Accuracy != nil); b.Accuracy != nil {
		b.AccuracySE = &se
	} else if len(of) == 1 { // R² is a quotient of means: its error is not that of a sum
		e, _ := m.evaluation(of[0])
		b.R2SE = &e.R2SE
	} else {
		b.R2SE = &se
	}
	return b
}

// plus adds the n-th part of other.
func (z scores) plus(other scores, n float64) scores {
	if z == nil {
		z = other.minus(other)
	}
	for i, part := range other {
		for j, v := range part {
			z[i][j] += v / n
		}
	}
	return z
}

// add adds the figures of one of n draws to their means. A figure that one draw lacks is
// left out.
func (b *Baseline) add(e *Evaluation, n int) {
	part := func(to **float64, v float64) {
		if *to == nil {
			*to = new(float64)
		}
		**to += v / float64(n)
	}
	if r := e.RegressionMetrics; r != nil {
		part(&b.R2, r.R2)
		part(&b.RMSE, r.RMSE)
		part(&b.MAE, r.MAE)
		return
	}
	part(&b.Accuracy, e.Accuracy)
	part(&b.BalancedAccuracy, e.BalancedAccuracy)
	part(&b.MacroF1, e.MacroF1)
	if e.LogLoss != nil {
		part(&b.LogLoss, *e.LogLoss)
	}
	if e.AUC != nil {
		part(&b.AUC, *e.AUC)
	}
}

// selectorAt is the index of the fspca step among steps, −1 without one.
func selectorAt(steps []pipeline.NamedStep) int {
	return slices.IndexFunc(steps, func(s pipeline.NamedStep) bool { return recipeOf(s) != nil })
}

// recipeOf is the fspca step that s is, or that is inside of it, not fitted; nil for
// none.
func recipeOf(s pipeline.NamedStep) *selector.FSPCA {
	t := s.Transformer
	if on, ok := t.(*transformer.OnColumns); ok && on != nil && on.New != nil {
		t = on.New()
	}
	f, _ := t.(*selector.FSPCA)
	return f
}

// withoutSelector leaves out the step whose cost or gain is measured. What it may not
// choose, and a column of weights, are no features without it either: to exclude a
// column is to drop it.
func withoutSelector(steps []pipeline.NamedStep) []pipeline.NamedStep {
	at := selectorAt(steps)
	if len(barred(recipeOf(steps[at]).Options)) == 0 {
		return slices.Delete(slices.Clone(steps), at, at+1)
	}
	return replaceSelector(steps, "all columns", func(o selector.Options) transformer.Transformer {
		return &transformer.Drop{Columns: barred(o)}
	})
}

// barred are the names and patterns of columns that an fspca step does not choose from.
func barred(opt selector.Options) []string {
	out := slices.Concat(opt.Exclude, opt.Unmeasured)
	if opt.Weight != "" && !slices.Contains(out, opt.Weight) {
		out = append(out, opt.Weight)
	}
	return out
}

// replaceSelector puts another step in the place of the fspca step, on the same
// columns. The steps before it stay the same values, so that a Fitter shares them.
func replaceSelector(steps []pipeline.NamedStep, name string, by func(selector.Options) transformer.Transformer) []pipeline.NamedStep {
	out := slices.Clone(steps)
	for i, s := range steps {
		f := recipeOf(s)
		if f == nil {
			continue
		}
		out[i] = pipeline.NamedStep{Name: name, Transformer: by(f.Options)}
		if on, ok := s.Transformer.(*transformer.OnColumns); ok {
			out[i].Transformer = &transformer.OnColumns{Columns: on.Columns, New: func() transformer.Transformer { return by(f.Options) }}
		}
	}
	return out
}

// measureOnly leaves out what a selection tells of itself beside the choice: nobody
// looks at it where the model is not kept. A ridge stays, which rows held out are
// rebuilt by.
func measureOnly(steps []pipeline.NamedStep) []pipeline.NamedStep {
	at := selectorAt(steps)
	if at < 0 {
		return steps
	}
	bare := func(o selector.Options) selector.Options {
		o.Bootstrap, o.Ledger, o.Reconstruction, o.Decoder = 0, false, false, o.Ridge != 0
		return o
	}
	if opt := recipeOf(steps[at]).Options; reflect.DeepEqual(bare(opt), opt) {
		return steps
	}
	return replaceSelector(steps, steps[at].Name, func(o selector.Options) transformer.Transformer {
		return selector.New(bare(o))
	})
}
