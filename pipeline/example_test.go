package pipeline_test

import (
	"fmt"
	"log"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/pipeline"
	"github.com/fspca/fspca/pipeline/classifier"
	"github.com/fspca/fspca/selector"
	"github.com/fspca/fspca/transformer"
)

// A chain built in Go: fitted on all columns, it needs those that it chose.
func ExampleNew() {
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
	if err := p.Fit(wine); err != nil {
		log.Fatal(err)
	}
	prediction, err := p.PredictFrame(wine.Subset([]int{0, 100}))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(p.Inputs())
	fmt.Println(prediction.Predicted.Text(0), prediction.Predicted.Text(1))
	// Output:
	// [total_phenols flavanoids color_intensity od280/od315_of_diluted_wines]
	// 1 2
}
