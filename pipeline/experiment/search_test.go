package experiment

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/pipeline"
)

// noise are rows of normal numbers with labels that have nothing to do with them.
func noise(t *testing.T, seed uint64, n, d int) *dataset.Frame {
	t.Helper()
	random := newRandom(seed)
	x := mat.NewDense(n, d, nil)
	names := make([]string, d)
	for j := range names {
		names[j] = fmt.Sprint("x", j+1)
		for i := range n {
			x.Set(i, j, random.NormFloat64())
		}
	}
	f := must.Get(dataset.New(names, x))(t)
	class := &dataset.Factor{Levels: []string{"no", "yes"}, Codes: make([]int32, n)}
	for i := range n {
		class.Codes[i] = int32(i % 2)
	}
	random.Shuffle(n, func(i, j int) { class.Codes[i], class.Codes[j] = class.Codes[j], class.Codes[i] })
	return must.Get(f.WithClass("y", class))(t)
}

func built(t *testing.T, text string) *pipeline.Pipeline {
	t.Helper()
	return must.Get(parsed(t, "version: 1\ndata: {source: 'builtin:wine'}\nsplit: {folds: 3}\nsteps: "+text+"\n").Pipeline())(t)
}

var noiseGrid = Grid{{Key: "fspca.features", Values: []any{2, 4, 6, 8}}, {Key: "fspca.components", Values: []any{1, 2}}, {Key: "knn.k", Values: []any{1, 3, 5, 9}}}

// On noise the best of 32 settings is better than chance by choice alone; what is
// reported is not.
func TestSearchOnNoiseReadsAsChance(t *testing.T) {
	p := built(t, "[standardize, fspca: {features: 2, components: 1}, knn]")
	var chosen, nested, plain []float64
	for seed := range uint64(12) {
		f := noise(t, seed, 80, 12)
		_, s := must.Two(Search(t.Context(), f, p, noiseGrid, SearchOptions{Folds: 4, Seed: seed}))(t)
		if len(s.Points) != 32 {
			t.Fatalf("%d settings", len(s.Points))
		}
		chosen = append(chosen, *s.Points[s.at].Score)
		r := must.Get(Evaluate(t.Context(), f, p, EvaluateOptions{Split: SplitOptions{Folds: 4, Seed: seed}, Grid: noiseGrid, Search: SearchOptions{Folds: 4, Seed: seed}}))(t)
		nested, plain = append(nested, r.Metrics.Accuracy), append(plain, r.AllColumns.Accuracy)
		if diff := cmp.Diff(r.Metrics.Accuracy, r.Search.Nested.Score); diff != "" {
			t.Errorf("the nested score is not the one reported: %s", diff)
		}
	}
	// 12·80 rows: the standard error of a chance of one half is .016.
	if m := mean(nested); math.Abs(m-.5) > .05 {
		t.Errorf("the nested accuracy on noise is %.3f", m)
	}
	if m := mean(plain); math.Abs(m-.5) > .05 {
		t.Errorf("the accuracy of all columns on noise is %.3f", m)
	}
	if m := mean(chosen); m < .55 {
		t.Errorf("the best of 32 settings scores %.3f on noise: this test shows nothing", m)
	}
}

// Labels that are drawn at random are predicted as well as by chance, whatever the
// chain learns.
func TestRandomLabelsReadAsChance(t *testing.T) {
	wine := builtinFrame(t, "wine")
	p := built(t, "[standardize, pca: {components: 5}, fspca: {features: 3, components: 2}, knn]")
	var accuracy, auc []float64
	for seed := range uint64(8) {
		class := &dataset.Factor{Levels: []string{"no", "yes"}}
		random := newRandom(seed)
		for range wine.Rows() {
			class.Codes = append(class.Codes, int32(random.IntN(2)))
		}
		f := must.Get(wine.WithClass("y", class))(t)
		r := must.Get(Evaluate(t.Context(), f, p, EvaluateOptions{}))(t)
		accuracy, auc = append(accuracy, r.Metrics.Accuracy), append(auc, *r.Metrics.AUC)
	}
	if m := mean(accuracy); math.Abs(m-.5) > .04 {
		t.Errorf("the accuracy is %.3f", m)
	}
	if m := mean(auc); math.Abs(m-.5) > .04 {
		t.Errorf("the AUC is %.3f", m)
	}
}

