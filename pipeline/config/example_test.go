package config_test

import (
	"fmt"

	"github.com/fspca/fspca/pipeline/config"
)

// All mistakes of a config come at once.
func ExampleParse() {
	_, err := config.Parse("mine.yaml", []byte(`version: 1
data: {source: builtin:wine, lable: cultivar}
split: {test: 30}
steps:
  - standardise
  - fspca: {features: 3.5, components: 2}
`), "steps.fspca.k=4")
	fmt.Println(err)
	// Output:
	// mine.yaml:2:30: unknown key "lable" in data: did you mean "label"?
	// mine.yaml:3:15: test must be above 0 and below 1, got 30
	// mine.yaml:5:5: unknown step "standardise": did you mean "standardize"?
	// mine.yaml:6:23: features: expected a whole number, got 3.5
	// --set steps.fspca.k=4: unknown key "k" in fspca: did you mean "features"?
}
