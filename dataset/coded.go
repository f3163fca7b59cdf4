package dataset

import (
	"fmt"
	"strings"
)

// leastCode is from how many digits on numbers of one length with zeros in front are taken for codes: those
// of months, minutes and days of the year have fewer.
const leastCode = 4

// codedColumns warns of columns of digits that are codes and not numbers, such as "01234", by the first rows.
func (t *csvTable) codedColumns() []Warning {
	if t.opt.As != nil {
		return nil // the model takes them for what they were
	}
	var codes []string
	example := ""
	for _, c := range t.columns {
		if text := t.coded(c); text != "" && !c.declared {
			codes = append(codes, c.name)
			example = text
		}
	}
	if len(codes) == 0 {
		return nil
	}
	cure := "if they are codes, declare the column categorical, or leave it out (options categorical, drop)"
	if t.opt.NumbersOnly {
		cure = "if they are codes, leave the column out, or name the rows by it (options drop, id)"
	}
	return []Warning{{"W117", "codes-as-numbers", fmt.Sprintf("in %s digits of one length with zeros in front (%q) are read as numbers, and postal codes and identifiers look so: %s",
		quotedNames(codes), example, cure)}}
}

// coded returns a cell with zeros in front of a column that holds codes; "" for other columns.
func (t *csvTable) coded(c chosenColumn) string {
	length, cells, zero, digits := 0, 0, "", false
	for _, r := range t.head {
		if c.field >= len(r.Fields) {
			return ""
		}
		s := trimCell(r.Fields[c.field])
		if s == "" || t.markers.has(s) {
			continue
		}
		if cells == 0 {
			length = len(s)
		}
		if cells++; len(s) != length || length < leastCode || strings.Trim(s, "0123456789") != "" {
			return ""
		}
		digits = digits || strings.Trim(s, "01") != ""
		if s[0] == '0' {
			zero = s
		}
	}
	if cells < fewRows || !digits { // which may be bits
		return ""
	}
	return zero
}
