package selector_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/selector"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// goldenFrame is the table of the golden files.
func goldenFrame(t *testing.T) *dataset.Frame {
	t.Helper()
	return frame(t, mat.NewDense(5, 4, []float64{
		1, 10, 3, 0,
		2, 30, 3, 1,
		3, 20, 3, 0,
		4, 50, 3, 2,
		6, 40, 3, 1,
	}), []string{"ünï <&> \"x\"", "b", "flat", "d, e: f"})
}

// golden fits the model of testdata/model.v1.json.
func golden(t *testing.T) *selector.Model {
	t.Helper()
	s := selector.New(selector.Options{Features: 3, Components: 2, Effort: "ipu", Standardize: true})
	must.OK(t, s.Fit(goldenFrame(t)))
	return s.Model()
}

// goldenSearch fits the model of testdata/model.v1-search.json, which has every optional field that a
// fit of these rows can have.
func goldenSearch(t *testing.T) *selector.Model {
	t.Helper()
	s := selector.New(selector.Options{Features: 2, Components: 1, Effort: "exact", Deadline: time.Hour, MemoryLimit: 1 << 20, Bootstrap: 20, SDPIterations: 10, Ledger: true, Reconstruction: true,
		ComponentsTarget: 0.9,
		Include:          []string{"d, e: f"}, Exclude: []string{"flat"}})
	must.OK(t, s.Fit(goldenFrame(t)))
	return s.Model()
}

// goldenOther fits the model of testdata/model.v2-reconstruction.json: the other criterion, with limits.
func goldenOther(t *testing.T) *selector.Model {
	t.Helper()
	s := selector.New(selector.Options{Features: 2, Components: 1, Criterion: "reconstruction", Standardize: true, Effort: "exact", Ledger: true,
		Reconstruction: true, MaxCorrelation: 0.99, Groups: map[string]int{"b": 1, "d*": 1}, Unmeasured: []string{"flat"}})
	must.OK(t, s.Fit(goldenFrame(t)))
	return s.Model()
}

const (
	goldenFile       = "testdata/model.v1.json"
	goldenSearchFile = "testdata/model.v1-search.json"

	writtenFile       = "testdata/model.v2.json"
	writtenSearchFile = "testdata/model.v2-search.json"
	writtenOtherFile  = "testdata/model.v2-reconstruction.json"
)

// newer are the fields of a summary that the first files of version 1 do not hold.
var newer = []string{"UpperBound", "Gap", "Proved", "BoundSource", "Status", "Route", "Reconstruction", "Warnings", "Scree"}

// sharper are those whose last digits have changed since, as they say how far rounding can go, and
// those that no file of version 1 holds.
var sharper = []string{"UpperBound", "Gap", "Reconstruction", "Warnings", "Scree", "Options.Reconstruction", "Ledger.R2"}

// TestModelFile: what every version wrote is read, and means what a fit of today gives. The last digits
// may differ between processors, so the file is compared by its layout and its numbers up to
// rounding. The files of a version stay when a new one comes.
func TestModelFile(t *testing.T) {
	for _, c := range []struct {
		path    string
		model   *selector.Model
		ignored []string
	}{
		{goldenFile, golden(t), newer},
		{goldenSearchFile, goldenSearch(t), sharper},
		{writtenFile, golden(t), nil},
		{writtenSearchFile, goldenSearch(t), nil},
		{writtenOtherFile, goldenOther(t), nil},
	} {
		newest := strings.Contains(c.path, ".v2")
		if *update && newest {
			must.OK(t, c.model.Save(c.path))
		}
		loaded := must.Get(selector.LoadModel(c.path))(t)
		ignore := cmp.FilterPath(func(p cmp.Path) bool { return slices.Contains(append(c.ignored, "Options.Progress"), p.String()) }, cmp.Ignore())
		if diff := cmp.Diff(loaded.Summary(), c.model.Summary(), nearly, ignore); diff != "" {
			t.Errorf("%s differs from a fit (-file +fit):\n%s", c.path, diff)
		}
		if newest {
			checkRewritten(t, c.path, loaded)
		}
	}
}

var nearly = cmp.Comparer(func(a, b float64) bool {
	return a == b || math.Abs(a-b) < 1e-12*(1+math.Abs(a))
})

