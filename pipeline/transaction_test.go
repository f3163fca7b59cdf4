package pipeline

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/countdown"
	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/pipeline/classifier"
	"github.com/fspca/fspca/selector"
	"github.com/fspca/fspca/transformer"
)

// answers are all that a fitted pipeline says about rows, bit for bit.
func answers(t *testing.T, p *Pipeline, f *dataset.Frame) string {
	t.Helper()
	if !p.HasClassifier() {
		g := must.Get(p.Transform(f))(t)
		return fmt.Sprint(dataset.Hash(g.(*dataset.Frame)), p.Inputs())
	}
	out := predicted(t, p, f)
	text := fmt.Sprint(p.Inputs(), out.Class, *out.Predicted)
	if out.Probabilities != nil {
		text += fmt.Sprintf("%x", out.Probabilities.RawMatrix().Data)
	}
	return text
}

// otherWine is wine with other numbers and other classes.
func otherWine(t *testing.T, wine *dataset.Frame) *dataset.Frame {
	t.Helper()
	x := mat.DenseCopyOf(wine.Numeric())
	x.Apply(func(i, j int, v float64) float64 { return 16 - v*float64(1+(i+j)%3) }, x)
	class := &dataset.Factor{Levels: wine.Class().Levels, Codes: slices.Clone(wine.Class().Codes)}
	slices.Reverse(class.Codes)
	return must.Get(dataset.Assemble(x, wine.Columns(), wine.ClassName(), class))(t)
}

// A second Fit that is cancelled, at whatever moment, leaves every answer bit for
// bit as it was, and so does one that fails.
func TestCancelledRefitChangesNothing(t *testing.T) {
	wine := builtinFrame(t, "wine")
	other := otherWine(t, wine)
	for _, k := range Kinds() {
		if !k.Classifies() {
			continue
		}
		last := must.Get(k.New(nil))(t)
		p := chainOf(t,
			NamedStep{Name: "minmax", Transformer: new(transformer.MinMax)},
			NamedStep{Name: "fspca", Transformer: selector.New(selector.Options{Features: 6, Components: 2, Output: selector.Both})},
			last)
		fitted(t, p, wine)
		want := answers(t, p, wine)
		stopped := 0
		for n := 0; ; n += 1 + n/8 {
			ctx := countdown.New(n)
			err := p.FitContext(ctx, other)
			if !ctx.Ended() {
				if err != nil || answers(t, p, wine) == want {
					t.Errorf("%s: the second Fit, not cancelled, gives %v and the old answers", k.Name(), err)
				}
				break
			}
			stopped++
			if !errors.Is(err, context.Canceled) {
				t.Fatalf("%s: cancelled at look %d: %v", k.Name(), n, err)
			}
			if answers(t, p, wine) != want {
				t.Fatalf("%s: cancelled at look %d, the second Fit changed the answers", k.Name(), n)
			}
		}
		if stopped < 4 {
			t.Errorf("%s: the second Fit looked %d times only", k.Name(), stopped)
		}
	}
}

func TestFailedRefitOfEachStepChangesNothing(t *testing.T) {
	wine := builtinFrame(t, "wine")
	few := otherWine(t, wine).Subset([]int{0, 1, 2})
	p := fitted(t, chainOf(t,
		NamedStep{Name: "standardize", Transformer: new(transformer.Standardize)},
		NamedStep{Name: "minmax", Transformer: new(transformer.MinMax)},
		NamedStep{Name: "knn", Classifier: new(classifier.KNN)}), wine)
	want := answers(t, p, wine)
	if err := p.Fit(few); err == nil {
		t.Fatal("5 neighbours of 3 rows: no error")
	}
	if answers(t, p, wine) != want {
		t.Error("the failed Fit changed the answers")
	}
}

// One step value used twice in a chain, or in two pipelines, gives what two values
// give.
func TestStepsCanBeUsedTwice(t *testing.T) {
	wine := builtinFrame(t, "wine")
	other := otherWine(t, wine)
	for _, k := range Kinds() {
		if k.Ends() || slices.Contains([]string{"fspca", "drop", "dates", "log1p"}, k.Name()) {
			continue // they cannot stand twice in a chain, or not on these columns
		}
		make := func() NamedStep { return fittable(t, k) }
		knn := func() NamedStep { return NamedStep{Name: "knn", Classifier: &classifier.KNN{K: 1}} }
		once := make()
		a := fitted(t, chainOf(t, once, once, knn()), wine)
		b := fitted(t, chainOf(t, make(), make(), knn()), wine)
		if answers(t, a, other) != answers(t, b, other) {
			t.Errorf("%s: one value twice in a chain is not two values", k.Name())
		}
		shared := knn()
		first := fitted(t, chainOf(t, once, shared), wine)
		want := answers(t, first, other)
		fitted(t, chainOf(t, once, shared), other)
		if answers(t, first, other) != want {
			t.Errorf("%s: fitting another pipeline of the same values changes the first", k.Name())
		}
	}
}

