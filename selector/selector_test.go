package selector_test

import (
	"testing"

	"github.com/fspca/fspca/selector"
	"github.com/fspca/fspca/transformer"
	"github.com/fspca/fspca/transformer/transformertest"
)

// TestConformance runs the suite of every step on the selector, in each of its modes.
func TestConformance(t *testing.T) {
	for name, opt := range map[string]selector.Options{
		"selected":     {},
		"projection":   {Output: selector.Projection},
		"both":         {Output: selector.Both},
		"standardized": {Output: selector.Both, Standardize: true},
		"uncentered":   {Output: selector.Both, Uncentered: true, Standardize: true},
		"go":           {Output: selector.Projection, Method: "go"},
		"random":       {Output: selector.Both, Init: "random", Restarts: 3, Seed: 7},
	} {
		opt.Features, opt.Components = 4, 2
		t.Run(name, func(t *testing.T) {
			transformertest.Run(t, func() transformer.Transformer { return selector.New(opt) })
		})
	}
}
