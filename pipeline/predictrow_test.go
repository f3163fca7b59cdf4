package pipeline

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/sjwhitworth/golearn/base"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/pipeline/classifier"
	"github.com/fspca/fspca/selector"
	"github.com/fspca/fspca/transformer"
)

// service is the chain that a service runs: impute, standardize, fspca, logistic.
func service(t testing.TB, output selector.Output) (*Pipeline, *dataset.Frame) {
	t.Helper()
	wine := must.Get(dataset.Builtin("wine"))(t)
	p := must.Get(New(
		NamedStep{Name: "impute", Transformer: new(transformer.Impute)},
		NamedStep{Name: "standardize", Transformer: new(transformer.Standardize)},
		NamedStep{Name: "fspca", Transformer: selector.New(selector.Options{Features: 6, Components: 3, Output: output})},
		NamedStep{Name: "logistic", Classifier: new(classifier.Logistic)}))(t)
	must.OK(t, p.Fit(wine))
	return p, wine
}

// sameAsTable checks that the rows of f, by themselves, get the answers that they get
// in a table: the same bits, or an error in both.
func sameAsTable(t *testing.T, p *Pipeline, f *dataset.Frame) {
	t.Helper()
	inputs := p.Inputs()
	rows := must.Get(f.Pick(inputs))(t)
	_, classes := p.Classes()
	dst := make([]float64, max(1, len(classes)))
	for i := range f.Rows() {
		one := rows.Subset([]int{i})
		want, wantErr := p.PredictFrame(one)
		byName := map[string]any{}
		numbers := map[string]float64{}
		for j, name := range one.NumericNames() {
			numbers[name] = one.Numeric().At(0, j)
			byName[name] = numbers[name]
		}
		var row []float64
		for _, name := range inputs {
			if c := one.Factor(name); c != nil {
				byName[name] = c.Text(0)
			}
			row = append(row, numbers[name])
		}
		check := func(how, class string, err error) {
			t.Helper()
			if wantErr != nil {
				want := strings.ReplaceAll(wantErr.Error(), one.RowPlace(0), "row 1") // which a single row is
				if err == nil || err.Error() != want {
					t.Fatalf("%s, row %d, %s: the error is %v, of a table %v", p, i+1, how, err, wantErr)
				}
				return
			}
			if err != nil {
				t.Fatalf("%s, row %d, %s: %v", p, i+1, how, err)
			}
			numbers := want.Values
			if numbers == nil {
				numbers = want.Probabilities.RawRowView(0)
			}
			if text := classText(want); class != text {
				t.Fatalf("%s, row %d, %s: got class %q, want %q", p, i+1, how, class, text)
			}
			for c, w := range numbers {
				if math.Float64bits(dst[c]) != math.Float64bits(w) {
					t.Fatalf("%s, row %d, %s: probability %d is %v, want %v", p, i+1, how, c, dst[c], w)
				}
			}
		}
		if wantErr == nil && want.Values == nil && want.Probabilities == nil {
			if class, err := p.PredictRow(nil, row); err != nil || class != classText(want) {
				t.Fatalf("%s, row %d: got class %q and the error %v, want %q", p, i+1, class, err, classText(want))
			}
			if _, err := p.PredictRow(dst, row); err == nil || !strings.Contains(err.Error(), "no probabilities") {
				t.Fatalf("%s, row %d: probabilities of a classifier that has none: %v", p, i+1, err)
			}
			continue
		}
		if len(p.CategoricalInputs()) == 0 {
			kept := slices.Clone(row)
			class, err := p.PredictRow(dst, row)
			check("PredictRow", class, err)
			if !slices.EqualFunc(kept, row, func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }) {
				t.Fatalf("%s: PredictRow changes the row", p)
			}
			class, err = p.PredictRow(nil, row)
			if len(classes) > 0 && ((err == nil) != (wantErr == nil) || err == nil && class != classText(want)) {
				t.Fatalf("%s, row %d: without probabilities: class %q and error %v", p, i+1, class, err)
			}
		}
		clear(dst)
		class, err := p.PredictMap(dst, byName)
		check("PredictMap", class, err)
	}
}

// classText is the class of the first row; "" of a number.
func classText(p *Prediction) string {
	if p.Predicted == nil {
		return ""
	}
	return p.Predicted.Text(0)
}

