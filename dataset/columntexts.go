package dataset

import (
	"fmt"
	"slices"

	"github.com/fspca/fspca/internal/delimited"
	"github.com/fspca/fspca/internal/lists"
)

// checkTexts notes a column of text all of whose cells are numbers, which the file does not store as
// such.
func (t *columnTable) checkTexts(name string, f *Factor) {
	if len(f.Levels) == 0 {
		return
	}
	fixed := slices.Contains(t.opt.Numeric, name)
	c := &csvColumn{chosenColumn: new(chosenColumn), csvTexts: &csvTexts{levels: f.Levels, kinds: make([]delimited.Kind, len(f.Levels)), counts: lists.Tally(len(f.Levels), f.Codes)}}
	text := ""
	for code, level := range f.Levels {
		if _, kind := parseCell(level); kind == numberCell && !leadingZero(level) {
			c.kinds[code] = delimited.Number
			c.cells[delimited.Number].count += c.counts[code]
		} else if _, ok := unmask(level, delimited.Notation{}); !ok && !isMissingWord(level) {
			text = level
		}
	}
	numbers := c.cells[delimited.Number].count
	m := c.unmask(delimited.Notation{})
	row := func(of []bool) (int, string) {
		i := slices.IndexFunc(f.Codes, func(code int32) bool { return code != Missing && (of == nil || of[code]) })
		return i + 1, f.Text(i)
	}
	switch {
	case m.anywhere && (text == "" || numbers == 0):
		i, cell := row(m.levels)
		t.bad.add(0, 0, name, fmt.Errorf("row %d: %q is a number with %s%s: %s%s", i, clip(cell), listed(m.by), likeIt(m.cells, "cell", ""), t.opt.cureOf(m.by, ""), t.opt.otherwise(name)))
	case text == "" && numbers > 0 && (fixed || t.opt.NumbersOnly):
		i, cell := row(nil)
		t.bad.add(0, 0, name, fmt.Errorf("row %d: %q is a number, but the file says that the column holds text: write it as numbers%s", i, clip(cell), t.opt.otherwise(name)))
	case text == "" && numbers > 0:
		t.warnings = append(t.warnings, Warning{"W116", "numbers-as-text", fmt.Sprintf("the column %q holds numbers, such as %q, as text, so each of its %d values is a category: write the column as numbers if it is to be numeric", name, f.Levels[0], len(f.Levels))})
	case fixed:
		i, cell := row(nil)
		t.bad.add(0, 0, name, fmt.Errorf("row %d: %q is not a number, and the column must hold numbers: %s", i, clip(cell), t.opt.cureOfText(name, cell, nil)))
	}
}
