package transformer

import (
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
	next := 0
	for i, c := range f.Columns() {
		if c.Factor == nil {
			out[i] = drop(next)
			next++
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

// Transform returns the columns that are kept, cells unchanged, and the class.
func (k *keep) Transform(grid base.FixedDataGrid) (base.FixedDataGrid, error) {
	if k.state == nil {
		return nil, ErrNotFitted
	}
	f, err := take(k.state.step, grid, k.state.columns)
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

func (k *keep) save(w io.Writer, step string) error {
	s := k.state
	if s == nil {
		return notFitted(step)
	}
	return encode(w, step, keepFile{headerOf(step), s.options, s.columns, append([]string{}, s.dropped...)})
}

// load reads what save wrote; check judges the options, each of which it must find or not. An error
// leaves k as it was.
func (k *keep) load(r io.Reader, step string, check func(keepOptions) error) error {
	var file keepFile
	if err := decode(r, step, &file); err != nil {
		return err
	}
	var missing error
	if file.Dropped == nil {
		missing = errors.New(`field "dropped" is missing`)
	}
	if err := damaged(step, checkColumns(file.Columns), check(file.keepOptions), missing); err != nil {
		return err
	}
	k.state = &keepState{step, file.keepOptions, file.Columns, file.Dropped}
	return nil
}

// only says what is wrong with saved options unless they are those that the step has.
func (o keepOptions) only(tolerance, threshold, selected bool) error {
	for _, c := range []struct {
		name      string
		got, want bool
	}{{"tolerance", o.Tolerance != nil, tolerance}, {"threshold", o.Threshold != nil, threshold}, {"select", len(o.Select) > 0, selected}} {
		if c.got && !c.want {
			return fmt.Errorf("this step has no field %q", c.name)
		} else if c.want && !c.got {
			return fmt.Errorf("field %q is missing", c.name)
		}
	}
	return nil
}