// numeric returns f with a number to predict.
func numeric(t *testing.T, f *dataset.Frame) *dataset.Frame {
	t.Helper()
	target := must.Get(dataset.NewTarget(mat.Col(nil, 0, f.Numeric())))(t)
	return must.Get(f.WithClass("target", target))(t)
}

// withHoles returns f with some numeric cells missing and some far out.
func withHoles(t *testing.T, f *dataset.Frame, seed uint64) *dataset.Frame {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 1))
	x := mat.DenseCopyOf(f.Numeric())
	n, p := x.Dims()
	for range n / 2 {
		x.Set(rng.IntN(n), rng.IntN(p), math.NaN())
		x.Set(rng.IntN(n), rng.IntN(p), []float64{-1e300, 1e308, 0, 5e-324, -7}[rng.IntN(5)])
	}
	return must.Get(dataset.Assemble(x, f.Columns(), f.ClassName(), f.Class()))(t)
}

// A row gets what it gets in a table, for every step and every classifier.
func TestRowsEqualTables(t *testing.T) {
	for _, output := range []selector.Output{selector.Selected, selector.Projection, selector.Both} {
		p, wine := service(t, output)
		if p.fitted.Load().rows == nil {
			t.Fatalf("%s: there is no chain for rows", p)
		}
		sameAsTable(t, p, withHoles(t, wine, 1))
	}
	wine, mixed := builtinFrame(t, "wine"), machines(t)
	for _, k := range Kinds() {
		if k.Name() == "dates" {
			continue
		}
		step := fittable(t, k)
		if k.Regresses() {
			impute := NamedStep{Name: "impute", Transformer: new(transformer.Impute)}
			sameAsTable(t, fitted(t, chainOf(t, impute, step), numeric(t, wine)), withHoles(t, wine, 7))
		}
		impute := NamedStep{Name: "impute", Transformer: &transformer.Impute{Strategy: transformer.MostFrequent}}
		logistic := NamedStep{Name: "logistic", Classifier: new(classifier.Logistic)}
		onehot := NamedStep{Name: "onehot", Transformer: &transformer.OneHot{IgnoreUnseen: true}}
		switch {
		case k.Regresses() && !k.Classifies():
			continue
		case k.Classifies():
			sameAsTable(t, fitted(t, chainOf(t, impute, step), wine), withHoles(t, wine, 2))
			continue
		case !slices.Contains([]string{"drop", "log1p"}, k.Name()):
			sameAsTable(t, fitted(t, chainOf(t, impute, step, logistic), wine), withHoles(t, wine, 3))
			fallthrough
		default:
			sameAsTable(t, fitted(t, chainOf(t, impute, onehot, step, logistic), mixed), withHoles(t, mixed, 4))
		}
	}
}

// Which classifiers have a form for rows: who loses it, loses speed without a word.
func TestRowForms(t *testing.T) {
	wine := builtinFrame(t, "wine")
	for name, want := range map[string]bool{"logistic": true, "naive_bayes": true, "decision_tree": true, "random_forest": true,
		"dummy": true, "ridge": true, "linear": true, "knn": true, "linear_svm": true} {
		k := must.Get(FindKind(name))(t)
		f := wine
		if !k.Classifies() {
			f = numeric(t, wine)
		}
		p := fitted(t, chainOf(t, NamedStep{Name: "standardize", Transformer: new(transformer.Standardize)}, fittable(t, k)), f)
		if got := p.fitted.Load().rows != nil; got != want {
			t.Errorf("%s: a chain for rows: %v, want %v", name, got, want)
		}
	}
}

// A step on some columns, one after another, in rows.
func TestRowsOnColumns(t *testing.T) {
	wine := builtinFrame(t, "wine")
	on := func(newStep func() transformer.Transformer, columns ...string) NamedStep {
		return NamedStep{Name: "columns", Transformer: &transformer.OnColumns{Columns: columns, New: newStep}}
	}
	p := fitted(t, chainOf(t,
		on(func() transformer.Transformer { return new(transformer.Impute) }, "a*", "proline"),
		on(func() transformer.Transformer { return &transformer.MissingIndicator{All: true} }, "hue"),
		on(func() transformer.Transformer { return new(transformer.Power) }, "proline", "hue"),
		on(func() transformer.Transformer { return &selector.PCA{Components: 2, Whiten: true} }, "a*"),
		NamedStep{Name: "drop", Transformer: &transformer.Drop{Columns: []string{"m*"}}},
		NamedStep{Name: "logistic", Classifier: new(classifier.Logistic)}), wine)
	if p.fitted.Load().rows == nil {
		t.Fatal("there is no chain for rows")
	}
	sameAsTable(t, p, withHoles(t, wine, 5))
	dir := t.TempDir() + "/model"
	must.OK(t, p.SaveDir(dir))
	loaded := must.Get(LoadDir(dir))(t)
	sameAsTable(t, loaded, withHoles(t, wine, 6))
	refitted := fitted(t, loaded, wine)
	if answers(t, refitted, wine) != answers(t, p, wine) {
		t.Error("a loaded pipeline, fitted again, answers otherwise: options were lost")
	}
}

