package selector_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/sjwhitworth/golearn/base"
	"github.com/sjwhitworth/golearn/evaluation"
	"github.com/sjwhitworth/golearn/trees"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/selector"
)

// grid makes golearn's own grid: two columns that tell the two classes apart, between columns of
// noise, the class first. (golearn's tree splits on a column once at most on a path.)
func grid(t *testing.T, seed uint64, n int) *base.DenseInstances {
	t.Helper()
	x := sample(seed, n, 6)
	g := base.NewDenseInstances()
	class := base.NewCategoricalAttribute()
	class.SetName("sort")
	specs := []base.AttributeSpec{g.AddAttribute(class)}
	for j := range 6 {
		specs = append(specs, g.AddAttribute(base.NewFloatAttribute(fmt.Sprintf("v%d", j))))
	}
	must.OK(t, g.AddClassAttribute(class))
	must.OK(t, g.Extend(n))
	for i := range n {
		g.Set(specs[0], i, class.GetSysValFromString([]string{"low", "high"}[i%2]))
		for j := range 6 {
			v := 0.01 * x.At(i, j)
			if j == 2 || j == 4 {
				v += float64(j) * float64(i%2)
			}
			g.Set(specs[j+1], i, base.PackFloatToBytes(v))
		}
	}
	return g
}

// TestGolearn sends golearn's grid through the selector into golearn's tree and its evaluation, and
// copies the selector's output into golearn's own storage.
func TestGolearn(t *testing.T) {
	train, test := grid(t, 1, 90), grid(t, 2, 45)
	for _, output := range []selector.Output{selector.Selected, selector.Projection, selector.Both} {
		s := selector.New(selector.Options{Features: 2, Components: 2, Output: output})
		must.OK(t, s.Fit(train))
		if want := []string{"v2", "v4"}; !slices.Equal(s.Model().Features(), want) {
			t.Fatalf("chooses %v, want %v", s.Model().Features(), want)
		}
		reducedTrain := must.Get(s.Transform(train))(t)
		reducedTest := must.Get(s.Transform(test))(t)
		tree := trees.NewID3DecisionTree(0)
		must.OK(t, tree.Fit(reducedTrain))
		predicted := must.Get(tree.Predict(reducedTest))(t)
		confusion := must.Get(evaluation.GetConfusionMatrix(test, predicted))(t)
		if accuracy := evaluation.GetAccuracy(confusion); accuracy < 0.99 {
			t.Errorf("output %q: accuracy %v of golearn's tree", output, accuracy)
		}
		copied := must.Get(dataset.FromGrid(base.NewDenseCopy(reducedTest)))(t)
		if dataset.Hash(copied) != dataset.Hash(reducedTest.(*dataset.Frame)) {
			t.Errorf("output %q: a copy in golearn's storage differs", output)
		}
	}
}

// TestFitRefuses: text and missing cells are named, all columns at once, with the cures.
func TestFitRefuses(t *testing.T) {
	x := sample(1, 6, 2)
	colour := &dataset.Factor{Levels: []string{"blue", "red"}, Codes: make([]int32, 6)}
	cols := []dataset.Column{{Name: "colour", Factor: colour}, {Name: "a"}, {Name: "size", Factor: colour}, {Name: "b"}}
	f, err := dataset.Assemble(x, cols, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	s := selector.New(selector.Options{Features: 2, Components: 1})
	wantError(t, s.Fit(f), `"colour"`, `"size"`, "categorical", "drop", "onehot")
	x.Set(3, 1, math.NaN())
	wantError(t, s.Fit(f), `"colour"`, "row 4", `"b"`, "impute")
	wantError(t, s.Fit(nil), "nil")
	text := must.Get(dataset.Assemble(nil, cols[:1], "", nil))(t)
	wantError(t, s.Fit(text), `"colour"`)
	must.OK(t, s.Fit(frame(t, sample(2, 6, 2), []string{"colour", "a"})))
	_, err = s.Transform(f)
	wantError(t, err, `"colour"`, "categorical")
}
