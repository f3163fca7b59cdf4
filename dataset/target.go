package dataset

import (
	"errors"
	"fmt"
	"github.com/fspca/fspca/internal/words"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/delimited"
	"github.com/fspca/fspca/internal/lists"
)

// NewTarget returns the class column of a regression: one number for each row.
// It is an error if a number is not finite.
func NewTarget(values []float64) (*Factor, error) {
	levels := slices.Clone(values)
	for i, v := range values {
		if v-v != 0 {
			return nil, fmt.Errorf("row %d of the target: %v is not a finite number", i+1, v)
		}
		levels[i] = v + 0 // −0 and 0 are one level
	}
	slices.Sort(levels)
	levels = slices.Compact(levels)
	t := &Factor{Numbers: levels, Levels: make([]string, len(levels)), Codes: make([]int32, len(values))}
	for l, v := range levels {
		t.Levels[l] = string(delimited.AppendNumber(nil, v))
	}
	for i, v := range values {
		at, _ := slices.BinarySearch(levels, v)
		t.Codes[i] = int32(at)
	}
	return t, nil
}

// AsTarget returns the column as the target of a regression. The text of every
// level must be a finite number; the error names the first few that are not.
func (c *Factor) AsTarget() (*Factor, error) {
	t := &Factor{Levels: c.Levels, Codes: c.Codes, Numbers: make([]float64, len(c.Levels)), origin: c.origin}
	var errs []error
	for l, level := range c.Levels {
		v, kind := parseCell(level)
		if kind != numberCell || v-v != 0 {
			row := slices.Index(c.Codes, int32(l)) + 1
			errs = append(errs, fmt.Errorf("row %d: %q is not a number", row, level))
			continue
		}
		t.Numbers[l] = v
	}
	if len(errs) > 5 {
		errs = append(errs[:5], fmt.Errorf("and %s", words.Count(len(errs)-5, "more value")))
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return t, nil
}

// WithTarget returns the frame with a numeric column as the target of a regression
// instead of a feature. It is an error if there is no such column, if it holds text,
// or if a cell is missing.
func (f *Frame) WithTarget(name string) (*Frame, error) {
	picked, err := f.Pick([]string{name})
	if err != nil {
		return nil, err
	}
	j, _ := f.named(name)
	name = f.cols[j].Name
	if c := f.Factor(name); c != nil {
		return nil, fmt.Errorf("the column %q holds text, such as %q in row 1: a regression needs numbers", name, c.Text(0))
	}
	if err := picked.CheckComplete("the target"); err != nil {
		var missing *MissingCellsError
		if errors.As(err, &missing) {
			missing.Cure = "leave the rows out"
		}
		return nil, err
	}
	target, err := NewTarget(mat.Col(nil, 0, picked.x))
	if err != nil {
		return nil, err
	}
	rest := slices.Delete(f.Names(), j, j+1)
	if picked, err = f.WithoutClass().Pick(rest); err != nil {
		return nil, err
	}
	return picked.WithClass(name, target)
}

// Value returns the number of row i of a target. It is NaN if it is missing,
// there is no such row, or the column is not a target.
func (c *Factor) Value(i int) float64 {
	if l := c.level(i); l >= 0 && l < len(c.Numbers) {
		return c.Numbers[l]
	}
	return math.NaN()
}

// Target returns a copy of the numbers that a regression predicts; nil without
// a class column, and if it holds classes.
func (f *Frame) Target() []float64 {
	if f.class == nil || f.class.Numbers == nil {
		return nil
	}
	return lists.Make(f.rows, f.class.Value)
}
