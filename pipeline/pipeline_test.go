package pipeline

import (
	"bytes"
	"context"
	"errors"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/sjwhitworth/golearn/base"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/pipeline/classifier"
	"github.com/fspca/fspca/selector"
	"github.com/fspca/fspca/transformer"
)

// wineChain standardises, selects and classifies.
func wineChain(t *testing.T) *Pipeline {
	t.Helper()
	return chainOf(t,
		NamedStep{Name: "standardize", Transformer: new(transformer.Standardize)},
		NamedStep{Name: "fspca", Transformer: selector.New(selector.Options{Features: 5, Components: 3})},
		NamedStep{Name: "logistic", Classifier: new(classifier.Logistic)})
}

func chainOf(t testing.TB, steps ...NamedStep) *Pipeline {
	t.Helper()
	return must.Get(New(steps...))(t)
}

func builtinFrame(t *testing.T, name string) *dataset.Frame {
	t.Helper()
	return must.Get(dataset.Builtin(name))(t)
}

func fitted(t testing.TB, p *Pipeline, f base.FixedDataGrid) *Pipeline {
	t.Helper()
	must.OK(t, p.Fit(f))
	return p
}

func predicted(t *testing.T, p *Pipeline, f base.FixedDataGrid) *Prediction {
	t.Helper()
	return must.Get(p.PredictFrame(f))(t)
}

// modelBytes is all that a fitted pipeline would save.
func modelBytes(t *testing.T, p *Pipeline) []byte {
	t.Helper()
	files := must.Get(p.files())(t)
	var b bytes.Buffer
	for _, f := range files {
		b.WriteString(f.name + "\n")
		b.Write(f.data)
	}
	return b.Bytes()
}

func TestChainEqualsItsSteps(t *testing.T) {
	f := builtinFrame(t, "wine")
	p := fitted(t, wineChain(t), f)

	scale, choose, classify := new(transformer.Standardize), selector.New(selector.Options{Features: 5, Components: 3}), new(classifier.Logistic)
	now := must.Get(transformer.FitTransform(scale, f))(t)
	now = must.Get(transformer.FitTransform(choose, now))(t)
	must.OK(t, classify.Fit(now))
	want := must.Get(classify.PredictFrame(context.Background(), now.(*dataset.Frame)))(t)
	if got := predicted(t, p, f).Predicted; !slices.Equal(got.Codes, want.Classes.Codes) {
		t.Errorf("the chain predicts otherwise than its steps, one after the other")
	}
	if got := p.Selector().Model().Features(); !slices.Equal(got, choose.Model().Features()) {
		t.Errorf("the chain chose %v, the steps %v", got, choose.Model().Features())
	}
}

// A fitted chain needs the chosen columns alone, in any order, among others.
func TestChainNeedsItsChosenColumns(t *testing.T) {
	f := builtinFrame(t, "wine")
	p := fitted(t, wineChain(t), f)
	chosen := p.Selector().Model().Features()
	if got := p.Inputs(); len(got) != 5 || !slices.Equal(got, chosen) {
		t.Fatalf("Inputs() is %v, want the chosen %v", got, chosen)
	}
	want := predicted(t, p, f)

	backwards := slices.Clone(chosen)
	slices.Reverse(backwards)
	narrow, err := f.Pick(backwards)
	if err != nil {
		t.Fatal(err)
	}
	for name, g := range map[string]*dataset.Frame{"reordered": narrow, "without class": narrow.WithoutClass()} {
		got := predicted(t, p, g)
		if !slices.Equal(got.Predicted.Codes, want.Predicted.Codes) || !mat.Equal(got.Probabilities, want.Probabilities) {
			t.Errorf("%s: other predictions", name)
		}
	}
	for row := range 5 {
		if got := predicted(t, p, f.Subset([]int{row})); got.Predicted.Codes[0] != want.Predicted.Codes[row] {
			t.Errorf("row %d alone is predicted otherwise than in the batch", row)
		}
	}

	lacking := must.Get(f.Pick([]string{chosen[0], chosen[3], chosen[4], "hue"}))(t)
	_, err = p.PredictFrame(lacking)
	var missing *dataset.MissingColumnsError
	if !errors.As(err, &missing) || !slices.Equal(missing.Missing, chosen[1:3]) {
		t.Errorf("two columns are missing, got: %v", err)
	}
}

