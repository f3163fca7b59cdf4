// Ownstep names a step and a classifier of its own in a YAML pipeline: clip, which
// limits each column to a range of its quantiles, and golearn_tree, golearn's own ID3.
// Both are in the JSON Schema, and in the saved model.
//
//	go run ./examples/ownstep
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/sjwhitworth/golearn/base"
	"github.com/sjwhitworth/golearn/trees"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/pipeline"
	"github.com/fspca/fspca/pipeline/classifier"
	"github.com/fspca/fspca/pipeline/config"
	"github.com/fspca/fspca/pipeline/experiment"
	"github.com/fspca/fspca/transformer"
)

const text = `
version: 1
name: clipped wine
data: {source: "builtin:wine"}
split: {test: 0.3, seed: 7}
steps:
  - clip: {share: 0.05}
  - standardize
  - fspca: {features: 6, components: 3}
  - golearn_tree
`

// clipOptions are the keys of the step in YAML.
type clipOptions struct {
	Share float64 `json:"share,omitempty" rule:"above=0,below=0.5" default:"0.01" doc:"Share of the cells that is cut off at either end."`
}

// treeOptions are golearn's.
type treeOptions struct {
	Prune float64 `json:"prune,omitempty" rule:"min=0,below=1" default:"0" doc:"Share of the rows that the tree is pruned with."`
}

func init() {
	step := pipeline.TransformerKind("clip", "Limits each numeric column to a range of its quantiles.",
		func(o *clipOptions) transformer.Transformer {
			if o.Share == 0 {
				o.Share = 0.01
			}
			return &clip{share: o.Share}
		}, "winsorize")
	tree := pipeline.ClassifierKind("golearn_tree", "Classifies by golearn's own ID3 tree.",
		func(o *treeOptions) classifier.Classifier {
			prune := o.Prune
			return classifier.Golearn("golearn_tree", func() base.Classifier { return trees.NewID3DecisionTree(prune) })
		})
	for _, k := range []pipeline.Kind{step, tree} {
		if err := pipeline.Register(k); err != nil {
			log.Fatal(err)
		}
	}
}

func main() {
	// A mistake in a step of one's own is found like any other.
	_, err := config.Parse("wine.yaml", []byte(text), "steps.clip.share=0.7", "steps.golearn_tree.prun=0.1")
	fmt.Println(err)

	c, err := config.Parse("wine.yaml", []byte(text))
	if err != nil {
		log.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "ownstep")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	report, err := experiment.Run(context.Background(), c, experiment.Options{Out: dir})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("columns:", report.Inputs)
	fmt.Println("accurate:", report.Metrics.Accuracy > 0.8)

	// The saved model is opened by the kinds that are registered.
	saved, err := pipeline.LoadDir(filepath.Join(dir, "model"))
	if err != nil {
		log.Fatal(err)
	}
	wine, err := dataset.Builtin("wine")
	if err != nil {
		log.Fatal(err)
	}
	a, err := report.Pipeline.PredictFrame(wine)
	if err != nil {
		log.Fatal(err)
	}
	b, err := saved.PredictFrame(wine)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("saved and fresh agree:", fmt.Sprint(a.Predicted.Codes) == fmt.Sprint(b.Predicted.Codes))

	var schema bytes.Buffer
	if err := json.Compact(&schema, config.Schema()); err != nil {
		log.Fatal(err)
	}
	fmt.Println("in the schema:", bytes.Contains(schema.Bytes(), []byte(`"clip":{`)), bytes.Contains(schema.Bytes(), []byte(`"golearn_tree":{`)))
}