// checkRewritten writes a loaded model again: the same bytes.
func checkRewritten(t *testing.T, path string, loaded *selector.Model) {
	t.Helper()
	var b bytes.Buffer
	must.Get(loaded.WriteTo(&b))(t)
	for i, line := range strings.Split(b.String(), "\n") {
		if strings.Contains(line, `"w":`) != strings.HasPrefix(line, `  {"name":`) {
			t.Errorf("line %d is not one chosen column: %s", i+1, line)
		}
	}
	file := must.Get(os.ReadFile(path))(t)
	if diff := cmp.Diff(string(file), b.String()); diff != "" {
		t.Errorf("%s: read and written again, the file differs (-was +is):\n%s", path, diff)
	}
}

// TestModelFileExact: every number reads back as the same bits, of models with and without mean and
// scale.
func TestModelFileExact(t *testing.T) {
	x := sample(2, 25, 12)
	cov := selector.New(selector.Options{Features: 5, Components: 3})
	must.OK(t, cov.FitCovariance(context.Background(), moment(x, selector.Options{}), nil))
	for name, m := range map[string]*selector.Model{
		"plain":        fit(t, x, selector.Options{Features: 5, Components: 3}),
		"uncentered":   fit(t, x, selector.Options{Features: 5, Components: 3, Uncentered: true}),
		"standardized": fit(t, x, selector.Options{Features: 5, Components: 3, Standardize: true}),
		"covariance":   cov.Model(),
	} {
		path := filepath.Join(t.TempDir(), "model.json")
		must.OK(t, m.Save(path))
		loaded := must.Get(selector.LoadModel(path))(t)
		if diff := cmp.Diff(m.Summary(), loaded.Summary(), cmp.Comparer(func(a, b float64) bool { return a == b }),
			cmp.FilterPath(func(p cmp.Path) bool { return p.String() == "Options.Progress" }, cmp.Ignore())); diff != "" {
			t.Errorf("%s: the loaded model differs (-saved +loaded):\n%s", name, diff)
		}
		a := must.Get(m.Project(x))(t)
		b := must.Get(loaded.Project(x))(t)
		if !mat.Equal(a, b) {
			t.Errorf("%s: the loaded model projects otherwise", name)
		}
		if !selector.IsModelFile(path) {
			t.Errorf("%s: not taken for a model file", name)
		}
	}
}