func TestFlow(t *testing.T) {
	f := builtinFrame(t, "wine")
	p := wineChain(t)
	if p.Flow() != nil || p.Inputs() != nil || p.Selector() != nil {
		t.Error("an unfitted pipeline has a flow")
	}
	fitted(t, p, f)
	chosen := p.Selector().Model().Features()
	want := []StepFlow{
		{"standardize", chosen, chosen},
		{"fspca", chosen, chosen},
		{"logistic", chosen, []string{"cultivar"}},
	}
	if diff := cmp.Diff(want, p.Flow()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if name, levels := p.Classes(); name != "cultivar" || len(levels) != 3 {
		t.Errorf("Classes() is %q, %v", name, levels)
	}
}

func TestNarrowingThroughCategories(t *testing.T) {
	f := machines(t)
	p := chainOf(t,
		NamedStep{Name: "constant", Transformer: new(transformer.Constant)},
		NamedStep{Name: "numbers", Transformer: &transformer.Impute{Strategy: transformer.Median}},
		NamedStep{Name: "texts", Transformer: &transformer.Impute{Strategy: transformer.MostFrequent}},
		NamedStep{Name: "onehot", Transformer: new(transformer.OneHot)},
		NamedStep{Name: "standardize", Transformer: new(transformer.Standardize)},
		NamedStep{Name: "fspca", Transformer: selector.New(selector.Options{Features: 18, Components: 6, Output: selector.Both})},
		NamedStep{Name: "knn", Classifier: new(classifier.KNN)})
	fitted(t, p, f)
	categorical := p.CategoricalInputs()
	if len(categorical) == 0 || len(categorical) > 3 {
		t.Fatalf("the categorical inputs are %v; choose k so that there are some", categorical)
	}
	for _, name := range categorical {
		if f.Factor(name) == nil || !slices.Contains(p.Inputs(), name) {
			t.Errorf("%s is no categorical column of the data, or no input", name)
		}
	}
	if slices.Contains(p.Inputs(), "firmware") {
		t.Error("a constant column is needed")
	}
	narrow := must.Get(f.Pick(p.Inputs()))(t)
	if a, b := predicted(t, p, f), predicted(t, p, narrow); !slices.Equal(a.Predicted.Codes, b.Predicted.Codes) {
		t.Error("the needed columns alone are predicted otherwise")
	}
}

// Fit learns nothing from an earlier Fit.
func TestRefit(t *testing.T) {
	f := builtinFrame(t, "wine")
	var even, odd []int
	for i := range f.Rows() {
		if i%2 == 0 {
			even = append(even, i)
		} else {
			odd = append(odd, i)
		}
	}
	twice := fitted(t, fitted(t, wineChain(t), f.Subset(even)), f.Subset(odd))
	once := fitted(t, wineChain(t), f.Subset(odd))
	if !bytes.Equal(modelBytes(t, twice), modelBytes(t, once)) {
		t.Error("a second Fit gives another model than a first")
	}
}

// A Fit that fails leaves the pipeline as it was.
func TestFailedFitKeepsTheOldModel(t *testing.T) {
	f := builtinFrame(t, "wine")
	p := fitted(t, wineChain(t), f)
	want := predicted(t, p, f)
	if err := p.Fit(f.WithoutClass()); err == nil || !strings.HasPrefix(err.Error(), "step 3 (logistic): ") {
		t.Fatalf("fitting without a class: %v", err)
	}
	if got := predicted(t, p, f); !slices.Equal(got.Predicted.Codes, want.Predicted.Codes) {
		t.Error("the failed Fit changed the predictions")
	}
}

func TestProject(t *testing.T) {
	f := builtinFrame(t, "wine")
	p := fitted(t, wineChain(t), f)
	for output, want := range map[selector.Output]int{selector.Projection: 3, selector.Selected: 5, selector.Both: 8} {
		got := must.Get(p.Project(f, output))(t)
		if len(got.Names()) != want || got.ClassName() != "cultivar" {
			t.Errorf("%s: columns %v, class %q", output, got.Names(), got.ClassName())
		}
	}
	grid := must.Get(p.Transform(f))(t)
	selected := must.Get(p.Project(f, selector.Selected))(t)
	if dataset.Hash(grid.(*dataset.Frame)) != dataset.Hash(selected) {
		t.Error("Transform and Project give other columns")
	}
	without := fitted(t, chainOf(t, NamedStep{Name: "center", Transformer: new(transformer.Center)}), f)
	if _, err := without.Project(f, selector.Projection); err == nil || !strings.Contains(err.Error(), "no fspca step") {
		t.Errorf("Project without an fspca step: %v", err)
	}
}

func TestUseBeforeFit(t *testing.T) {
	f, p := builtinFrame(t, "iris"), wineChain(t)
	uses := map[string]func() error{
		"Predict":   func() error { _, err := p.Predict(f); return err },
		"Transform": func() error { _, err := p.Transform(f); return err },
		"Project":   func() error { _, err := p.Project(f, selector.Selected); return err },
		"SaveDir":   func() error { return p.SaveDir(t.TempDir()) },
		"Save":      func() error { return p.Save(t.TempDir() + "/model") },
	}
	for name, use := range uses {
		if err := use(); !errors.Is(err, transformer.ErrNotFitted) {
			t.Errorf("%s before Fit: %v", name, err)
		}
	}
	p = fitted(t, chainOf(t, NamedStep{Name: "center", Transformer: new(transformer.Center)}), f)
	if _, err := p.Predict(f); err == nil || !strings.Contains(err.Error(), "without a classifier") {
		t.Errorf("Predict without a classifier: %v", err)
	}
}

func TestNewRefusesChains(t *testing.T) {
	center, knn := new(transformer.Center), new(classifier.KNN)
	tests := []struct {
		name  string
		steps []NamedStep
		want  string
	}{
		{"empty", nil, "a pipeline needs at least one step"},
		{"nameless", []NamedStep{{Transformer: center}}, "step 1 has no name"},
		{"nothing", []NamedStep{{Name: "a"}}, "step 1 (a): expected a transformer or a classifier"},
		{"both", []NamedStep{{Name: "a", Transformer: center, Classifier: knn}}, "step 1 (a): expected a transformer or a classifier"},
		{"nil pointer", []NamedStep{{Name: "a", Transformer: center, Classifier: (*classifier.KNN)(nil)}}, "no nil pointer"},
		{"order", []NamedStep{{Name: "knn", Classifier: knn}, {Name: "center", Transformer: center}}, "step 1 (knn): a classifier must be last, but step 2 (center) follows"},
	}
	for _, test := range tests {
		if _, err := New(test.steps...); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %s", test.name, err, test.want)
		}
	}
}

