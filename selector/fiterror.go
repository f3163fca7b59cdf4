package selector

import (
	"errors"
	"fmt"

	"github.com/fspca/fspca/internal/param"
	"github.com/fspca/fspca/solver"
)

// inColumns says err, which the solver found in rows, by the names of the columns.
func inColumns(err error, names []string) error {
	var scale *solver.ScaleError
	var wrong *solver.ParamError
	var together *param.Columns
	switch {
	case errors.As(err, &together):
		return worded{"fspca: " + together.In(names), err}
	case errors.As(err, &wrong) && wrong.Named:
		return fmt.Errorf("fspca: %w", wrong.WithNames(names))
	case errors.As(err, &scale) && scale.Large:
		return fmt.Errorf("fspca: column %q: its variance overflows float64: divide the data by a constant", names[scale.Column])
	case errors.As(err, &scale):
		return fmt.Errorf("fspca: column %q varies, but its variance is too small for float64: multiply it by a constant", names[scale.Column])
	}
	return fmt.Errorf("fspca: %w", err)
}

// inVariables adds the names of the variables to an error about an entry of
// their covariance.
func inVariables(err error, names []string) error {
	var entry *solver.EntryError
	var scale *solver.ScaleError
	if errors.As(err, &scale) {
		return inColumns(err, names)
	}
	if errors.As(err, &entry) {
		return fmt.Errorf("fspca: %w (variables %q and %q)", err, names[entry.Row], names[entry.Col])
	}
	return fmt.Errorf("fspca: %w", err)
}
