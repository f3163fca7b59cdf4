package transformer

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/sjwhitworth/golearn/base"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/lists"
)

const oneHotStep = "onehot"

// OneHot replaces each categorical column by one numeric column for each level that occurs in Fit.
// It is named column=level, and is 1 where the cell has that level and 0 elsewhere. The new columns
// take the place of the column, in the order of its levels. Numeric columns pass through unchanged,
// including missing cells. The zero value is ready for Fit.
type OneHot struct {
	// IgnoreUnseen maps a cell whose level did not occur in Fit to 0 in all columns. Without it such
	// a cell is an error in Transform that names column, level and row.
	IgnoreUnseen bool

	// IgnoreMissing maps a missing cell to 0 in all columns. Without it a missing cell is an error,
	// in Fit and in Transform.
	IgnoreMissing bool

	fitted[*oneHotState]
}

var _ Transformer = (*OneHot)(nil)

type oneHotState struct {
	ignoreUnseen, ignoreMissing bool

	columns []oneHotColumn
	outputs []oneHotOutput
}

// oneHotColumn is an input; Levels are those that occurred in Fit, nil for a numeric column.
type oneHotColumn struct {
	column
	Levels []string `json:"levels,omitempty"`
}

// oneHotOutput is an output column: the numeric column Column, or, where Level is given, 1 in the
// rows in which the categorical column Column has that level.
type oneHotOutput struct {
	output
	Level *string `json:"level,omitempty"`
}

// Fit learns the levels of each categorical column. It is an error if two outputs would have the
// same name, or the name of the class.
func (o *OneHot) Fit(grid base.FixedDataGrid) error {
	f, err := open(oneHotStep, grid)
	if err != nil {
		return err
	}
	s := &oneHotState{ignoreUnseen: o.IgnoreUnseen, ignoreMissing: o.IgnoreMissing}
	for _, c := range f.Columns() {
		in := oneHotColumn{column: column{c.Name, kindOf(c)}}
		if c.Factor == nil {
			s.outputs = append(s.outputs, oneHotOutput{output: output{c.Name, c.Name}})
		} else {
			in.Levels = occurring(c.Factor)
		}
		for i, level := range in.Levels {
			s.outputs = append(s.outputs, oneHotOutput{output{c.Name + "=" + level, c.Name}, &in.Levels[i]})
		}
		s.columns = append(s.columns, in)
	}
	if err := errors.Join(s.checkMissing(f), checkNames(oneHotStep, s.outputs, f.ClassName())); err != nil {
		return err
	}
	if s.outputs == nil {
		return fmt.Errorf("%s: no column is left: every cell of %q is missing", oneHotStep, f.Names())
	}
	o.state = s
	return nil
}

// occurring returns the levels of f that some row has, in the order of f.Levels.
func occurring(f *dataset.Factor) []string {
	return lists.At(f.Levels, lists.Occurring(len(f.Levels), f.Codes))
}

// Transform replaces the categorical columns and passes the class through.
func (o *OneHot) Transform(grid base.FixedDataGrid) (base.FixedDataGrid, error) {
	return o.transform(oneHotStep, grid)
}

func (s *oneHotState) transform(grid base.FixedDataGrid) (base.FixedDataGrid, error) {
	f, err := take(oneHotStep, grid, s.takes())
	if err != nil {
		return nil, err
	}
	if err := cmp.Or(s.checkMissing(f), s.checkUnseen(f)); err != nil {
		return nil, err
	}
	cols := lists.Map(s.outputs, func(o oneHotOutput) dataset.Column { return dataset.Column{Name: o.Name} })
	return assemble(oneHotStep, f, s.encode(f), cols)
}

// encode returns the numbers of the outputs for f, the columns that take gave.
func (s *oneHotState) encode(f *dataset.Frame) *mat.Dense {
	have := f.Columns()
	numbers, places := s.rowPlaces(lists.Map(have, func(c dataset.Column) []string {
		if c.Factor == nil {
			return nil
		}
		return c.Factor.Levels
	}))
	y := mat.NewDense(f.Rows(), len(s.outputs), nil)
	at := numberPlaces(s.columns)
	for i, c := range have {
		if c.Factor == nil {
			y.SetCol(numbers[i], mat.Col(nil, at[i], f.Numeric()))
			continue
		}
		for row, code := range c.Factor.Codes {
			if code >= 0 && places[i][code] >= 0 {
				y.Set(row, places[i][code], 1)
			}
		}
	}
	return y
}

// takes returns the columns that are needed.
func (s *oneHotState) takes() []column {
	return lists.Map(s.columns, func(c oneHotColumn) column { return c.column })
}

func (s *oneHotState) gives() []string {
	return lists.Map(s.outputs, func(o oneHotOutput) string { return o.Name })
}

// Narrow returns a copy for the named outputs only. It still knows all levels of
// its columns, so a level without an output does not count as unseen.
func (o *OneHot) Narrow(outputs []string) (Transformer, error) {
	return narrowed(o, oneHotStep, outputs)
}

func (s *oneHotState) narrow(at []int) (*oneHotState, error) {
	n := *s
	n.outputs = lists.At(s.outputs, at)
	needed := lists.Set(lists.Map(n.outputs, func(o oneHotOutput) string { return o.Column }))
	n.columns = lists.Where(s.columns, func(c oneHotColumn) bool { return needed[c.Name] })
	return &n, nil
}
