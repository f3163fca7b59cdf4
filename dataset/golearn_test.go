package dataset

import (
	"testing"

	"github.com/sjwhitworth/golearn/base"
	"github.com/sjwhitworth/golearn/evaluation"
	"github.com/sjwhitworth/golearn/filters"
	"github.com/sjwhitworth/golearn/trees"

	"github.com/fspca/fspca/internal/must"
)

// golearn's own classifiers and evaluation take a frame.
func TestGolearnClassifiers(t *testing.T) {
	iris := must.Get(Builtin("iris"))(t)
	var train, test []int
	for i := range iris.Rows() {
		if i%3 == 0 {
			test = append(test, i)
		} else {
			train = append(train, i)
		}
	}
	tree := trees.NewID3DecisionTreeFromRule(0, new(trees.InformationGainRuleGenerator))
	accuracy := func(train, test base.FixedDataGrid) float64 {
		t.Helper()
		must.OK(t, tree.Fit(train))
		predicted := must.Get(tree.Predict(test))(t)
		f, err := FromGrid(predicted) // no features, only a class
		if err != nil || f.Rows() != len(rowsOfGrid(test)) || f.ClassName() != "species" {
			t.Fatalf("got %v, %v", f, err)
		}
		matrix := must.Get(evaluation.GetConfusionMatrix(test, predicted))(t)
		return evaluation.GetAccuracy(matrix)
	}
	frames := accuracy(iris.Subset(train), iris.Subset(test))
	dense := accuracy(base.NewDenseCopy(iris.Subset(train)), base.NewDenseCopy(iris.Subset(test)))
	views := accuracy(base.NewInstancesViewFromVisible(iris, train, iris.AllAttributes()), base.NewInstancesViewFromVisible(iris, test, iris.AllAttributes()))
	if frames < 0.9 || dense != frames || views != frames {
		t.Errorf("accuracy of a tree: frames %v, dense copies %v, views %v", frames, dense, views)
	}
	matrices := must.Get(evaluation.GenerateCrossFoldValidationConfusionMatrices(iris, tree, 3))(t)
	if mean, _ := evaluation.GetCrossValidatedMetric(matrices, evaluation.GetAccuracy); mean < 0.5 { // the folds are random; guessing gives 0.33
		t.Errorf("cross-validated accuracy %v", mean)
	}
}

func rowsOfGrid(g base.FixedDataGrid) []int {
	_, n := g.Size()
	return make([]int, n)
}

// golearn's filters know attributes by their address, which subsets share.
func TestGolearnFilters(t *testing.T) {
	iris := must.Get(Builtin("iris"))(t)
	train, test := iris.Subset([]int{0, 30, 60, 90, 120}), iris.Subset([]int{1, 31, 61})
	filter := filters.NewBinningFilter(train, 3)
	for _, a := range base.NonClassFloatAttributes(train) {
		must.OK(t, filter.AddAttribute(a))
	}
	must.OK(t, filter.Train())
	binned := must.Get(FromGrid(base.NewLazilyFilteredInstances(test, filter)))(t)
	if len(binned.NumericNames()) != 0 || binned.ClassName() != "species" || binned.Rows() != 3 {
		t.Errorf("the filter does not know the columns of a subset: got %v", binned)
	}
}
