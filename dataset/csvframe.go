package dataset

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fspca/fspca/internal/delimited"
	"github.com/fspca/fspca/internal/words"
)

// csvColumn is a column of a csvTable. Tables may have very many: what only columns
// with texts have stands apart.
type csvColumn struct {
	*chosenColumn
	place int // in the rows of numbers or of codes
	*csvTexts
}

// csvTexts are the texts in a column.
type csvTexts struct {
	levels []string
	kinds  []delimited.Kind // of the levels
	cells  [4]csvCells      // by kind
	counts []int            // cells of each level
	masked masked
}

// damagedCell is a text with a zero byte, of which enough is said.
const damagedCell delimited.Kind = 3

// csvCells are the cells of one kind in a column.
type csvCells struct{ count, first, last int }

func (c *csvCells) add(row int) {
	if c.count == 0 {
		c.first = row
	}
	c.count++
	c.last = row
}

// isText reports whether the column holds text and no numbers.
func (c *csvColumn) isText() bool {
	return c.declared || c.cells[delimited.Text].count > 0 && c.cells[delimited.Number].count == 0
}

// judge decides on the types of the columns. The error says all that is wrong
// with the file.
func (t *csvTable) judge() ([]*csvColumn, error) {
	columns := t.describe()
	if err := t.stopped(); err != nil {
		return nil, err
	}
	t.noteLines()
	if t.table.Rows == 0 && len(t.bad.list) == 0 {
		return nil, &ParseError{File: t.bad.file, Err: fmt.Errorf("the file has a header but %w", ErrNoRows)}
	}
	t.noteColumns(columns)
	if err := t.bad.err(); err != nil {
		return nil, err
	}
	return columns, t.stopped()
}

// frame makes the frame.
func (t *csvTable) frame() (*Frame, error) {
	columns, err := t.judge()
	if err != nil {
		return nil, err
	}
	cols := make([]Column, 0, len(columns))
	var class *Factor
	numeric := make([]int, 0, len(columns)) // places in the rows of numbers
	for _, c := range columns {
		col := Column{Name: c.name}
		switch {
		case c.declared && t.opt.ID != "" && c.name == t.opt.ID: // its levels are no categories, whose order counts
			codes := t.table.Codes[c.place]
			col.Factor = &Factor{Levels: mergedLevels(c.levels, codes), Codes: codes}
		case c.declared:
			col.Factor = mergedFactor(c.levels, t.table.Codes[c.place])
		case c.isText():
			col.Factor = mergedFactor(c.levels, t.textCodes(c))
		default:
			numeric = append(numeric, c.place)
		}
		if c.label {
			class = col.Factor
			continue
		}
		cols = append(cols, col)
	}
	f, err := assemble(keepColumns(t.table.Values, t.width, numeric), cols, nameOf(class, t.opt.Label), class, true) // what is not finite is text
	if err != nil {
		return nil, &ParseError{File: t.bad.file, Err: err}
	}
	return f, nil
}

// textCodes returns the codes of a column of text that was read as numbers.
func (t *csvTable) textCodes(c *csvColumn) []int32 {
	codes := slices.Repeat([]int32{Missing}, t.table.Rows)
	for i, code := range t.texts(c) {
		codes[i] = code
	}
	return codes
}

// describe returns the columns and counts the cells of those that have texts.
func (t *csvTable) describe() []*csvColumn {
	columns, list := make([]*csvColumn, len(t.columns)), make([]csvColumn, len(t.columns))
	none := new(csvTexts) // of the columns without texts, read only
	texts := 0
	for i := range t.columns {
		c := &list[i]
		columns[i] = c
		if c.chosenColumn, c.csvTexts = &t.columns[i], none; len(t.table.Texts[i]) > 0 {
			c.csvTexts = &csvTexts{levels: t.table.Texts[i]}
		}
		if c.declared {
			c.place = texts
			texts++
			continue
		}
		c.place = t.width
		t.width++
		for _, s := range c.levels {
			kind := delimited.Text
			if strings.Contains(s, "\x00") {
				kind = damagedCell
			} else if _, k := t.form.Numbers.Parse(s); k == delimited.NonFinite {
				kind = k
			}
			c.kinds = append(c.kinds, kind)
		}
	}
	t.count(columns, nil)
	return columns
}

// count counts the cells of the columns of numbers that have texts, but for some
// rows.
func (t *csvTable) count(columns []*csvColumn, skip map[int]bool) {
	var open []*csvColumn
	for _, c := range columns {
		if len(c.kinds) > 0 {
			c.cells, c.counts = [4]csvCells{}, make([]int, len(c.levels))
			open = append(open, c)
		}
	}
	if len(open) == 0 {
		return
	}
	for i := range t.table.Rows {
		if skip[i] {
			continue
		}
		row := t.table.Values[i*t.width : (i+1)*t.width]
		for _, c := range open {
			v := row[c.place]
			if v == v {
				c.cells[delimited.Number].add(i)
			} else if code, ok := delimited.TextCode(v); ok {
				c.cells[c.kinds[code]].add(i)
				c.counts[code]++
			}
		}
	}
}

// cellText returns the text of a cell, "" if it is missing; a number in its
// shortest form.
func (t *csvTable) cellText(c *csvColumn, row int) string {
	if c.declared {
		if code := t.table.Codes[c.place][row]; code != Missing {
			return c.levels[code]
		}
		return ""
	}
	v := t.value(c, row)
	if code, ok := delimited.TextCode(v); ok {
		return c.levels[code]
	}
	if v != v {
		return ""
	}
	return string(delimited.AppendNumber(nil, v))
}

// likeIt says in brackets how many there are of what an error shows one of; "" where there is no other. More
// stands behind it in the brackets.
func likeIt(n int, what, more string) string {
	switch {
	case n > 1:
		return fmt.Sprintf(" (%s like it%s)", words.Count(n, what), more)
	case more != "":
		return fmt.Sprintf(" (%s)", strings.TrimSpace(more))
	}
	return ""
}