// Every point is what a pipeline of that setting alone gives on the same inner folds.
func TestSharedStepsGiveWhatFreshFitsGive(t *testing.T) {
	f := builtinFrame(t, "wine")
	p := built(t, "[standardize, fspca: {features: 4, components: 2}, minmax, knn]")
	grid := Grid{{Key: "knn.k", Values: []any{1, 7}}, {Key: "fspca.features", Values: []any{3, 8, 5}}, {Key: "fspca.components", Values: []any{4, 2}}}
	_, s := must.Two(Search(t.Context(), f, p, grid, SearchOptions{Folds: 3, Seed: 2, Metric: "log_loss"}))(t)
	splits, _ := must.Two(Divide(f.Rows(), f.Class(), SplitOptions{Folds: 3, Seed: 2}))(t)
	for i, point := range s.Points {
		k, m, n := point.Setting["fspca.features"], point.Setting["fspca.components"], point.Setting["knn.k"]
		if k == 3 && m == 4 {
			if point.Score != nil || !strings.Contains(point.Error, "step 2 (fspca)") {
				t.Errorf("m above k: %+v", point)
			}
			continue
		}
		var scores []float64
		for _, split := range splits {
			fresh := built(t, fmt.Sprintf("[standardize, fspca: {features: %d, components: %d}, minmax, knn: {k: %d}]", k, m, n))
			must.OK(t, fresh.Fit(f.Subset(split.Train)))
			test := f.Subset(split.Test)
			prediction := must.Get(fresh.PredictFrame(test))(t)
			figures := must.Get(Score(test.Class(), prediction))(t)
			scores = append(scores, *figures.LogLoss)
		}
		if *point.Score != mean(scores) || *point.SE != foldError(scores, splits) || point.Columns != float64(k.(int)) {
			t.Errorf("point %d, %v: %v ± %v, fresh fits give %v ± %v", i, point.Setting, *point.Score, *point.SE, mean(scores), foldError(scores, splits))
		}
	}
}

const searchConfig = `version: 1
data: {source: "builtin:wine"}
split: {folds: 3, seed: 5}
steps:
  - standardize
  - fspca: {features: 8, components: 3}
  - knn
search:
  grid: {fspca.features: [3, 6, 9], fspca.components: [1, 4], knn.k: [1, 5]}
  folds: 4
  metric: macro_f1
`

