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

func unfitted(make maker, fx fixture) error {
	s := make()
	var problems []error
	expect := func(method string, err error) {
		if !errors.Is(err, transformer.ErrNotFitted) {
			problems = append(problems, fmt.Errorf("%s before Fit: got the error %v, want one that wraps ErrNotFitted", method, err))
		}
	}
	_, err := s.Transform(fx.rows)
	expect("Transform", err)
	_, err = s.Narrow([]string{"alpha"})
	expect("Narrow", err)
	expect("Save", s.Save(io.Discard))
	if s.Inputs() != nil || s.Outputs() != nil {
		problems = append(problems, fmt.Errorf("before Fit Inputs is %q and Outputs %q, want nil", s.Inputs(), s.Outputs()))
	}
	return errors.Join(problems...)
}

func fitTransform(make maker, fx fixture) error {
	s, err := fitted(make, fx)
	if err != nil {
		return err
	}
	want, err := transform(s, fx.train)
	if err != nil {
		return err
	}
	got, err := transformer.FitTransform(make(), fx.train)
	if err != nil {
		return fmt.Errorf("method FitTransform: %w", err)
	}
	frame, ok := got.(*dataset.Frame)
	if !ok {
		return fmt.Errorf("method FitTransform returns a %T, want a *dataset.Frame", got)
	}
	again, err := transform(s, fx.train)
	if err != nil {
		return err
	}
	return errors.Join(same("FitTransform against Fit and Transform", frame, want),
		same("the second Transform against the first", again, want))
}

func outputNames(make maker, fx fixture) error {
	s, out, err := applied(make, fx)
	if err != nil {
		return err
	}
	var problems []error
	if !slices.Equal(out.Names(), s.Outputs()) || len(s.Outputs()) == 0 {
		problems = append(problems, fmt.Errorf("method Outputs is %q and Transform yields %q", s.Outputs(), out.Names()))
	}
	if len(s.Inputs()) == 0 {
		problems = append(problems, errors.New("method Inputs is empty after Fit"))
	}
	for _, name := range s.Inputs() {
		if !slices.Contains(fx.train.Names(), name) {
			problems = append(problems, fmt.Errorf("method Inputs names %q, which is no feature column of the table of Fit", name))
		}
	}
	if err := categoricalInputs(s, fx); err != nil {
		problems = append(problems, err)
	}
	for method, list := range map[string]func() []string{"Inputs": s.Inputs, "Outputs": s.Outputs} {
		before := list()
		if len(before) == 0 {
			continue
		}
		kept := slices.Clone(before)
		before[0] = "overwritten"
		if !slices.Equal(list(), kept) {
			problems = append(problems, fmt.Errorf("%s returns the step's own slice: a caller that changes it changes the step", method))
		}
	}
	return errors.Join(problems...)
}

// categoricalInputs checks the method CategoricalInputs, which a step with categorical inputs has.
func categoricalInputs(s transformer.Transformer, fx fixture) error {
	var want, got []string
	for _, name := range s.Inputs() {
		if fx.train.Factor(name) != nil {
			want = append(want, name)
		}
	}
	if c, ok := s.(interface{ CategoricalInputs() []string }); ok {
		got = c.CategoricalInputs()
	} else if want != nil {
		return fmt.Errorf("the inputs %q are categorical, and the step has no method CategoricalInputs", want)
	}
	if !slices.Equal(got, want) {
		return fmt.Errorf("method CategoricalInputs is %q, want %q", got, want)
	}
	return nil
}

func finite(make maker, fx fixture) error {
	if fx.missing {
		return nil // the step may pass missing cells on
	}
	_, out, err := applied(make, fx)
	if err != nil {
		return err
	}
	for j, name := range out.NumericNames() {
		for i := range out.Rows() {
			if v := out.Numeric().At(i, j); math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("column %q, row %d of the output is %v though the input has no such cell", name, i+1, v)
			}
		}
	}
	return nil
}

func rowAlone(make maker, fx fixture) error {
	s, out, err := applied(make, fx)
	if err != nil {
		return err
	}
	for i := range fx.rows.Rows() {
		got, err := transform(s, fx.rows.Subset([]int{i}))
		if err != nil {
			return fmt.Errorf("row %d alone: %w", i+1, err)
		}
		if err := same(fmt.Sprintf("row %d alone", i+1), got, out.Subset([]int{i})); err != nil {
			return err
		}
	}
	return nil
}

func inputUnchanged(make maker, fx fixture) error {
	train, rows := frozen(fx.train), frozen(fx.rows)
	s, err := fitted(make, fx)
	if err != nil {
		return err
	}
	if err := same("the table after Fit", fx.train, train); err != nil {
		return err
	}
	if _, err := transform(s, fx.rows); err != nil {
		return err
	}
	return same("the table after Transform", fx.rows, rows)
}

func noRows(make maker, fx fixture) error {
	empty := fx.train.Subset(nil)
	if err := make().Fit(empty); err == nil {
		return errors.New("method Fit accepts a table without rows")
	}
	s, want, err := applied(make, fx)
	if err != nil {
		return err
	}
	if err := s.Fit(empty); err == nil {
		return errors.New("method Fit accepts a table without rows")
	}
	got, err := transform(s, fx.rows)
	if err != nil {
		return fmt.Errorf("after a Fit that failed: %w", err)
	}
	if err := same("Transform after a Fit that failed", got, want); err != nil {
		return err
	}
	if _, err := s.Transform(empty); err == nil {
		return errors.New("method Transform accepts a table without rows")
	}
	return nil
}

func concurrent(make maker, fx fixture) error {
	s, want, err := applied(make, fx)
	if err != nil {
		return err
	}
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
			for range 4 {
				_, _ = s.Inputs(), s.Outputs()
				results[w], errs[w] = transform(s, fx.rows.Subset(rotated(w)))
				if errs[w] == nil {
					errs[w] = s.Save(io.Discard)
				}
			}
		})
	}
	wait.Wait()
	if err := errors.Join(errs[:]...); err != nil {
		return fmt.Errorf("concurrent use: %w", err)
	}
	for w, got := range results {
		if err := same("concurrent Transform", got, want.Subset(rotated(w))); err != nil {
			return err
		}
	}
	return nil
}

func otherKind(make maker, fx fixture) error {
	s, err := fitted(make, fx)
	if err != nil {
		return err
	}
	for _, name := range s.Inputs() {
		_, err := s.Transform(turned(fx.rows, name))
		if err == nil || !strings.Contains(err.Error(), name) {
			return fmt.Errorf("column %q changed from numeric to categorical or back: got the error %v, want one that names the column", name, err)
		}
	}
	return nil
}
