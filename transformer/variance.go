package transformer

import (
	"fmt"
	"io"
	"math"

	"github.com/sjwhitworth/golearn/base"
)

const varianceFilterStep = "variance_filter"

// VarianceFilter drops the numeric columns whose variance is at most a threshold, and all that do not
// vary (WithinRounding). The variance divides by n, like scikit-learn's VarianceThreshold, and
// ignores missing cells. It is in the squared unit of the column: columns of different units need a
// scaling step, such as minmax, before this one. Categorical columns pass through. The zero value is
// ready for Fit.
type VarianceFilter struct {
	// Threshold is the largest variance at which a column is dropped; 0 drops only
	// columns that do not vary.
	Threshold float64

	keep
}

var _ Transformer = (*VarianceFilter)(nil)

func checkVariance(threshold float64) error {
	if !(threshold >= 0) || math.IsInf(threshold, 0) {
		return fmt.Errorf("%s: the threshold is %v: want a number from 0", varianceFilterStep, threshold)
	}
	return nil
}

// Fit finds the columns of little variance. It is an error if no column is left.
func (v *VarianceFilter) Fit(grid base.FixedDataGrid) error {
	if err := checkVariance(v.Threshold); err != nil {
		return err
	}
	f, ms, err := openMeasured(varianceFilterStep, grid, false)
	if err != nil {
		return err
	}
	drop := ofNumeric(f, func(j int) bool {
		m := ms[j]
		return m.constant() || !(m.sd*m.sd*float64(m.count-1)/float64(m.count) > v.Threshold)
	})
	threshold := v.Threshold
	return v.fit(varianceFilterStep, keepOptions{Threshold: &threshold}, f, drop,
		fmt.Sprintf("has a variance of at most %v (rows: %d)", threshold, f.Rows()))
}

// Transform returns the columns that are kept, cells unchanged, and the class.
func (v *VarianceFilter) Transform(grid base.FixedDataGrid) (base.FixedDataGrid, error) {
	return v.transform(varianceFilterStep, grid)
}

// Narrow returns a copy for the named columns alone; its Dropped is the receiver's.
func (v *VarianceFilter) Narrow(outputs []string) (Transformer, error) {
	return narrowed(v, varianceFilterStep, outputs)
}

// Save writes the fitted step as JSON of type "variance_filter".
func (v *VarianceFilter) Save(w io.Writer) error { return v.save(w, varianceFilterStep) }

// Load reads what Save wrote, with the threshold. After an error the step is unchanged.
func (v *VarianceFilter) Load(r io.Reader) error {
	return v.load(r, varianceFilterStep, "threshold", checkVariance, func(o keepOptions) { v.Threshold = *o.Threshold })
}