// broken is a step that panics or fails, as golearn does.
type broken struct {
	transformer.Center
	*faults
}

// faults is shared by the copies that Fit makes.
type faults struct{ inFit, inTransform func() }

func (b *broken) Fit(g base.FixedDataGrid) error {
	b.inFit()
	return b.Center.Fit(g)
}

func (b *broken) Transform(g base.FixedDataGrid) (base.FixedDataGrid, error) {
	b.inTransform()
	return b.Center.Transform(g)
}

func (b *broken) Narrow([]string) (transformer.Transformer, error) { return b, nil }

func TestPanicsBecomeErrors(t *testing.T) {
	f := builtinFrame(t, "iris")
	fine := func() {}
	b := &broken{faults: &faults{inFit: func() { panic("index out of range") }, inTransform: fine}}
	p := chainOf(t, NamedStep{Name: "center", Transformer: new(transformer.Center)}, NamedStep{Name: "mine", Transformer: b})
	want := "step 2 (mine): panicked: index out of range"
	if err := p.Fit(f); err == nil || err.Error() != want {
		t.Errorf("in Fit: got %v, want %s", err, want)
	}
	b.inFit = fine
	fitted(t, p, f)
	b.inTransform = func() { panic(errors.New("index out of range")) }
	if _, err := p.Transform(f); err == nil || err.Error() != want {
		t.Errorf("in Transform: got %v, want %s", err, want)
	}
	if err := p.SaveDir(t.TempDir()); err == nil || !strings.Contains(err.Error(), "step 2 (mine): cannot be saved") {
		t.Errorf("saving a step of one's own: %v", err)
	}
}

func TestFitStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	p := wineChain(t)
	if err := p.FitContext(ctx, builtinFrame(t, "wine")); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if p.Inputs() != nil {
		t.Error("the pipeline counts as fitted")
	}
}

