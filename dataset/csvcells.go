package dataset

import (
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/fspca/fspca/internal/delimited"
	"github.com/fspca/fspca/internal/words"
)

// noteColumns notes what is wrong with the cells of the columns.
func (t *csvTable) noteColumns(columns []*csvColumn) {
	t.noteOddRows(columns)
	t.noteNotations(columns)
	var mixed []*csvColumn
	for _, c := range columns {
		if c.declared {
			t.checkLevels(c, t.table.Codes[c.place])
			continue
		}
		if len(c.levels) == 0 {
			continue
		}
		if c.masked.anywhere {
			if c.isText() || !t.leaveUnmasked(c) {
				continue
			}
		} else if c.isText() && !slices.Contains(t.opt.Numeric, c.name) {
			t.checkLevels(c, nil)
			continue
		}
		mixed = append(mixed, c)
	}
	t.noteStrays(mixed)
}

// checkLevels notes levels that are not UTF-8, and rows without a label.
func (t *csvTable) checkLevels(c *csvColumn, codes []int32) {
	for code, level := range c.levels {
		if !utf8.ValidString(level) {
			if codes == nil {
				codes = t.textCodes(c)
			}
			row := slices.Index(codes, int32(code))
			t.bad.add(t.table.Line(row), c.field+1, c.name, errEncoding(level))
			break
		}
	}
	if !c.label {
		return
	}
	var missing csvCells
	for row, code := range codes {
		if code == Missing && !t.notes[t.table.Line(row)] {
			missing.add(row)
		}
	}
	if missing.count > 0 {
		lines := linesUpTo(missing.count, t.table.Line(missing.last))
		t.bad.add(t.table.Line(missing.first), c.field+1, c.name, fmt.Errorf("the label is missing%s: remove the line, or give it a label", lines))
	}
}

// A strayText is a text among the cells of columns that must be numbers.
type strayText struct {
	column  *csvColumn // the first
	row     int        // in it
	cells   int        // in all columns
	columns []*csvColumn
}

// others returns the texts of the columns but one that are no number, each once.
func (s *strayText) others(but string) []string {
	var list []string
	for _, c := range s.columns {
		for code, text := range c.levels {
			text = cleanText(text)
			left := c.counts[code] > 0 && !(c.masked.anywhere && c.masked.levels[code]) && text != "" && text != cleanText(but)
			if left && !slices.Contains(list, text) {
				if list = append(list, text); len(list) == mostMarkers {
					return list
				}
			}
		}
	}
	return list
}

// noteStrays notes what keeps columns from being numeric: one mistake for columns whose first text is
// the same.
func (t *csvTable) noteStrays(columns []*csvColumn) {
	type cause struct {
		text string
		kind delimited.Kind
		only bool // the column has no numbers
	}
	strays := map[cause]*strayText{}
	var order []cause
	for _, c := range columns {
		kind := delimited.Text
		if c.cells[kind].count == 0 {
			kind = delimited.NonFinite
		}
		cells := c.cells[kind]
		if cells.count == 0 {
			continue
		}
		key := cause{t.cellText(c, cells.first), kind, c.cells[delimited.Number].count == 0}
		if strays[key] == nil {
			strays[key] = &strayText{column: c, row: cells.first}
			order = append(order, key)
		}
		strays[key].cells += cells.count
		strays[key].columns = append(strays[key].columns, c)
	}
	for _, key := range order {
		t.noteStray(strays[key], key.text, key.kind)
	}
}

func (t *csvTable) noteStray(s *strayText, text string, kind delimited.Kind) {
	c := s.column
	numbers, cure, more := c.cells[delimited.Number], t.opt.cureOfText(c.name, text, s.others(text)), ""
	if n := len(s.columns); n > 1 {
		more = fmt.Sprintf(" in this and %s", words.Count(n-1, "other column"))
	}
	var err error
	switch {
	case kind == delimited.NonFinite:
		err = fmt.Errorf("%q is not a finite number%s: %s", clip(text), likeIt(s.cells, "cell", more), cure)
	case numbers.count > 0:
		err = fmt.Errorf("%q is not a number, but %q in line %d is (text: %s%s, numbers: %d): %s",
			clip(text), t.cellText(c, numbers.first), t.table.Line(numbers.first), words.Count(s.cells, "cell"), more, numbers.count, cure)
	default:
		err = fmt.Errorf("%q is not a number, and the column must hold numbers (text: %s%s, numbers: 0): %s",
			clip(text), words.Count(s.cells, "cell"), more, cure)
	}
	t.bad.add(t.table.Line(s.row), c.field+1, c.name, err)
}

// leaveUnmasked counts the texts of a column again without the numbers in another
// notation, and reports whether others are left.
func (t *csvTable) leaveUnmasked(c *csvColumn) bool {
	c.cells[delimited.Text] = csvCells{}
	for i := range t.table.Rows {
		if code, ok := delimited.TextCode(t.value(c, i)); ok && c.kinds[code] == delimited.Text && !c.masked.levels[code] && !t.notes[t.table.Line(i)] {
			c.cells[delimited.Text].add(i)
		}
	}
	return c.cells[delimited.Text].count+c.cells[delimited.NonFinite].count > 0
}
