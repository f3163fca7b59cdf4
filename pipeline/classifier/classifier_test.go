package classifier

import (
	"bytes"
	"context"
	"errors"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/sjwhitworth/golearn/base"
	"github.com/sjwhitworth/golearn/evaluation"
	"github.com/sjwhitworth/golearn/meta"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/transformer"
)

// eachClassifier runs a test on every kind, on the flowers of iris.
func eachClassifier(t *testing.T, run func(t *testing.T, fresh func() Probabilistic, iris *dataset.Frame)) {
	iris, err := dataset.Builtin("iris")
	if err != nil {
		t.Fatal(err)
	}
	for kind, fresh := range kinds {
		t.Run(kind, func(t *testing.T) { run(t, fresh, iris) })
	}
}

// kinds are the classifiers of this package, unfitted.
var kinds = map[string]func() Probabilistic{
	logisticKind: func() Probabilistic { return new(Logistic) },
	knnKind:      func() Probabilistic { return new(KNN) },
	treeKind:     func() Probabilistic { return new(DecisionTree) },
}

func mustFit(t *testing.T, c Classifier, f *dataset.Frame) {
	t.Helper()
	if err := c.FitFrame(context.Background(), f); err != nil {
		t.Fatal(err)
	}
}

// texts are the predicted classes by name.
func texts(t *testing.T, c Classifier, f *dataset.Frame) []string {
	t.Helper()
	predicted, err := c.PredictFrame(context.Background(), f)
	if err != nil {
		t.Fatal(err)
	}
	return factorTexts(predicted)
}

func factorTexts(f *dataset.Factor) []string {
	all := make([]string, len(f.Codes))
	for i := range all {
		all[i] = f.Text(i)
	}
	return all
}

// gridTexts are the classes of a golearn grid.
func gridTexts(g base.FixedDataGrid) []string {
	_, rows := g.Size()
	all := make([]string, rows)
	for i := range all {
		all[i] = base.GetClass(g, i)
	}
	return all
}

func agreement(a, b []string) float64 {
	same := 0
	for i := range a {
		if a[i] == b[i] {
			same++
		}
	}
	return float64(same) / float64(len(a))
}

// rowsEvery gives the rows whose index leaves the remainder r by m.
func rowsEvery(n, m, r int) []int {
	var rows []int
	for i := r; i < n; i += m {
		rows = append(rows, i)
	}
	return rows
}

// golearnGrid builds the frame again as golearn's own user would: cell by cell,
// the columns in the given order, the class first, one column more than needed
// and the class values in reverse.
func golearnGrid(t *testing.T, f *dataset.Frame, order []int, class bool) *base.DenseInstances {
	t.Helper()
	g := base.NewDenseInstances()
	var classSpec base.AttributeSpec
	attribute := base.NewCategoricalAttribute()
	if class {
		attribute.SetName(f.ClassName())
		levels := slices.Clone(f.Class().Levels)
		slices.Reverse(levels)
		for _, level := range levels {
			attribute.GetSysValFromString(level)
		}
		classSpec = g.AddAttribute(attribute)
	}
	extra := g.AddAttribute(base.NewFloatAttribute("extra"))
	specs := make([]base.AttributeSpec, len(order))
	for at, j := range order {
		specs[at] = g.AddAttribute(base.NewFloatAttribute(f.Names()[j]))
	}
	if class {
		if err := g.AddClassAttribute(attribute); err != nil {
			t.Fatal(err)
		}
	}
	if err := g.Extend(f.Rows()); err != nil {
		t.Fatal(err)
	}
	for i := range f.Rows() {
		g.Set(extra, i, base.PackFloatToBytes(float64(-i)))
		for at, j := range order {
			g.Set(specs[at], i, base.PackFloatToBytes(f.Numeric().At(i, j)))
		}
		if class {
			g.Set(classSpec, i, attribute.GetSysValFromString(f.Class().Text(i)))
		}
	}
	return g
}

