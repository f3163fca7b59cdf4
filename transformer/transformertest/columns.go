package transformertest

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/fspca/fspca/dataset"
)

// picked returns f with its columns in that order; the suite asks for columns that f has.
func picked(f *dataset.Frame, names []string) *dataset.Frame {
	p, err := f.Pick(names)
	if err != nil {
		panic(fmt.Sprintf("transformertest: %v", err))
	}
	return p
}

func reordered(make maker, fx fixture) error {
	s, want, err := applied(make, fx)
	if err != nil {
		return err
	}
	got, err := transform(s, picked(fx.rows, reversed(fx.rows.Names())))
	if err != nil {
		return fmt.Errorf("columns in reverse order: %w", err)
	}
	return same("columns in reverse order", got, want)
}

func extraColumns(make maker, fx fixture) error {
	s, want, err := applied(make, fx)
	if err != nil {
		return err
	}
	got, err := transform(s, widened(fx.rows))
	if err != nil {
		return fmt.Errorf("a table with extra columns: %w", err)
	}
	return same("a table with extra columns", got, want)
}

func onlyInputs(make maker, fx fixture) error {
	s, want, err := applied(make, fx)
	if err != nil {
		return err
	}
	got, err := transform(s, picked(fx.rows, s.Inputs()))
	if err != nil {
		return fmt.Errorf("a table that has the columns Inputs and no other: %w", err)
	}
	return same("a table that has the columns Inputs and no other", got, want)
}

// missingColumns misspells the first and the last input.
func missingColumns(make maker, fx fixture) error {
	s, err := fitted(make, fx)
	if err != nil {
		return err
	}
	inputs := s.Inputs()
	absent := slices.Compact([]string{inputs[0], inputs[len(inputs)-1]})
	typos := map[string]string{}
	for _, name := range absent {
		typos[name] = name + "s"
	}
	_, err = s.Transform(renamed(fx.rows, typos))
	var missing *dataset.MissingColumnsError
	if !errors.As(err, &missing) {
		return fmt.Errorf("columns %q are missing: got the error %v, want a *dataset.MissingColumnsError", absent, err)
	}
	got := slices.Sorted(slices.Values(missing.Missing))
	slices.Sort(absent)
	if !slices.Equal(got, absent) {
		return fmt.Errorf("columns %q are missing and the error names %q", absent, got)
	}
	for name, typo := range typos {
		if !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), typo) {
			return fmt.Errorf("the error does not name both the missing column %q and the nearest, %q: %w", name, typo, err)
		}
	}
	return nil
}

func classColumn(make maker, fx fixture) error {
	s, want, err := applied(make, fx)
	if err != nil {
		return err
	}
	if want.Class() == nil {
		return errors.New("the class is lost")
	}
	if err := sameClass("the output", want, fx.rows); err != nil {
		return err
	}
	without, err := transform(s, fx.rows.WithoutClass())
	if err != nil {
		return fmt.Errorf("a table without a class: %w", err)
	}
	if err := same("a table without a class", without, want.WithoutClass()); err != nil {
		return err
	}
	levels := &dataset.Factor{Levels: []string{"x", "y"}, Codes: slices.Repeat([]int32{1}, newRows)}
	other, err := fx.rows.WithClass("another", levels)
	if err != nil {
		return err
	}
	got, err := transform(s, other)
	if err != nil {
		return fmt.Errorf("a table with another class: %w", err)
	}
	return errors.Join(sameClass("the output", got, other), same("a table with another class", got.WithoutClass(), want.WithoutClass()))
}
