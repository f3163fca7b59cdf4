package dataset

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

// csvColumn is a column of a csvTable and what its cells were so far.
type csvColumn struct {
	chosenColumn

	numbers, texts, nonFinites             int // cells of each kind
	firstNumber, firstText, firstNotFinite csvCell

	// builder collects the texts while the column may turn out categorical: it
	// is declared so, or no number was seen yet.
	builder *factorBuilder
}

type csvCell struct {
	line int
	text string
}

// readRows reads the records and notes what is wrong with them.
func (t *csvTable) readRows() {
	record, err := t.first, error(nil)
	if record == nil {
		record, err = t.r.Read()
	}
	for ; err == nil; record, err = t.r.Read() {
		switch {
		case len(record) == t.fields:
			t.addRow(record)
		case len(record) == 1 && strings.TrimSpace(record[0]) == "": // a line of space
		default:
			t.addRagged(t.lineOf(0), len(record))
		}
		if t.rows == 128 {
			t.reserve()
		}
	}
	for _, r := range t.ragged {
		lines := ""
		if r.lines > 1 {
			lines = fmt.Sprintf(" (%d lines up to %d)", r.lines, r.last)
		}
		t.bad.add(r.first, 0, "", fmt.Errorf("%w: got %d%s, want %d as in the first line", csv.ErrFieldCount, r.got, lines, t.fields))
	}
	if err != io.EOF {
		t.syntax(err)
	}
}

// raggedLines are lines with the same wrong number of cells, and only right ones
// between them.
type raggedLines struct{ first, last, lines, got int }

func (t *csvTable) addRagged(line, got int) {
	if last := len(t.ragged) - 1; last >= 0 && t.ragged[last].got == got {
		t.ragged[last].lines++
		t.ragged[last].last = line
		return
	}
	t.ragged = append(t.ragged, raggedLines{first: line, last: line, lines: 1, got: got})
}

// reserve allocates the cells of the whole file by the length of the rows so
// far, lest the memory be copied as it grows.
func (t *csvTable) reserve() {
	if at := t.r.InputOffset(); t.size > at && at > 0 {
		rows := float64(t.rows) * float64(t.size-at) / float64(at)
		t.data = slices.Grow(t.data, int(rows*1.02+64)*t.width)
	}
}

// syntax notes an error of the reader, after which nothing more is read.
func (t *csvTable) syntax(err error) {
	var e *csv.ParseError
	switch {
	case errors.As(err, &e) && errors.Is(e.Err, csv.ErrQuote):
		t.bad.add(e.StartLine, 0, "", fmt.Errorf(`a quoted cell that starts here does not end well: %w`, e.Err))
	case errors.As(err, &e) && errors.Is(e.Err, csv.ErrBareQuote):
		t.bad.add(e.Line, 0, "", fmt.Errorf(`%w: put the whole cell in quotes and double those inside`, e.Err))
	case errors.Is(err, io.ErrUnexpectedEOF):
		t.bad.add(0, 0, "", fmt.Errorf("the file is cut short: %w", err))
	default:
		t.bad.add(0, 0, "", err)
	}
}

// addRow takes the cells of a record over.
func (t *csvTable) addRow(record []string) {
	for _, c := range t.columns {
		s := record[c.field]
		switch {
		case t.isMissing(s):
			t.addMissing(c)
		case c.declared:
			t.addLevel(c, s)
		default:
			t.addCell(c, s)
		}
	}
	t.rows++
}

func (t *csvTable) isMissing(s string) bool {
	s = trimCell(s)
	return s == "" || len(t.markers) > 0 && slices.Contains(t.markers, s)
}

func (t *csvTable) addMissing(c *csvColumn) {
	if c.builder != nil {
		c.builder.addMissing()
	}
	if !c.declared {
		t.data = append(t.data, math.NaN())
	} else if c.label {
		t.bad.add(t.lineOf(c.field), c.field+1, c.name, errors.New("the label is missing: remove the line, or give it a label"))
	}
}

// addLevel adds a text to the builder of the column.
func (t *csvTable) addLevel(c *csvColumn, s string) {
	if c.builder.add(s) && !utf8.ValidString(s) {
		t.bad.add(t.lineOf(c.field), c.field+1, c.name, fmt.Errorf("%q is not UTF-8: convert the file", clip(s)))
	}
}

// addCell adds a cell to a column whose type is still open.
func (t *csvTable) addCell(c *csvColumn, s string) {
	v, kind := parseCell(s)
	if kind == numberCell {
		if c.numbers == 0 {
			c.firstNumber = csvCell{t.lineOf(c.field), s}
			c.builder = nil // not categorical any more
		}
		c.numbers++
		t.data = append(t.data, v)
		return
	}
	first, count := &c.firstText, &c.texts
	if kind == nonFiniteCell {
		first, count = &c.firstNotFinite, &c.nonFinites
	}
	if *count == 0 {
		*first = csvCell{t.lineOf(c.field), strings.Clone(s)}
	}
	*count++
	t.data = append(t.data, math.NaN())
	if c.numbers > 0 {
		return
	}
	if c.builder == nil {
		c.builder = newFactorBuilder(t.rows)
	}
	t.addLevel(c, s)
}

// frame decides on the types of the columns and makes the frame.
func (t *csvTable) frame() (*Frame, error) {
	if t.rows == 0 && len(t.bad.list) == 0 {
		return nil, &ParseError{File: t.bad.file, Err: errors.New("the file has a header but no rows")}
	}
	var cols []Column
	var class *Factor
	var numeric []int // places in data
	place := 0
	for _, c := range t.columns {
		col := Column{Name: c.name}
		switch {
		case c.declared, c.texts > 0 && c.numbers == 0:
			col.Factor = c.builder.factor()
		default:
			t.checkNumeric(c)
			numeric = append(numeric, place)
		}
		if !c.declared {
			place++
		}
		if c.label {
			class = col.Factor
			continue
		}
		cols = append(cols, col)
	}
	if err := t.bad.err(); err != nil {
		return nil, err
	}
	f, err := Assemble(keepColumns(t.data, t.width, numeric), cols, t.opt.Label, class)
	if err != nil {
		return nil, &ParseError{File: t.bad.file, Err: err}
	}
	return f, nil
}

// checkNumeric notes what keeps a column from being numeric.
func (t *csvTable) checkNumeric(c *csvColumn) {
	cures := func(text string) string {
		s := fmt.Sprintf("declare the column categorical, or add %q to the missing markers (options categorical, missing)", clip(text))
		if t.opt.Delimiter != ',' && isDecimalComma(text) {
			s = "a decimal comma is not read: write a point; or " + s
		}
		return s
	}
	switch {
	case c.texts > 0 && c.numbers > 0:
		first := c.firstText
		t.bad.add(first.line, c.field+1, c.name, fmt.Errorf("%q is not a number, but %q in line %d is (text: %s, numbers: %d): %s",
			clip(first.text), clip(c.firstNumber.text), c.firstNumber.line, counted(c.texts, "cell"), c.numbers, cures(first.text)))
	case c.nonFinites > 0:
		first := c.firstNotFinite
		t.bad.add(first.line, c.field+1, c.name, fmt.Errorf("%q is not a finite number (%s like it): %s",
			clip(first.text), counted(c.nonFinites, "cell"), cures(first.text)))
	}
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// isDecimalComma reports whether s would be a number with a point for its comma.
func isDecimalComma(s string) bool {
	_, kind := parseCell(strings.Replace(s, ",", ".", 1))
	return kind == numberCell && strings.Contains(s, ",")
}
