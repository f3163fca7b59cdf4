package pipeline_test

import (
	"encoding/json"
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

// One row at a time, as a service has them: by position, or by name.
func ExamplePipeline_PredictRow() {
	iris, err := dataset.Builtin("iris")
	if err != nil {
		log.Fatal(err)
	}
	p, err := pipeline.New(
		pipeline.NamedStep{Name: "power", Transformer: &transformer.OnColumns{
			Columns: []string{"petal_*"},
			New:     func() transformer.Transformer { return new(transformer.Power) },
		}},
		pipeline.NamedStep{Name: "standardize", Transformer: new(transformer.Standardize)},
		pipeline.NamedStep{Name: "logistic", Classifier: new(classifier.Logistic)},
	)
	if err != nil {
		log.Fatal(err)
	}
	if err := p.Fit(iris); err != nil {
		log.Fatal(err)
	}
	fmt.Println(p.Inputs())
	probabilities := make([]float64, 3)
	class, err := p.PredictRow(probabilities, []float64{5.1, 3.5, 1.4, 0.2})
	fmt.Println(class, err)
	class, err = p.PredictMap(nil, map[string]any{"sepal_length": 6.3, "sepal_width": 3.3, "petal_length": 6, "petal_width": 2.5})
	fmt.Println(class, err)
	// Output:
	// [sepal_length sepal_width petal_length petal_width]
	// setosa <nil>
	// virginica <nil>
}

// Weights of classes are a word, or a mapping in which a class that is not named counts 1.
func ExampleClassWeight() {
	for _, w := range []pipeline.ClassWeight{{How: "balanced"}, {Of: map[string]float64{"sick": 5}}} {
		b, err := json.Marshal(w)
		fmt.Println(string(b), err)
	}
	// Output:
	// "balanced" <nil>
	// {"sick":5} <nil>
}
