package dataset

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/fspca/fspca/internal/delimited"
)

// leastCode is from how many digits on numbers of one length with zeros in front are taken for codes: those
// of months, minutes and days of the year have fewer.
const leastCode = 4

// codedColumns warns of columns of digits that are codes and not numbers, such as "01234", by the first rows.
func (t *csvTable) codedColumns() []Warning {
	if t.opt.As != nil {
		return nil // the model takes them for what they were
	}
	codes, example := t.columnsSuch(t.coded)
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
	for _, s := range t.headCells(c) {
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

// columnsSuch returns the names of the columns, but for those that are declared, of which find returns a
// cell, and the last of these cells.
func (t *csvTable) columnsSuch(find func(chosenColumn) string) (names []string, example string) {
	for _, c := range t.columns {
		if text := find(c); text != "" && !c.declared {
			names, example = append(names, c.name), text
		}
	}
	return names, example
}

// headCells gives the cells of a column in the first rows that are not missing, with their lines; none where
// a row is too short.
func (t *csvTable) headCells(c chosenColumn) iter.Seq2[int, string] {
	return func(yield func(line int, cell string) bool) {
		if slices.ContainsFunc(t.head, func(r delimited.Record) bool { return c.field >= len(r.Fields) }) {
			return
		}
		for _, r := range t.head {
			s := trimCell(r.Fields[c.field])
			if s != "" && !t.markers.has(s) && !yield(r.Line, s) {
				return
			}
		}
	}
}
