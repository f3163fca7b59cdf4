package dataset

import (
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/fspca/fspca/internal/delimited"
	"github.com/fspca/fspca/internal/lists"
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

// others returns the texts of columns that are no number, each once, but one.
func others(columns []*csvColumn, but string) []string {
	var list []string
	for _, c := range columns {
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

// stray returns the cells that keep a column from being numeric.
func (c *csvColumn) stray() (delimited.Kind, csvCells) {
	kind := delimited.Text
	if c.cells[kind].count == 0 {
		kind = delimited.NonFinite
	}
	return kind, c.cells[kind]
}

// noteStrays notes what keeps columns from being numeric: one mistake for columns whose first text is
// the same.
func (t *csvTable) noteStrays(columns []*csvColumn) {
	type cause struct {
		text string
		kind delimited.Kind
		only bool // the column has no numbers
	}
	columns = lists.Where(columns, func(c *csvColumn) bool { _, cells := c.stray(); return cells.count > 0 })
	for _, alike := range lists.Groups(columns, func(c *csvColumn) cause {
		kind, cells := c.stray()
		return cause{t.cellText(c, cells.first), kind, c.cells[delimited.Number].count == 0}
	}) {
		t.noteStray(alike)
	}
}

func (t *csvTable) noteStray(alike []*csvColumn) {
	c := alike[0]
	kind, first := c.stray()
	text, more := t.cellText(c, first.first), inOthers(alike)
	numbers, cure := c.cells[delimited.Number], t.opt.cureOfText(c.name, text, others(alike, text))
	count := 0
	for _, other := range alike {
		_, cells := other.stray()
		count += cells.count
	}
	var err error
	switch {
	case kind == delimited.NonFinite:
		err = fmt.Errorf("%q is not a finite number%s: %s", clip(text), likeIt(count, "cell", more), cure)
	case numbers.count > 0:
		err = fmt.Errorf("%q is not a number, but %q in line %d is (text: %s%s, numbers: %d): %s",
			clip(text), t.cellText(c, numbers.first), t.table.Line(numbers.first), words.Count(count, "cell"), more, numbers.count, cure)
	default:
		err = fmt.Errorf("%q is not a number, and the column must hold numbers (text: %s%s, numbers: 0): %s",
			clip(text), words.Count(count, "cell"), more, cure)
	}
	t.bad.add(t.table.Line(first.first), c.field+1, c.name, err)
}

// leaveUnmasked counts the texts of a column again without the numbers in another
// notation, and reports whether others are left.
func (t *csvTable) leaveUnmasked(c *csvColumn) bool {
	c.cells[delimited.Text] = csvCells{}
	for i, code := range t.texts(c) {
		if c.kinds[code] == delimited.Text && !c.masked.levels[code] && !t.notes[t.table.Line(i)] {
			c.cells[delimited.Text].add(i)
		}
	}
	return c.cells[delimited.Text].count+c.cells[delimited.NonFinite].count > 0
}