// shifted is a user's step that embeds one of this module: tables and rows must agree
// all the same.
type shifted struct{ *transformer.Center }

func (s *shifted) Transform(g base.FixedDataGrid) (base.FixedDataGrid, error) {
	out, err := s.Center.Transform(g)
	if err != nil {
		return nil, err
	}
	f := out.(*dataset.Frame)
	x := mat.DenseCopyOf(f.Numeric())
	x.Scale(3, x)
	return dataset.Assemble(x, f.Columns(), f.ClassName(), f.Class())
}

func (s *shifted) Narrow(outputs []string) (transformer.Transformer, error) {
	n, err := s.Center.Narrow(outputs)
	if err != nil {
		return nil, err
	}
	return &shifted{n.(*transformer.Center)}, nil
}

func TestRowsOfOwnSteps(t *testing.T) {
	wine := builtinFrame(t, "wine")
	p := fitted(t, chainOf(t, NamedStep{Name: "shifted", Transformer: &shifted{new(transformer.Center)}},
		NamedStep{Name: "logistic", Classifier: new(classifier.Logistic)}), wine)
	sameAsTable(t, p, wine)
	on := &transformer.OnColumns{Columns: []string{"hue", "ash"}, New: func() transformer.Transformer { return &shifted{new(transformer.Center)} }}
	sameAsTable(t, fitted(t, chainOf(t, NamedStep{Name: "shifted", Transformer: on},
		NamedStep{Name: "logistic", Classifier: new(classifier.Logistic)}), wine), wine)
}

func TestPredictRowErrors(t *testing.T) {
	p, wine := service(t, selector.Projection)
	row := make([]float64, len(p.Inputs()))
	want := func(err error, texts ...string) {
		t.Helper()
		for _, text := range texts {
			if err == nil || !strings.Contains(err.Error(), text) {
				t.Errorf("the error does not say %q: %v", text, err)
			}
		}
	}
	_, err := p.PredictRow(nil, row[1:])
	want(err, "5: want 6", "want 6", p.Inputs()[0])
	_, err = p.PredictRow(row[:2], row)
	want(err, "dst is 2", "classes, 3")
	row[0] = math.Inf(1)
	_, err = p.PredictRow(nil, row)
	want(err, p.Inputs()[0], "finite")
	_, err = new(Pipeline).PredictRow(nil, row)
	want(err, "not fitted")
	_, err = new(Pipeline).PredictMap(nil, nil)
	want(err, "not fitted")
	cells := map[string]any{"x": 1}
	for _, name := range p.Inputs()[2:] {
		cells[name] = 1.5
	}
	cells[p.Inputs()[1]+"s"] = 2
	_, err = p.PredictMap(nil, cells)
	want(err, p.Inputs()[0], fmt.Sprintf("%q", p.Inputs()[1]), p.Inputs()[1]+"s")
	cells[p.Inputs()[0]], cells[p.Inputs()[1]] = "much", int64(1<<53+1)
	_, err = p.PredictMap(nil, cells)
	want(err, p.Inputs()[0], "much", p.Inputs()[1], "9007199254740993")
	ends := fitted(t, chainOf(t, NamedStep{Name: "center", Transformer: new(transformer.Center)}), wine)
	_, err = ends.PredictRow(nil, row)
	want(err, "without a classifier")
	mixed := fitted(t, chainOf(t, NamedStep{Name: "impute", Transformer: &transformer.Impute{Strategy: transformer.MostFrequent}},
		NamedStep{Name: "tree", Classifier: new(classifier.DecisionTree)}), machines(t))
	_, err = mixed.PredictRow(nil, make([]float64, len(mixed.Inputs())))
	want(err, mixed.CategoricalInputs()[0], "PredictMap")
}