// TestModelFileDamaged changes one thing in the golden file and looks for a word of it in the error.
func TestModelFileDamaged(t *testing.T) {
	file, err := os.ReadFile(goldenFile)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		old, new string
		want     []string
	}{
		{`"version": 1`, `"version": 7`, []string{"version 7", "version 2", "newer"}},
		{`"version": 1`, `"version": "1"`, []string{"version"}},
		{` "version": 1,`, ``, []string{"version none"}},
		{`"fspca-model"`, `"fspca-pipeline"`, []string{"not a model file", "fspca-pipeline"}},
		{`"format": "fspca-model",`, ``, []string{"not a model file", "format"}},
		{` "data": {`, ` "date": {`, []string{`"data" is missing`, `"date" is unknown`, `the nearest is "data"`}},
		{`"rows": 5`, `"rows": 5.5`, []string{`"data.rows"`, "whole number"}},
		{`"rows": 5`, `"rows": 1`, []string{`"data.rows"`, "1"}},
		{`"columns": 4`, `"columns": 2`, []string{"data.columns", "k = 3", "d = 2"}},
		{`"columns": 4`, `"columns": 4000000000000`, []string{"data.columns", "4000000000000"}},
		{`"features": 3`, `"features": 4`, []string{`"features" has 3 elements`, "4"}},
		{`"components": 2`, `"components": 3`, []string{`"features[0].w" has 2 numbers`, "3"}},
		{`"standardize": true`, `"standardize": "yes"`, []string{`"options.standardize"`, "true or false"}},
		{`"standardize": true`, `"standardize": false`, []string{"standardize", "scale"}},
		{`"output": "selected"`, `"output": "all"`, []string{`"options"`, `"all"`}},
		{`"status": "`, `"status": "very `, []string{"solution.status", "converged"}},
		{`"trace": [`, `"trace": [null, `, []string{`"solution.trace"`, "null"}},
		{`"trace": [`, `"trace": [{}, `, []string{`"solution.trace"`, "object", "number"}},
		{`"trace": [`, `"trace": [1e999, `, []string{`"solution.trace"`, "1e999"}},
		{`"objective": `, `"objective": 9`, []string{"solution.objective", "sum"}},
		{`"explained_variance": [`, `"explained_variance": [0.5, `, []string{"explained_variance", "3 numbers", "descending"}},
		{`"leading_variance": `, `"leading_variance": -`, []string{"leading_variance"}},
		{`"leading_variance": `, `"leading_variance": 1`, []string{"leading_variance", "ascending"}},
		{`"total_variance": 3`, `"total_variance": 2`, []string{"total_variance", "ascending"}},
		{`"iterations": `, `"iterations": -1`, []string{"iterations", "-1"}},
		{`"mean": 30, `, ``, []string{`"features[].mean"`, "2 of the 3"}},
		{`"w": [`, `"w": [1`, []string{"orthonormal"}},
		{`"w": [`, `"u": [`, []string{`"features[0].w" is missing`, `"features[0].u"`}},
		{`{"name": "b"`, `{"name": ""`, []string{`"features[1].name"`, "empty"}},
		{`{"name": "b", "column": 1`, `{"name": "b", "column": 0`, []string{`"features[1].column"`, "ascending"}},
		{`{"name": "b", "column": 1`, `{"name": "b", "column": 9`, []string{`"features[1].column"`, "data.columns = 4"}},
		{`{"name": "b"`, `7, {"name": "b"`, []string{`"features[1]" is not an object: got number`}},
		{` "features": [`, ` "features": 7, "seutaef": [`, []string{`"features"`, "got number, want a list of objects"}},
		{`"output": "selected"`, `"output": 7`, []string{`"options.output"`, "got number, want text"}},
		{`"scale": `, `"scale": -`, []string{`"features[0].scale"`, "above 0"}},
	} {
		edited := strings.Replace(string(file), c.old, c.new, 1)
		if edited == string(file) {
			t.Errorf("%q is not in the golden file", c.old)
			continue
		}
		path := filepath.Join(t.TempDir(), "edited.json")
		must.OK(t, os.WriteFile(path, []byte(edited), 0o666))
		_, err := selector.LoadModel(path)
		wantError(t, err, append(c.want, path)...)
		if _, err := selector.ReadModel(strings.NewReader(edited)); err == nil {
			t.Errorf("%q for %q: ReadModel accepts it", c.new, c.old)
		}
	}
	checkDamagedSearch(t)
	checkEveryBit(t)
	for i := 0; i < len(file)-2; i += 37 { // the file ends in "}\n"
		if _, err := selector.ReadModel(bytes.NewReader(file[:i])); err == nil {
			t.Errorf("the first %d bytes of %d are accepted", i, len(file))
		}
	}
	_, err = selector.ReadModel(bytes.NewReader(append(file, file...)))
	wantError(t, err, "damaged")
}

// checkEveryBit turns each bit of a file with a checksum: it is refused, or it says what it said.
func checkEveryBit(t *testing.T) {
	file := must.Get(os.ReadFile(writtenFile))(t)
	for i := range file {
		for bit := range 8 {
			edited := bytes.Clone(file)
			edited[i] ^= 1 << bit
			m, err := selector.ReadModel(bytes.NewReader(edited))
			if err != nil {
				continue
			}
			var b bytes.Buffer
			if _, err := m.WriteTo(&b); err != nil || !bytes.Equal(b.Bytes(), file) {
				t.Fatalf("byte %d, bit %d: read as another model, %v", i, bit, err)
			}
		}
	}
}

