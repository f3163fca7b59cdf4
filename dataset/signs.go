package dataset

import "fmt"

// oneSign is the cure where numbers have both decimal signs, or several between groups of digits.
func (o *ReadOptions) oneSign(fraction string) string {
	if fraction == "" {
		return "write all numbers in one notation"
	}
	name := "point"
	if o.Decimal == "," {
		name = "comma"
	}
	return fmt.Sprintf("others have a decimal %s (%s): write all numbers with one sign", name, fraction)
}

// signs are those of numbers: the decimal sign and what groups the digits.
type signs struct {
	decimal, thousands string
	settled            [2]bool // which of them the cells say
	both               bool    // the cells say that there are several
}

// signs returns those that the options say.
func (o *ReadOptions) signs() signs {
	w := signs{decimal: ".", thousands: o.Thousands}
	if o.Decimal != "" {
		w.decimal = o.Decimal
	}
	return w
}

// decimalSigns and thousandsSigns are those that notations have.
var (
	decimalSigns   = map[disguise]string{decimalComma: ",", decimalPoint: "."}
	thousandsSigns = map[disguise]string{commaEither: ",", commaGroups: ",", pointGroups: ".", spaceGroups: " ", apostropheGroups: "'", underscoreGroups: "_"}
)

// want takes over what a notation says about the signs. Where one of them is the other's, that other
// changes, unless a cell has both.
func (w *signs) want(d disguise) {
	set := func(at int, to *string, sign string) {
		w.both = w.both || w.settled[at] && *to != sign
		*to, w.settled[at] = sign, true
	}
	if sign := decimalSigns[d]; sign != "" {
		set(0, &w.decimal, sign)
	} else if sign := thousandsSigns[d]; sign != "" {
		set(1, &w.thousands, sign)
	}
	if w.decimal != w.thousands {
		return
	}
	switch {
	case w.settled[0] && w.settled[1]:
		w.both = true
	case w.settled[0]:
		w.thousands = ""
	case w.decimal == ".":
		w.decimal = ","
	default:
		w.decimal = "."
	}
}

// options are those that must change.
func (w signs) options(from signs) []string {
	var options []string
	if w.decimal != from.decimal {
		options = append(options, fmt.Sprintf("the option decimal: %q", w.decimal))
	}
	if w.thousands != from.thousands && w.thousands != "" {
		options = append(options, fmt.Sprintf("the option thousands: %q", w.thousands))
	}
	return options
}

// without names the option that must not be there.
func (w signs) without(from signs) string {
	if w.thousands == "" && from.thousands != "" {
		return " and without the option thousands"
	}
	return ""
}
