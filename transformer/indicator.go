package transformer

import (
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/sjwhitworth/golearn/base"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/lists"
)

const missingIndicatorStep = "missing_indicator"

// missingSuffix follows the name of a column in the name of its indicator.
const missingSuffix = "_missing"

// MissingIndicator adds a numeric column for each column with a missing cell in Fit. It is 1 where
// the cell is missing and 0 elsewhere, and its name is that of the column followed by "_missing". The
// indicators come after all columns, which pass through unchanged: put impute after this step. The
// zero value is ready for Fit.
type MissingIndicator struct {
	// All adds an indicator for every column, missing cells or not.
	All bool

	derived[indicatorOptions, none]
}

var _ Transformer = (*MissingIndicator)(nil)

type indicatorOptions struct {
	All bool `json:"all"`
}

const missingPart = "missing"

var missingIndicatorRecipe = &recipe[indicatorOptions, none]{
	step: missingIndicatorStep,
	number: func(*none, string) func(float64) float64 {
		return func(v float64) float64 {
			if math.IsNaN(v) {
				return 1
			}
			return 0
		}
	},
	level: func(indicatorOptions, *none, string) func(string) (float64, error) {
		return func(text string) (float64, error) {
			if text == "" {
				return 1, nil
			}
			return 0, nil
		}
	},
	check: func(_ indicatorOptions, c derivedColumn[none], part string) error {
		if part != missingPart || c.Learned != nil {
			return fmt.Errorf(`want the part %q and nothing learned of column %q`, missingPart, c.Name)
		}
		return nil
	},
}

// Fit finds the columns with missing cells. It is an error if an indicator would have the name of
// another column or of the class.
func (m *MissingIndicator) Fit(grid base.FixedDataGrid) error {
	return m.fit(missingIndicatorRecipe, indicatorOptions{m.All}, grid, func(f *dataset.Frame) ([]derivedColumn[none], []derivedOutput, error) {
		var cols []derivedColumn[none]
		var added []derivedOutput
		holes := missingIn(f)
		for i, c := range schema(f) {
			cols = append(cols, derivedColumn[none]{column: c})
			if m.All || holes[i] {
				added = append(added, outputOf(c.Name+missingSuffix, c.Name, missingPart))
			}
		}
		return cols, append(inPlace(cols), added...), nil
	})
}

// missingIn tells of each column whether it has a missing cell.
func missingIn(f *dataset.Frame) []bool {
	number := numberPlaces(schema(f))
	return lists.Make(len(number), func(i int) bool {
		if factor := f.Columns()[i].Factor; factor != nil {
			return slices.ContainsFunc(factor.Codes, func(code int32) bool { return code < 0 })
		}
		return slices.ContainsFunc(mat.Col(nil, number[i], f.Numeric()), math.IsNaN)
	})
}

// Transform yields the columns Outputs and passes the class through.
func (m *MissingIndicator) Transform(grid base.FixedDataGrid) (base.FixedDataGrid, error) {
	return m.transform(missingIndicatorStep, grid)
}

// Narrow returns a copy for the named outputs alone.
func (m *MissingIndicator) Narrow(outputs []string) (Transformer, error) {
	return narrowed(m, missingIndicatorStep, outputs)
}

// Save writes the fitted step as JSON of type "missing_indicator".
func (m *MissingIndicator) Save(w io.Writer) error { return m.save(w, missingIndicatorStep) }

// Load reads what Save wrote, with the option. After an error the step is unchanged.
func (m *MissingIndicator) Load(r io.Reader) error {
	return m.load(r, missingIndicatorRecipe, func(o indicatorOptions) { m.All = o.All })
}