// TestModelJSON: a model, options and a selector are what they were after a trip through JSON.
func TestModelJSON(t *testing.T) {
	m := goldenSearch(t)
	b := must.Get(json.Marshal(map[string]any{"id": "<a>", "model": m}))(t)
	var back struct{ Model *selector.Model }
	must.OK(t, json.Unmarshal(b, &back))
	ignore := cmp.FilterPath(func(p cmp.Path) bool { return p.String() == "Options.Progress" }, cmp.Ignore())
	if diff := cmp.Diff(m.Summary(), back.Model.Summary(), ignore); diff != "" {
		t.Errorf("the model differs:\n%s", diff)
	}
	if err := json.Unmarshal([]byte(`{}`), back.Model); err == nil || back.Model.Objective() != m.Objective() {
		t.Errorf("after %v the model is changed", err)
	}
	opt := m.Options()
	opt.MemoryLimit++ // no whole number of MiB
	b = must.Get(json.Marshal(opt))(t)
	var read selector.Options
	must.OK(t, json.Unmarshal(b, &read))
	if diff := cmp.Diff(opt, read, ignore, cmp.FilterPath(func(p cmp.Path) bool { return p.String() == "Progress" }, cmp.Ignore())); diff != "" {
		t.Errorf("the options differ:\n%s", diff)
	}
	if err := json.Unmarshal([]byte(`{"feature": 3}`), &read); err == nil {
		t.Error("an unknown option is accepted")
	}
	for _, s := range []*selector.FSPCA{selector.New(opt), fitted(t, opt)} {
		b = must.Get(json.Marshal(s))(t)
		var read selector.FSPCA
		must.OK(t, json.Unmarshal(b, &read))
		if (read.Model() == nil) != (s.Model() == nil) || read.Components != s.Components || read.Deadline != s.Deadline {
			t.Errorf("got %+v, want %+v", read.Options, s.Options)
		}
	}
}

func fitted(t *testing.T, opt selector.Options) *selector.FSPCA {
	t.Helper()
	s := selector.New(opt)
	must.OK(t, s.Fit(goldenFrame(t)))
	return s
}

// TestModelErrors: too new is not damaged.
func TestModelErrors(t *testing.T) {
	file := must.Get(os.ReadFile(writtenFile))(t)
	newer := bytes.Replace(file, []byte(`"version": 2`), []byte(`"version": 3`), 1)
	if _, err := selector.ReadModel(bytes.NewReader(newer)); !errors.Is(err, selector.ErrVersion) || errors.Is(err, selector.ErrDamaged) {
		t.Errorf("got %v, want ErrVersion", err)
	}
	changed := bytes.Replace(file, []byte(`"iterations": 1`), []byte(`"iterations": 2`), 1)
	if _, err := selector.ReadModel(bytes.NewReader(changed)); !errors.Is(err, selector.ErrDamaged) {
		t.Errorf("got %v, want ErrDamaged", err)
	}
	if _, err := selector.ReadModelFS(os.DirFS("testdata"), "model.v2.json"); err != nil {
		t.Error(err)
	}
}

// checkDamagedSearch does the same to the optional fields.
func checkDamagedSearch(t *testing.T) {
	file := must.Get(os.ReadFile(goldenSearchFile))(t)
	for _, c := range []struct {
		old, new string
		want     []string
	}{
		{`"deadline": "1h0m0s"`, `"deadline": "soon"`, []string{`"options.deadline"`, `"soon"`, "30s"}},
		{`"deadline": "1h0m0s"`, `"deadline": "-1s"`, []string{`"options"`, "-1s"}},
		{`"effort": "exact"`, `"effort": 3`, []string{`"options.effort"`, "text"}},
		{`"include": ["d, e: f"]`, `"include": "d"`, []string{`"options.include"`, "list of texts"}},
		{`"upper_bound": 2`, `"upper_bound": 1`, []string{`"solution.upper_bound"`, "below"}},
		{`"route": `, `"proved": 1, "route": `, []string{`"solution.proved"`, "true or false"}},
		{`"route": "`, `"rout": "`, []string{`"solution.rout"`, `"solution.route"`}},
		{`"nodes": `, `"nodes": -`, []string{`"solution.nodes"`}},
		{`"replicates": 20`, `"replicates": 21`, []string{`"stability.replicates"`, "options.bootstrap = 20"}},
		{`"times": `, `"times": 9`, []string{`"stability.columns[0].times"`, "stability.replicates = 20"}},
		{`"times": `, `"time": `, []string{`"stability.columns[0].times" is missing`, `"stability.columns[0].time" is unknown`}},
		{`{"column": 3, "name": "d`, `{"column": 2, "name": "d`, []string{`"stability.columns" lacks the chosen column 3`}},
		{`{"column": 3, "name": "d`, `{"column": 3, "name": "D`, []string{`"stability.columns[1].name"`, "name of the chosen column"}},
		{`{"column": 3, "name": "d`, `{"column": 4, "name": "d`, []string{`"stability.columns[1].column"`, "data.columns = 4"}},
		{`"columns": [`, `"columns": [7, `, []string{`"stability.columns[0]"`, "object"}},
		{`"stability": {`, `"stability": 3, "stabilities": {`, []string{`"stability" is not an object`}},
	} {
		edited := strings.Replace(string(file), c.old, c.new, 1)
		if edited == string(file) {
			t.Errorf("%q is not in %s", c.old, goldenSearchFile)
			continue
		}
		_, err := selector.ReadModel(strings.NewReader(edited))
		wantError(t, err, c.want...)
	}
}

