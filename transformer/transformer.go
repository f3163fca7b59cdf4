package transformer

import (
	"errors"
	"fmt"
	"io"

	"github.com/sjwhitworth/golearn/base"

	"github.com/fspca/fspca/internal/files"
)

// Transformer is a preprocessing step: it learns from one table and maps any table that has the
// columns it needs. The package comment lists the rules of every implementation;
// transformertest.Run checks them.
//
// A step that needs categorical columns also has a method CategoricalInputs()
// []string. It lists the categorical columns of Inputs, so that a reader reads
// codes that look like numbers as text.
//
// Fit and Load must not run concurrently with any other method of the same value.
// Once the step is fitted, all other methods may run concurrently.
type Transformer interface {
	// Fit learns from the feature columns of grid; it ignores the class column. After an error
	// the step is unchanged.
	Fit(grid base.FixedDataGrid) error

	// Transform returns a *dataset.Frame with the columns Outputs and the class column of grid.
	// Columns are matched by name, in any order; columns that are not among Inputs are ignored.
	// One *dataset.MissingColumnsError names all missing columns. An unfitted step returns
	// ErrNotFitted.
	Transform(grid base.FixedDataGrid) (base.FixedDataGrid, error)

	// Inputs returns the names of the columns that Transform needs, nil before Fit.
	Inputs() []string

	// Outputs returns the names of the columns that Transform yields, in order, nil before Fit.
	Outputs() []string

	// Narrow returns a fitted copy that yields only the named outputs, in the given order, and
	// needs only their inputs. Names that are not among Outputs and repeated names are errors.
	// The receiver does not change.
	Narrow(outputs []string) (Transformer, error)

	// Save writes the fitted step as one JSON object with the fields "version" and "type".
	// Numbers are written exactly.
	Save(w io.Writer) error

	// Load reads what Save wrote. Errors: an unknown version, another type of step, damaged
	// text. After an error the step is unchanged.
	Load(r io.Reader) error
}

// Foreteller is a Transformer that says before Fit which columns may come out of it. A config's check looks
// behind a registered step that is one (config.Config.CheckColumns, fspca validate), and behind no other.
type Foreteller interface {
	Transformer

	// Foretell returns the names of all columns that Transform may yield after a fit to some rows of a table
	// with these columns. A name too many is no mistake, one too few is. Nil: it is not known.
	Foretell(columns []string) []string
}

// ErrNotFitted is returned (wrapped) by Transform, Narrow and Save of a step that was neither
// fitted nor loaded.
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
