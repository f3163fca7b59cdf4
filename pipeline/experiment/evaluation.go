package experiment

import (
	"errors"
	"fmt"

	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/selector"
)

// Result holds the figures of a pipeline on rows that it was not fitted on.
type Result struct {
	Split   *Parts      `json:"split,omitempty"`
	Metrics *Evaluation `json:"metrics,omitempty"` // with the chosen columns; nil without a classifier
	// AllColumns is the same pipeline without its fspca step, on the same splits. Columns
	// that the step may not choose, and that of its weights, are left out as well.
	AllColumns *Evaluation `json:"all_columns,omitempty"`
	// Difference compares the two; nil where there is no fspca step or AllColumns failed.
	Difference *Difference   `json:"difference,omitempty"`
	Baselines  *Baselines    `json:"baselines,omitempty"`
	Search     *SearchResult `json:"search,omitempty"`
	Stability  *Stability    `json:"stability,omitempty"` // with several splits
	Warnings   []string      `json:"warnings,omitempty"`
	// HeldOut says how well the chosen columns predict all columns on the rows held out. A report
	// holds it in Selection.Reconstruction.
	HeldOut *selector.HeldOut `json:"held_out,omitempty"`
}

// Evaluation holds the figures over all rows held out. Each row was predicted by
// a pipeline that was not fitted on it.
type Evaluation struct {
	Columns            int       `json:"columns,omitempty"` // that came to the classifier (in the first fold)
	*Metrics                     // of classes; nil for a regression
	*RegressionMetrics           // of numbers; nil for classes
	SEMethod           string    `json:"se_method,omitempty"` // of the standard errors: Binomial, IndependentRows or NadeauBengio
	FoldAccuracy       []float64 `json:"fold_accuracy,omitempty"`
	AccuracySD         *float64  `json:"accuracy_sd,omitempty"` // sample standard deviation over the folds
	Error              string    `json:"error,omitempty"`       // why there are no figures
}

// result puts together what was measured.
func (m *measurement) result() (out *Result, err error) {
	out = &Result{Split: m.parts(), Warnings: m.warnings}
	if len(m.splits) > 1 && m.chosen.trials[0].features() != nil {
		out.Stability = stability(lists.Map(m.chosen.trials, func(t trial) []string { return t.features() }))
	}
	out.HeldOut = m.heldOut()
	if len(m.splits) == 0 || m.chosen.trials[0].prediction == nil {
		return out, nil
	}
	if out.Metrics, err = m.evaluation(m.chosen); err != nil {
		return nil, err
	}
	out.Baselines = &Baselines{Dummy: m.baselineOf(m.dummy)}
	out.Search = m.searchResult(out.Metrics)
	return out, m.compareWith(out)
}

// compareWith adds what the pipeline is compared with.
func (m *measurement) compareWith(out *Result) (err error) {
	if !m.compares() {
		return nil
	}
	out.Baselines.RandomColumns, out.Baselines.PCA = m.baselineOf(m.random...), m.baselineOf(m.pca)
	if m.all.err != nil {
		out.AllColumns = &Evaluation{Error: m.all.err.Error()}
		out.Warnings = append(out.Warnings, fmt.Sprintf("all columns could not be compared with: %v", m.all.err))
		return nil
	}
	if out.AllColumns, err = m.evaluation(m.all); err != nil {
		return err
	}
	a, shares := m.chosen.scores()
	b, _ := m.all.scores()
	out.Difference = difference(a, b, m.splits, shares)
	return nil
}

// evaluation puts the trials of all splits together.
func (m *measurement) evaluation(c contender) (*Evaluation, error) {
	if c.err != nil {
		return nil, c.err
	}
	if len(c.trials) == 0 {
		return nil, errors.New("it was not tried")
	}
	e := &Evaluation{Columns: c.trials[0].offered, SEMethod: seMethod(m.splits, c.trials[0].truth != nil)}
	if c.trials[0].truth != nil {
		truth, predicted := c.numbers()
		var err error
		e.RegressionMetrics, err = regression(truth, predicted, m.splits)
		return e, err
	}
	if err := e.pool(c.trials); err != nil {
		return nil, err
	}
	if len(c.trials) == 1 {
		e.FoldAccuracy = nil
		return e, nil
	}
	z, _ := c.scores()
	e.AccuracySE = z.standardError(m.splits, true)
	sd := deviation(e.FoldAccuracy)
	e.AccuracySD = &sd
	return e, nil
}

// pool measures the predictions of all splits together, and the accuracy of each.
func (e *Evaluation) pool(trials []trial) error {
	pooled := new(Confusion)
	for _, t := range trials {
		pooled.add(t.confusion)
		fold, err := t.confusion.Metrics()
		if err != nil {
			return err
		}
		e.FoldAccuracy = append(e.FoldAccuracy, fold.Accuracy)
	}
	var err error
	if e.Metrics, err = pooled.Metrics(); err != nil {
		return err
	}
	e.addProbabilities(trials)
	return nil
}

// numbers are the true and the predicted ones, by split.
func (c contender) numbers() (truth, predicted [][]float64) {
	return lists.Map(c.trials, func(t trial) []float64 { return t.truth }), lists.Map(c.trials, func(t trial) []float64 { return t.prediction.Values })
}

// scores are what two pipelines are compared by: whether each row is right, or its
// part of R².
func (c contender) scores() (z scores, shares bool) {
	if c.trials[0].truth != nil {
		e, err := newErrors(c.numbers())
		if err != nil { // evaluation has looked
			return nil, false
		}
		return e.explained(), false
	}
	return lists.Map(c.trials, func(t trial) []float64 {
		return lists.Make(len(t.class.Codes), func(i int) float64 {
			if t.class.Text(i) == t.prediction.Predicted.Text(i) {
				return 1
			}
			return 0
		})
	}), true
}

func (m *measurement) parts() *Parts {
	if m.splits == nil {
		return nil
	}
	p := &Parts{Kind: "test"}
	if m.division.Repeats > 1 {
		p.Repeats = m.division.Repeats
	}
	if len(m.splits) > 1 && m.division.Test == 0 {
		p.Kind = "folds"
	}
	p.Train = lists.Map(m.splits, func(s Split) int { return len(s.Train) })
	p.Test = lists.Map(m.splits, func(s Split) int { return len(s.Test) })
	return p
}