func TestSearchRun(t *testing.T) {
	dir := t.TempDir()
	c := parsed(t, searchConfig)
	r := ran(t, c, filepath.Join(dir, "a"))
	before := runtime.GOMAXPROCS(1)
	ran(t, c, filepath.Join(dir, "b"))
	runtime.GOMAXPROCS(before)
	if diff := cmp.Diff(contents(t, filepath.Join(dir, "a")), contents(t, filepath.Join(dir, "b"))); diff != "" {
		t.Errorf("with one processor the files differ:\n%s", diff)
	}
	s := r.Search
	if len(s.Points) != 12 || len(s.Nested.Folds) != 3 || s.Metric != "macro_f1" || s.Rule != "best" || s.Folds != 4 || s.Deadline {
		t.Errorf("the search is %+v", s)
	}
	if s.Nested.Score != r.Metrics.MacroF1 {
		t.Errorf("the nested score %v is not the macro F1 %v", s.Nested.Score, r.Metrics.MacroF1)
	}
	infeasible := lists.Count(s.Points, func(p Point) bool { return p.Error != "" })
	if infeasible != 2 {
		t.Errorf("%d settings cannot be, want those of k = 3 and m = 4", infeasible)
	}

	// The saved model is the one that the search on all rows chooses, fitted to them.
	f := builtinFrame(t, "wine")
	plain := must.Get(parsed(t, searchConfig).Pipeline())(t)
	p, alone := must.Two(Search(t.Context(), f, plain, c.Search.Grid, SearchOptions{Folds: 4, Metric: "macro_f1", Seed: 5}))(t)
	if diff := cmp.Diff(alone.Points, s.Points); diff != "" || alone.Chosen.String() != s.Chosen.String() {
		t.Errorf("Search gives other points, or chooses %v and not %v:\n%s", alone.Chosen, s.Chosen, diff)
	}
	if !bytes.Equal(modelBytes(t, p), modelBytes(t, r.Pipeline)) {
		t.Error("the saved model is not the one of Search")
	}

	// Each outer split searches its training rows alone.
	splits, _ := must.Two(Divide(f.Rows(), f.Class(), SplitOptions{Folds: 3, Seed: 5}))(t)
	for i, split := range splits {
		_, inner := must.Two(Search(t.Context(), f.Subset(split.Train), plain, c.Search.Grid, SearchOptions{Folds: 4, Metric: "macro_f1", Seed: 5}))(t)
		if inner.Chosen.String() != s.Nested.Folds[i].String() {
			t.Errorf("fold %d chose %v, a search of its training rows %v", i+1, s.Nested.Folds[i], inner.Chosen)
		}
	}
	var b bytes.Buffer
	must.OK(t, r.WriteJSON(&b))
	back := new(Report)
	must.OK(t, json.Unmarshal(b.Bytes(), back))
	if back.Search.Chosen.String() != s.Chosen.String() {
		t.Errorf("the setting %v came back as %v", s.Chosen, back.Search.Chosen)
	}
}

func TestRules(t *testing.T) {
	f := builtinFrame(t, "wine")
	p := built(t, "[standardize, fspca: {features: 4, components: 2}, knn]")
	grid := Grid{{Key: "fspca.features", Values: []any{13, 10, 7, 5, 3, 2}}}
	find := func(opt SearchOptions) *SearchResult {
		t.Helper()
		_, s := must.Two(Search(t.Context(), f, p, grid, opt))(t)
		return s
	}
	for _, metric := range []string{"accuracy", "log_loss"} {
		best, sparse := find(SearchOptions{Seed: 1, Metric: metric}), find(SearchOptions{Seed: 1, Metric: metric, Rule: "one_se"})
		sign := 1.0
		if metric == "log_loss" {
			sign = -1
		}
		top, taken := best.Points[best.at], sparse.Points[sparse.at]
		for _, point := range best.Points {
			if sign**point.Score > sign**top.Score {
				t.Errorf("%s: %v is better than the best", metric, point.Setting)
			}
			if within := sign**point.Score >= sign**top.Score-*top.SE; within && point.Columns < taken.Columns {
				t.Errorf("%s: %v is within one standard error of the best and has fewer columns than %v", metric, point.Setting, taken.Setting)
			}
		}
		if sign**taken.Score < sign**top.Score-*top.SE {
			t.Errorf("%s: %v is not within one standard error of the best", metric, taken.Setting)
		}
	}
	some := find(SearchOptions{Seed: 1, Random: 3})
	if len(some.Points) != 3 {
		t.Errorf("%d settings drawn, want 3", len(some.Points))
	}
	if again := find(SearchOptions{Seed: 1, Random: 3}); !cmp.Equal(some.Points, again.Points) {
		t.Error("the same seed draws other settings")
	}
	if all := find(SearchOptions{Seed: 1, Random: 300}); len(all.Points) != 6 {
		t.Errorf("%d settings, want all 6", len(all.Points))
	}
	late := find(SearchOptions{Seed: 1, Deadline: time.Nanosecond})
	if !late.Deadline || late.Points[0].Score == nil || late.Points[5].Score != nil || !strings.Contains(late.Points[5].Error, "deadline") || late.at != 0 {
		t.Errorf("at a deadline of a nanosecond: %+v", late)
	}
}

