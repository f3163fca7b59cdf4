package transformer_test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/transformer"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// newSteps makes an unfitted step of each type: with options here, else as the registry has it.
var newSteps = map[string]func() transformer.Transformer{
	"impute": func() transformer.Transformer {
		return &transformer.Impute{Strategy: transformer.MostFrequent}
	},
	"constant": func() transformer.Transformer { return &transformer.Constant{Tolerance: 1e-9} },
	"onehot":   func() transformer.Transformer { return &transformer.OneHot{IgnoreUnseen: true} },

	"quantile_bins":     func() transformer.Transformer { return &transformer.QuantileBins{Bins: 2} },
	"ordinal":           func() transformer.Transformer { return &transformer.Ordinal{IgnoreUnseen: true} },
	"missing_indicator": func() transformer.Transformer { return &transformer.MissingIndicator{All: true} },
	"dates": func() transformer.Transformer {
		return &transformer.Dates{Format: "%d.%m.%Y", Parts: []string{"month", "yearday"}}
	},
	"variance_filter":    func() transformer.Transformer { return &transformer.VarianceFilter{Threshold: 2} },
	"correlation_filter": func() transformer.Transformer { return &transformer.CorrelationFilter{Threshold: 0.5} },
	"select":             func() transformer.Transformer { return &transformer.Select{Columns: []string{"categorical", "a"}} },
	"drop":               func() transformer.Transformer { return &transformer.Drop{Columns: []string{"fl?t"}} },
	"columns": func() transformer.Transformer {
		return on(func() transformer.Transformer { return &transformer.Log1p{} }, "a*")
	},
}

func init() {
	for name, newStep := range registered() {
		if newSteps[name] == nil {
			newSteps[name] = newStep
		}
	}
}

// versions are those of the files that are written, where it is not 1.
var versions = map[string]int{"center": 2, "standardize": 2, "minmax": 2, "robust": 2}

func goldenFile(name string, version int) string {
	return filepath.Join("testdata", fmt.Sprintf("%s.v%d.json", name, version))
}

// newest is the golden file of the version that is written.
func newest(name string) string { return goldenFile(name, max(1, versions[name])) }

// goldenTable is the table that a step of that name is fitted on.
func goldenTable(t *testing.T, name string) *dataset.Frame {
	switch name {
	case "log1p":
		return table(t, column{name: "a", numbers: []float64{0.1, 1e6, nan}}, column{name: "c", texts: []string{"x", "", "y"}})
	case "dates":
		return table(t, column{name: "when", texts: []string{"01.03.2024", "", "31.12.2024"}}, column{name: "a", numbers: []float64{1, 2, nan}})
	}
	return table(t,
		column{name: "a", numbers: []float64{0.1, 1e6, 1.0 / 3}},
		column{name: "ünïcode <&> \"name\"", texts: []string{"red", "blue", "red"}},
		column{name: "flat", numbers: []float64{-2, -2, -2}},
	)
}

// TestGolden holds the form of saved steps: each is written as in testdata, and all files there load
// and work. The files of a version stay when a new one comes.
func TestGolden(t *testing.T) {
	for name, newStep := range newSteps {
		t.Run(name, func(t *testing.T) {
			path := newest(name)
			step := newStep()
			want := apply(t, step, goldenTable(t, name), goldenTable(t, name)).(*dataset.Frame)
			var b bytes.Buffer
			must.OK(t, step.Save(&b))
			if *update {
				must.OK(t, os.WriteFile(path, b.Bytes(), 0o666))
			}
			file, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(b.Bytes(), file) {
				t.Errorf("the saved step differs from %s; got:\n%s", path, b.Bytes())
			}
			for version := 1; version <= max(1, versions[name]); version++ {
				if file, err = os.ReadFile(goldenFile(name, version)); errors.Is(err, fs.ErrNotExist) {
					continue // the step is younger than that version
				} else if err != nil {
					t.Fatal(err)
				}
				loaded := newStep()
				must.OK(t, loaded.Load(bytes.NewReader(file)))
				got := must.Get(loaded.Transform(goldenTable(t, name)))(t)
				if dataset.Hash(got.(*dataset.Frame)) != dataset.Hash(want) {
					t.Errorf("the step of version %d gives another table", version)
				}
			}
		})
	}
}

