package experiment

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/parallel"
	"github.com/fspca/fspca/internal/words"
	"github.com/fspca/fspca/pipeline"
)

// SearchResult is what a search found.
type SearchResult struct {
	Metric string `json:"metric"`
	Rule   string `json:"rule"`
	Folds  int    `json:"folds"` // inner folds
	// Points are the settings that were tried, in the order of the grid. The search is
	// that on all rows that the saved model was fitted to.
	Points []Point `json:"points"`
	// Chosen is the setting of the saved model.
	Chosen Setting `json:"chosen"`
	// Deadline says that the search stopped at its deadline before all points.
	Deadline bool `json:"deadline,omitempty"`
	// Nested holds the figures of the outer splits, each with a search of its own. It is
	// nil if the settings were chosen on the rows that they were measured on.
	Nested *Nested `json:"nested,omitempty"`

	pipeline *pipeline.Pipeline // with the chosen setting, not fitted
	at       int                // of the chosen point
}

// Setting is a value for each key of a grid.
type Setting map[string]any

// UnmarshalJSON reads an object and keeps numbers as they are written.
func (s *Setting) UnmarshalJSON(b []byte) error {
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	return d.Decode((*map[string]any)(s))
}

// Point is one setting and its score in the inner folds.
type Point struct {
	Setting Setting `json:"setting"`
	// Score is the mean of the metric over the inner folds, and SE its standard error
	// (NadeauBengio). Both are nil where there is an Error.
	Score *float64 `json:"score,omitempty"`
	SE    *float64 `json:"se,omitempty"`
	// Columns is the mean number of columns chosen or, without an fspca step, of those
	// that came to the classifier.
	Columns float64 `json:"columns,omitempty"`
	// Error says why the setting failed, usually because its values contradict each other.
	Error string `json:"error,omitempty"`
}

// Nested holds the figures of the outer splits, each with a search of its own.
type Nested struct {
	Score float64   `json:"score"` // the metric of the rows held out
	Folds []Setting `json:"folds"` // what each outer split chose
}

// Metric is a figure that settings are judged by.
type metric struct {
	less bool // less is better
	of   func(*Evaluation) *float64
}

var metrics = map[string]metric{
	"accuracy":          {of: func(e *Evaluation) *float64 { return &e.Accuracy }},
	"balanced_accuracy": {of: func(e *Evaluation) *float64 { return &e.BalancedAccuracy }},
	"macro_f1":          {of: func(e *Evaluation) *float64 { return &e.MacroF1 }},
	"log_loss":          {true, func(e *Evaluation) *float64 { return e.LogLoss }},
	"auc":               {of: func(e *Evaluation) *float64 { return e.AUC }},
	"r2":                {of: func(e *Evaluation) *float64 { return &e.R2 }},
	"rmse":              {true, func(e *Evaluation) *float64 { return &e.RMSE }},
	"mae":               {true, func(e *Evaluation) *float64 { return &e.MAE }},
}

var numberMetrics = []string{"r2", "rmse", "mae"}

// plan is how a search is made.
type plan struct {
	points   []gridPoint
	order    []int // in which they are tried: those that share steps follow each other
	varied   []int // the steps whose options the grid holds
	folds    int
	metric   string
	rule     string
	nested   bool
	deadline time.Duration
}

// searching is a search under way.
type searching struct {
	*plan
	ctx     context.Context
	fitters []*pipeline.Fitter
	tests   []*dataset.Frame
	splits  []Split
}

