package transformertest

import (
	"fmt"
	"math"
	"slices"

	"github.com/sjwhitworth/golearn/base"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/transformer"
)

// fitAgain holds a second Fit, on other columns, to that of a fresh step.
func fitAgain(make maker, fx fixture) error {
	fresh := make()
	want, err := transformer.FitTransform(fresh, fx.other)
	if err != nil {
		return fmt.Errorf("method FitTransform on the second table: %w", err)
	}
	s, err := fitted(make, fx)
	if err != nil {
		return err
	}
	if err := s.Fit(fx.other); err != nil {
		return fmt.Errorf("the second Fit: %w", err)
	}
	got, err := transform(s, fx.other)
	if err != nil {
		return err
	}
	if !slices.Equal(s.Inputs(), fresh.Inputs()) {
		return fmt.Errorf("after a second Fit Inputs is %q, want %q as of a fresh step", s.Inputs(), fresh.Inputs())
	}
	return same("the second Fit against the Fit of a fresh step", got, want.(*dataset.Frame))
}

// failedFit holds what a step yields after a Fit that fails to what it yielded before.
func failedFit(make maker, fx fixture) error {
	for what, bad := range badTables(fx) {
		s, want, err := applied(make, fx)
		if err != nil {
			return err
		}
		want = frozen(want)
		if s.Fit(bad) == nil {
			continue // the step can learn from it
		}
		got, err := transform(s, fx.rows)
		if err != nil {
			return fmt.Errorf("after a Fit that failed (%s): %w", what, err)
		}
		if err := same("Transform after a Fit that failed ("+what+")", got, want); err != nil {
			return err
		}
	}
	return nil
}

// badTables are tables that many steps refuse, some of them late.
func badTables(fx fixture) map[string]base.FixedDataGrid {
	filled := func(j int, v float64) *dataset.Frame {
		f := frozen(fx.other)
		for i := range f.Rows() {
			f.Numeric().Set(i, j, v)
		}
		return f
	}
	_, last := fx.other.Numeric().Dims()
	bad := map[string]base.FixedDataGrid{
		"no table":           nil,
		"no rows":            fx.other.Subset(nil),
		"one row":            fx.other.Subset([]int{0}),
		"an infinite column": filled(last-1, math.Inf(1)),
		"a missing column":   filled(last-1, math.NaN()),
	}
	for _, name := range []string{fx.other.Names()[0], fx.other.NumericNames()[last-1]} {
		bad["the column "+name+" of another kind"] = turned(fx.other, name)
	}
	return bad
}

// ownMemory overwrites the table of Fit, and asks whether what was learned from it
// stays.
func ownMemory(make maker, fx fixture) error {
	s := make()
	train := frozen(fx.train)
	if err := s.Fit(train); err != nil {
		return fmt.Errorf("method Fit: %w", err)
	}
	before, err := transform(s, fx.rows)
	if err != nil {
		return err
	}
	want := frozen(before)
	if train.Numeric() != nil {
		train.Numeric().Zero()
	}
	for _, c := range train.Columns() {
		if c.Factor != nil {
			clear(c.Factor.Codes)
			for i := range c.Factor.Levels {
				c.Factor.Levels[i] = "overwritten"
			}
		}
	}
	got, err := transform(s, fx.rows)
	if err != nil {
		return fmt.Errorf("after the table of Fit was overwritten: %w", err)
	}
	return same("Transform after the table of Fit was overwritten", got, want)
}
