package transformer

import (
	"io"
	"math"

	"github.com/sjwhitworth/golearn/base"

	"github.com/fspca/fspca/dataset"
)

const log1pStep = "log1p"

// Log1p maps each numeric cell x to the natural logarithm of 1 + x, exactly even near 0. A cell x ≤
// −1 is an error in Fit and in Transform; a missing cell stays missing. Categorical columns pass
// through. The zero value is ready for Fit.
type Log1p struct{ derived[none, none] }

var _ Transformer = (*Log1p)(nil)

// none is no option, and nothing learned.
type none struct{}

var log1pRecipe = &recipe[none, none]{
	step:    log1pStep,
	outside: "has no finite log1p: want a number above -1; name the columns that have one (option columns), or leave this one out",
	number:  func(*none, string) func(float64) float64 { return math.Log1p },
	check:   func(_ none, c derivedColumn[none], part string) error { return needsKind(c, numeric, part) },
}

// Fit learns the columns. A cell without a logarithm is an error.
func (l *Log1p) Fit(grid base.FixedDataGrid) error {
	return l.fit(log1pRecipe, none{}, grid, func(f *dataset.Frame) ([]derivedColumn[none], []derivedOutput, error) {
		return learnEach(f, numeric, func(int, int) *none { return &none{} })
	})
}

// Transform yields the columns Outputs and passes the class through.
func (l *Log1p) Transform(grid base.FixedDataGrid) (base.FixedDataGrid, error) {
	return l.transform(log1pStep, grid)
}

// Narrow returns a copy for the named columns alone.
func (l *Log1p) Narrow(outputs []string) (Transformer, error) {
	return narrowed(l, log1pStep, outputs)
}

// Save writes the fitted step as JSON of type "log1p".
func (l *Log1p) Save(w io.Writer) error { return l.save(w, log1pStep) }

// Load reads what Save wrote. After an error the step is unchanged.
func (l *Log1p) Load(r io.Reader) error {
	return l.load(r, log1pRecipe, func(none) {})
}

// Filter returns the mapping as golearn's Filter; see Center.Filter for its use.
func (l *Log1p) Filter() base.Filter { return l.filter(log1pStep) }