func TestClassifierLearns(t *testing.T) {
	eachClassifier(t, func(t *testing.T, fresh func() Probabilistic, iris *dataset.Frame) {
		c := fresh()
		mustFit(t, c, iris.Subset(rowsEvery(150, 2, 0)))
		test := iris.Subset(rowsEvery(150, 2, 1))
		got := texts(t, c, test)
		if share := agreement(got, factorTexts(test.Class())); share < .9 {
			t.Errorf("accuracy %v on the other half of iris", share)
		}
		if !slices.Equal(c.Classes(), iris.Class().Levels) || !slices.Equal(c.Inputs(), iris.Names()) {
			t.Errorf("classes %q, inputs %q", c.Classes(), c.Inputs())
		}
		if !slices.Equal(texts(t, c, test.WithoutClass()), got) {
			t.Error("a class column changes the predictions")
		}
	})
}

// TestClassifierProbabilities: rows sum to 1, the predicted class is among the
// likeliest, and a row alone gives the bits that it gives in the batch.
func TestClassifierProbabilities(t *testing.T) {
	eachClassifier(t, func(t *testing.T, fresh func() Probabilistic, iris *dataset.Frame) {
		c := fresh()
		mustFit(t, c, iris)
		likely, err := c.ProbabilitiesFrame(context.Background(), iris)
		if err != nil {
			t.Fatal(err)
		}
		predicted, err := c.PredictFrame(context.Background(), iris)
		if err != nil {
			t.Fatal(err)
		}
		for i := range iris.Rows() {
			row := likely.RawRowView(i)
			sum := 0.0
			for _, v := range row {
				sum += v
			}
			if math.Abs(sum-1) > 1e-14 || row[predicted.Codes[i]] != slices.Max(row) {
				t.Errorf("row %d: probabilities %v, predicted class %d", i, row, predicted.Codes[i])
			}
			alone, err := c.ProbabilitiesFrame(context.Background(), iris.Subset([]int{i}))
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(alone.RawRowView(0), row) {
				t.Errorf("row %d: alone %v, in the batch %v", i, alone.RawRowView(0), row)
			}
		}
	})
}

// TestClassifierColumnsByName: order and extra columns do not matter, absent
// ones are all named, and so are columns of the wrong kind.
func TestClassifierColumnsByName(t *testing.T) {
	eachClassifier(t, func(t *testing.T, fresh func() Probabilistic, iris *dataset.Frame) {
		c := fresh()
		mustFit(t, c, iris)
		want := texts(t, c, iris)
		names := iris.Names()
		slices.Reverse(names)
		turned, err := iris.Pick(names)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(texts(t, c, turned), want) {
			t.Error("reordered columns change the predictions")
		}
		few, err := iris.Pick(names[:2])
		if err != nil {
			t.Fatal(err)
		}
		var missing *dataset.MissingColumnsError
		if _, err := c.PredictFrame(context.Background(), few); !errors.As(err, &missing) || len(missing.Missing) != 2 {
			t.Errorf("two missing columns: got %v", err)
		}
	})
}

