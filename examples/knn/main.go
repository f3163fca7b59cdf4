//go:build cgo

// Knn gives golearn's own nearest neighbours the columns that fspca chose. That
// package of golearn needs cgo and a C compiler; the knn of this module's
// pipeline package does not, and is exact where golearn's settles ties by chance.
//
//	go run ./examples/knn
package main

import (
	"fmt"
	"log"

	"github.com/sjwhitworth/golearn/base"
	"github.com/sjwhitworth/golearn/evaluation"
	"github.com/sjwhitworth/golearn/knn"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/pipeline/classifier"
	"github.com/fspca/fspca/pipeline/experiment"
	"github.com/fspca/fspca/selector"
	"github.com/fspca/fspca/transformer"
)

func main() {
	digits, err := dataset.Builtin("digits")
	if err != nil {
		log.Fatal(err)
	}
	splits, _, err := experiment.Divide(digits.Rows(), digits.Class(), experiment.SplitOptions{Test: 0.1, Seed: 7})
	if err != nil {
		log.Fatal(err)
	}
	train, test := digits.Subset(splits[0].Train), digits.Subset(splits[0].Test)

	s := selector.New(selector.Options{Features: 20, Components: 10})
	chosen, err := transformer.FitTransform(s, train)
	if err != nil {
		log.Fatal(err)
	}
	chosenTest, err := s.Transform(test)
	if err != nil {
		log.Fatal(err)
	}

	// Of golearn's two searches only "linear" finds the nearest rows. It is fast and
	// prints nothing only on golearn's own kind of grid.
	neighbours := knn.NewKnnClassifier("euclidean", "linear", 1)
	if err := neighbours.Fit(base.NewDenseCopy(chosen)); err != nil {
		log.Fatal(err)
	}
	predicted, err := neighbours.Predict(base.NewDenseCopy(chosenTest))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("golearn's knn on %d of 64 columns: accuracy %.3f\n", len(s.Outputs()), accuracy(chosenTest, predicted))

	ours := &classifier.KNN{K: 1}
	if err := ours.Fit(chosen); err != nil {
		log.Fatal(err)
	}
	if predicted, err = ours.Predict(chosenTest); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("this module's: accuracy %.3f\n", accuracy(chosenTest, predicted))
}

func accuracy(test, predicted base.FixedDataGrid) float64 {
	confusion, err := evaluation.GetConfusionMatrix(test, predicted)
	if err != nil {
		log.Fatal(err)
	}
	return evaluation.GetAccuracy(confusion)
}