// poolsForget is true under the race detector.
var poolsForget bool

// A row takes no memory, from several goroutines either.
func TestPredictRowAllocatesNothing(t *testing.T) {
	p, wine := service(t, selector.Projection)
	rows := must.Get(wine.Pick(p.Inputs()))(t)
	row, dst := slices.Clone(rows.Numeric().RawRowView(3)), make([]float64, 3)
	row[1] = math.NaN()
	cells := map[string]any{}
	for i, name := range p.Inputs() {
		cells[name] = row[i]
	}
	for name, predict := range map[string]func() (string, error){
		"PredictRow":                       func() (string, error) { return p.PredictRow(dst, row) },
		"PredictRow without probabilities": func() (string, error) { return p.PredictRow(nil, row) },
		"PredictMap":                       func() (string, error) { return p.PredictMap(dst, cells) },
	} {
		if n := testing.AllocsPerRun(1000, func() {
			must.Get(predict())(t)
		}); n != 0 && !poolsForget {
			t.Errorf("%s allocates %v times", name, n)
		}
	}
	want := must.Get(p.PredictRow(dst, row))(t)
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			own := make([]float64, 3)
			for range 500 {
				if class, err := p.PredictRow(own, row); err != nil || class != want || !slices.Equal(own, dst) {
					t.Errorf("beside others: class %q, probabilities %v, error %v", class, own, err)
					return
				}
			}
		})
	}
	wait.Wait()
}

// rowKinds are the classifiers and regressions that predict rows without a table.
var rowKinds = []string{"logistic", "linear_svm", "naive_bayes", "knn", "decision_tree", "random_forest", "dummy", "ridge", "linear"}

// rowOf fits standardize and a classifier to wine, and returns a row for it and room for the answer.
func rowOf(t testing.TB, name string) (p *Pipeline, dst, row []float64) {
	t.Helper()
	wine := must.Get(dataset.Builtin("wine"))(t)
	k := must.Get(FindKind(name))(t)
	if !k.Classifies() {
		target, err := dataset.NewTarget(mat.Col(nil, 0, wine.Numeric()))
		if err == nil {
			wine, err = wine.WithClass("target", target)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	step := must.Get(Step{Name: name}.Build())(t)
	p = fitted(t, chainOf(t, NamedStep{Name: "standardize", Transformer: new(transformer.Standardize)}, step), wine)
	rows := must.Get(wine.Pick(p.Inputs()))(t)
	_, classes := p.Classes()
	if dst = make([]float64, max(1, len(classes))); name == "linear_svm" {
		dst = nil
	}
	return p, dst, slices.Clone(rows.Numeric().RawRowView(3))
}

func TestClassifiersPredictRowsWithoutAllocation(t *testing.T) {
	for _, name := range rowKinds {
		p, dst, row := rowOf(t, name)
		if n := testing.AllocsPerRun(100, func() {
			must.Get(p.PredictRow(dst, row))(t)
		}); n != 0 && !poolsForget {
			t.Errorf("%s allocates %v times", name, n)
		}
	}
}

func BenchmarkPredictRowOf(b *testing.B) {
	for _, name := range rowKinds {
		p, dst, row := rowOf(b, name)
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, _ = p.PredictRow(dst, row)
			}
		})
	}
}

func BenchmarkPredictRow(b *testing.B) {
	p, wine := service(b, selector.Projection)
	rows := must.Get(wine.Pick(p.Inputs()))(b)
	row, dst := rows.Numeric().RawRowView(3), make([]float64, 3)
	cells := map[string]any{}
	for i, name := range p.Inputs() {
		cells[name] = row[i]
	}
	one := rows.Subset([]int{3})
	b.Run("row", func(b *testing.B) {
		b.ReportAllocs()
		for range b.N {
			_, _ = p.PredictRow(dst, row)
		}
	})
	b.Run("map", func(b *testing.B) {
		b.ReportAllocs()
		for range b.N {
			_, _ = p.PredictMap(dst, cells)
		}
	})
	b.Run("table", func(b *testing.B) {
		b.ReportAllocs()
		for range b.N {
			_, _ = p.PredictFrame(one)
		}
	})
}
