package transformertest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/transformer"
)

func narrow(make maker, fx fixture) {
	s, want := applied(make, fx)
	outputs := s.Outputs()
	subsets := [][]string{outputs, reversed(outputs), reversed(outputs[:(len(outputs)+1)/2])}
	for _, name := range outputs {
		subsets = append(subsets, []string{name})
	}
	for _, subset := range subsets {
		n, err := s.Narrow(subset)
		what := fmt.Sprintf("method Narrow(%q)", subset)
		ok(what, err)
		ok(what, caught(func() { narrowed(n, make, fx, s.Inputs(), subset, picked(want, subset)) }))
	}
	same("the step after Narrow", transform("", s, fx.rows), want)
}

// narrowed checks a step that was narrowed to the outputs subset, whose values are want.
func narrowed(n transformer.Transformer, make maker, fx fixture, inputs, subset []string, want *dataset.Frame) {
	if !slices.Equal(n.Outputs(), subset) {
		fail("method Outputs is %q", n.Outputs())
	}
	for _, name := range n.Inputs() {
		if !slices.Contains(inputs, name) {
			fail("it needs %q, which the whole step did not", name)
		}
	}
	if len(n.Inputs()) == 0 {
		fail("it has no Inputs")
	}
	same("the narrowed step", transform("on its Inputs alone", n, picked(fx.rows, n.Inputs())), want)
	again := loaded(make, saved(n))
	if !slices.Equal(again.Inputs(), n.Inputs()) {
		fail("loaded, Inputs is %q, want %q", again.Inputs(), n.Inputs())
	}
	same("the narrowed step, loaded", transform("loaded", again, fx.rows), want)
	twice, err := n.Narrow(subset[:1])
	ok("method Narrow of it", err)
	same("narrowed again", transform("narrowed again", twice, fx.rows), picked(want, subset[:1]))
}

func narrowStrict(make maker, fx fixture) {
	s := fitted(make, fx)
	outputs := s.Outputs()
	for _, c := range []struct {
		what string
		list []string
		want []string // texts that the error must have
	}{
		{"unknown outputs", []string{outputs[0], "xylophone", "zither"}, []string{"xylophone", "zither"}},
		{"an output given twice", []string{outputs[0], outputs[0]}, []string{outputs[0]}},
		{"no output", nil, nil},
	} {
		_, err := s.Narrow(c.list)
		if err == nil {
			fail("method Narrow accepts %s: %q", c.what, c.list)
		}
		for _, text := range c.want {
			if !strings.Contains(err.Error(), text) {
				fail("%s: the error does not name %q: %w", c.what, text, err)
			}
		}
	}
}
