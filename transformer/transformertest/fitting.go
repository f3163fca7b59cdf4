package transformertest

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/transformer"
)

func unfitted(make maker, fx fixture) {
	s := make()
	expect := func(method string, err error) {
		if !errors.Is(err, transformer.ErrNotFitted) {
			fail("%s before Fit: got the error %v, want one that wraps ErrNotFitted", method, err)
		}
	}
	_, err := s.Transform(fx.rows)
	expect("Transform", err)
	_, err = s.Narrow([]string{"alpha"})
	expect("Narrow", err)
	expect("Save", s.Save(io.Discard))
	if s.Inputs() != nil || s.Outputs() != nil {
		fail("before Fit Inputs is %q and Outputs %q, want nil", s.Inputs(), s.Outputs())
	}
}

func fitTransform(make maker, fx fixture) {
	s := fitted(make, fx)
	want := transform("", s, fx.train)
	got, err := transformer.FitTransform(make(), fx.train)
	ok("method FitTransform", err)
	frame, is := got.(*dataset.Frame)
	if !is {
		fail("method FitTransform returns a %T, want a *dataset.Frame", got)
	}
	same("FitTransform against Fit and Transform", frame, want)
	same("the second Transform against the first", transform("", s, fx.train), want)
}

func outputNames(make maker, fx fixture) {
	s, out := applied(make, fx)
	if !slices.Equal(out.Names(), s.Outputs()) || len(s.Outputs()) == 0 {
		fail("method Outputs is %q and Transform yields %q", s.Outputs(), out.Names())
	}
	if len(s.Inputs()) == 0 {
		fail("method Inputs is empty after Fit")
	}
	for _, name := range s.Inputs() {
		if !slices.Contains(fx.train.Names(), name) {
			fail("method Inputs names %q, which is no feature column of the table of Fit", name)
		}
	}
	categoricalInputs(s, fx)
	for method, list := range map[string]func() []string{"Inputs": s.Inputs, "Outputs": s.Outputs} {
		before := list()
		kept := slices.Clone(before)
		before[0] = "overwritten"
		if !slices.Equal(list(), kept) {
			fail("%s returns the step's own slice: a caller that changes it changes the step", method)
		}
	}
}

// categoricalInputs checks the method CategoricalInputs, which a step with categorical inputs has.
func categoricalInputs(s transformer.Transformer, fx fixture) {
	want := lists.Where(s.Inputs(), func(name string) bool { return fx.train.Factor(name) != nil })
	var got []string
	if c, is := s.(interface{ CategoricalInputs() []string }); is {
		got = c.CategoricalInputs()
	} else if len(want) > 0 {
		fail("the inputs %q are categorical, and the step has no method CategoricalInputs", want)
	}
	if !slices.Equal(got, want) {
		fail("method CategoricalInputs is %q, want %q", got, want)
	}
}

func finite(make maker, fx fixture) {
	if fx.missing {
		return // the step may pass missing cells on
	}
	_, out := applied(make, fx)
	for j, name := range out.NumericNames() {
		for i := range out.Rows() {
			if v := out.Numeric().At(i, j); math.IsNaN(v) || math.IsInf(v, 0) {
				fail("column %q, row %d of the output is %v though the input has no such cell", name, i+1, v)
			}
		}
	}
}

func rowAlone(make maker, fx fixture) {
	s, out := applied(make, fx)
	for i := range fx.rows.Rows() {
		what := fmt.Sprintf("row %d alone", i+1)
		same(what, transform(what, s, fx.rows.Subset([]int{i})), out.Subset([]int{i}))
	}
}

func inputUnchanged(make maker, fx fixture) {
	train, rows := frozen(fx.train), frozen(fx.rows)
	s := fitted(make, fx)
	same("the table after Fit", fx.train, train)
	transform("", s, fx.rows)
	same("the table after Transform", fx.rows, rows)
}

func noRows(make maker, fx fixture) {
	empty := fx.train.Subset(nil)
	s, want := applied(make, fx)
	if make().Fit(empty) == nil || s.Fit(empty) == nil {
		fail("method Fit accepts a table without rows")
	}
	same("Transform after a Fit that failed", transform("after a Fit that failed", s, fx.rows), want)
	if _, err := s.Transform(empty); err == nil {
		fail("method Transform accepts a table without rows")
	}
}

func concurrent(make maker, fx fixture) {
	s, want := applied(make, fx)
	want = frozen(want) // a step that yields the same memory again would change it
	rotated := func(w int) []int {
		rows := lists.Upto[int](newRows)
		return append(rows[w:], rows[:w]...)
	}
	const workers = 8
	results, errs := [workers]*dataset.Frame{}, [workers]error{}
	var wait sync.WaitGroup
	for w := range workers {
		wait.Go(func() {
			errs[w] = caught(func() {
				for range 4 {
					_, _ = s.Inputs(), s.Outputs()
					results[w] = transform("", s, fx.rows.Subset(rotated(w)))
					ok("method Save", s.Save(io.Discard))
				}
			})
		})
	}
	wait.Wait()
	ok("concurrent use", errors.Join(errs[:]...))
	for w, got := range results {
		same("concurrent Transform", got, want.Subset(rotated(w)))
	}
}

func otherKind(make maker, fx fixture) {
	s := fitted(make, fx)
	for _, name := range s.Inputs() {
		_, err := s.Transform(turned(fx.rows, name))
		if err == nil || !strings.Contains(err.Error(), name) {
			fail("column %q changed from numeric to categorical or back: got the error %v, want one that names the column", name, err)
		}
	}
}