func TestSearchMistakes(t *testing.T) {
	f := builtinFrame(t, "wine")
	p := built(t, "[standardize, fspca: {features: 4, components: 2}, knn]")
	for _, test := range []struct {
		grid Grid
		opt  SearchOptions
		want string
	}{
		{nil, SearchOptions{}, "the grid is empty"},
		{Grid{{Key: "fspca.feature", Values: []any{1}}}, SearchOptions{}, `did you mean "features"?`},
		{Grid{{Key: "kn.k", Values: []any{1}}}, SearchOptions{}, `did you mean "knn"?`},
		{Grid{{Key: "knn.k", Values: []any{0}}}, SearchOptions{}, "k must be at least 1, got 0"},
		{Grid{{Key: "knn.k", Values: []any{1.5}}}, SearchOptions{}, "k: expected a whole number, got 1.5"},
		{Grid{{Key: "knn.k", Values: []any{nil}}}, SearchOptions{}, "got nothing"},
		{Grid{{Key: "knn.k", Values: []any{make(chan int)}}}, SearchOptions{}, "knn.k: k: json"},
		{Grid{{Key: "knn.k"}}, SearchOptions{}, "no values to try"},
		{Grid{{Key: "knn.k", Values: []any{99, 98}}}, SearchOptions{Folds: 2, Metric: "auc", Split: SplitOptions{Unstratified: true}}, "no setting of the grid can be fitted"},
		{noiseGrid, SearchOptions{Metric: "r2"}, "does not go with the target"},
		{noiseGrid, SearchOptions{Metric: "f1"}, `the metric "f1" is not known`},
		{noiseGrid, SearchOptions{Rule: "two_se"}, `the rule "two_se" is not known`},
		{noiseGrid, SearchOptions{Folds: 1}, "at least 2"},
		{noiseGrid, SearchOptions{Folds: 1000}, "1000 inner folds of 178 rows"},
	} {
		if _, _, err := Search(t.Context(), f, p, test.grid, test.opt); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("got %v, want %q", err, test.want)
		}
	}
	own, err := pipeline.New(slices.Concat(p.Steps[:2], []pipeline.NamedStep{{Name: "mine", Classifier: p.Steps[2].Classifier}})...)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := Search(t.Context(), f, own, Grid{{Key: "mine.k", Values: []any{1}}}, SearchOptions{}); err == nil || !strings.Contains(err.Error(), "does not know its options") {
		t.Errorf("a step of one's own: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	_, _, err = Search(ctx, f, p, noiseGrid, SearchOptions{Progress: func(p Progress) {
		if p.Done == 2 {
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// A column that may not be chosen, and a column of weights, are no features of any
// chain that is compared.
func TestBarredColumnsAreNotDrawn(t *testing.T) {
	// The column "leak" is the class, and "w" are weights that tell it too.
	f := noise(t, 3, 60, 4)
	x := mat.NewDense(60, 6, nil)
	for i := range 60 {
		copy(x.RawRowView(i), f.Numeric().RawRowView(i))
		x.Set(i, 4, 100*float64(f.Class().Codes[i]))
		x.Set(i, 5, 1+100*float64(f.Class().Codes[i]))
	}
	g, err := dataset.New([]string{"x1", "x2", "x3", "x4", "leak", "w"}, x)
	if err == nil {
		g, err = g.WithClass("y", f.Class())
	}
	if err != nil {
		t.Fatal(err)
	}
	p := built(t, `[fspca: {features: 3, components: 1, exclude: ["lea*"], weight: w}, knn: {k: 1}]`)
	r := must.Get(Evaluate(t.Context(), g, p, EvaluateOptions{}))(t)
	if a := r.AllColumns; a.Error != "" || a.Columns != 4 || a.Accuracy > .75 {
		t.Errorf("all columns: %+v", a)
	}
	if a := r.Baselines.RandomColumns; a.Error != "" || *a.Accuracy > .75 {
		t.Errorf("random columns: %+v", a)
	}
	if a := r.Baselines.PCA; a.Error != "" || a.Columns != 1 {
		t.Errorf("PCA: %+v", a)
	}
	if r.Metrics.Accuracy > .75 {
		t.Errorf("the chosen columns: %+v", r.Metrics)
	}
	// To exclude is to drop.
	less := must.Get(g.Pick([]string{"x1", "x2", "x3", "x4", "w"}))(t)
	dropped := must.Get(Evaluate(t.Context(), less, built(t, `[fspca: {features: 3, components: 1, weight: w}, knn: {k: 1}]`), EvaluateOptions{}))(t)
	if diff := cmp.Diff(dropped, r); diff != "" {
		t.Errorf("excluded less dropped:\n%s", diff)
	}
}

// Progress counts every stage, whatever is measured.
func TestProgressCounts(t *testing.T) {
	for _, set := range [][]string{
		nil, {"split={test: 0.3}"}, {"split={test: 0.3, repeats: 2}"}, {"search.nested=false"}, {"split={test: 0.3}", "search.nested=false"},
		{"steps.1=minmax", "search.grid={knn.k: [1, 3]}"}, {"search.random=2"},
	} {
		var last Progress
		told := 0
		c := parsed(t, searchConfig, set...)
		r := must.Get(Run(t.Context(), c, Options{Progress: func(p Progress) {
			if p.Done != told {
				t.Errorf("%v: %+v after %d stages", set, p, told)
			}
			told, last = told+1, p
		}}))(t)
		if told != last.Total {
			t.Errorf("%v: %d stages, want %d", set, told, last.Total)
		}
		nested := c.Search.Nested == nil
		if (r.Search.Nested != nil) != nested || slices.ContainsFunc(r.Warnings, func(w string) bool { return strings.HasPrefix(w, "search.nested is false") }) == nested {
			t.Errorf("%v: nested %+v, warnings %v", set, r.Search.Nested, r.Warnings)
		}
	}
}

// What cannot be compared is reported, and the run goes on.
func TestFailedComparisons(t *testing.T) {
	// A column with a missing cell passes the fspca step by, and knn needs all cells.
	f := noise(t, 5, 40, 4)
	x := mat.DenseCopyOf(f.Numeric())
	x.Set(7, 3, math.NaN())
	g, err := dataset.New(f.Names(), x)
	if err == nil {
		g, err = g.WithClass("y", f.Class())
	}
	if err != nil {
		t.Fatal(err)
	}
	r := must.Get(Evaluate(t.Context(), g, built(t, "[fspca: {features: 2, components: 1, columns: [x1, x2, x3]}, drop: {columns: [x4]}, knn]"), EvaluateOptions{}))(t)
	if r.AllColumns.Error != "" || r.Difference == nil || r.Baselines.PCA.Error != "" {
		t.Errorf("with x4 dropped: %+v, %+v", r.AllColumns, r.Baselines.PCA)
	}
	r = must.Get(Evaluate(t.Context(), f, built(t, "[fspca: {features: 2, components: 1, output: projection}, power: {columns: [pc1]}, knn]"), EvaluateOptions{}))(t)
	if a := r.AllColumns; a.Error == "" || !strings.Contains(a.Error, `"pc1"`) || r.Difference != nil || r.Metrics.Accuracy == 0 || r.Baselines.RandomColumns.Error != "" {
		t.Errorf("no pc1 without fspca: %+v", a)
	}
	if !slices.ContainsFunc(r.Warnings, func(w string) bool { return strings.Contains(w, "all columns could not be compared with") }) {
		t.Errorf("warnings %v", r.Warnings)
	}
	report := &Report{Result: *r}
	var b strings.Builder
	if err := report.WriteSummary(&b); err != nil || !strings.Contains(b.String(), "all columns could not") {
		t.Errorf("%v\n%s", err, &b)
	}
}
