package transformertest

import (
	"math"
	"slices"

	"github.com/sjwhitworth/golearn/base"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/transformer"
)

// fitAgain holds a second Fit, on other columns, to that of a fresh step.
func fitAgain(make maker, fx fixture) {
	fresh := make()
	want, err := transformer.FitTransform(fresh, fx.other)
	ok("method FitTransform on the second table", err)
	s := fitted(make, fx)
	ok("the second Fit", s.Fit(fx.other))
	got := transform("", s, fx.other)
	if !slices.Equal(s.Inputs(), fresh.Inputs()) {
		fail("after a second Fit Inputs is %q, want %q as of a fresh step", s.Inputs(), fresh.Inputs())
	}
	same("the second Fit against the Fit of a fresh step", got, want.(*dataset.Frame))
}

// failedFit holds what a step yields after a Fit that fails to what it yielded before.
func failedFit(make maker, fx fixture) {
	for what, bad := range badTables(fx) {
		s, want := applied(make, fx)
		want = frozen(want)
		if s.Fit(bad) != nil { // else the step can learn from it
			what = "after a Fit that failed (" + what + ")"
			same(what, transform(what, s, fx.rows), want)
		}
	}
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
func ownMemory(make maker, fx fixture) {
	const what = "after the table of Fit was overwritten"
	own := fx
	own.train = frozen(fx.train)
	s, before := applied(make, own)
	want := frozen(before)
	own.train.Numeric().Zero()
	for _, c := range own.train.Columns() {
		if c.Factor != nil {
			clear(c.Factor.Codes)
			for i := range c.Factor.Levels {
				c.Factor.Levels[i] = "overwritten"
			}
		}
	}
	same(what, transform(what, s, fx.rows), want)
}
