package transformertest

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/transformer"
)

// maker makes a step with its options set, not fitted.
type maker func() transformer.Transformer

// check is one promise. Its function calls fail rather than failing a test, so that the suite's own tests can see
// which promise a broken step breaks.
type check struct {
	name string
	run  func(make maker, fx fixture)
}

// brokenPromise is what fail panics with.
type brokenPromise struct{ error }

// fail ends a check: the promise is broken.
func fail(format string, args ...any) { panic(brokenPromise{fmt.Errorf(format, args...)}) }

// ok ends a check that did what and got an error; what may be "".
func ok(what string, err error) {
	if err == nil {
		return
	}
	if what != "" {
		err = fmt.Errorf("%s: %w", what, err)
	}
	panic(brokenPromise{err})
}

// broken returns how a step breaks the promise, nil if it keeps it.
func (c check) broken(make maker, fx fixture) error {
	return caught(func() { c.run(make, fx) })
}

// caught returns what ended f, nil if it came to its end.
func caught(f func()) (err error) {
	defer func() {
		r := recover()
		if broken, is := r.(brokenPromise); is {
			err = broken.error
		} else if r != nil {
			panic(r)
		}
	}()
	f()
	return nil
}

// checks is the whole list.
var checks = []check{
	{"unfitted use is an error", unfitted},
	{"fit and transform equal fit-transform", fitTransform},
	{"outputs name the columns", outputNames},
	{"outputs are finite", finite},
	{"a row alone is the row in the batch", rowAlone},
	{"a mapped row is the row of a table", rowMap},
	{"reordered columns", reordered},
	{"extra columns are ignored", extraColumns},
	{"only the inputs are needed", onlyInputs},
	{"missing columns are named all at once", missingColumns},
	{"a column of another kind is an error", otherKind},
	{"the class passes through", classColumn},
	{"the input is not changed", inputUnchanged},
	{"a table without rows is an error", noRows},
	{"fit again forgets", fitAgain},
	{"a failed fit changes nothing", failedFit},
	{"what it learned is its own", ownMemory},
	{"concurrent transform", concurrent},
	{"golearn grids", golearnGrid},
	{"golearn filter", golearnFilter},
	{"save and load", saveLoad},
	{"load refuses what is not its own", loadStrict},
	{"narrow", narrow},
	{"narrow refuses what is no output", narrowStrict},
}

// Run checks that the steps that newStep makes keep the promises of transformer.Transformer.
// newStep must return a fresh unfitted step with the same options at each call.
func Run(t *testing.T, newStep func() transformer.Transformer) {
	t.Helper()
	tables, err := accepted(newStep)
	if err != nil {
		t.Fatal(err)
	}
	for _, fx := range tables {
		t.Run(fx.name, func(t *testing.T) {
			for _, c := range checks {
				t.Run(strings.ReplaceAll(c.name, " ", "-"), func(t *testing.T) {
					if err := c.broken(newStep, fx); err != nil {
						t.Error(err)
					}
				})
			}
		})
	}
}

// accepted returns the tables that the step can be fitted on. A refusal must name one of the
// columns that are to blame.
func accepted(newStep maker) ([]fixture, error) {
	var tables []fixture
	var refusals []string
	for _, fx := range fixtures() {
		err := newStep().Fit(fx.train)
		if err == nil {
			tables = append(tables, fx)
			continue
		}
		refusals = append(refusals, err.Error())
		named := func(column string) bool { return strings.Contains(err.Error(), column) }
		if fx.blame != nil && !slices.ContainsFunc(fx.blame, named) {
			return nil, fmt.Errorf("method Fit refuses the table %q without naming one of the columns %q: %w", fx.name, fx.blame, err)
		}
	}
	if !slices.ContainsFunc(tables, func(fx fixture) bool { return !fx.missing }) {
		return nil, fmt.Errorf("method Fit refuses every table without missing cells:\n%s", strings.Join(refusals, "\n"))
	}
	return tables, nil
}

// fitted returns a step fitted on the table of fx.
func fitted(make maker, fx fixture) transformer.Transformer {
	s := make()
	ok("method Fit", s.Fit(fx.train))
	return s
}

// transform returns f through s, which must give a frame; what it is done for may be "".
func transform(what string, s transformer.Transformer, f *dataset.Frame) *dataset.Frame {
	out, err := s.Transform(f)
	ok(strings.TrimPrefix(what+": method Transform", ": "), err)
	frame, is := out.(*dataset.Frame)
	if !is {
		fail("method Transform returns a %T, want a *dataset.Frame", out)
	}
	return frame
}

// applied returns a fitted step and what it makes of the new rows of fx.
func applied(make maker, fx fixture) (transformer.Transformer, *dataset.Frame) {
	s := fitted(make, fx)
	return s, transform("", s, fx.rows)
}

// loaded returns a step that was loaded from what was saved.
func loaded(make maker, file []byte) transformer.Transformer {
	s := make()
	ok("method Load", s.Load(bytes.NewReader(file)))
	return s
}
