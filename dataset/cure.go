package dataset

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fspca/fspca/internal/delimited"
)

// What an error offers must work where it is read: a fit of numbers alone has no use for categories,
// and in new data for a model the types of columns are settled.

// cureOf says how numbers in other notations are to be read.
func (o *ReadOptions) cureOf(by []disguise) string {
	var options []string
	for _, d := range by {
		option := disguises[d].option
		if d == commaEither {
			option = `decimal: "," or the option thousands: ","`
		}
		name, _, _ := strings.Cut(option, ":")
		switch {
		case option == "":
			return "write plain numbers"
		case !takes(o.kind, name):
			return "store it as a number"
		}
		options = append(options, "the option "+option)
	}
	return "read it with " + strings.Join(options, " and ")
}

// otherwise says what else can be done with a column of numbers in another notation.
func (o *ReadOptions) otherwise(column string) string {
	switch {
	case slices.Contains(o.Numeric, column):
		return ""
	case o.NumbersOnly:
		return ", or leave the column out (option drop)"
	}
	return ", or declare the column categorical (option categorical)"
}

// notNumber says of a text where only numbers can be what it is.
func notNumber(text string) string {
	if d, ok := unmask(text, delimited.Notation{}); ok {
		return fmt.Sprintf("is a number with %s: write plain numbers", listed(d.by))
	}
	return "is not a number"
}

// cureOfText says what can be done about a text in a column of numbers.
func (o *ReadOptions) cureOfText(column, text string) string {
	marker := fmt.Sprintf("add %q to the missing markers", clip(text))
	write := "write a number"
	if o.As != nil {
		write += ", as in the data that the model was fitted on"
	}
	switch {
	case slices.Contains(o.Numeric, column) && len(o.Missing) == 0:
		return write
	case slices.Contains(o.Numeric, column):
		return fmt.Sprintf("%s, or, if it stands for a missing cell as %q does, %s (option missing)", write, o.Missing[0], marker)
	case o.NumbersOnly:
		return fmt.Sprintf("write a number, leave the column out, or %s (options drop, missing)", marker)
	}
	return fmt.Sprintf("declare the column categorical, or %s (options categorical, missing)", marker)
}
