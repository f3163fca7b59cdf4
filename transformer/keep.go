package transformer

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/sjwhitworth/golearn/base"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/lists"
)

// keep is what the steps share that let some columns through and drop the others.
type keep struct {
	fitted[*keepState]
}

type keepState struct {
	step    string
	options keepOptions
	columns []column // those kept
	dropped []string
}

func (s *keepState) takes() []column { return s.columns }
func (s *keepState) gives() []string { return names(s.columns) }

// keepOptions are the options of all these steps, of which each saves its own.
type keepOptions struct {
	Tolerance *float64 `json:"tolerance,omitempty"`
	Threshold *float64 `json:"threshold,omitempty"`
	Select    []string `json:"select,omitempty"`
}

// ofNumeric marks the numeric columns of f that drop drops, by their place among these.
func ofNumeric(f *dataset.Frame, drop func(j int) bool) []bool {
	out := make([]bool, len(f.Columns()))
	for i, j := range numberPlaces(schema(f)) {
		if f.Columns()[i].Factor == nil {
			out[i] = drop(j)
		}
	}
	return out
}

// fit keeps the columns of grid that drop, beside the columns of the table, does not mark.
func (k *keep) fit(step string, o keepOptions, f *dataset.Frame, drop []bool, reason string) error {
	s := &keepState{step: step, options: o}
	for i, c := range schema(f) {
		if drop[i] {
			s.dropped = append(s.dropped, c.Name)
		} else {
			s.columns = append(s.columns, c)
		}
	}
	if s.columns == nil {
		return fmt.Errorf("%s: no column is left: each of %s %s; change the options of the step, or leave it out", step, strings.Join(s.dropped, ", "), reason)
	}
	k.state = s
	return nil
}

// Dropped returns the names of the columns that Fit chose to drop, in file order; nil before Fit.
func (k *keep) Dropped() []string {
	if k.state == nil {
		return nil
	}
	return slices.Clone(k.state.dropped)
}

func (s *keepState) transform(grid base.FixedDataGrid) (base.FixedDataGrid, error) {
	f, err := take(s.step, grid, s.columns)
	if err != nil {
		return nil, err
	}
	return f, nil
}

// narrow leaves Dropped as it was.
func (s *keepState) narrow(at []int) (*keepState, error) {
	return &keepState{s.step, s.options, lists.At(s.columns, at), s.dropped}, nil
}

// keepFile is a saved step.
type keepFile struct {
	header
	keepOptions
	Columns []column `json:"columns"`
	Dropped []string `json:"dropped"`
}

func (s *keepState) file() (any, error) {
	return keepFile{headerOf(s.step), s.options, s.columns, append([]string{}, s.dropped...)}, nil
}

// load reads what save wrote, and gives the options, of which the named one alone must be there, to
// set. check judges an option that is a number. An error leaves k as it was.
func (k *keep) load(r io.Reader, step, option string, check func(float64) error, set func(keepOptions)) error {
	var file keepFile
	if err := decode(r, step, &file); err != nil {
		return err
	}
	problems := []error{checkColumns(file.Columns), file.only(option)}
	if number := cmp.Or(file.Tolerance, file.Threshold); problems[1] == nil && number != nil {
		problems = append(problems, check(*number))
	}
	if file.Dropped == nil {
		problems = append(problems, errors.New(`field "dropped" is missing`))
	}
	if err := damaged(step, problems...); err != nil {
		return err
	}
	k.state = &keepState{step, file.keepOptions, file.Columns, file.Dropped}
	set(file.keepOptions)
	return nil
}

// only says what is wrong with saved options unless the named one alone is there.
func (o keepOptions) only(name string) error {
	for _, field := range []struct {
		name  string
		there bool
	}{{"tolerance", o.Tolerance != nil}, {"threshold", o.Threshold != nil}, {"select", len(o.Select) > 0}} {
		switch {
		case field.there && field.name != name:
			return fmt.Errorf("this step has no field %q", field.name)
		case !field.there && field.name == name:
			return fmt.Errorf("field %q is missing", name)
		}
	}
	return nil
}
