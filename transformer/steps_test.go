package transformer_test

import (
	"testing"

	"github.com/fspca/fspca/transformer"
	"github.com/fspca/fspca/transformer/transformertest"
)

// TestConformance runs the suite on every step of the package, options included.
func TestConformance(t *testing.T) {
	for name, newStep := range map[string]func() transformer.Transformer{
		"center":               func() transformer.Transformer { return &transformer.Center{} },
		"standardize":          func() transformer.Transformer { return &transformer.Standardize{} },
		"minmax":               func() transformer.Transformer { return &transformer.MinMax{} },
		"impute":               func() transformer.Transformer { return &transformer.Impute{} },
		"impute median":        func() transformer.Transformer { return &transformer.Impute{Strategy: transformer.Median} },
		"impute most frequent": func() transformer.Transformer { return &transformer.Impute{Strategy: transformer.MostFrequent} },
		"impute constant": func() transformer.Transformer {
			return &transformer.Impute{Strategy: transformer.Fixed, Value: -1, Level: "none"}
		},
		"constant": func() transformer.Transformer { return &transformer.Constant{} },
		"onehot":   func() transformer.Transformer { return &transformer.OneHot{} },
		"onehot ignoring": func() transformer.Transformer {
			return &transformer.OneHot{IgnoreUnseen: true, IgnoreMissing: true}
		},
	} {
		t.Run(name, func(t *testing.T) { transformertest.Run(t, newStep) })
	}
}
