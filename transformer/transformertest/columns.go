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

func reordered(make maker, fx fixture) {
	const what = "columns in reverse order"
	s, want := applied(make, fx)
	same(what, transform(what, s, picked(fx.rows, reversed(fx.rows.Names()))), want)
}

func extraColumns(make maker, fx fixture) {
	const what = "a table with extra columns"
	s, want := applied(make, fx)
	same(what, transform(what, s, widened(fx.rows)), want)
}

func onlyInputs(make maker, fx fixture) {
	const what = "a table that has the columns Inputs and no other"
	s, want := applied(make, fx)
	same(what, transform(what, s, picked(fx.rows, s.Inputs())), want)
}

// missingColumns misspells the first and the last input.
func missingColumns(make maker, fx fixture) {
	s := fitted(make, fx)
	inputs := s.Inputs()
	absent := slices.Compact([]string{inputs[0], inputs[len(inputs)-1]})
	typos := map[string]string{}
	for _, name := range absent {
		typos[name] = name + "s"
	}
	_, err := s.Transform(renamed(fx.rows, typos))
	var missing *dataset.MissingColumnsError
	if !errors.As(err, &missing) {
		fail("columns %q are missing: got the error %v, want a *dataset.MissingColumnsError", absent, err)
	}
	got := slices.Sorted(slices.Values(missing.Missing))
	slices.Sort(absent)
	if !slices.Equal(got, absent) {
		fail("columns %q are missing and the error names %q", absent, got)
	}
	for name, typo := range typos {
		if !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), typo) {
			fail("the error does not name both the missing column %q and the nearest, %q: %w", name, typo, err)
		}
	}
}

func classColumn(make maker, fx fixture) {
	s, want := applied(make, fx)
	if want.Class() == nil {
		fail("the class is lost")
	}
	sameClass("the output", want, fx.rows)
	without := transform("a table without a class", s, fx.rows.WithoutClass())
	same("a table without a class", without, want.WithoutClass())
	other := withClass(fx.rows, "another", &dataset.Factor{Levels: []string{"x", "y"}, Codes: slices.Repeat([]int32{1}, newRows)})
	got := transform("a table with another class", s, other)
	sameClass("the output", got, other)
	same("a table with another class", got.WithoutClass(), want.WithoutClass())
}