// TestClassifierGolearnGrids: a golearn grid with another order of columns and
// of class values, an extra column, or no class, gives the frame's predictions.
func TestClassifierGolearnGrids(t *testing.T) {
	eachClassifier(t, func(t *testing.T, fresh func() Probabilistic, iris *dataset.Frame) {
		c := fresh()
		mustFit(t, c, iris)
		want := texts(t, c, iris)
		for _, class := range []bool{true, false} {
			g := golearnGrid(t, iris, []int{2, 0, 3, 1}, class)
			predicted, err := c.Predict(g)
			if err != nil {
				t.Fatal(err)
			}
			if got := gridTexts(predicted); !slices.Equal(got, want) {
				t.Errorf("class %v: predictions differ in %v", class, 1-agreement(got, want))
			}
			if attributes := predicted.AllAttributes(); len(attributes) != 1 || len(predicted.AllClassAttributes()) != 1 ||
				(class && attributes[0] != g.AllClassAttributes()[0]) {
				t.Errorf("class %v: the grid of predictions has the attributes %v", class, attributes)
			}
			if !class {
				continue
			}
			matrix, err := evaluation.GetConfusionMatrix(g, predicted)
			if err != nil {
				t.Fatal(err)
			}
			if got, want := evaluation.GetAccuracy(matrix), agreement(want, factorTexts(iris.Class())); got != want {
				t.Errorf("golearn's accuracy is %v, ours %v", got, want)
			}
			other := fresh()
			if err := other.Fit(golearnGrid(t, iris, []int{0, 1, 2, 3}, true)); err != nil {
				t.Fatal(err)
			}
			if _, err := other.Predict(iris); err == nil {
				t.Error("fitted with the column extra, and predicted without it")
			}
			if predicted, err = other.Predict(g); err != nil {
				t.Fatal(err)
			}
			if share := agreement(gridTexts(predicted), factorTexts(iris.Class())); share < .9 {
				t.Errorf("fitted on golearn's grid: accuracy %v", share)
			}
		}
	})
}

// TestClassifierForeignClass: new rows whose class attribute knows other values
// get the trained classes under the same attribute name, and the attribute of the
// input stays as it was.
func TestClassifierForeignClass(t *testing.T) {
	eachClassifier(t, func(t *testing.T, fresh func() Probabilistic, iris *dataset.Frame) {
		c := fresh()
		mustFit(t, c, iris)
		unknown := &dataset.Factor{Levels: []string{"unknown"}, Codes: make([]int32, iris.Rows())}
		f, err := iris.WithClass(iris.ClassName(), unknown)
		if err != nil {
			t.Fatal(err)
		}
		g := golearnGrid(t, f, []int{0, 1, 2, 3}, true)
		predicted, err := c.Predict(g)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(gridTexts(predicted), texts(t, c, iris)) {
			t.Error("other predictions")
		}
		if name := predicted.AllClassAttributes()[0].GetName(); name != iris.ClassName() {
			t.Errorf("the predicted class is named %q", name)
		}
		if values := g.AllClassAttributes()[0].(*base.CategoricalAttribute).GetValues(); !slices.Equal(values, []string{"unknown"}) {
			t.Errorf("the input's class attribute has now the values %q", values)
		}
	})
}

// TestClassifierGolearnTools: golearn's cross-validation and bagging take every
// classifier.
func TestClassifierGolearnTools(t *testing.T) {
	eachClassifier(t, func(t *testing.T, fresh func() Probabilistic, iris *dataset.Frame) {
		matrices, err := evaluation.GenerateCrossFoldValidationConfusionMatrices(iris, fresh(), 5)
		if err != nil {
			t.Fatal(err)
		}
		if mean, _ := evaluation.GetCrossValidatedMetric(matrices, evaluation.GetAccuracy); mean < .85 {
			t.Errorf("golearn's cross-validation: accuracy %v", mean)
		}
		bag := new(meta.BaggedModel)
		for range 3 {
			bag.AddModel(fresh())
		}
		bag.Fit(iris)
		predicted, err := bag.Predict(iris)
		if err != nil {
			t.Fatal(err)
		}
		if share := agreement(gridTexts(predicted), factorTexts(iris.Class())); share < .85 {
			t.Errorf("golearn's bagging: accuracy %v", share)
		}
		path := filepath.Join(t.TempDir(), "bag")
		if err := bag.Save(path); err != nil {
			t.Fatal(err)
		}
	})
}