// search tries the points on inner folds of the rows and chooses one. A point that
// cannot be fitted is listed with its error; if none can, that is an error.
func (p *plan) search(ctx context.Context, f *dataset.Frame, division SplitOptions, tell func(string)) (*SearchResult, error) {
	s := &searching{plan: p, ctx: ctx}
	if err := s.divide(f, division); err != nil {
		return nil, err
	}
	untried := func(p gridPoint) Point {
		return Point{Setting: p.setting, Error: "not tried: the search had reached its deadline"}
	}
	out := &SearchResult{Metric: p.metric, Rule: p.rule, Folds: len(s.splits), Points: lists.Map(p.points, untried)}
	limit := time.Now().Add(p.deadline)
	for n, i := range p.order {
		if n > 0 && p.deadline > 0 && time.Now().After(limit) {
			out.Deadline = true
			break
		}
		tell(fmt.Sprintf("search: setting %d of %d", n+1, len(p.order)))
		s.try(&out.Points[i], p.points[i])
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	return out, p.choose(out)
}

// divide makes the inner folds.
func (s *searching) divide(f *dataset.Frame, division SplitOptions) error {
	if division.Group == nil && s.folds > f.Rows() {
		return fmt.Errorf("search: there are %d inner folds of %s: take fewer (search.folds)", s.folds, words.Count(f.Rows(), "row"))
	}
	var err error
	if s.splits, _, err = Divide(f.Rows(), dividedBy(f), division); err != nil {
		return fmt.Errorf("search: the inner folds: %w", err)
	}
	for _, split := range s.splits {
		fitter, err := pipeline.NewFitter(f.Subset(split.Train))
		if err != nil {
			return err
		}
		fitter.KeepBefore(s.varied...)
		s.fitters, s.tests = append(s.fitters, fitter), append(s.tests, f.Subset(split.Test))
	}
	return nil
}

// try measures a point on all folds, at once where there are processors: each fold has
// its own place for its answer.
func (s *searching) try(to *Point, point gridPoint) {
	to.Error = ""
	if point.err != nil {
		to.Error = point.err.Error()
		return
	}
	scores, columns := make([]float64, len(s.splits)), make([]float64, len(s.splits))
	err := parallel.Each(s.ctx, len(s.splits), 0, func(i int) (err error) {
		if scores[i], columns[i], err = s.fold(i, point); err != nil {
			err = fmt.Errorf("inner fold %d of %d: %w", i+1, len(s.splits), err)
		}
		return err
	})
	if err != nil {
		to.Error = err.Error()
		return
	}
	score, se := mean(scores), foldError(scores, s.splits)
	to.Score, to.SE, to.Columns = &score, &se, mean(columns)
}

// fold measures a point on one inner fold.
func (s *searching) fold(i int, point gridPoint) (score, columns float64, err error) {
	p, err := pipeline.New(point.tried...)
	if err != nil {
		return 0, 0, err
	}
	t, err := tryPipeline(s.ctx, s.fitters[i], p, s.tests[i])
	if err != nil {
		return 0, 0, err
	}
	one := &measurement{splits: s.splits[i : i+1]}
	e, err := one.evaluation(contender{trials: []trial{t}})
	if err != nil {
		return 0, 0, err
	}
	v := metrics[s.metric].of(e)
	switch {
	case v == nil:
		return 0, 0, fmt.Errorf("there is no %s: the classifier gives no probabilities, or the fold tests one class", s.metric)
	case math.IsNaN(*v) || math.IsInf(*v, 0):
		return 0, 0, fmt.Errorf("the %s is %v", s.metric, *v)
	}
	columns = float64(t.offered)
	if names := t.features(); names != nil {
		columns = float64(len(names))
	}
	return *v, columns, nil
}

// choose picks a point by the rule: the best, the first of equals; or, of those
// within one standard error of the best, one with the fewest columns, of these the
// best.
func (p *plan) choose(out *SearchResult) error {
	sign := 1.0
	if metrics[p.metric].less {
		sign = -1
	}
	best := -1
	for i, point := range out.Points {
		if point.Score != nil && (best < 0 || sign**point.Score > sign**out.Points[best].Score) {
			best = i
		}
	}
	if best < 0 {
		return noPoint(out.Points)
	}
	out.at = best
	if p.rule == "one_se" {
		least := sign**out.Points[best].Score - *out.Points[best].SE
		for i, point := range out.Points {
			if point.Score == nil || sign**point.Score < least {
				continue
			}
			now := out.Points[out.at]
			if cmp.Or(cmp.Compare(point.Columns, now.Columns), cmp.Compare(sign**now.Score, sign**point.Score)) < 0 {
				out.at = i
			}
		}
	}
	out.Chosen = out.Points[out.at].Setting
	var err error
	out.pipeline, err = pipeline.New(p.points[out.at].steps...)
	return err
}

// noPoint says why no point can be fitted: each reason once, up to a few.
func noPoint(points []Point) error {
	reasons := lists.Distinct(lists.Map(points, func(p Point) string { return p.Error }))
	errs := []error{errors.New("search: no setting of the grid can be fitted")}
	for _, reason := range reasons[:min(len(reasons), 3)] {
		errs = append(errs, errors.New(reason))
	}
	return errors.Join(errs...)
}

// searchResult is the search of the saved model with what the outer splits measured.
func (m *measurement) searchResult(measured *Evaluation) *SearchResult {
	if m.setting == nil {
		return nil
	}
	out := *m.setting
	if !m.plan.nested {
		return &out
	}
	out.Nested = new(Nested)
	if v := metrics[m.plan.metric].of(measured); v != nil {
		out.Nested.Score = *v
	}
	out.Nested.Folds = lists.Map(m.found, func(f *SearchResult) Setting { return f.Chosen })
	return &out
}
