package pipeline

import (
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/sjwhitworth/golearn/base"
	"github.com/sjwhitworth/golearn/evaluation"
	"github.com/sjwhitworth/golearn/meta"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/pipeline/classifier"
	"github.com/fspca/fspca/selector"
	"github.com/fspca/fspca/transformer"
)

// parsedIris is iris as golearn's own users have it.
func parsedIris(t *testing.T) *base.DenseInstances {
	t.Helper()
	path := filepath.Join(t.TempDir(), "iris.csv")
	file := must.Get(os.Create(path))(t)
	must.OK(t, dataset.WriteCSV(file, builtinFrame(t, "iris")))
	must.OK(t, file.Close())
	return must.Get(base.ParseCSVToInstances(path, true))(t)
}

func irisChain(t *testing.T, last classifier.Classifier) *Pipeline {
	t.Helper()
	return chainOf(t,
		NamedStep{Name: "standardize", Transformer: new(transformer.Standardize)},
		NamedStep{Name: "fspca", Transformer: selector.New(selector.Options{Features: 3, Components: 2})},
		NamedStep{Name: "last", Classifier: last})
}

// golearn's own cross-validation takes a pipeline, on its grids and on frames.
func TestGolearnCrossValidation(t *testing.T) {
	grids := map[string]base.FixedDataGrid{"parsed": parsedIris(t), "frame": builtinFrame(t, "iris")}
	for name, grid := range grids {
		for _, last := range []classifier.Classifier{new(classifier.Logistic), new(classifier.KNN), new(classifier.DecisionTree)} {
			matrices, err := evaluation.GenerateCrossFoldValidationConfusionMatrices(grid, irisChain(t, last), 4)
			if err != nil {
				t.Errorf("%s, %v: %v", name, last, err)
				continue
			}
			// The folds are golearn's, at random: 0.94 ± 0.02 was seen.
			if mean, _ := evaluation.GetCrossValidatedMetric(matrices, evaluation.GetAccuracy); mean < 0.85 {
				t.Errorf("%s, %v: accuracy %.3f", name, last, mean)
			}
		}
	}
}

func TestGolearnBagging(t *testing.T) {
	grid := parsedIris(t)
	bag := new(meta.BaggedModel)
	for range 3 {
		bag.AddModel(irisChain(t, new(classifier.DecisionTree)))
	}
	bag.Fit(grid)
	out := must.Get(bag.Predict(grid))(t)
	matrix := must.Get(evaluation.GetConfusionMatrix(grid, out))(t)
	if accuracy := evaluation.GetAccuracy(matrix); accuracy < 0.9 {
		t.Errorf("accuracy of the bag on its own rows: %.3f", accuracy)
	}
}

// A class of numbers has golearn's text for a number in the predictions too ("0.00",
// by its precision of 2), or golearn's evaluation finds no prediction right.
func TestNumericClass(t *testing.T) {
	grid := base.NewDenseInstances()
	var specs []base.AttributeSpec
	for _, name := range []string{"a", "b", "y"} {
		specs = append(specs, grid.AddAttribute(base.NewFloatAttribute(name)))
	}
	class := grid.AllAttributes()[2]
	must.OK(t, grid.AddClassAttribute(class))
	must.OK(t, grid.Extend(60))
	for i := range 60 {
		kind := float64(i % 2)
		for j, v := range []float64{math.Sin(float64(i)) + 10*kind, math.Cos(float64(3 * i)), kind / 2} {
			grid.Set(specs[j], i, base.PackFloatToBytes(v))
		}
	}
	accuracy := func(c base.Classifier) float64 {
		t.Helper()
		out := must.Get(c.Predict(grid))(t)
		matrix := must.Get(evaluation.GetConfusionMatrix(grid, out))(t)
		return evaluation.GetAccuracy(matrix)
	}
	p := chainOf(t, NamedStep{Name: "fspca", Transformer: selector.New(selector.Options{Features: 1, Components: 1})}, NamedStep{Name: "knn", Classifier: new(classifier.KNN)})
	must.OK(t, p.Fit(grid))
	if got := accuracy(p); got != 1 {
		t.Errorf("pipeline: accuracy %v, want 1", got)
	}
	dir := filepath.Join(t.TempDir(), "model")
	must.OK(t, p.SaveDir(dir))
	loaded := must.Get(LoadDir(dir))(t)
	if got := accuracy(loaded); got != 1 {
		t.Errorf("loaded pipeline: accuracy %v, want 1", got)
	}
	alone := new(classifier.KNN)
	must.OK(t, alone.Fit(grid))
	if got := accuracy(alone); got != 1 {
		t.Errorf("classifier alone: accuracy %v, want 1", got)
	}
}

