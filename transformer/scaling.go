package transformer

import (
	"io"

	"github.com/sjwhitworth/golearn/base"

	"github.com/fspca/fspca/dataset"
)

const (
	centerStep      = "center"
	standardizeStep = "standardize"
	minmaxStep      = "minmax"
	robustStep      = "robust"
)

// Center subtracts from each numeric column its mean over the rows of Fit, so that the columns it
// was fitted on have mean 0. A column that does not vary (WithinRounding) becomes exactly 0.
//
// Missing cells are errors in Fit and in Transform: use Impute first. The zero value is ready
// for Fit.
type Center struct{ affine }

// Standardize subtracts the mean and divides by the standard deviation with n − 1
// in the denominator. The columns of the table of Fit then have mean 0 and variance
// 1.
//
// A column that does not vary (WithinRounding) is only centred: dividing by rounding errors would blow
// it up or give NaN. Cells that differ from the mean by rounding alone become 0. Missing cells are
// errors as in Center. The zero value is ready for Fit.
type Standardize struct{ affine }

// MinMax maps the least cell of each numeric column in Fit to 0 and the greatest to 1. Cells of
// other tables that lie outside that range map outside [0, 1]; they are not cut off.
//
// A column that does not vary (WithinRounding) is only reduced by its minimum; cells that differ from the
// minimum by rounding alone become 0. Missing cells are errors as in Center. The zero value is ready for Fit.
type MinMax struct{ affine }

var (
	_ Transformer = (*Center)(nil)
	_ Transformer = (*Standardize)(nil)
	_ Transformer = (*MinMax)(nil)
)

// Fit learns the mean of each numeric column.
func (c *Center) Fit(grid base.FixedDataGrid) error {
	return c.fit(centerStep, grid, func(_ *dataset.Frame, _ int, m moments) (shift, scale float64) { return m.mean, 1 })
}

// Fit learns the mean and the standard deviation of each numeric column.
func (s *Standardize) Fit(grid base.FixedDataGrid) error {
	return s.fit(standardizeStep, grid, func(_ *dataset.Frame, _ int, m moments) (shift, scale float64) { return m.mean, m.sd })
}

// Fit learns the least and the greatest cell of each numeric column.
func (s *MinMax) Fit(grid base.FixedDataGrid) error {
	return s.fit(minmaxStep, grid, func(_ *dataset.Frame, _ int, m moments) (shift, scale float64) { return m.min, m.max - m.min })
}

// Transform maps the numeric columns and passes the categorical ones and the class through. A
// missing cell in a column that the step needs is an error. It names the first place, the counts
// and what to do.
func (c *Center) Transform(grid base.FixedDataGrid) (base.FixedDataGrid, error) {
	return c.transform(centerStep, grid)
}

// Filter returns the fitted mapping as golearn's Filter, for base.NewLazilyFilteredInstances. Add
// the attributes of the grid that is to be filtered, since golearn finds them by pointer; the
// step finds its columns by name. Attributes that were not added pass through unchanged. Before
// Fit, AddAttribute and Train of the filter return ErrNotFitted.
func (c *Center) Filter() base.Filter { return c.filter(centerStep) }

// Narrow returns a copy for the named columns alone.
func (c *Center) Narrow(outputs []string) (Transformer, error) {
	return narrowed(c, centerStep, outputs)
}

// Transform maps the numeric columns and passes the categorical ones and the class through. A
// missing cell in a column that the step needs is an error. It names the first place, the counts
// and what to do.
func (s *Standardize) Transform(grid base.FixedDataGrid) (base.FixedDataGrid, error) {
	return s.transform(standardizeStep, grid)
}

// Filter returns the fitted mapping as golearn's Filter; see Center.Filter for its use.
func (s *Standardize) Filter() base.Filter { return s.filter(standardizeStep) }

// Narrow returns a copy for the named columns alone.
func (s *Standardize) Narrow(outputs []string) (Transformer, error) {
	return narrowed(s, standardizeStep, outputs)
}

// Transform maps the numeric columns and passes the categorical ones and the class through. A
// missing cell in a column that the step needs is an error. It names the first place, the counts
// and what to do.
func (s *MinMax) Transform(grid base.FixedDataGrid) (base.FixedDataGrid, error) {
	return s.transform(minmaxStep, grid)
}

// Filter returns the fitted mapping as golearn's Filter; see Center.Filter for its use.
func (s *MinMax) Filter() base.Filter { return s.filter(minmaxStep) }

// Narrow returns a copy for the named columns alone.
func (s *MinMax) Narrow(outputs []string) (Transformer, error) {
	return narrowed(s, minmaxStep, outputs)
}

// Save writes the fitted step as JSON of type "center".
func (c *Center) Save(w io.Writer) error { return c.save(w, centerStep) }

// Save writes the fitted step as JSON of type "standardize".
func (s *Standardize) Save(w io.Writer) error { return s.save(w, standardizeStep) }

// Save writes the fitted step as JSON of type "minmax".
func (s *MinMax) Save(w io.Writer) error { return s.save(w, minmaxStep) }

// Load reads what Save wrote. After an error the step is unchanged.
func (c *Center) Load(r io.Reader) error { return c.load(r, centerStep) }

// Load reads what Save wrote. After an error the step is unchanged.
func (s *Standardize) Load(r io.Reader) error { return s.load(r, standardizeStep) }

// Load reads what Save wrote. After an error the step is unchanged.
func (s *MinMax) Load(r io.Reader) error { return s.load(r, minmaxStep) }