// TestOtherFiles: what is no model is called so.
func TestOtherFiles(t *testing.T) {
	for text, want := range map[string]string{
		"":                           "not a JSON object",
		"a,b\n1,2\n":                 "not a JSON object",
		"[1, 2]":                     "not a JSON object",
		"{}":                         `without the field "format"`,
		`{"version": 1, "steps": 3}`: `without the field "format"`,
		`{"version": 1, "type": "center", "columns": []}`: `type "center"`,
		`{"format": 3}`: `"format" is "3"`,
	} {
		_, err := selector.ReadModel(strings.NewReader(text))
		wantError(t, err, "not a model file", want)
		if damaged := want == "not a JSON object"; errors.Is(err, selector.ErrDamaged) != damaged {
			t.Errorf("%q: damaged should be %v", text, damaged)
		}
		path := filepath.Join(t.TempDir(), "file")
		must.OK(t, os.WriteFile(path, []byte(text), 0o666))
		if selector.IsModelFile(path) {
			t.Errorf("%q is taken for a model file", text)
		}
	}
	_, err := selector.LoadModel(filepath.Join(t.TempDir(), "absent.json"))
	wantError(t, err, "absent.json")
}

// TestSaveLeavesTheOldFile: where a model cannot be written, what was there stays.
func TestSaveLeavesTheOldFile(t *testing.T) {
	dir := t.TempDir()
	if err := golden(t).Save(filepath.Join(dir, "no such folder", "model.json")); err == nil {
		t.Error("saved into a folder that is not there")
	}
	path := filepath.Join(dir, "model.json")
	for range 2 {
		must.OK(t, golden(t).Save(path))
	}
	files := must.Get(os.ReadDir(dir))(t)
	if len(files) != 1 {
		t.Errorf("%d files are left, want the model alone", len(files))
	}
}

// TestSummaryKeys holds the names that other programs read.
func TestSummaryKeys(t *testing.T) {
	b := must.Get(json.Marshal(golden(t).Summary()))(t)
	var got map[string]any
	must.OK(t, json.Unmarshal(b, &got))
	for _, key := range []string{"features", "support", "components", "objective", "explained_variance", "explained_variance_ratio", "explained_variance_ratios",
		"normalized_explained_variance", "upper_bound", "gap", "proved", "bound_source", "nodes", "route", "iterations", "status", "trace", "w", "mean", "scale", "n_rows", "n_columns", "constant_columns", "options"} {
		if _, ok := got[key]; !ok {
			t.Errorf("the summary has no key %q", key)
		}
	}
	if w := got["w"].([]any); len(w) != 3 || len(w[0].([]any)) != 2 {
		t.Errorf("w is not 3 rows of 2: %v", w)
	}
}

// FuzzReadModel: nothing panics, and what is read is a model that works and is written as itself.
func FuzzReadModel(f *testing.F) {
	file := must.Get(os.ReadFile(goldenFile))(f)
	f.Add(string(file))
	file = must.Get(os.ReadFile(goldenSearchFile))(f)
	f.Add(string(file))
	f.Add(strings.Replace(string(file), `"standardize": true`, `"standardize": false`, 1))
	f.Fuzz(func(t *testing.T, text string) {
		m, err := selector.ReadModel(strings.NewReader(text))
		if err != nil {
			return
		}
		must.Get(m.Project(mat.NewDense(2, len(m.Features()), nil)))(t)
		_ = m.Summary()
		var first, second bytes.Buffer
		must.Get(m.WriteTo(&first))(t)
		again, err := selector.ReadModel(bytes.NewReader(first.Bytes()))
		if err != nil {
			t.Fatalf("what was written is not read: %v\n%s", err, first.Bytes())
		}
		if _, err := again.WriteTo(&second); err != nil || !bytes.Equal(first.Bytes(), second.Bytes()) {
			t.Fatalf("written again as\n%s\nwant\n%s (error %v)", second.Bytes(), first.Bytes(), err)
		}
	})
}
