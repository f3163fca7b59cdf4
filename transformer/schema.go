package transformer

import (
	"errors"
	"fmt"
	"slices"

	"github.com/sjwhitworth/golearn/base"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/lists"
)

// kind says what a column's cells are.
type kind string

const (
	numeric     kind = "numeric"
	categorical kind = "categorical"
)

func kindOf(c dataset.Column) kind {
	if c.Factor == nil {
		return numeric
	}
	return categorical
}

// column is a feature column as a step met it in Fit.
type column struct {
	Name string `json:"name"`
	Kind kind   `json:"kind"`
}

func (c column) base() column { return c }

// schema returns the feature columns of f in their order.
func schema(f *dataset.Frame) []column {
	cols := f.Columns()
	return lists.Map(cols, func(c dataset.Column) column { return column{Name: c.Name, Kind: kindOf(c)} })
}

func names(cols []column) []string {
	return lists.Map(cols, func(c column) string { return c.Name })
}

func categoricalNames(cols []column) []string {
	var out []string
	for _, c := range cols {
		if c.Kind == categorical {
			out = append(out, c.Name)
		}
	}
	return out
}

// numberPlaces returns the place of each numeric column among the numeric ones; the places of the others mean nothing.
func numberPlaces[C interface{ base() column }](cols []C) []int {
	out, next := make([]int, len(cols)), 0
	for i, c := range cols {
		out[i] = next
		if c.base().Kind == numeric {
			next++
		}
	}
	return out
}

// output says from which input an output comes.
type output struct {
	Name   string `json:"name"`
	Column string `json:"column"`
}

func (o output) base() output { return o }

// checkNames refuses names that two outputs, or a new output and the class, would share.
func checkNames[O interface{ base() output }](step string, outputs []O, class string) error {
	var problems []error
	from := make(map[string]string, len(outputs))
	for _, out := range outputs {
		o := out.base()
		if other, taken := from[o.Name]; taken {
			problems = append(problems, fmt.Errorf("%s: columns %q and %q would both give a column %q: rename one", step, other, o.Column, o.Name))
		} else if o.Name == class && o.Name != o.Column {
			problems = append(problems, fmt.Errorf("%s: column %q would give a column %q, which is the name of the class: rename one", step, o.Column, o.Name))
		}
		from[o.Name] = o.Column
	}
	return errors.Join(problems...)
}

// table reads any grid. A table without rows is refused: nothing can be learned from it, and an
// output without rows could not say what its columns are.
func table(step string, grid base.FixedDataGrid) (*dataset.Frame, error) {
	f, err := dataset.FromGrid(grid)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", step, err)
	}
	if f.Rows() == 0 {
		return nil, fmt.Errorf("%s: the table has no rows", step)
	}
	return f, nil
}

// open reads a grid that step is to be fitted on.
func open(step string, grid base.FixedDataGrid) (*dataset.Frame, error) {
	f, err := table(step, grid)
	if err == nil && len(f.Columns()) == 0 {
		err = fmt.Errorf("%s: the table has no feature column", step)
	}
	return f, err
}

// take returns the columns of grid that a fitted step needs, in the step's order.
// It first checks that all are there and of the kind they had in Fit.
func take(step string, grid base.FixedDataGrid, cols []column) (*dataset.Frame, error) {
	f, err := table(step, grid)
	if err != nil {
		return nil, err
	}
	f, err = f.Pick(names(cols))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", step, err)
	}
	var wrong []error
	for i, c := range f.Columns() {
		if got := kindOf(c); got != cols[i].Kind {
			wrong = append(wrong, fmt.Errorf("%s: column %q is %s here and was %s when the step was fitted",
				step, c.Name, got, cols[i].Kind))
		}
	}
	return f, errors.Join(wrong...)
}

// checkColumns validates the columns of a saved step.
func checkColumns[C interface{ base() column }](cols []C) error {
	if len(cols) == 0 {
		return errors.New(`field "columns" is missing or empty`)
	}
	var seen []string
	for i, c := range cols {
		b := c.base()
		if b.Kind != numeric && b.Kind != categorical {
			return fmt.Errorf(`columns[%d] (%q): field "kind" is %q, want "numeric" or "categorical"`, i, b.Name, b.Kind)
		}
		seen = append(seen, b.Name)
	}
	slices.Sort(seen)
	for i := 1; i < len(seen); i++ {
		if seen[i] == seen[i-1] {
			return fmt.Errorf("column %q stands twice in the field \"columns\"", seen[i])
		}
	}
	return nil
}
