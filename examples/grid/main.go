// Grid takes a grid that golearn has parsed, chooses columns of it, and hands
// them to golearn's filters, classifier and evaluation. Only packages of golearn
// that need no C compiler are used.
//
//	go run ./examples/grid
package main

import (
	"bytes"
	"fmt"
	"log"

	"github.com/sjwhitworth/golearn/base"
	"github.com/sjwhitworth/golearn/evaluation"
	"github.com/sjwhitworth/golearn/filters"
	"github.com/sjwhitworth/golearn/naive"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/pipeline/experiment"
	"github.com/fspca/fspca/selector"
	"github.com/fspca/fspca/transformer"
)

func main() {
	grid := parse()
	train, test := divide(grid)

	// Centre the columns, then choose 6 of 13 by their correlations. Each step
	// returns a golearn grid, with the class.
	steps := []transformer.Transformer{
		new(transformer.Center),
		selector.New(selector.Options{Features: 6, Components: 3, Standardize: true}),
	}
	for _, step := range steps {
		var err error
		if train, err = transformer.FitTransform(step, train); err != nil {
			log.Fatal(err)
		}
		if test, err = step.Transform(test); err != nil {
			log.Fatal(err)
		}
	}
	fmt.Println("columns:", steps[1].Outputs())

	// golearn's naive Bayes wants binary attributes: above the mean or not.
	bayes := naive.NewBernoulliNBClassifier()
	if err := bayes.Fit(aboveMean(train)); err != nil {
		log.Fatal(err)
	}
	predicted, err := bayes.Predict(aboveMean(test))
	if err != nil {
		log.Fatal(err)
	}
	confusion, err := evaluation.GetConfusionMatrix(test, predicted)
	if err != nil {
		log.Fatal(err)
	}
	_, rows := test.Size()
	fmt.Printf("accuracy on %d rows that were held out: %.3f\n", rows, evaluation.GetAccuracy(confusion))
}

// parse reads a table with golearn's own parser; with a file it would be
// base.ParseCSVToInstances("wine.csv", true). The last column becomes the class.
func parse() base.FixedDataGrid {
	wine, err := dataset.Builtin("wine")
	if err != nil {
		log.Fatal(err)
	}
	var csv bytes.Buffer
	if err := dataset.WriteCSV(&csv, wine); err != nil {
		log.Fatal(err)
	}
	grid, err := base.ParseCSVToInstancesFromReader(bytes.NewReader(csv.Bytes()), true)
	if err != nil {
		log.Fatal(err)
	}
	return grid
}

// divide holds out 30 % of the rows of each class. golearn's
// InstancesTrainTestSplit would shuffle the grid itself, without a seed.
func divide(grid base.FixedDataGrid) (train, test base.FixedDataGrid) {
	f, err := dataset.FromGrid(grid)
	if err != nil {
		log.Fatal(err)
	}
	splits, _, err := experiment.Divide(f.Rows(), f.Class(), experiment.SplitOptions{Test: 0.3, Seed: 7})
	if err != nil {
		log.Fatal(err)
	}
	all := grid.AllAttributes()
	return base.NewInstancesViewFromVisible(grid, splits[0].Train, all),
		base.NewInstancesViewFromVisible(grid, splits[0].Test, all)
}

// aboveMean turns centred columns into binary ones with golearn's filter.
func aboveMean(grid base.FixedDataGrid) base.FixedDataGrid {
	filter := filters.NewBinaryConvertFilter()
	for _, attribute := range base.NonClassFloatAttributes(grid) {
		if err := filter.AddAttribute(attribute); err != nil {
			log.Fatal(err)
		}
	}
	if err := filter.Train(); err != nil {
		log.Fatal(err)
	}
	return base.NewLazilyFilteredInstances(grid, filter)
}
