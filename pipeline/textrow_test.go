package pipeline

import (
	"maps"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/pipeline/classifier"
	"github.com/fspca/fspca/selector"
	"github.com/fspca/fspca/transformer"
)

// patients has six columns of numbers and three of texts, some of them missing, in two classes. Strange rows
// have texts that the others do not: new levels, the same number written otherwise, space around.
func patients(t testing.TB, n int, seed uint64, strange bool) *dataset.Frame {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 3))
	x := mat.NewDense(n, 6, nil)
	site, stage, color := make([]string, n), make([]string, n), make([]string, n)
	class := &dataset.Factor{Levels: []string{"sick", "well"}, Codes: make([]int32, n)}
	for i := range n {
		class.Codes[i] = rng.Int32N(2)
		for j := range 6 {
			x.Set(i, j, rng.NormFloat64()*float64(j+1)+float64(class.Codes[i]))
			if rng.IntN(12) == 0 {
				x.Set(i, j, math.NaN())
			}
		}
		site[i] = []string{"ulm", "bern", "graz", ""}[rng.IntN(4)]
		stage[i] = []string{"1", "2", "10", ""}[rng.IntN(4)]
		color[i] = []string{"red", "blue"}[rng.IntN(2)]
		if strange {
			switch rng.IntN(8) {
			case 0:
				site[i] = "oslo"
			case 1:
				stage[i] = "2.0"
			case 2:
				color[i] = " blue "
			case 3:
				color[i], stage[i] = "", "7"
			}
		}
	}
	f := must.Get(dataset.Assemble(x, []dataset.Column{{Name: "a"}, {Name: "site", Factor: factorOf(site)}, {Name: "b"}, {Name: "c"},
		{Name: "stage", Factor: factorOf(stage)}, {Name: "d"}, {Name: "e"}, {Name: "color", Factor: factorOf(color)}, {Name: "f"}}, "state", class))(t)
	return f
}

// factorOf makes levels of texts; "" is missing.
func factorOf(texts []string) *dataset.Factor {
	f, at := &dataset.Factor{}, map[string]int32{}
	for _, text := range texts {
		if text == "" {
			f.Codes = append(f.Codes, dataset.Missing)
			continue
		}
		if _, ok := at[text]; !ok {
			at[text] = int32(len(f.Levels))
			f.Levels = append(f.Levels, text)
		}
		f.Codes = append(f.Codes, at[text])
	}
	return f
}

// textChains are chains whose inputs hold texts and whose classifiers see numbers.
func textChains(t testing.TB) map[string]*Pipeline {
	step := func(name string, s transformer.Transformer) NamedStep { return NamedStep{Name: name, Transformer: s} }
	on := func(s func() transformer.Transformer, columns ...string) NamedStep {
		return step("on", &transformer.OnColumns{Columns: columns, New: s})
	}
	fill := step("fill", &transformer.Impute{Strategy: transformer.MostFrequent})
	fixed := step("fill", &transformer.Impute{Strategy: transformer.Fixed, Level: "none", Value: 1})
	named := step("fill", &transformer.Impute{Strategy: transformer.Fixed, Level: "2", Value: 1})
	mean := step("mean", new(transformer.Impute))
	oneHot := func(unseen, missing bool) NamedStep {
		return step("one_hot", &transformer.OneHot{IgnoreUnseen: unseen, IgnoreMissing: missing})
	}
	ordinal := func(unseen bool) NamedStep { return step("ordinal", &transformer.Ordinal{IgnoreUnseen: unseen}) }
	scale := step("standardize", new(transformer.Standardize))
	choose := step("fspca", selector.New(selector.Options{Features: 6, Components: 3, Output: selector.Projection}))
	last := NamedStep{Name: "logistic", Classifier: new(classifier.Logistic)}
	chains := map[string][]NamedStep{
		"filled":              {fill, oneHot(false, false), scale, choose, last},
		"filled, all allowed": {fill, oneHot(true, true), scale, choose, last},
		"a fixed text":        {fixed, oneHot(true, false), scale, choose, last},
		"a text that is one":  {named, oneHot(true, true), scale, choose, last},
		"not filled":          {mean, oneHot(true, true), scale, choose, last},
		"not filled, refused": {mean, oneHot(true, false), scale, last},
		"scaled before":       {mean, scale, oneHot(true, true), choose, last},
		"ordinal":             {fill, ordinal(false), scale, choose, last},
		"ordinal, holes":      {ordinal(true), mean, scale, choose, last},
		"selected":            {fill, step("select", &transformer.Select{Columns: []string{"a", "stage", "color", "c"}}), oneHot(true, true), last},
		"dropped":             {step("drop", &transformer.Drop{Columns: []string{"site"}}), fill, ordinal(true), last},
		"on some": {on(func() transformer.Transformer { return &transformer.Impute{Strategy: transformer.MostFrequent} }, "s*", "numeric"),
			on(func() transformer.Transformer { return &transformer.Ordinal{} }, "stage"),
			on(func() transformer.Transformer { return new(transformer.Standardize) }, "a", "b"), oneHot(true, true), choose, last},
		"one by one": {fill, on(func() transformer.Transformer { return &transformer.OneHot{IgnoreUnseen: true} }, "site", "color"), oneHot(false, false), last},
	}
	out := map[string]*Pipeline{}
	f := patients(t, 80, 1, false)
	for name, steps := range chains {
		p, err := New(steps...)
		if err == nil && name == "not filled, refused" {
			steps = append([]NamedStep{fill}, steps...) // so that Fit has nothing to refuse
			p, err = New(steps...)
		}
		if err == nil {
			err = p.Fit(f)
		}
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		out[name] = p
	}
	return out
}

