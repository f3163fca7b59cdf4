package config_test

import (
	"errors"
	"fmt"

	"github.com/fspca/fspca/pipeline"
	"github.com/fspca/fspca/pipeline/config"
)

// All mistakes at once, each with its place and the nearest key.
func ExampleError() {
	_, err := config.Parse("my.yaml", []byte("version: 1\ndata: {sauce: x.csv}\nsplit: {test: 2}\nsteps: [knn]\n"))
	var mistakes *config.Error
	if errors.As(err, &mistakes) {
		for _, p := range mistakes.Problems {
			var problem config.Problem = p
			fmt.Println(problem)
		}
	}
	// Output:
	// my.yaml:2:8: unknown key "sauce" in data: did you mean "source"?
	// my.yaml:3:15: test must be above 0 and below 1, got 2
}

// A config made in Go keeps to the rules of a file.
func ExampleConfig() {
	c := config.Config{
		Version: config.Version,
		Data:    config.Data{Source: "builtin:iris"},
		Steps:   []pipeline.Step{{Name: "standardize"}, {Name: "knn"}},
		Split:   config.Split{Folds: 1},
		Search:  config.Search{Grid: config.Grid{config.Axis{Key: "knn.k", Values: []any{1, 5}}}},
		Output:  config.Output{Dir: "out"},
	}
	fmt.Println(c.Check())
	// Output:
	// split.folds: folds must be at least 2, got 1
}
