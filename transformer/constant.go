package transformer

import (
	"fmt"
	"io"
	"math"

	"github.com/sjwhitworth/golearn/base"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/lists"
)

const constantStep = "constant"

// Constant drops the columns that do not vary: numeric ones by the rule of WithinRounding, and
// categorical ones with a single level. Missing cells are ignored: a column with one value and
// some missing cells is dropped, and so is a column without any cell. The zero value is ready
// for Fit. A fitted step does not need the dropped columns.
type Constant struct {
	// Tolerance is the relative spread max − min ≤ Tolerance · max|x| up to which a numeric column
	// is constant; 0 means DefaultTolerance.
	Tolerance float64

	keep
}

var _ Transformer = (*Constant)(nil)

func checkTolerance(tolerance float64) error {
	if tolerance < 0 || tolerance >= 1 || math.IsNaN(tolerance) {
		return fmt.Errorf("%s: the tolerance is %v: want a number from 0 (meaning %.2g) to below 1",
			constantStep, tolerance, DefaultTolerance)
	}
	return nil
}

// Fit finds the columns that do not vary. It is an error if none does.
func (c *Constant) Fit(grid base.FixedDataGrid) error {
	if err := checkTolerance(c.Tolerance); err != nil {
		return err
	}
	f, err := open(constantStep, grid)
	if err != nil {
		return err
	}
	tolerance := c.Tolerance
	return c.fit(constantStep, keepOptions{Tolerance: &tolerance}, f, constant(f, tolerance),
		fmt.Sprintf("is constant (rows: %d)", f.Rows()))
}

// constant marks the columns of f that do not vary.
func constant(f *dataset.Frame, tolerance float64) []bool {
	flat := lists.Set(ConstantColumns(f.Numeric(), tolerance))
	out := ofNumeric(f, func(j int) bool { return flat[j] })
	for i, c := range f.Columns() {
		if c.Factor != nil {
			out[i] = oneLevel(c.Factor)
		}
	}
	return out
}

// oneLevel tells whether the cells of f that are not missing are all of one level.
func oneLevel(f *dataset.Factor) bool {
	return len(lists.Occurring(len(f.Levels), f.Codes)) <= 1
}

// Transform returns the columns that are kept, cells unchanged, and the class.
func (c *Constant) Transform(grid base.FixedDataGrid) (base.FixedDataGrid, error) {
	return c.transform(constantStep, grid)
}

// Narrow returns a copy for the named columns alone; its Dropped is the receiver's.
func (c *Constant) Narrow(outputs []string) (Transformer, error) {
	return narrowed(c, constantStep, outputs)
}

// Save writes the fitted step as JSON of type "constant".
func (c *Constant) Save(w io.Writer) error { return c.save(w, constantStep) }

// Load reads what Save wrote, with the tolerance. After an error the step is unchanged.
func (c *Constant) Load(r io.Reader) error {
	return c.load(r, constantStep, "tolerance", checkTolerance, func(o keepOptions) { c.Tolerance = *o.Tolerance })
}
