package transformer

import (
	"errors"
	"fmt"
	"math"

	"github.com/sjwhitworth/golearn/base"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
)

// DefaultTolerance is the relative spread up to which a column does not vary: 32 units of rounding.
// Cells that should be equal differ by that much if they were computed in different ways, such as
// sums in another order. It does not depend on the number of rows, since a repeated row must change
// nothing.
const DefaultTolerance = 32 * 0x1p-52

// WithinRounding is the rule for "does not vary": it reports whether cells from lo to hi differ by
// at most tolerance · max|x|. A tolerance of 0 or less means DefaultTolerance. The rule is relative,
// so that neither a small unit nor a large mean hides a column that varies: nanoseconds since 1970
// vary if they span 13 µs.
func WithinRounding(lo, hi, tolerance float64) bool {
	if tolerance <= 0 {
		tolerance = DefaultTolerance
	}
	return hi-lo <= tolerance*max(-lo, hi)
}

// ConstantColumns returns the indices of the columns of x (n×p, NaN is missing) that do not vary by
// the rule of WithinRounding, ascending. Missing cells are ignored. Columns of zeros and columns
// without any cell are among them. It stops reading a column as soon as it varies, mostly after two
// rows.
func ConstantColumns(x *mat.Dense, tolerance float64) []int {
	if x == nil {
		return nil
	}
	n, p := x.Dims()
	open := make([]int, p) // columns not yet seen to vary
	lo, hi := make([]float64, p), make([]float64, p)
	for j := range open {
		open[j], lo[j], hi[j] = j, math.Inf(1), math.Inf(-1)
	}
	for i := 0; i < n && len(open) > 0; i++ {
		row, left := x.RawRowView(i), open[:0]
		for _, j := range open {
			if v := row[j]; !math.IsNaN(v) {
				lo[j], hi[j] = min(lo[j], v), max(hi[j], v)
			}
			// A later cell of greater magnitude would widen the spread at least as much as it
			// raises the bound. So a column that varies here never becomes constant again.
			if lo[j] > hi[j] || WithinRounding(lo[j], hi[j], tolerance) {
				left = append(left, j)
			}
		}
		open = left
	}
	return append([]int(nil), open...) // without the room for all
}

// moments describe the cells of one numeric column. NaN cells do not count.
type moments struct {
	count    int
	min, max float64
	mean, sd float64 // sd with count − 1; 0 for fewer than two cells
}

// constant tells whether the column does not vary.
func (m moments) constant() bool { return m.count == 0 || WithinRounding(m.min, m.max, 0) }

// measure returns the moments of each column of x. Each column is first divided by a power of
// two, exactly, so that squares neither overflow nor vanish; its mean is a compensated sum
// (Neumaier 1974) corrected by the mean of the residuals. The variance is taken from residuals
// around it, with the usual correction for their sum (Chan, Golub and LeVeque 1983). Both are
// accurate to a few units in the last place at mean/sd of 10⁶ and far beyond.
func measure(x *mat.Dense) []moments {
	if x == nil {
		return nil
	}
	_, p := x.Dims()
	out := ranges(x)
	unit := make([]float64, p)
	for j, m := range out {
		_, exponent := math.Frexp(max(-m.min, m.max))
		unit[j] = math.Ldexp(1, -max(-1000, min(exponent, 1000)))
	}
	mean := scaledMeans(x, out, unit)
	square, sum := residuals(x, mean, unit)
	for j := range out {
		m := &out[j]
		if m.count == 0 {
			continue
		}
		c := float64(m.count)
		m.mean = (mean[j] + sum[j]/c) / unit[j]
		if m.count > 1 {
			m.sd = math.Sqrt(max(0, square[j]-sum[j]*sum[j]/c)/(c-1)) / unit[j]
		}
	}
	return out
}

// ranges counts the cells of each column, and finds the smallest and the largest.
func ranges(x *mat.Dense) []moments {
	n, p := x.Dims()
	out := make([]moments, p)
	for j := range out {
		out[j].min, out[j].max = math.Inf(1), math.Inf(-1)
	}
	for i := range n {
		for j, v := range x.RawRowView(i) {
			if m := &out[j]; !math.IsNaN(v) {
				m.count++
				m.min, m.max = min(m.min, v), max(m.max, v)
			}
		}
	}
	return out
}

// measureColumn returns the moments of one column.
func measureColumn(v []float64) moments { return measure(mat.NewDense(len(v), 1, v))[0] }

// scaledMeans returns the compensated means of the columns times their units.
func scaledMeans(x *mat.Dense, of []moments, unit []float64) []float64 {
	n, p := x.Dims()
	sum, lost := make([]float64, p), make([]float64, p)
	for i := range n {
		for j, v := range x.RawRowView(i) {
			if math.IsNaN(v) {
				continue
			}
			v *= unit[j]
			s := sum[j] + v
			if math.Abs(sum[j]) >= math.Abs(v) {
				lost[j] += (sum[j] - s) + v
			} else {
				lost[j] += (v - s) + sum[j]
			}
			sum[j] = s
		}
	}
	for j := range sum {
		if of[j].count > 0 {
			sum[j] = (sum[j] + lost[j]) / float64(of[j].count)
		}
	}
	return sum
}

// residuals returns, per column, the sum of squares and the sum of x·unit − mean.
func residuals(x *mat.Dense, mean, unit []float64) (square, sum []float64) {
	n, p := x.Dims()
	square, sum = make([]float64, p), make([]float64, p)
	for i := range n {
		for j, v := range x.RawRowView(i) {
			if math.IsNaN(v) {
				continue
			}
			r := v*unit[j] - mean[j]
			sum[j] += r
			square[j] += r * r
		}
	}
	return square, sum
}

// openMeasured is open and measured; a missing number is an error if the table must be complete.
func openMeasured(step string, grid base.FixedDataGrid, complete bool) (*dataset.Frame, []moments, error) {
	f, err := open(step, grid)
	if err == nil && complete {
		err = f.CheckComplete(step)
	}
	if err != nil {
		return nil, nil, err
	}
	ms, err := measured(step, f)
	return f, ms, err
}

// measured returns the moments of the numeric columns of f. It refuses columns that span more than the float64
// range, such as −1e308…1e308.
func measured(step string, f *dataset.Frame) ([]moments, error) {
	ms := measure(f.Numeric())
	var problems []error
	for j, m := range ms {
		if m.count > 0 && (math.IsInf(m.max-m.min, 0) || math.IsInf(m.sd, 0)) {
			problems = append(problems, fmt.Errorf("%s: column %q spans from %g to %g, more than a float64 can measure: divide it by a constant",
				step, f.NumericNames()[j], m.min, m.max))
		}
	}
	return ms, errors.Join(problems...)
}
