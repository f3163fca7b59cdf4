package experiment_test

import (
	"fmt"
	"log"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/pipeline/experiment"
)

// Folds with the classes in their shares.
func ExampleDivide() {
	f, err := dataset.Builtin("iris")
	if err != nil {
		log.Fatal(err)
	}
	splits, warnings, err := experiment.Divide(f.Rows(), f.Class(), experiment.SplitOptions{Folds: 5, Seed: 1})
	if err != nil {
		log.Fatal(err)
	}
	for _, s := range splits[:2] {
		var split experiment.Split = s
		fmt.Println(len(split.Train), len(split.Test))
	}
	fmt.Println(len(splits), warnings)
	// Output:
	// 120 30
	// 120 30
	// 5 []
}

// Figures of classes, from what is true and what is predicted.
func ExampleTally() {
	truth := &dataset.Factor{Levels: []string{"no", "yes"}, Codes: []int32{0, 0, 1, 1, 1}}
	predicted := &dataset.Factor{Levels: []string{"no", "yes"}, Codes: []int32{0, 1, 1, 1, 0}}
	var c *experiment.Confusion
	c, err := experiment.Tally(truth, predicted)
	if err != nil {
		log.Fatal(err)
	}
	var m *experiment.Metrics
	if m, err = c.Metrics(); err != nil {
		log.Fatal(err)
	}
	fmt.Println(c.Labels, c.Counts)
	fmt.Printf("accuracy %.2f ± %.2f\n", m.Accuracy, m.AccuracySE)
	for _, class := range m.PerClass {
		var figures experiment.ClassMetrics = class
		fmt.Printf("%s: precision %.2f, recall %.2f\n", figures.Class, figures.Precision, figures.Recall)
	}
	// Output:
	// [no yes] [[1 1] [1 2]]
	// accuracy 0.60 ± 0.22
	// no: precision 0.50, recall 0.50
	// yes: precision 0.67, recall 0.67
}

// Figures of numbers.
func ExampleRegression() {
	var m *experiment.RegressionMetrics
	m, err := experiment.Regression([]float64{1, 2, 3, 4}, []float64{1.1, 1.9, 3.2, 3.7})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("R² %.3f, MAE %.3f, RMSE %.3f\n", m.R2, m.MAE, m.RMSE)
	// Output:
	// R² 0.970, MAE 0.175, RMSE 0.194
}