// TestClassifierUnfitted: an error that wraps the transformers', and no file.
func TestClassifierUnfitted(t *testing.T) {
	eachClassifier(t, func(t *testing.T, fresh func() Probabilistic, iris *dataset.Frame) {
		c := fresh()
		path := filepath.Join(t.TempDir(), "model")
		_, probabilities := c.ProbabilitiesFrame(context.Background(), iris)
		_, frame := c.PredictFrame(context.Background(), iris)
		_, grid := c.Predict(iris)
		for name, err := range map[string]error{
			"PredictFrame": frame, "ProbabilitiesFrame": probabilities, "Predict": grid,
			"SaveTo": c.SaveTo(new(bytes.Buffer)), "Save": c.Save(path),
		} {
			if !errors.Is(err, transformer.ErrNotFitted) {
				t.Errorf("%s: got %v", name, err)
			}
		}
		if c.Classes() != nil || c.Inputs() != nil {
			t.Error("classes or inputs before Fit")
		}
		if found, _ := filepath.Glob(path); found != nil {
			t.Error("Save left a file")
		}
	})
}

// TestClassifierFailedFit: bad training rows are an error, and the fit before
// stays.
func TestClassifierFailedFit(t *testing.T) {
	eachClassifier(t, func(t *testing.T, fresh func() Probabilistic, iris *dataset.Frame) {
		c := fresh()
		mustFit(t, c, iris)
		want := texts(t, c, iris)
		gap := mat.DenseCopyOf(iris.Numeric())
		gap.Set(7, 1, math.NaN())
		holes, err := dataset.Assemble(gap, iris.Columns(), "species", iris.Class())
		if err != nil {
			t.Fatal(err)
		}
		nothing, err := dataset.Assemble(nil, nil, "species", iris.Class())
		if err != nil {
			t.Fatal(err)
		}
		for _, test := range []struct {
			f    *dataset.Frame
			want string
		}{
			{iris.WithoutClass(), "no class column"},
			{iris.Subset(nil), "no training rows"},
			{holes, iris.Names()[1]},
			{nothing, "no feature column"},
		} {
			if err := c.FitFrame(context.Background(), test.f); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want an error with %q", err, test.want)
			}
		}
		if !slices.Equal(texts(t, c, iris), want) {
			t.Error("a failed fit changed the classifier")
		}
		if _, err := c.PredictFrame(context.Background(), holes); err == nil || !strings.Contains(err.Error(), iris.Names()[1]) {
			t.Errorf("missing cell in new rows: got %v", err)
		}
		none, err := c.PredictFrame(context.Background(), iris.Subset(nil))
		if err != nil || len(none.Codes) != 0 {
			t.Errorf("no rows: %v, %v", none, err)
		}
	})
}

// TestClassifierOwnClasses: classes without training rows are not predicted,
// and do not disturb the codes of the others.
func TestClassifierOwnClasses(t *testing.T) {
	eachClassifier(t, func(t *testing.T, fresh func() Probabilistic, iris *dataset.Frame) {
		c := fresh()
		var rows []int
		for i, code := range iris.Class().Codes {
			if code != 1 {
				rows = append(rows, i)
			}
		}
		mustFit(t, c, iris.Subset(rows))
		levels := iris.Class().Levels
		if want := []string{levels[0], levels[2]}; !slices.Equal(c.Classes(), want) {
			t.Errorf("classes %q, want %q", c.Classes(), want)
		}
		test := iris.Subset(rows)
		if share := agreement(texts(t, c, test), factorTexts(test.Class())); share < .95 {
			t.Errorf("accuracy %v", share)
		}
	})
}

func TestClassifierConcurrentAndInputsUnchanged(t *testing.T) {
	eachClassifier(t, func(t *testing.T, fresh func() Probabilistic, iris *dataset.Frame) {
		before := dataset.Hash(iris)
		c := fresh()
		mustFit(t, c, iris)
		want := texts(t, c, iris)
		var running sync.WaitGroup
		for range 4 {
			running.Go(func() {
				if got, err := c.PredictFrame(context.Background(), iris); err != nil || !slices.Equal(factorTexts(got), want) {
					t.Errorf("concurrent prediction: %v", err)
				}
			})
		}
		running.Wait()
		if dataset.Hash(iris) != before {
			t.Error("the input has changed")
		}
	})
}
