package transformer

import (
	"cmp"
	"fmt"
	"io"
	"math"

	"github.com/sjwhitworth/golearn/base"
	"gonum.org/v1/gonum/mat"
)

const (
	correlationFilterStep = "correlation_filter"
	defaultCorrelation    = 0.95
)

// CorrelationFilter drops each numeric column whose |correlation| with an earlier kept column is
// above the threshold: of a group of equal columns the first is kept. Columns that do not vary
// (WithinRounding) have no correlation and are kept; see Constant. Missing cells are errors as in
// Center. Categorical columns pass through. The zero value is ready for Fit.
//
// The correlations of p columns of n rows take n·p² multiplications and 8·p² bytes at most.
type CorrelationFilter struct {
	// Threshold is the absolute correlation above which a column is dropped; 0 means 0.95.
	Threshold float64

	keep
}

var _ Transformer = (*CorrelationFilter)(nil)

func checkCorrelation(threshold float64) error {
	if !(threshold > 0 && threshold < 1) {
		return fmt.Errorf("%s: the threshold is %v: want a number above 0 and below 1", correlationFilterStep, threshold)
	}
	return nil
}

// Fit finds the columns that repeat others.
func (c *CorrelationFilter) Fit(grid base.FixedDataGrid) error {
	threshold := cmp.Or(c.Threshold, defaultCorrelation)
	if err := checkCorrelation(threshold); err != nil {
		return err
	}
	f, ms, err := openMeasured(correlationFilterStep, grid, true)
	if err != nil {
		return err
	}
	repeats := repeating(f.Numeric(), ms, threshold)
	drop := ofNumeric(f, func(j int) bool { return repeats[j] })
	return c.fit(correlationFilterStep, keepOptions{Threshold: &threshold}, f, drop, "repeats another")
}

// correlationBlock is how many columns are compared with those before them at once.
const correlationBlock = 128

// repeating marks the columns of x that are correlated with a kept column before them.
func repeating(x *mat.Dense, ms []moments, threshold float64) []bool {
	if x == nil {
		return nil
	}
	n, p := x.Dims()
	z := unitColumns(x, ms)
	out := make([]bool, p)
	for lo := 0; lo < p; lo += correlationBlock {
		hi := min(p, lo+correlationBlock)
		var r mat.Dense // r[i][j] of column i < hi and column lo + j
		r.Mul(z.Slice(0, n, 0, hi).T(), z.Slice(0, n, lo, hi))
		for j := lo; j < hi; j++ {
			for i := 0; i < j && !out[j]; i++ {
				out[j] = !out[i] && math.Abs(r.At(i, j-lo)) > threshold
			}
		}
	}
	return out
}

// unitColumns returns the columns of x centred and of length 1; 0 for those that do not vary.
func unitColumns(x *mat.Dense, ms []moments) *mat.Dense {
	n, p := x.Dims()
	z := mat.NewDense(n, p, nil)
	length := math.Sqrt(float64(max(1, n-1)))
	for i := range n {
		src, dst := x.RawRowView(i), z.RawRowView(i)
		for j, v := range src {
			if m := ms[j]; !m.constant() {
				dst[j] = (v - m.mean) / m.sd / length
			}
		}
	}
	return z
}

// Transform returns the columns that are kept, cells unchanged, and the class.
func (c *CorrelationFilter) Transform(grid base.FixedDataGrid) (base.FixedDataGrid, error) {
	return c.transform(correlationFilterStep, grid)
}

// Narrow returns a copy for the named columns alone; its Dropped is the receiver's.
func (c *CorrelationFilter) Narrow(outputs []string) (Transformer, error) {
	return narrowed(c, correlationFilterStep, outputs)
}

// Save writes the fitted step as JSON of type "correlation_filter".
func (c *CorrelationFilter) Save(w io.Writer) error { return c.save(w, correlationFilterStep) }

// Load reads what Save wrote, with the threshold. After an error the step is unchanged.
func (c *CorrelationFilter) Load(r io.Reader) error {
	return c.load(r, correlationFilterStep, "threshold", checkCorrelation, func(o keepOptions) { c.Threshold = *o.Threshold })
}