// TestLoadDamaged changes one thing in a golden file and looks for a word of it in the error.
func TestLoadDamaged(t *testing.T) {
	for _, c := range []struct {
		step, old, new string
		want           []string
	}{
		{"center", `"version": 2`, `"version": 3`, []string{"version 3", "version 2"}},
		{"center", `"version": 2`, `"version": 0`, []string{"version 0"}},
		{"impute", `"version": 1`, `"version": 2`, []string{"version 2", "version 1"}},
		{"center", `"version": 2`, `"version": 1.5`, []string{"version 1.5"}},
		{"center", `"type": "center"`, `"type": "minmax"`, []string{`"minmax"`, `"center"`}},
		{"center", `"columns"`, `"column"`, []string{`"column"`}},
		{"center", `"shift": -2`, `"shift": "-2"`, []string{"shift"}},
		{"center", `"shift": -2`, `"shift": 1e999`, []string{"1e999"}},
		{"center", `"shift": -2,`, ``, []string{`"flat"`, `"shift"`}},
		{"center", `"shift": -2`, `"shift": null`, []string{`"flat"`, `"shift"`}},
		{"standardize", `"scale": 1`, `"scale": 0`, []string{`"flat"`, `"scale"`, "above 0"}},
		{"minmax", `"kind": "categorical"`, `"kind": "categorical", "scale": 2`, []string{"categorical", "scale"}},
		{"minmax", `"kind": "categorical"`, `"kind": "text"`, []string{`"text"`, `"numeric"`}},
		{"minmax", `"flat"`, `"a"`, []string{`"a"`, "twice"}},
		{"impute", `"most_frequent"`, `"mode"`, []string{`"mode"`, "strategy"}},
		{"impute", `"strategy": "most_frequent",`, ``, []string{"strategy"}},
		{"impute", `"number": -2`, `"level": "x"`, []string{`"flat"`, `"number"`}},
		{"impute", `"level": "red"`, `"number": 3`, []string{"categorical", `"number"`}},
		{"constant", `"dropped": [`, `"drop": [`, []string{"drop"}},
		{"constant", `1e-9`, `1`, []string{"tolerance"}},
		{"log1p", `"learned": {}`, `"learned": {"x": 1}`, []string{"x"}},
		{"log1p", `"kind": "numeric"`, `"kind": "categorical"`, []string{`"a"`, "categorical"}},
		{"power", `"scale": 1,`, `"scale": -1,`, []string{`"scale"`, "above 0"}},
		{"quantile_bins", `"bins": 2`, `"bins": 1`, []string{"number of bins is 1"}},
		{"quantile_bins", `"edges": []`, `"edges": [2, 1]`, []string{"edges", "ascend"}},
		{"ordinal", `"outputs"`, `"output"`, []string{"output"}},
		{"ordinal", `"column": "a"`, `"column": "b"`, []string{`"b"`, "not among"}},
		{"missing_indicator", `"part": "missing"`, `"part": "absent"`, []string{`"missing"`}},
		{"dates", `"part": "month"`, `"part": "moon"`, []string{`"moon"`}},
		{"dates", `"%d.%m.%Y"`, `"%d.%m.%Q"`, []string{"%Q"}},
		{"dates", `"yearday"`, `"noon"`, []string{`"noon"`, "yearday"}},
		{"variance_filter", `"threshold": 2`, `"tolerance": 2`, []string{`"tolerance"`}},
		{"correlation_filter", `"threshold": 0.5`, `"threshold": 1`, []string{"threshold"}},
		{"select", `"select"`, `"choose"`, []string{"choose"}},
		{"drop", `"dropped"`, `"drop"`, []string{"drop"}},
		{"columns", `"type": "log1p"`, `"type": "minmax"`, []string{`"minmax"`}},
		{"columns", `"passes": true`, `"passes": false`, []string{"no output of the step"}},
		{"columns", `"chosen"`, `"chose"`, []string{"chose"}},
		{"onehot", `"column": "a"`, `"column": "b"`, []string{`"b"`, "column"}},
		{"onehot", `"level": "blue"`, `"level": "green"`, []string{`"green"`, "no level"}},
		{"onehot", `"name": "flat",
   "column"`, `"name": "a",
   "column"`, []string{`"a"`}},
	} {
		b := must.Get(os.ReadFile(newest(c.step)))(t)
		edited := strings.Replace(string(b), c.old, c.new, 1)
		if edited == string(b) {
			t.Errorf("%s: %q is not in the golden file", c.step, c.old)
			continue
		}
		step := newSteps[c.step]()
		wantError(t, step.Load(strings.NewReader(edited)), append(c.want, ": cannot load")...)
		if step.Inputs() != nil {
			t.Errorf("%s: a failed Load fits the step", c.step)
		}
	}
}

// FuzzLoad: whatever is loaded, nothing panics, and what loads is a working step that is saved and
// loaded as itself.
func FuzzLoad(f *testing.F) {
	for name := range newSteps {
		b := must.Get(os.ReadFile(newest(name)))(f)
		f.Add(string(b))
	}
	f.Fuzz(func(t *testing.T, text string) {
		for name, newStep := range newSteps {
			step := newStep()
			if err := step.Load(strings.NewReader(text)); err != nil {
				continue
			}
			_, _ = step.Transform(goldenTable(t, name))
			var first, second bytes.Buffer
			if err := step.Save(&first); err != nil {
				t.Fatalf("%s: Save: %v", name, err)
			}
			again := newStep()
			if err := again.Load(bytes.NewReader(first.Bytes())); err != nil {
				t.Fatalf("%s: Load of what Save wrote: %v\n%s", name, err, first.Bytes())
			}
			if err := again.Save(&second); err != nil || !bytes.Equal(first.Bytes(), second.Bytes()) {
				t.Fatalf("%s: saved again as\n%s\nwant\n%s (error %v)", name, second.Bytes(), first.Bytes(), err)
			}
			if _, err := step.Narrow(step.Outputs()); err != nil {
				t.Fatalf("%s: Narrow to all outputs: %v", name, err)
			}
		}
	})
}

func savedText(t *testing.T, s transformer.Transformer) string {
	t.Helper()
	var b bytes.Buffer
	must.OK(t, s.Save(&b))
	return b.String()
}
