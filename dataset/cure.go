package dataset

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fspca/fspca/internal/delimited"
)

// What an error offers must work where it is read: a fit of numbers alone has no use for categories,
// and in new data for a model the types of columns are settled.

// cureOf says how numbers in other notations are to be read. Fraction is a number with the decimal sign
// of the options that was read, and where it is; "" without one: another sign then cannot be right.
func (o *ReadOptions) cureOf(by []disguise, fraction string) string {
	w := o.signs()
	var options []string
	for _, d := range by {
		option := disguises[d].option
		if d == commaEither {
			option = `thousands: ","`
		}
		name, _, _ := strings.Cut(option, ":")
		switch {
		case d == uncomputed:
			return "save the table in a spreadsheet program, which computes it, or write plain numbers"
		case option == "":
			return "write plain numbers"
		case !takes(o.kind, name):
			return "store it as a number"
		case name == "decimal" || name == "thousands":
			w.want(d)
		default:
			options = append(options, "the option "+option)
		}
	}
	if w.both || fraction != "" && w.decimal != o.signs().decimal {
		return o.oneSign(fraction)
	}
	either := slices.Contains(by, commaEither)
	if either && fraction == "" && o.signs().thousands == "" {
		options = slices.Insert(options, 0, `the option decimal: "," or the option thousands: ","`)
	} else {
		options = append(w.options(o.signs()), options...)
	}
	return "read it with " + strings.Join(options, " and ") + w.without(o.signs())
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

// mostMarkers is how many texts one cure names.
const mostMarkers = 6

// cureOfText says what can be done about a text in a column of numbers. The others are more texts in it,
// which must be cured too.
func (o *ReadOptions) cureOfText(column, text string, others []string) string {
	marker := fmt.Sprintf("add %q to the missing markers", clip(text))
	if n := len(others); n > 0 && n < mostMarkers {
		list := fmt.Sprintf("%q", clip(text))
		for i, other := range others {
			join := ", "
			if i == n-1 {
				join = " and "
			}
			list += fmt.Sprintf("%s%q", join, clip(other))
		}
		marker = fmt.Sprintf("add %s to the missing markers", list)
	}
	write := "write a number"
	if isTruth(text) && !slices.ContainsFunc(others, func(s string) bool { return !isTruth(s) }) {
		marker, write = "", "write 1 and 0"
	}
	if o.As != nil {
		write += ", as in the data that the model was fitted on"
	}
	fixed := slices.Contains(o.Numeric, column)
	switch {
	case fixed && (len(o.Missing) == 0 || marker == ""):
		return write
	case marker == "" && o.NumbersOnly:
		return write + ", or leave the column out (option drop)"
	case marker == "":
		return write + ", or declare the column categorical (option categorical)"
	case fixed:
		return fmt.Sprintf("%s, or, if it stands for a missing cell as %q does, %s (option missing)", write, o.Missing[0], marker)
	case o.NumbersOnly:
		return fmt.Sprintf("write a number, leave the column out, or %s (options drop, missing)", marker)
	}
	return fmt.Sprintf("declare the column categorical, or %s (options categorical, missing)", marker)
}

// isTruth reports whether a text is true or false: no cell that is missing.
func isTruth(text string) bool {
	return slices.Contains([]string{"true", "false", "yes", "no", "t", "f", "y", "n"}, strings.ToLower(text))
}
