package dataset

import "fmt"

// A Warning says what surely is a mistake, though it is possible. Its code never changes; the codes
// are listed in docs/warnings.md.
type Warning struct {
	Code string // such as "W101"
	Name string // such as "numeric-header"
	Text string
}

// String returns the line that is printed: "W101 numeric-header: …".
func (w Warning) String() string { return fmt.Sprintf("%s %s: %s", w.Code, w.Name, w.Text) }

// labelLeftOut says that a file without names of columns is taken to lack the label.
func labelLeftOut(width int, as Reading) Warning {
	return Warning{"W112", "label-left-out", fmt.Sprintf("there are %d columns without names, one fewer than the %d of the data that the model was fitted on: they are taken to be all but the label, which was column %d there", width, as.Columns, as.Label)}
}
