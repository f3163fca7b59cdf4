package classifier_test

import (
	"bytes"
	"context"
	"fmt"
	"log"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/pipeline/classifier"
)

// right fits a classifier to every second row of the irises, and prints how many of the others it
// gets right.
func right(c classifier.Classifier) {
	f, err := dataset.Builtin("iris")
	if err != nil {
		log.Fatal(err)
	}
	var train, test []int
	for i := range f.Rows() {
		if i%2 == 0 {
			train = append(train, i)
		} else {
			test = append(test, i)
		}
	}
	if err := c.FitFrame(context.Background(), f.Subset(train)); err != nil {
		log.Fatal(err)
	}
	rows := f.Subset(test)
	p, err := c.PredictFrame(context.Background(), rows)
	if err != nil {
		log.Fatal(err)
	}
	n := 0
	for i := range rows.Rows() {
		if p.Classes.Text(i) == rows.Class().Text(i) {
			n++
		}
	}
	fmt.Println(n, "of", rows.Rows())
}

func ExampleLogistic() {
	right(&classifier.Logistic{L2: 0.1})
	// Output:
	// 73 of 75
}

func ExampleLinearSVM() {
	right(new(classifier.LinearSVM))
	// Output:
	// 71 of 75
}

func ExampleNaiveBayes() {
	right(new(classifier.NaiveBayes))
	// Output:
	// 72 of 75
}

func ExampleKNN() {
	right(&classifier.KNN{K: 3, Weights: "distance"})
	// Output:
	// 72 of 75
}

func ExampleDecisionTree() {
	right(&classifier.DecisionTree{MaxDepth: 3})
	// Output:
	// 72 of 75
}

func ExampleRandomForest() {
	right(&classifier.RandomForest{Trees: 20, Seed: 1})
	// Output:
	// 71 of 75
}

func ExampleID3() {
	right(new(classifier.ID3))
	// Output:
	// 71 of 75
}

// What every other one must beat.
func ExampleDummy() {
	right(new(classifier.Dummy))
	// Output:
	// 25 of 75
}

// numbers is a table with the target 2a + 1.
func numbers() *dataset.Frame {
	f, err := dataset.New([]string{"a"}, mat.NewDense(4, 1, []float64{1, 2, 3, 4}))
	if err != nil {
		log.Fatal(err)
	}
	target, err := dataset.NewTarget([]float64{3, 5, 7, 9})
	if err != nil {
		log.Fatal(err)
	}
	if f, err = f.WithClass("y", target); err != nil {
		log.Fatal(err)
	}
	return f
}

func ExampleLinear() {
	c := new(classifier.Linear)
	if err := c.FitFrame(context.Background(), numbers()); err != nil {
		log.Fatal(err)
	}
	p, err := c.PredictFrame(context.Background(), numbers())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.3f\n", p.Values)
	// Output:
	// [3.000 5.000 7.000 9.000]
}

// The penalty draws the numbers to their mean. The fitted state goes into a file and comes back.
func ExampleRidge() {
	c := &classifier.Ridge{L2: 5}
	if err := c.FitFrame(context.Background(), numbers()); err != nil {
		log.Fatal(err)
	}
	var file bytes.Buffer
	if err := c.SaveTo(&file); err != nil {
		log.Fatal(err)
	}
	again := new(classifier.Ridge)
	if err := again.LoadFrom(&file); err != nil {
		log.Fatal(err)
	}
	p, err := again.PredictFrame(context.Background(), numbers())
	if err != nil {
		log.Fatal(err)
	}
	var predicted *classifier.Prediction = p
	fmt.Printf("%.3f\n", predicted.Values)
	// Output:
	// [4.500 5.500 6.500 7.500]
}

// Single rows without a table, and what a fit has to say.
func ExampleRowPredictor() {
	f, err := dataset.Builtin("iris")
	if err != nil {
		log.Fatal(err)
	}
	c := &classifier.Logistic{MaxIterations: 1}
	if err := c.FitFrame(context.Background(), f); err != nil {
		log.Fatal(err)
	}
	var row classifier.RowPredictor = c
	probabilities := make([]float64, 3)
	fmt.Println(c.Classes()[row.RowFunc()(probabilities, []float64{5.1, 3.5, 1.4, 0.2})])
	var warner classifier.Warner = c
	fmt.Println(warner.Warnings())
	// Output:
	// setosa
	// [logistic stopped (iteration_limit) after 1 iterations; its objective, 75.0216, may lie 783 above the minimum; standardize the columns, raise max_iterations or the penalty]
}

// A classifier that keeps its training rows need not copy a table that nobody will change.
func ExampleOwner() {
	f, err := dataset.Builtin("iris")
	if err != nil {
		log.Fatal(err)
	}
	var c classifier.Owner = &classifier.KNN{K: 5}
	fmt.Println(c.FitOwned(context.Background(), f))
	// Output: <nil>
}

// A support vector machine has scores, but no probabilities.
func ExampleUnlikely() {
	for _, c := range []classifier.Classifier{&classifier.LinearSVM{}, &classifier.Logistic{}} {
		_, unlikely := c.(classifier.Unlikely)
		fmt.Printf("%T %v\n", c, unlikely)
	}
	// Output:
	// *classifier.LinearSVM true
	// *classifier.Logistic false
}
