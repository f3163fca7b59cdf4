package pipeline

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/golden"
	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/pipeline/classifier"
	"github.com/fspca/fspca/selector"
	"github.com/fspca/fspca/transformer"
)

// machineChain has every sort of transformer; last may be nil.
func machineChain(t testing.TB, last classifier.Classifier) *Pipeline {
	t.Helper()
	steps := []NamedStep{
		{Name: "constant", Transformer: new(transformer.Constant)},
		{Name: "numbers", Transformer: &transformer.Impute{Strategy: transformer.Median}},
		{Name: "texts", Transformer: &transformer.Impute{Strategy: transformer.MostFrequent}},
		{Name: "onehot", Transformer: new(transformer.OneHot)},
		{Name: "center", Transformer: new(transformer.Center)},
		{Name: "minmax", Transformer: new(transformer.MinMax)},
		{Name: "standardize", Transformer: new(transformer.Standardize)},
		{Name: "fspca", Transformer: selector.New(selector.Options{Features: 16, Components: 4, Output: selector.Projection})},
	}
	if last != nil {
		steps = append(steps, NamedStep{Name: "last", Classifier: last})
	}
	return chainOf(t, steps...)
}

func TestModelFolderRoundTrip(t *testing.T) {
	f := machines(t)
	for name, last := range map[string]classifier.Classifier{"logistic": new(classifier.Logistic), "knn": new(classifier.KNN), "tree": new(classifier.DecisionTree), "none": nil} {
		t.Run(name, func(t *testing.T) {
			p := fitted(t, machineChain(t, last), f)
			dir := filepath.Join(t.TempDir(), "deep", "model")
			must.OK(t, p.SaveDir(dir))
			q := must.Get(LoadDir(dir))(t)
			if diff := cmp.Diff(p.Flow(), q.Flow()); diff != "" {
				t.Errorf("other columns:\n%s", diff)
			}
			if !slices.Equal(p.CategoricalInputs(), q.CategoricalInputs()) {
				t.Error("other categorical inputs")
			}
			if !bytes.Equal(modelBytes(t, p), modelBytes(t, q)) {
				t.Error("the loaded pipeline would be saved otherwise")
			}
			a := must.Get(p.Project(f, selector.Projection))(t)
			b := must.Get(q.Project(f, selector.Projection))(t)
			if !mat.Equal(a.Numeric(), b.Numeric()) {
				t.Error("another projection")
			}
			if last == nil {
				return
			}
			x, y := predicted(t, p, f), predicted(t, q, f)
			if x.Class != y.Class || !slices.Equal(x.Predicted.Codes, y.Predicted.Codes) || !mat.Equal(x.Probabilities, y.Probabilities) {
				t.Error("other predictions")
			}
		})
	}
}

// A loaded pipeline can be fitted anew: options are part of the model.
func TestLoadedPipelineRefits(t *testing.T) {
	f := builtinFrame(t, "wine")
	p := fitted(t, wineChain(t), f)
	dir := filepath.Join(t.TempDir(), "model")
	must.OK(t, p.SaveDir(dir))
	q := must.Get(LoadDir(dir))(t)
	fitted(t, q, f)
	if !bytes.Equal(modelBytes(t, p), modelBytes(t, q)) {
		t.Error("fitted anew on the same rows, the loaded pipeline is another")
	}
}

func savedWine(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "model")
	must.OK(t, fitted(t, wineChain(t), builtinFrame(t, "wine")).SaveDir(dir))
	return dir
}

// edit changes a file of a folder; nil removes it.
func edit(t *testing.T, dir, name string, change func([]byte) []byte) {
	t.Helper()
	path := filepath.Join(dir, name)
	if change == nil {
		must.OK(t, os.Remove(path))
		return
	}
	must.OK(t, os.WriteFile(path, change(read(t, path)), 0o666))
}

func replacing(from, to string) func([]byte) []byte {
	return func(b []byte) []byte { return bytes.Replace(b, []byte(from), []byte(to), 1) }
}

func half(b []byte) []byte { return b[:len(b)/2] }

func TestDamagedModelFolders(t *testing.T) {
	tests := []struct {
		name   string
		file   string
		change func([]byte) []byte
		want   string
	}{
		{"no manifest", manifestName, nil, "there is no manifest.json"},
		{"half a manifest", manifestName, half, "manifest.json is damaged"},
		{"newer version", manifestName, replacing(`"version": 2`, `"version": 99`), "manifest.json has version 99 and this program reads up to version 2"},
		{"no version", manifestName, replacing(`"version": 2`, `"revision": 2`), "manifest.json has version 0"},
		{"another type", manifestName, replacing(manifestType, "web.app"), `manifest.json is of type "web.app"`},
		{"no steps", manifestName, func([]byte) []byte { return []byte(`{"version": 1, "type": "fspca.pipeline"}`) }, "it has no steps"},
		{"unknown kind", manifestName, replacing(`"kind": "standardize"`, `"kind": "whiten"`), `step 1 (standardize): unknown step "whiten"`},
		{"file outside", manifestName, replacing(`"file": "1-standardize.json"`, `"file": "../secret.json"`), `names no file of the folder, got "../secret.json"`},
		{"no step file", "2-fspca.json", nil, "step 2 (fspca): there is no 2-fspca.json"},
		{"half a step", "2-fspca.json", half, "step 2 (fspca): 2-fspca.json is damaged: its hash differs"},
		{"a changed number", "1-standardize.json", replacing("3", "4"), "step 1 (standardize): 1-standardize.json is damaged: its hash differs"},
		{"an input lost", manifestName, replacing(`"name": "flavanoids"`, `"name": "flavonoids"`), `step 1 (standardize) needs the column "flavanoids"`},
		{"a class lost", manifestName, replacing(`"3"`, `"4"`), `the classifier logistic knows a class "3" that the column "cultivar" does not`},
		{"no class", manifestName, replacing(`"class"`, `"label"`), "there is a classifier (logistic), but no class"},
		{"steps renamed", manifestName, replacing(`"name": "standardize"`, `"name": "scaled"`), "the checksum does not fit"},
		{"kind of an input", manifestName, replacing(`"kind": "numeric"`, `"kind": "date"`), `is of kind "date"`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir := savedWine(t)
			edit(t, dir, test.file, test.change)
			_, err := LoadDir(dir)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %s", err, test.want)
			}
			if err != nil && !strings.Contains(err.Error(), dir) {
				t.Errorf("%v does not name the folder", err)
			}
		})
	}
}

