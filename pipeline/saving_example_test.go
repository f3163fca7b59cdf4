package pipeline_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/pipeline"
	"github.com/fspca/fspca/pipeline/classifier"
	"github.com/fspca/fspca/selector"
	"github.com/fspca/fspca/transformer"
)

// wines is a pipeline fitted to the embedded wines.
func wines() (*pipeline.Pipeline, *dataset.Frame) {
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
	if err := p.Fit(f); err != nil {
		log.Fatal(err)
	}
	return p, f
}

// A pipeline is saved as a folder and comes back as it was.
func ExamplePipeline_SaveDir() {
	p, f := wines()
	folder, err := os.MkdirTemp("", "model")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	model := filepath.Join(folder, "model")
	if err := p.SaveDir(model); err != nil {
		log.Fatal(err)
	}
	again, err := pipeline.LoadDir(model)
	if err != nil {
		log.Fatal(err)
	}
	before, err := p.PredictFrame(f)
	if err != nil {
		log.Fatal(err)
	}
	after, err := again.PredictFrame(f)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(again.Inputs())
	fmt.Println("the same probabilities:", before.Probabilities.At(7, 1) == after.Probabilities.At(7, 1))
	// Output:
	// [total_phenols flavanoids color_intensity od280/od315_of_diluted_wines]
	// the same probabilities: true
}

// Classes and probabilities at once. The frame may hold other columns, in any order.
func ExamplePipeline_PredictFrame() {
	p, f := wines()
	var said *pipeline.Prediction
	said, err := p.PredictFrame(f.Subset([]int{0, 100, 170}))
	if err != nil {
		log.Fatal(err)
	}
	for i := range 3 {
		fmt.Printf("%s %s %.2f\n", said.Class, said.Predicted.Text(i), said.Probabilities.RawRowView(i))
	}
	// Output:
	// cultivar 1 [0.98 0.02 0.00]
	// cultivar 2 [0.15 0.84 0.00]
	// cultivar 3 [0.01 0.02 0.98]
}

// What flows from step to step of a fitted pipeline.
func ExampleStepFlow() {
	p, _ := wines()
	var flow []pipeline.StepFlow = p.Flow()
	for _, step := range flow {
		fmt.Println(step.Name, len(step.Inputs), "to", len(step.Outputs))
	}
	// Output:
	// standardize 4 to 4
	// fspca 4 to 4
	// logistic 4 to 1
}

// Each kind of step has options of its own, which are its keys in YAML. Build makes the step.
func ExampleStep() {
	for _, options := range []any{
		&pipeline.PlainStep{}, &pipeline.ConstantStep{}, &pipeline.ImputeStep{}, &pipeline.OneHotStep{}, &pipeline.OrdinalStep{},
		&pipeline.DatesStep{}, &pipeline.MissingIndicatorStep{}, &pipeline.PowerStep{}, &pipeline.QuantileBinsStep{},
		&pipeline.ColumnsStep{}, &pipeline.CorrelationFilterStep{}, &pipeline.VarianceFilterStep{}, &pipeline.PCAStep{},
		&pipeline.KNNStep{}, &pipeline.LogisticStep{}, &pipeline.LinearSVMStep{}, &pipeline.NaiveBayesStep{},
		&pipeline.DecisionTreeStep{}, &pipeline.RandomForestStep{}, &pipeline.DummyStep{}, &pipeline.GolearnStep{},
		&pipeline.RidgeStep{}, &pipeline.LinearStep{},
	} {
		b, err := json.Marshal(options)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%T %s\n", options, b)
	}
	scoped := pipeline.PowerStep{Scope: pipeline.Scope{Columns: []string{"time_*"}}}
	fmt.Println(scoped.Columns)
	for _, kind := range []string{"knn", "fspca"} {
		k, err := pipeline.FindKind(kind)
		if err != nil {
			log.Fatal(err)
		}
		var found pipeline.Kind = k
		fmt.Println(found.Name(), "ends a chain:", found.Ends())
	}
	// Output:
	// *pipeline.PlainStep {}
	// *pipeline.ConstantStep {}
	// *pipeline.ImputeStep {}
	// *pipeline.OneHotStep {}
	// *pipeline.OrdinalStep {}
	// *pipeline.DatesStep {}
	// *pipeline.MissingIndicatorStep {}
	// *pipeline.PowerStep {}
	// *pipeline.QuantileBinsStep {}
	// *pipeline.ColumnsStep {"columns":null}
	// *pipeline.CorrelationFilterStep {}
	// *pipeline.VarianceFilterStep {}
	// *pipeline.PCAStep {"components":0}
	// *pipeline.KNNStep {}
	// *pipeline.LogisticStep {}
	// *pipeline.LinearSVMStep {}
	// *pipeline.NaiveBayesStep {}
	// *pipeline.DecisionTreeStep {}
	// *pipeline.RandomForestStep {}
	// *pipeline.DummyStep {}
	// *pipeline.GolearnStep {"name":""}
	// *pipeline.RidgeStep {}
	// *pipeline.LinearStep {}
	// [time_*]
	// knn ends a chain: true
	// fspca ends a chain: false
}

// The options of an fspca step in Go: k and m are numbers or to be found.
func ExampleFSPCAStep() {
	step := pipeline.Step{Name: "fspca", Options: &pipeline.FSPCAStep{
		Features:   pipeline.FeatureCount{Target: 0.9},
		Components: pipeline.ComponentCount{ParallelAnalysis: true},
		Groups:     pipeline.GroupLimits{Most: map[string]int{"od*": 1}},
	}}
	// In place of Features, Cost: &pipeline.CostLimit{File: "costs.csv", Budget: 100}.
	built, err := step.Build()
	if err != nil {
		log.Fatal(err)
	}
	f, err := dataset.Builtin("wine")
	if err != nil {
		log.Fatal(err)
	}
	p, err := pipeline.New(pipeline.NamedStep{Name: "standardize", Transformer: new(transformer.Standardize)}, built)
	if err != nil {
		log.Fatal(err)
	}
	if err := p.Fit(f); err != nil {
		log.Fatal(err)
	}
	m := p.Selector().Model()
	fmt.Println(len(m.Features()), "columns,", len(m.ExplainedVariance()), "components")
	// Output:
	// 11 columns, 3 components
}

// Many fits of the same frame share the steps that they begin with.
func ExampleFitter() {
	f, err := dataset.Builtin("iris")
	if err != nil {
		log.Fatal(err)
	}
	var fitter *pipeline.Fitter
	if fitter, err = pipeline.NewFitter(f); err != nil {
		log.Fatal(err)
	}
	shared := pipeline.NamedStep{Name: "standardize", Transformer: new(transformer.Standardize)}
	for _, k := range []int{1, 3} {
		p, err := pipeline.New(shared, pipeline.NamedStep{Name: "knn", Classifier: &classifier.KNN{K: k}})
		if err != nil {
			log.Fatal(err)
		}
		if err := fitter.Fit(context.Background(), p); err != nil {
			log.Fatal(err)
		}
		fmt.Println(p)
	}
	// Output:
	// pipeline(standardize → knn)
	// pipeline(standardize → knn)
}
