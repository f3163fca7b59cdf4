package experiment_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/pipeline"
	"github.com/fspca/fspca/pipeline/classifier"
	"github.com/fspca/fspca/pipeline/config"
	"github.com/fspca/fspca/pipeline/experiment"
	"github.com/fspca/fspca/selector"
	"github.com/fspca/fspca/transformer"
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

// What a measurement holds, part by part.
func ExampleResult() {
	f, err := dataset.Builtin("wine")
	if err != nil {
		log.Fatal(err)
	}
	p, err := pipeline.New(
		pipeline.NamedStep{Name: "standardize", Transformer: new(transformer.Standardize)},
		pipeline.NamedStep{Name: "fspca", Transformer: selector.New(selector.Options{Features: 4, Components: 2})},
		pipeline.NamedStep{Name: "logistic", Classifier: new(classifier.Logistic)},
	)
	if err != nil {
		log.Fatal(err)
	}
	var r *experiment.Result
	r, err = experiment.Evaluate(context.Background(), f, p, experiment.EvaluateOptions{Split: experiment.SplitOptions{Folds: 3, Seed: 1}})
	if err != nil {
		log.Fatal(err)
	}
	var parts *experiment.Parts = r.Split
	fmt.Println(parts.Kind, parts.Test)
	var e *experiment.Evaluation = r.Metrics
	var c *experiment.Calibration = e.Calibration
	var bin experiment.CalibrationBin = c.Bins[len(c.Bins)-1]
	fmt.Printf("accuracy %.3f; the surest %d rows are right in %.0f %%\n", e.Accuracy, bin.Rows, 100*bin.Right)
	var b *experiment.Baselines = r.Baselines
	var dummy *experiment.Baseline = b.Dummy
	fmt.Printf("dummy %.3f\n", *dummy.Accuracy)
	var d *experiment.Difference = r.Difference
	fmt.Printf("less all columns %.3f ± %.3f by %s\n", *d.Accuracy, d.SE, d.Test)
	var s *experiment.Stability = r.Stability
	var most experiment.Frequency = s.Frequency[0]
	fmt.Println(most.Feature, most.Folds, "of", s.Folds)
	// Output:
	// folds [60 59 59]
	// accuracy 0.904; the surest 97 rows are right in 99 %
	// dummy 0.399
	// less all columns -0.079 ± 0.023 by corrected_t
	// color_intensity 3 of 3
}

// What report.json says of a run: where the data come from, what was chosen, what was tried.
func ExampleReport() {
	c, err := config.Parse("iris.yaml", []byte(`
version: 1
data: {source: "builtin:iris"}
split: {test: 0.3, seed: 1}
steps: [fspca: {features: 2, components: 2}, knn]
search: {grid: {fspca.features: [2, 3]}, folds: 3}
`))
	if err != nil {
		log.Fatal(err)
	}
	stages := 0
	opt := experiment.Options{Progress: func(at experiment.Progress) { stages = at.Total }}
	var r *experiment.Report
	r, err = experiment.Run(context.Background(), c, opt)
	var unwritten *experiment.OutputError
	if errors.As(err, &unwritten) {
		log.Fatal("what was found could not be written: ", unwritten)
	}
	if err != nil {
		log.Fatal(err)
	}
	var data experiment.DataInfo = r.Data
	var class experiment.ClassCount = data.Classes[0]
	var versions experiment.Versions = r.Versions
	fmt.Println(data.Source, data.Rows, class.Class, class.Rows, versions.Go != "", stages > 0)
	var chosen *experiment.Selection = r.Selection
	fmt.Println(len(chosen.Features), "of", chosen.Of)
	var search *experiment.SearchResult = r.Search
	var point experiment.Point = search.Points[0]
	var setting experiment.Setting = search.Chosen
	var axis experiment.Axis = c.Search.Grid[0]
	fmt.Println(axis.Key, point.Setting, "chosen:", setting)
	var nested *experiment.Nested = search.Nested
	fmt.Printf("%.3f on rows that chose nothing\n", nested.Score)
	// Output:
	// builtin:iris 150 setosa 50 true true
	// 2 of 4
	// fspca.features fspca.features 2 chosen: fspca.features 2
	// 0.978 on rows that chose nothing
}
