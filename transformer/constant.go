package transformer

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/sjwhitworth/golearn/base"

	"github.com/fspca/fspca/dataset"
)

const constantStep = "constant"

// Constant drops the columns that do not vary: numeric ones by the rule of ConstantColumns, and
// categorical ones whose cells are all of one level. Missing cells are not looked at, so that a
// column with one value and some missing cells is dropped, as is a column without any cell. The
// zero value is ready for Fit. A fitted step does not need the dropped columns any more.
type Constant struct {
	// Tolerance is the relative spread max − min ≤ Tolerance · max|x| up to which a numeric column
	// is constant; 0 means DefaultTolerance.
	Tolerance float64

	state *constantState // nil before Fit; replaced as a whole, never changed
}

var _ Transformer = (*Constant)(nil)

type constantState struct {
	tolerance float64
	columns   []column // those kept
	dropped   []string
}

func (c *Constant) check() error {
	if c.Tolerance < 0 || c.Tolerance >= 1 || math.IsNaN(c.Tolerance) {
		return fmt.Errorf("%s: the tolerance is %v: want a number from 0 (meaning %g) to below 1",
			constantStep, c.Tolerance, DefaultTolerance)
	}
	return nil
}

// Fit finds the columns that do not vary. It is an error if none does.
func (c *Constant) Fit(grid base.FixedDataGrid) error {
	if err := c.check(); err != nil {
		return err
	}
	f, err := open(constantStep, grid)
	if err != nil {
		return err
	}
	s := &constantState{tolerance: c.Tolerance}
	flat := ConstantColumns(f.Numeric(), c.Tolerance)
	next := 0
	for _, col := range f.Columns() {
		drop := false
		if col.Factor == nil {
			_, drop = slices.BinarySearch(flat, next)
			next++
		} else {
			drop = oneLevel(col.Factor)
		}
		if drop {
			s.dropped = append(s.dropped, col.Name)
		} else {
			s.columns = append(s.columns, column{col.Name, kindOf(col)})
		}
	}
	if s.columns == nil {
		return fmt.Errorf("%s: no column is left: each of %s is constant over the %d row(s)",
			constantStep, strings.Join(f.Names(), ", "), f.Rows())
	}
	c.state = s
	return nil
}

// oneLevel tells whether the cells of f that are not missing are all of one level.
func oneLevel(f *dataset.Factor) bool {
	first := int32(-1)
	for _, code := range f.Codes {
		if first < 0 {
			first = code
		} else if code >= 0 && code != first {
			return false
		}
	}
	return true
}

// Dropped returns the names of the columns that Fit found constant, in file order; nil before Fit.
func (c *Constant) Dropped() []string {
	if c.state == nil {
		return nil
	}
	return slices.Clone(c.state.dropped)
}

// Transform returns the columns that vary, cells unchanged, and the class.
func (c *Constant) Transform(grid base.FixedDataGrid) (base.FixedDataGrid, error) {
	if c.state == nil {
		return nil, notFitted(constantStep)
	}
	f, err := take(constantStep, grid, c.state.columns)
	if err != nil {
		return nil, err
	}
	return f, nil
}

// Inputs returns the names of the columns that vary, in the order of the table that the step was
// fitted on; nil before Fit.
func (c *Constant) Inputs() []string {
	if c.state == nil {
		return nil
	}
	return names(c.state.columns)
}

// CategoricalInputs returns those of Inputs that are categorical; nil before Fit.
func (c *Constant) CategoricalInputs() []string {
	if c.state == nil {
		return nil
	}
	return categoricalNames(c.state.columns)
}

// Outputs returns the names of the columns that Transform yields: the same as Inputs.
func (c *Constant) Outputs() []string { return c.Inputs() }

// Narrow returns a copy for the named columns alone; its Dropped is the receiver's.
func (c *Constant) Narrow(outputs []string) (Transformer, error) {
	s := c.state
	if s == nil {
		return nil, notFitted(constantStep)
	}
	at, err := positions(constantStep, outputs, names(s.columns))
	if err != nil {
		return nil, err
	}
	return &Constant{c.Tolerance, &constantState{s.tolerance, pick(s.columns, at), s.dropped}}, nil
}

// constantFile is a saved Constant.
type constantFile struct {
	header
	Tolerance float64  `json:"tolerance"`
	Columns   []column `json:"columns"`
	Dropped   []string `json:"dropped"`
}

// Save writes the fitted step as JSON of type "constant".
func (c *Constant) Save(w io.Writer) error {
	s := c.state
	if s == nil {
		return notFitted(constantStep)
	}
	dropped := append([]string{}, s.dropped...)
	return encode(w, constantStep, constantFile{headerOf(constantStep), s.tolerance, s.columns, dropped})
}

// Load reads what Save wrote, the tolerance included; an error leaves the step as it was.
func (c *Constant) Load(r io.Reader) error {
	var file constantFile
	if err := decode(r, constantStep, &file); err != nil {
		return err
	}
	loaded := Constant{Tolerance: file.Tolerance}
	var missing error
	if file.Dropped == nil {
		missing = fmt.Errorf(`field "dropped" is missing`)
	}
	if err := damaged(constantStep, checkColumns(file.Columns), loaded.check(), missing); err != nil {
		return err
	}
	loaded.state = &constantState{file.Tolerance, file.Columns, file.Dropped}
	*c = loaded
	return nil
}