func TestSaveDirReplacesModelsOnly(t *testing.T) {
	p := fitted(t, wineChain(t), builtinFrame(t, "wine"))
	dir := savedWine(t)
	edit(t, dir, "1-standardize.json", half)
	must.OK(t, os.WriteFile(filepath.Join(dir, "9-left.json"), nil, 0o666))
	if err := p.SaveDir(dir); err != nil {
		t.Fatalf("over an earlier model: %v", err)
	}
	if _, err := LoadDir(dir); err != nil {
		t.Error(err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 4 {
		t.Errorf("the folder holds %v, %v", entries, err)
	}
	if entries, err := os.ReadDir(filepath.Dir(dir)); err != nil || len(entries) != 1 {
		t.Errorf("beside the folder: %v, %v", entries, err)
	}

	notes := filepath.Join(dir, "notes.txt")
	must.OK(t, os.WriteFile(notes, []byte("mine"), 0o666))
	if err := p.SaveDir(dir); err == nil || !strings.Contains(err.Error(), `holds "notes.txt"`) {
		t.Errorf("over a model with notes beside it: %v", err)
	}
	if got := string(read(t, notes)); got != "mine" {
		t.Errorf("the notes are now %q", got)
	}

	foreign := t.TempDir()
	edited := filepath.Join(foreign, manifestName)
	must.OK(t, os.WriteFile(edited, []byte(`{"name": "a web page"}`), 0o666))
	if err := p.SaveDir(foreign); err == nil || !strings.Contains(err.Error(), "holds no model") {
		t.Errorf("over a foreign folder: %v", err)
	}
	if err := p.SaveDir(edited); err == nil {
		t.Error("over a file: no error")
	}
	if got := string(read(t, edited)); got != `{"name": "a web page"}` {
		t.Errorf("the foreign file is now %q", got)
	}
	if err := p.SaveDir(t.TempDir()); err != nil {
		t.Errorf("into an empty folder: %v", err)
	}
}

func TestIsModelDir(t *testing.T) {
	dir := savedWine(t)
	for path, want := range map[string]bool{dir: true, filepath.Dir(dir): false, filepath.Join(dir, manifestName): false, filepath.Join(dir, "absent"): false} {
		if got := IsModelDir(path); got != want {
			t.Errorf("IsModelDir(%s) is %v", path, got)
		}
	}
}

// FuzzManifest looks for panics in reading a model whose files are not what this
// package wrote.
func FuzzManifest(f *testing.F) {
	files := map[string][]byte{}
	for _, name := range []string{manifestName, "1-constant.json", "2-impute.json", "4-onehot.json", "8-fspca.json", "9-decision_tree.json"} {
		b := must.Get(os.ReadFile(filepath.Join("testdata", "model-v1", "model", name)))(f)
		files[name] = b
	}
	f.Add(files[manifestName])
	f.Add([]byte(`{"version": 1, "type": "fspca.pipeline", "steps": [{"name": "a", "kind": "knn", "file": "x"}]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		p, err := fromFiles(func(name string) ([]byte, error) {
			if name == manifestName {
				return b, nil
			}
			if data, ok := files[name]; ok {
				return data, nil
			}
			return nil, os.ErrNotExist
		})
		if (p == nil) == (err == nil) {
			t.Fatalf("pipeline %v, error %v", p, err)
		}
		if p != nil {
			p.Flow()
		}
	})
}

// A model of the first format opens, and predicts what it did when it was saved.
func TestModelOfVersion1(t *testing.T) {
	dir := filepath.Join("testdata", "model-v1")
	f := machines(t)
	if _, err := os.Stat(dir); *golden.Update && os.IsNotExist(err) { // an old file is never written anew
		must.OK(t, fitted(t, machineChain(t, new(classifier.DecisionTree)), f).SaveDir(filepath.Join(dir, "model")))
	}
	p := must.Get(LoadDir(filepath.Join(dir, "model")))(t)
	texts := map[string][]string{"inputs": p.Inputs()}
	for i := range 40 {
		texts["predicted"] = append(texts["predicted"], predicted(t, p, f.Subset([]int{i})).Predicted.Text(0))
	}
	b := must.Get(json.MarshalIndent(texts, "", " "))(t)
	golden.Check(t, filepath.Join(dir, "predictions.json"), append(b, '\n'))
}