// A row with texts gets what it gets in a table: the same bits, or the same error.
func TestRowsWithTextsEqualTables(t *testing.T) {
	for name, p := range textChains(t) {
		if p.fitted.Load().rows == nil {
			t.Errorf("%s: rows go through a table", name)
		}
		sameAsTable(t, p, patients(t, 60, 2, false))
		sameAsTable(t, p, patients(t, 120, 3, true))
		if p.CategoricalInputs() == nil { // none was chosen
			continue
		}
		if _, err := p.PredictRow(nil, make([]float64, len(p.Inputs()))); err == nil {
			t.Errorf("%s: a row of numbers holds the texts of %v", name, p.CategoricalInputs())
		}
	}
}

// What is not of a column's kind is the error of the table.
func TestRowsWithTextsErrors(t *testing.T) {
	p := textChains(t)["one by one"]
	cells := textCells(t, p)
	for _, wrong := range []map[string]any{{"site": 3.0}, {"f": "x"}, {"stage": "7"}, {"site": []byte("ulm")}} {
		row := map[string]any{}
		maps.Copy(row, cells)
		maps.Copy(row, wrong)
		if class, err := p.PredictMap(nil, row); err == nil {
			t.Errorf("%v: class %q and no error", wrong, class)
		}
	}
	delete(cells, "site")
	if _, err := p.PredictMap(nil, cells); err == nil {
		t.Error("no error without a column")
	}
}

// textCells are the cells of a row, one of them missing.
func textCells(t testing.TB, p *Pipeline) map[string]any {
	f := patients(t, 40, 5, false)
	cells := map[string]any{}
	for j, name := range f.NumericNames() {
		cells[name] = f.Numeric().At(7, j)
	}
	for _, name := range p.CategoricalInputs() {
		cells[name] = f.Factor(name).Text(7)
	}
	cells["stage"] = nil
	return cells
}

// A row with texts takes no memory.
func TestRowsWithTextsAllocateNothing(t *testing.T) {
	for name, p := range textChains(t) {
		cells, dst := textCells(t, p), make([]float64, 2)
		if name == "not filled, refused" {
			cells["stage"] = "2"
		}
		if _, err := p.PredictMap(dst, cells); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if n := testing.AllocsPerRun(200, func() { _, _ = p.PredictMap(dst, cells) }); n != 0 && !poolsForget {
			t.Errorf("%s allocates %v times", name, n)
		}
	}
}

// BenchmarkPredictMapWithTexts: impute, one_hot, standardize, fspca, logistic.
func BenchmarkPredictMapWithTexts(b *testing.B) {
	p := textChains(b)["filled"]
	cells, dst := textCells(b, p), make([]float64, 2)
	b.ReportAllocs()
	for b.Loop() {
		_, _ = p.PredictMap(dst, cells)
	}
}
