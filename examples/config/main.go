// Config runs a YAML pipeline from Go and reads its report.
//
//	go run ./examples/config
package main

import (
	"context"
	"fmt"
	"log"

	"github.com/fspca/fspca/pipeline/config"
	"github.com/fspca/fspca/pipeline/experiment"
)

const text = `
version: 1
name: handwritten digits
data: {source: "builtin:digits"}
split: {test: 0.25, seed: 5}
steps:
  - constant
  - fspca: {features: 20, components: 10}
  - knn: {k: 3}
`

func main() {
	// A file is read by config.Load. Overrides are those of --set.
	c, err := config.Parse("digits.yaml", []byte(text), "steps.fspca.features=24")
	if err != nil {
		log.Fatal(err) // all mistakes, each with its line and column
	}

	// Without a folder to write to, everything is in the report.
	report, err := experiment.Run(context.Background(), c, experiment.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("columns:", len(report.Inputs), "of", 64)
	fmt.Printf("accuracy: %.3f\n", report.Metrics.Accuracy)
	fmt.Printf("accuracy on all columns: %.3f\n", report.AllColumns.Accuracy)
	for _, class := range report.Metrics.PerClass {
		fmt.Printf("  %s: recall %.3f of %d\n", class.Class, class.Recall, class.Support)
	}
}
