package transformer

import (
	"io"
	"math"
	"slices"

	"github.com/sjwhitworth/golearn/base"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
)

// Robust subtracts the median of each numeric column and divides by its
// interquartile range: the 75th percentile minus the 25th. A few outliers change
// neither. Percentiles are interpolated between two sorted cells, like those of
// NumPy and of R's type 7.
//
// A column that does not vary (WithinRounding) becomes 0 as in Standardize. A
// column that varies, but whose middle half does not, is divided by 1. Missing
// cells are errors as in Center. The zero value is ready for Fit.
type Robust struct{ affine }

var _ Transformer = (*Robust)(nil)

// Fit learns the median and the interquartile range of each numeric column.
func (r *Robust) Fit(grid base.FixedDataGrid) error {
	return r.fit(robustStep, grid, func(f *dataset.Frame, j int, _ moments) (shift, scale float64) {
		cells := sortedCells(f.Numeric(), j)
		low, high := quantile(cells, 1, 4), quantile(cells, 3, 4)
		if WithinRounding(low, high, 0) {
			return median(cells), 1
		}
		return median(cells), high - low
	})
}

// sortedCells returns the cells of column j that are not missing, ascending.
func sortedCells(x *mat.Dense, j int) []float64 {
	cells := slices.DeleteFunc(mat.Col(nil, j, x), math.IsNaN)
	slices.Sort(cells)
	return cells
}

// quantile returns the num/den-quantile of sorted cells, by linear interpolation between the two
// cells around position num·(n−1)/den: R's type 7. A position that is a whole number gives that cell
// itself, and cells that are equal give themselves.
func quantile(cells []float64, num, den int) float64 {
	at := num * (len(cells) - 1)
	i := at / den
	if at%den == 0 {
		return cells[i]
	}
	a, b, t := cells[i], cells[i+1], float64(at%den)/float64(den)
	if t < 0.5 {
		return a + (b-a)*t
	}
	return b - (b-a)*(1-t)
}

// Transform maps the numeric columns and passes the categorical ones and the class through. A
// missing cell in a column that the step needs is an error. It names the first place, the counts
// and what to do.
func (r *Robust) Transform(grid base.FixedDataGrid) (base.FixedDataGrid, error) {
	return r.transform(robustStep, grid)
}

// Filter returns the fitted mapping as golearn's Filter; see Center.Filter for its use.
func (r *Robust) Filter() base.Filter { return r.filter(robustStep) }

// Narrow returns a copy for the named columns alone.
func (r *Robust) Narrow(outputs []string) (Transformer, error) {
	return narrowed(r, robustStep, outputs)
}

// Save writes the fitted step as JSON of type "robust".
func (r *Robust) Save(w io.Writer) error { return r.save(w, robustStep) }

// Load reads what Save wrote. After an error the step is unchanged.
func (r *Robust) Load(from io.Reader) error { return r.load(from, robustStep) }
