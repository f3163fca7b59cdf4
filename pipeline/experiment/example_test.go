package experiment_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/pipeline"
	"github.com/fspca/fspca/pipeline/classifier"
	"github.com/fspca/fspca/pipeline/config"
	"github.com/fspca/fspca/pipeline/experiment"
	"github.com/fspca/fspca/selector"
	"github.com/fspca/fspca/transformer"
)

// A config as a file would hold it, run without writing anything.
func ExampleRun() {
	c, err := config.Parse("iris.yaml", []byte(`
version: 1
name: three measurements
data: {source: "builtin:iris"}
split: {folds: 5, seed: 1}
steps:
  - fspca: {features: 3, components: 2}
  - knn
`))
	if err != nil {
		log.Fatal(err)
	}
	report, err := experiment.Run(context.Background(), c, experiment.Options{})
	if err != nil {
		log.Fatal(err)
	}
	if err := report.WriteSummary(os.Stdout); err != nil {
		log.Fatal(err)
	}
	// Output:
	// three measurements: builtin:iris, 150 rows, 4 columns, 3 classes of species
	// chosen: 3 columns of 4, 2 components: sepal_length, petal_length, petal_width
	//   variance explained: 95.1 % of the total, 97.3 % of what dense PCA explains; converged after 1 iteration
	//   the best choice explains at most 0.095 % more
	//   R² of all columns: 0.980 by the chosen columns, 0.968 by the components, 0.984 by random choices, 0.755 by noise, 0.995 by PCA
	//   R² of all columns on rows held out: 0.979 by the chosen columns, 0.967 by the components, 0.983 by random choices
	//   note: "petal_length" and "petal_width" are near-copies of each other (|r| = 0.9629): max_correlation (--max-correlation) keeps such columns apart
	//   note: noise alone would reach R² = 0.76 with 3 of 4 columns in 150 rows: compare R² with that, not with 0
	//   stability: 3 columns chosen in all 5 folds, mean overlap of two folds 1.00
	// measured on 150 rows, each held out once in 5 folds (seed 1); ± is the standard error over the 5 parts, corrected for shared training rows:
	//                        accuracy         balanced  macro F1  log loss  AUC
	//   3 chosen columns     0.9600 ± 0.0100  0.9600    0.9600    0.5423    0.9873
	//   all 4 columns        0.9667 ± 0.0000  0.9667    0.9667    0.3027    0.9940
	//   3 columns at random  0.9560 ± 0.0133  0.9560    0.9560    0.3235    0.9915
	//   PCA, 2 components    0.9733 ± 0.0187  0.9733    0.9733    0.3087    0.9923
	//   dummy                0.3333 ± 0.0000  0.3333    0.1667    1.0986    0.5000
	// chosen less all columns: accuracy -0.0067 ± 0.0100, p = 0.54 (corrected resampled t-test)
	// most confused: versicolor taken for virginica, 4 rows
	//   class       precision  recall  F1      rows
	//   setosa      1.0000     1.0000  1.0000  50
	//   versicolor  0.9583     0.9200  0.9388  50
	//   virginica   0.9231     0.9600  0.9412  50
	// calibration: predicted probabilities are off by 0.019 on average
}

// Any pipeline is measured on a frame, without a file: here on 10 folds, 3 times.
func ExampleEvaluate() {
	wine, err := dataset.Builtin("wine")
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
	r, err := experiment.Evaluate(context.Background(), wine, p, experiment.EvaluateOptions{
		Split: experiment.SplitOptions{Folds: 10, Repeats: 3, Seed: 1},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("4 columns:   %.3f ± %.3f\n", r.Metrics.Accuracy, r.Metrics.AccuracySE)
	fmt.Printf("all columns: %.3f ± %.3f\n", r.AllColumns.Accuracy, r.AllColumns.AccuracySE)
	fmt.Printf("difference:  %.3f ± %.3f, p = %.3f\n", *r.Difference.Accuracy, r.Difference.SE, *r.Difference.P)
	fmt.Printf("at random:   %.3f\n", *r.Baselines.RandomColumns.Accuracy)
	// Output:
	// 4 columns:   0.921 ± 0.023
	// all columns: 0.983 ± 0.010
	// difference:  -0.062 ± 0.026, p = 0.023
	// at random:   0.867
}

// The number of columns and of neighbours, chosen by cross-validation. Steps that know
// their options are made by NewStep and Build.
func ExampleSearch() {
	wine, err := dataset.Builtin("wine")
	if err != nil {
		log.Fatal(err)
	}
	var steps []pipeline.NamedStep
	for _, s := range []pipeline.Step{
		{Name: "standardize"},
		{Name: "fspca", Options: &pipeline.FSPCAStep{Features: pipeline.FeatureCount{Number: 8}, Components: pipeline.ComponentCount{Number: 3}}},
		{Name: "knn"},
	} {
		step, err := s.Build()
		if err != nil {
			log.Fatal(err)
		}
		steps = append(steps, step)
	}
	p, err := pipeline.New(steps...)
	if err != nil {
		log.Fatal(err)
	}
	grid := experiment.Grid{
		{Key: "fspca.features", Values: []any{2, 4, 6, 8, 10}},
		{Key: "knn.k", Values: []any{1, 5, 15}},
	}
	opt := experiment.SearchOptions{Rule: "one_se", Seed: 1}
	fitted, found, err := experiment.Search(context.Background(), wine, p, grid, opt)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("chosen:", found.Chosen)
	fmt.Println("columns:", fitted.Inputs())
	fmt.Println("cannot be:", found.Points[0].Setting)

	// What the search and the fit together are worth, on rows that neither saw.
	r, err := experiment.Evaluate(context.Background(), wine, p, experiment.EvaluateOptions{Grid: grid, Search: opt})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("accuracy %.3f ± %.3f\n", r.Metrics.Accuracy, r.Metrics.AccuracySE)
	// Output:
	// chosen: fspca.features 8, knn.k 5
	// columns: [alcohol total_phenols flavanoids proanthocyanins color_intensity hue od280/od315_of_diluted_wines proline]
	// cannot be: fspca.features 2, knn.k 1
	// accuracy 0.961 ± 0.029
}