func TestPredictReturnsTheTrainingClass(t *testing.T) {
	grid := parsedIris(t)
	p := fitted(t, irisChain(t, new(classifier.KNN)), grid)
	out := must.Get(p.Predict(grid))(t)
	if columns, rows := out.Size(); columns != 1 || rows != 150 {
		t.Errorf("the predictions have %d columns and %d rows", columns, rows)
	}
	if got := out.AllClassAttributes(); len(got) != 1 || got[0] != grid.AllClassAttributes()[0] {
		t.Errorf("the class attribute is %v, not the one of the training data", got)
	}
	want := predicted(t, p, grid).Predicted
	for row := range 150 {
		if got := base.GetClass(out, row); got != want.Text(row) {
			t.Fatalf("row %d: %s in the grid, %s in the frame", row, got, want.Text(row))
		}
	}
}

func TestGolearnArchive(t *testing.T) {
	f := builtinFrame(t, "iris")
	for _, last := range []classifier.Classifier{new(classifier.Logistic), new(classifier.KNN), new(classifier.DecisionTree)} {
		p := fitted(t, irisChain(t, last), f)
		path := filepath.Join(t.TempDir(), "model.cls")
		must.OK(t, p.Save(path))
		var q Pipeline
		must.OK(t, q.Load(path))
		if !slices.Equal(predicted(t, p, f).Predicted.Codes, predicted(t, &q, f).Predicted.Codes) {
			t.Errorf("%v: the loaded pipeline predicts otherwise", last)
		}
		if entries, err := os.ReadDir(filepath.Dir(path)); err != nil || len(entries) != 1 {
			t.Errorf("beside the archive: %v, %v", entries, err)
		}
	}
}

// An archive that is cut or changed is told as damaged, and one that is not there as that.
func TestDamagedGolearnArchive(t *testing.T) {
	f := builtinFrame(t, "iris")
	tree := new(classifier.DecisionTree)
	must.OK(t, tree.Fit(f))
	for _, c := range []base.Classifier{fitted(t, irisChain(t, new(classifier.KNN)), f), tree} {
		path := filepath.Join(t.TempDir(), "model.cls")
		must.OK(t, c.Save(path))
		whole := must.Get(os.ReadFile(path))(t)
		for cut := 0; cut < len(whole)*9/10; cut += 1 + len(whole)/50 { // what ends it is not read
			changed := slices.Clone(whole)
			changed[cut] ^= 0x55
			for _, b := range [][]byte{whole[:cut], changed} {
				must.OK(t, os.WriteFile(path, b, 0o600))
				if err := c.Load(path); err != nil && !errors.Is(err, ErrDamaged) || err == nil && len(b) < len(whole) {
					t.Errorf("%v, cut or changed at byte %d of %d: %v", c, cut, len(whole), err)
				}
			}
		}
		if err := c.Load(filepath.Join(t.TempDir(), "absent")); !errors.Is(err, fs.ErrNotExist) || errors.Is(err, ErrDamaged) {
			t.Errorf("%v: an absent archive gives %v", c, err)
		}
	}
}

// Two classifiers in one archive, as golearn's ensembles write them.
func TestGolearnArchiveWithPrefixes(t *testing.T) {
	f := builtinFrame(t, "iris")
	p, q := fitted(t, irisChain(t, new(classifier.KNN)), f), fitted(t, irisChain(t, new(classifier.Logistic)), f)
	path := filepath.Join(t.TempDir(), "two.cls")
	w := must.Get(base.CreateSerializedClassifierStub(path, p.GetMetadata()))(t)
	for prefix, p := range map[string]*Pipeline{"a": p, "b": q} {
		must.OK(t, p.SaveWithPrefix(w, prefix))
	}
	must.OK(t, w.Close())
	r := must.Get(base.ReadSerializedClassifierStub(path))(t)
	defer r.Close()
	for prefix, want := range map[string]*Pipeline{"a": p, "b": q} {
		var got Pipeline
		must.OK(t, got.LoadWithPrefix(r, prefix))
		if !slices.Equal(predicted(t, &got, f).Predicted.Codes, predicted(t, want, f).Predicted.Codes) {
			t.Errorf("%s: the loaded pipeline predicts otherwise", prefix)
		}
		if meta, err := r.ReadMetadataAtPrefix(prefix); err != nil || meta.ClassifierName != manifestType {
			t.Errorf("%s: metadata %+v, %v", prefix, meta, err)
		}
	}
	if err := new(Pipeline).LoadWithPrefix(r, "c"); err == nil {
		t.Error("an absent prefix was loaded")
	}
}

func TestConcurrentPredictions(t *testing.T) {
	f := builtinFrame(t, "iris")
	p := fitted(t, irisChain(t, new(classifier.Logistic)), f)
	want := predicted(t, p, f).Predicted.Codes
	var running sync.WaitGroup
	for range 8 {
		running.Go(func() {
			got, err := p.PredictFrame(f)
			if err != nil || !slices.Equal(got.Predicted.Codes, want) {
				t.Errorf("other predictions, or %v", err)
			}
		})
	}
	running.Wait()
}