func machines(t testing.TB) *dataset.Frame {
	t.Helper()
	f := must.Get(dataset.Read("../configs/data/machines.csv", dataset.ReadOptions{
		Label: "state", Missing: []string{"NA", "unknown"}, Drop: []string{"machine"}}))(t)
	return f
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	return must.Get(os.ReadFile(path))(t)
}

// wrong is a classifier whose answers are wrong in one way.
type wrong struct {
	classifier.Dummy
	answer func(p *classifier.Prediction) *classifier.Prediction
	panics bool
}

func (w *wrong) PredictFrame(ctx context.Context, f *dataset.Frame) (*classifier.Prediction, error) {
	p, err := w.Dummy.PredictFrame(ctx, f)
	if err != nil {
		return nil, err
	}
	return w.answer(p), nil
}

func (w *wrong) Classes() []string {
	if w.panics {
		panic("no classes")
	}
	return w.Dummy.Classes()
}

// shorter is a step that makes fewer rows than it takes, or narrows to nothing.
type shorter struct {
	transformer.Center
	narrow bool
}

func (s *shorter) Transform(g base.FixedDataGrid) (base.FixedDataGrid, error) {
	out, err := s.Center.Transform(g)
	if err != nil || s.narrow {
		return out, err
	}
	return out.(*dataset.Frame).Subset([]int{0, 1}), nil
}

func (s *shorter) Narrow([]string) (transformer.Transformer, error) { return nil, nil }

// classless is a step that loses the class.
type classless struct{ transformer.Center }

func (c *classless) Transform(g base.FixedDataGrid) (base.FixedDataGrid, error) {
	out, err := c.Center.Transform(g)
	if err != nil {
		return nil, err
	}
	return out.(*dataset.Frame).WithoutClass(), nil
}

// What somebody's own step does against its contract is an error that says so.
func TestBrokenContractsAreErrors(t *testing.T) {
	f := builtinFrame(t, "iris")
	for want, answer := range map[string]func(p *classifier.Prediction) *classifier.Prediction{
		"gives no predictions, and no error": func(*classifier.Prediction) *classifier.Prediction { return nil },
		"1 predictions for 150 rows": func(p *classifier.Prediction) *classifier.Prediction {
			return &classifier.Prediction{Classes: &dataset.Factor{Levels: p.Classes.Levels, Codes: p.Classes.Codes[:1]}}
		},
		"class number 7 for row 1": func(p *classifier.Prediction) *classifier.Prediction { p.Classes.Codes[0] = 7; return p },
		"of 1 rows and 2 classes": func(p *classifier.Prediction) *classifier.Prediction {
			p.Probabilities = mat.NewDense(1, 2, nil)
			return p
		},
		"want the same in the same order": func(p *classifier.Prediction) *classifier.Prediction {
			p.Classes.Levels = []string{p.Classes.Levels[1], p.Classes.Levels[0], p.Classes.Levels[2]}
			return p
		},
		"gives row 2 the probability NaN": func(p *classifier.Prediction) *classifier.Prediction {
			p.Probabilities = mat.NewDense(150, 3, nil)
			p.Probabilities.Set(1, 2, math.NaN())
			return p
		},
		"numbers, and was fitted to classes": func(*classifier.Prediction) *classifier.Prediction {
			return &classifier.Prediction{Values: []float64{1}}
		},
	} {
		p := fitted(t, chainOf(t, NamedStep{Name: "mine", Classifier: &wrong{answer: answer}}), f)
		if _, err := p.PredictFrame(f); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	numbers := fitted(t, chainOf(t, NamedStep{Name: "mine", Classifier: &wrong{answer: func(p *classifier.Prediction) *classifier.Prediction {
		p.Values[3] = math.Inf(1)
		return p
	}}}), must.Get(f.WithoutClass().WithTarget(f.Names()[0]))(t))
	if _, err := numbers.PredictFrame(f); err == nil || !strings.Contains(err.Error(), "predicts +Inf for row 4") {
		t.Errorf("a number that is infinite: %v", err)
	}
	for want, s := range map[string]NamedStep{
		"panicked: no classes":          {Name: "mine", Classifier: &wrong{panics: true}},
		"makes 2 rows of 150":           {Name: "mine", Transformer: new(shorter)},
		"steps keep the class":          {Name: "mine", Transformer: new(classless)},
		"Narrow returned nil and no er": {Name: "mine", Transformer: &shorter{narrow: true}},
	} {
		if err := chainOf(t, s).Fit(f); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