// fittable is a step of the kind, with the options that it cannot do without.
func fittable(t *testing.T, k Kind) NamedStep {
	t.Helper()
	options := k.Options()
	switch o := options.(type) {
	case *FSPCAStep:
		o.Features.Number, o.Components.Number = 5, 2
	case *PCAStep:
		o.Components.Number = 2
	case *ColumnsStep:
		if o.Columns = []string{"*"}; k.Name() == "drop" {
			o.Columns = []string{"*=*"}
		}
	case *PlainStep:
		if k.Name() == "log1p" {
			o.Columns = []string{"*=*"}
		}
	}
	return must.Get(k.New(options))(t)
}

// What is fitted holds nothing of the caller's memory: neither numbers nor levels.
func TestFittedHoldsNothingOfTheCallers(t *testing.T) {
	f := machines(t)
	for _, last := range append(Kinds(), Kind{}) {
		if last.Name() == "dates" || last.Regresses() && !last.Classifies() {
			continue // there are no dates and no target; see transformertest, classifiertest
		}
		x := mat.DenseCopyOf(f.Numeric())
		columns := slices.Clone(f.Columns())
		for i, c := range columns {
			if c.Factor != nil {
				columns[i].Factor = &dataset.Factor{Levels: slices.Clone(c.Factor.Levels), Codes: slices.Clone(c.Factor.Codes)}
			}
		}
		class := &dataset.Factor{Levels: slices.Clone(f.Class().Levels), Codes: slices.Clone(f.Class().Codes)}
		own := must.Get(dataset.Assemble(x, columns, f.ClassName(), class))(t)
		chain := []NamedStep{
			{Name: "a", Transformer: new(transformer.Constant)},
			{Name: "b", Transformer: &transformer.Impute{Strategy: transformer.MostFrequent}}}
		if last.Name() == "" { // the levels come to the end
			chain = append(chain, NamedStep{Name: "tree", Classifier: new(classifier.DecisionTree)})
		} else {
			chain = append(chain, NamedStep{Name: "c", Transformer: new(transformer.OneHot)})
			chain = append(chain, fittable(t, last))
		}
		p := fitted(t, chainOf(t, chain...), own)
		want := answers(t, p, f)
		x.Zero()
		for _, factor := range append([]*dataset.Factor{class}, factorsOf(columns)...) {
			clear(factor.Codes)
			for i := range factor.Levels {
				factor.Levels[i] = "overwritten"
			}
		}
		if answers(t, p, f) != want {
			t.Errorf("%s: overwriting the training rows changes the answers", p)
		}
	}
}

func factorsOf(columns []dataset.Column) (out []*dataset.Factor) {
	for _, c := range columns {
		if c.Factor != nil {
			out = append(out, c.Factor)
		}
	}
	return out
}

// A clone answers as the pipeline, and each is fitted by itself.
func TestClone(t *testing.T) {
	wine := builtinFrame(t, "wine")
	p := fitted(t, wineChain(t), wine)
	want := answers(t, p, wine)
	c := p.Clone()
	if answers(t, c, wine) != want {
		t.Error("the clone answers otherwise")
	}
	c.Steps[2].Classifier.(*classifier.Logistic).L2 = 100
	if p.Steps[2].Classifier.(*classifier.Logistic).L2 != 0 {
		t.Error("the clone shares its steps")
	}
	fitted(t, c, otherWine(t, wine))
	if answers(t, p, wine) != want {
		t.Error("fitting the clone changes the pipeline")
	}
}

// Fit may run beside predictions, which are those of the one fit or the other.
func TestFitBesidePredictions(t *testing.T) {
	wine := builtinFrame(t, "wine")
	other := otherWine(t, wine)
	p := fitted(t, wineChain(t), other)
	b := answers(t, p, wine)
	fitted(t, p, wine)
	a := answers(t, p, wine)
	var running sync.WaitGroup
	stop := make(chan struct{})
	for range 3 {
		running.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				out, err := p.PredictFrame(wine)
				if err != nil {
					t.Error(err)
					return
				}
				text := fmt.Sprint(out.Class, *out.Predicted) + fmt.Sprintf("%x", out.Probabilities.RawMatrix().Data)
				if !contains(a, text) && !contains(b, text) {
					t.Error("predictions of neither fit")
					return
				}
			}
		})
	}
	for range 5 {
		fitted(t, p, other)
		fitted(t, p, wine)
	}
	close(stop)
	running.Wait()
}

func contains(answer, text string) bool {
	return len(answer) > len(text) && answer[len(answer)-len(text):] == text
}
