package dataset

import (
	"fmt"
	"slices"

	"github.com/fspca/fspca/internal/delimited"
)

// asRead returns the options in which those that are zero are as the data before were read, where
// the reader of a file takes them. Of As only what is about places is left,
// and a delimiter that was taken over. A .tsv says its delimiter itself.
func (o ReadOptions) asRead(kind readerKind, format string) ReadOptions {
	if format == "tsv" && o.Delimiter == 0 {
		o.Delimiter, o.tabByName = '\t', true
	}
	if o.As == nil {
		return o
	}
	r := *o.As
	if format == "tsv" {
		r.Delimiter = ""
	}
	if kind == arrayReader || kind == arraysReader { // texts cannot occur in them
		r.Missing = slices.DeleteFunc(slices.Clone(r.Missing), func(s string) bool { return len(newMarkers([]string{s}).other) > 0 })
	}
	for _, option := range readingOptions {
		if option.text(&r) != "" && takes(kind, option.name) && !givenOption(option.name, &o) {
			option.apply(&r, &o)
		}
	}
	left := Reading{Columns: r.Columns, Label: r.Label, LabelText: r.LabelText, IndexBase: r.IndexBase}
	if takes(kind, "delimiter") && o.Delimiter == delimiterOf(r.Delimiter) { // which is a guess then
		left.Delimiter = r.Delimiter
	}
	o.As = &left
	return o
}

// placeNames returns the names of so many columns that are known by their place, and the place of the
// label among them, from 1; 0 for none. If the label of the data before is left out, there is a note.
// Another number of columns is an error: their places say nothing then.
func (o ReadOptions) placeNames(width int) (names []string, label int, notes []Warning, err error) {
	unlabelled, err := o.lacksLabel(width)
	switch {
	case err != nil:
		return nil, 0, nil, err
	case unlabelled:
		names, notes = o.As.unlabelledNames(), []Warning{labelLeftOut(width, *o.As)}
	default:
		names = numberedNames(width)
	}
	return names, slices.Index(names, o.Label) + 1, notes, nil
}

// unlabelledNames returns the names of columns that are known by their place, but for the label.
func (r *Reading) unlabelledNames() []string {
	return slices.Delete(numberedNames(r.Columns), r.Label-1, r.Label)
}

// lacksLabel reports whether so many columns without names are those of the data before without the
// label. It is an error if they are neither these nor all of them.
func (o ReadOptions) lacksLabel(width int) (bool, error) {
	r := o.As
	switch {
	case r == nil || r.Columns == 0:
		return false, nil
	case r.Label > 0 && width == r.Columns-1:
		return true, nil
	case width != r.Columns:
		also := ""
		if r.Label > 0 {
			also = fmt.Sprintf(", or %d without the label", r.Columns-1)
		}
		return false, fmt.Errorf("the columns have no names, and there are %d: want %d as in the data that the model was fitted on%s, since columns are matched by position", width, r.Columns, also)
	case r.Label > 0 && o.Label != "" && o.Label != numberedName(r.Label-1):
		return false, fmt.Errorf("label is %q, and in the data that the model was fitted on it was column %d: columns without names are matched by position, which must be the same", o.Label, r.Label)
	}
	return false, nil
}

// checkLabelPlace returns an error if the label of the data before was text, but numbers are in its
// place here: the columns are then in another order. The first rows are given.
func (r *Reading) checkLabelPlace(head []delimited.Record, numbers delimited.Notation) error {
	if r == nil || !r.LabelText {
		return nil
	}
	number := ""
	for _, record := range head {
		if r.Label > len(record.Fields) {
			return nil
		}
		cell := record.Fields[r.Label-1]
		if _, kind := numbers.Parse(cell); cell != "" && kind != delimited.Number {
			return nil
		} else if cell != "" {
			number = cell
		}
	}
	if number == "" {
		return nil
	}
	return fmt.Errorf("column %d holds numbers (%q), and in the data that the model was fitted on it was the label, which was text: columns without names are matched by position, which must be the same", r.Label, number)
}
