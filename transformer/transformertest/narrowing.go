package transformertest

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/transformer"
)

func narrow(make maker, fx fixture) error {
	s, want, err := applied(make, fx)
	if err != nil {
		return err
	}
	outputs := s.Outputs()
	subsets := [][]string{outputs, reversed(outputs)}
	for _, name := range outputs {
		subsets = append(subsets, []string{name})
	}
	half := outputs[:(len(outputs)+1)/2]
	subsets = append(subsets, reversed(half))
	for _, subset := range subsets {
		n, err := s.Narrow(subset)
		if err != nil {
			return fmt.Errorf("method Narrow(%q): %w", subset, err)
		}
		if err := narrowed(n, make, fx, s.Inputs(), subset, picked(want, subset)); err != nil {
			return fmt.Errorf("method Narrow(%q): %w", subset, err)
		}
	}
	got, err := transform(s, fx.rows)
	if err != nil {
		return err
	}
	return same("the step after Narrow", got, want)
}

// narrowed checks a step that was narrowed to the outputs subset, whose values are want.
func narrowed(n transformer.Transformer, make maker, fx fixture, inputs, subset []string, want *dataset.Frame) error {
	if !slices.Equal(n.Outputs(), subset) {
		return fmt.Errorf("method Outputs is %q", n.Outputs())
	}
	for _, name := range n.Inputs() {
		if !slices.Contains(inputs, name) {
			return fmt.Errorf("it needs %q, which the whole step did not", name)
		}
	}
	if len(n.Inputs()) == 0 {
		return errors.New("it has no Inputs")
	}
	got, err := transform(n, picked(fx.rows, n.Inputs()))
	if err != nil {
		return fmt.Errorf("on its Inputs alone: %w", err)
	}
	if err := same("the narrowed step", got, want); err != nil {
		return err
	}
	file, err := saved(n)
	if err != nil {
		return err
	}
	loaded := make()
	if err := loaded.Load(bytes.NewReader(file)); err != nil {
		return fmt.Errorf("method Load: %w", err)
	}
	if !slices.Equal(loaded.Inputs(), n.Inputs()) {
		return fmt.Errorf("loaded, Inputs is %q, want %q", loaded.Inputs(), n.Inputs())
	}
	if got, err = transform(loaded, fx.rows); err != nil {
		return fmt.Errorf("loaded: %w", err)
	}
	if err := same("the narrowed step, loaded", got, want); err != nil {
		return err
	}
	again, err := n.Narrow(subset[:1])
	if err != nil {
		return fmt.Errorf("method Narrow of it: %w", err)
	}
	if got, err = transform(again, fx.rows); err != nil {
		return fmt.Errorf("narrowed again: %w", err)
	}
	return same("narrowed again", got, picked(want, subset[:1]))
}

func narrowStrict(make maker, fx fixture) error {
	s, err := fitted(make, fx)
	if err != nil {
		return err
	}
	outputs := s.Outputs()
	var problems []error
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
			problems = append(problems, fmt.Errorf("method Narrow accepts %s: %q", c.what, c.list))
			continue
		}
		for _, text := range c.want {
			if !strings.Contains(err.Error(), text) {
				problems = append(problems, fmt.Errorf("%s: the error does not name %q: %w", c.what, text, err))
			}
		}
	}
	return errors.Join(problems...)
}
