package dataset

import (
	"errors"
	"fmt"

	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/words"
)

// A Warning describes a probable mistake that is not an error. Its code never changes;
// docs/warnings.md lists the codes.
type Warning struct {
	Code string // such as "W101"
	Name string // such as "numeric-header"
	Text string
}

// String returns the line that is printed: "W101 numeric-header: …".
func (w Warning) String() string { return fmt.Sprintf("%s %s: %s", w.Code, w.Name, w.Text) }

// StrictError returns the warnings as one error, for strict mode; nil for no warnings.
func StrictError(warnings []Warning) error {
	errs := lists.Map(warnings, func(w Warning) error { return fmt.Errorf("%v (an error with strict)", w) })
	return errors.Join(errs...)
}

// Notes returns the warnings of the reader about the file.
func (f *Frame) Notes() []Warning { return f.src.notes }

// Warnings returns warnings of probable mistakes in a table to be fitted: those of the reader, and
// those that names and cells show. They are no errors, since the table may be right.
func (f *Frame) Warnings() []Warning {
	all := append([]Warning(nil), f.src.notes...)
	for _, rule := range suspicions {
		if text := rule.find(f); text != "" {
			all = append(all, Warning{rule.code, rule.name, text})
		}
	}
	return all
}

// labelLeftOut says that a file without names of columns is taken to lack the label.
func labelLeftOut(width int, as Reading) Warning {
	return Warning{"W112", "label-left-out", fmt.Sprintf("there are %d columns without names, one fewer than the %d of the data that the model was fitted on: they are taken to be all but the label, which was column %d there", width, as.Columns, as.Label)}
}

// markersAbsent says which markers of missing cells are nowhere.
func markersAbsent(absent []string) []Warning {
	if len(absent) == 0 {
		return nil
	}
	n := len(absent)
	return []Warning{{"W111", "marker-absent", fmt.Sprintf("the %s of missing cells %s %s in no column that is read: is it written another way there?",
		words.Of(n, "marker", "markers"), quotedNames(absent), words.Of(n, "is", "are"))}}
}
