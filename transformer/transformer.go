package transformer

import (
	"errors"
	"fmt"
	"io"

	"github.com/sjwhitworth/golearn/base"

	"github.com/fspca/fspca/internal/files"
)

// Transformer is a preprocessing step: it learns from one table and maps any table that has the
// columns it needs. The package comment lists what every implementation promises and
// transformertest.Run checks it.
//
// A step that needs categorical columns also has a method CategoricalInputs() []string, which names
// those of its Inputs that are, so that codes which look like numbers are read as text.
//
// Fit must not run beside any other method of the same value. Every other method but Load may run
// concurrently once the step is fitted.
type Transformer interface {
	// Fit learns from the feature columns of grid; the class column, if any, is not looked at.
	// A Fit that fails leaves the step as it was.
	Fit(grid base.FixedDataGrid) error

	// Transform returns a *dataset.Frame with the columns Outputs and the class column of grid.
	// Columns are matched by name: their order does not matter and columns that are not among
	// Inputs are ignored. Columns that are absent are named all at once by a
	// *dataset.MissingColumnsError. An unfitted step gives ErrNotFitted.
	Transform(grid base.FixedDataGrid) (base.FixedDataGrid, error)

	// Inputs returns the names of the columns that Transform needs, nil before Fit.
	Inputs() []string

	// Outputs returns the names of the columns that Transform yields, in order, nil before Fit.
	Outputs() []string

	// Narrow returns a fitted copy that yields only the named outputs, in the order given, and
	// needs only the inputs that these are made from. Names that are not among Outputs and names
	// given twice are errors. The receiver does not change.
	Narrow(outputs []string) (Transformer, error)

	// Save writes the fitted step as one JSON object with the fields "version" and "type";
	// numbers are written so that they read back exactly.
	Save(w io.Writer) error

	// Load reads what Save wrote. An unknown version, another type of step and damaged text are
	// errors, and leave the step as it was.
	Load(r io.Reader) error
}

// ErrNotFitted is what a step that has neither been fitted nor loaded wraps in the error it gives
// for Transform, Narrow and Save.
var ErrNotFitted = errors.New("the step is not fitted yet: call Fit or Load first")

// FitTransform fits t to grid and returns grid transformed. It equals Fit followed by Transform,
// bit for bit.
func FitTransform(t Transformer, grid base.FixedDataGrid) (base.FixedDataGrid, error) {
	if files.Absent(t) {
		return nil, errors.New("there is no step to fit")
	}
	if err := t.Fit(grid); err != nil {
		return nil, err
	}
	return t.Transform(grid)
}

func notFitted(step string) error {
	return fmt.Errorf("%s: %w", step, ErrNotFitted)
}
