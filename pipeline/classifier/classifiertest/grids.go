package classifiertest

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/sjwhitworth/golearn/base"
	"github.com/sjwhitworth/golearn/evaluation"
	"github.com/sjwhitworth/golearn/meta"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/must"
)

// golearnGrids: a golearn grid with another order of columns and
// of class values, an extra column, or no class, gives the frame's predictions.
func golearnGrids(t *testing.T, fresh maker, iris *dataset.Frame) {
	c := fresh.fitted(t, iris)
	want := texts(t, c, iris)
	for _, class := range []bool{true, false} {
		g := golearnGrid(t, iris, []int{2, 0, 3, 1}, class)
		predicted := must.Get(c.Predict(g))(t)
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
		matrix := must.Get(evaluation.GetConfusionMatrix(g, predicted))(t)
		if got, want := evaluation.GetAccuracy(matrix), agreement(want, factorTexts(iris.Class())); got != want {
			t.Errorf("golearn's accuracy is %v, ours %v", got, want)
		}
		other := fresh.new()
		must.OK(t, other.Fit(golearnGrid(t, iris, []int{0, 1, 2, 3}, true)))
		if _, err := other.Predict(iris); err == nil {
			t.Error("fitted with the column extra, and predicted without it")
		}
		predicted = must.Get(other.Predict(g))(t)
		if share := agreement(gridTexts(predicted), factorTexts(iris.Class())); share < fresh.least {
			t.Errorf("fitted on golearn's grid: accuracy %v", share)
		}
	}
}

// foreignClass: new rows whose class attribute knows other values get the trained
// classes under the same attribute name. The attribute of the input stays as it
// was.
func foreignClass(t *testing.T, fresh maker, iris *dataset.Frame) {
	c := fresh.fitted(t, iris)
	unknown := &dataset.Factor{Levels: []string{"unknown"}, Codes: make([]int32, iris.Rows())}
	f := must.Get(iris.WithClass(iris.ClassName(), unknown))(t)
	g := golearnGrid(t, f, []int{0, 1, 2, 3}, true)
	predicted := must.Get(c.Predict(g))(t)
	if !slices.Equal(gridTexts(predicted), texts(t, c, iris)) {
		t.Error("other predictions")
	}
	if name := predicted.AllClassAttributes()[0].GetName(); name != iris.ClassName() {
		t.Errorf("the predicted class is named %q", name)
	}
	if values := g.AllClassAttributes()[0].(*base.CategoricalAttribute).GetValues(); !slices.Equal(values, []string{"unknown"}) {
		t.Errorf("the input's class attribute has now the values %q", values)
	}
}

// golearnTools: golearn's cross-validation and bagging take every
// classifier.
func golearnTools(t *testing.T, fresh maker, iris *dataset.Frame) {
	matrices := must.Get(evaluation.GenerateCrossFoldValidationConfusionMatrices(iris, fresh.new(), 5))(t)
	if mean, _ := evaluation.GetCrossValidatedMetric(matrices, evaluation.GetAccuracy); mean < fresh.least-.05 {
		t.Errorf("golearn's cross-validation: accuracy %v", mean)
	}
	bag := new(meta.BaggedModel)
	for range 3 {
		bag.AddModel(fresh.new())
	}
	bag.Fit(iris)
	predicted := must.Get(bag.Predict(iris))(t)
	if share := agreement(gridTexts(predicted), factorTexts(iris.Class())); share < fresh.least-.05 {
		t.Errorf("golearn's bagging: accuracy %v", share)
	}
	path := filepath.Join(t.TempDir(), "bag")
	must.OK(t, bag.Save(path))
}
