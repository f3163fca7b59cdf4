package dataset

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/fspca/fspca/internal/delimited"
)

// csvColumn is a column of a csvTable. Tables may have very many: what only columns
// with texts have stands apart.
type csvColumn struct {
	chosenColumn
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
	var cols []Column
	var class *Factor
	var numeric []int // places in the rows of numbers
	for _, c := range columns {
		col := Column{Name: c.name}
		switch {
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
	className := t.opt.Label
	if class == nil {
		className = ""
	}
	f, err := Assemble(keepColumns(t.table.Values, t.width, numeric), cols, className, class)
	if err != nil {
		return nil, &ParseError{File: t.bad.file, Err: err}
	}
	return f, nil
}

// textCodes returns the codes of a column of text that was read as numbers.
func (t *csvTable) textCodes(c *csvColumn) []int32 {
	codes := make([]int32, t.table.Rows)
	for i := range codes {
		code, ok := delimited.TextCode(t.value(c, i))
		if codes[i] = code; !ok {
			codes[i] = Missing
		}
	}
	return codes
}

// describe returns the columns and counts the cells of those that have texts.
func (t *csvTable) describe() []*csvColumn {
	columns, list := make([]*csvColumn, len(t.columns)), make([]csvColumn, len(t.columns))
	none := new(csvTexts) // of the columns without texts, read only
	texts := 0
	for i, chosen := range t.columns {
		c := &list[i]
		columns[i] = c
		if c.chosenColumn, c.csvTexts = chosen, none; len(t.table.Texts[i]) > 0 {
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

// noteLines notes what is wrong with lines of the text.
func (t *csvTable) noteLines() {
	t.notes = map[int]bool{}
	ragged := t.noteFooter()
	for i, r := range ragged {
		lines := ""
		if r.Lines > 1 {
			lines = fmt.Sprintf(" (%d lines up to %d)", r.Lines, r.Last)
		}
		switch {
		case r.Zero:
			t.bad.add(r.First, 0, "", fmt.Errorf("%w%s: it is damaged, or was not written to its end", errZero, lines))
		case r.Carriage:
			t.bad.add(r.First, 0, "", fmt.Errorf(`a bare carriage return stands inside the line, where a line may have to end: convert the file so that all lines end in "\n"`))
			t.notes[r.First] = true
		default:
			t.bad.add(r.First, 0, "", fmt.Errorf("%w: got %d%s, want %d as in the first line%s", csv.ErrFieldCount, r.Got, lines, t.fields, t.raggedHint(i)))
		}
	}
	if line := t.table.Carriage; line > 0 && !t.notes[line] && len(t.table.Ragged) == 0 {
		t.bad.add(line, 0, "", errors.New(`a bare carriage return stands inside a cell: convert the file so that all lines end in "\n", or put the cell in quotes`))
	}
	if line := t.table.Zero; line > 0 && !slices.ContainsFunc(t.table.Ragged, func(r delimited.Run) bool { return r.Zero }) {
		t.bad.add(line, 0, "", errZero)
	}
	if t.table.Syntax != nil {
		t.syntax(t.table.Syntax)
	}
	if t.table.Err != nil {
		t.noteCut(t.table.Err)
	}
}

// noteFooter notes that the last lines are notes below the table, if they are short
// and start with a word, and returns the other lines with a wrong number of cells.
func (t *csvTable) noteFooter() []delimited.Run {
	ragged := t.table.Ragged
	at := len(ragged)
	lines := 0
	for at > 0 && t.table.Rows > 0 && ragged[at-1].Row == t.table.Rows && ragged[at-1].Got < t.fields && !ragged[at-1].Zero && !ragged[at-1].Carriage {
		at--
		lines += ragged[at].Lines
	}
	if lines == 0 || lines > mostNotes || !unicode.IsLetter(ragged[at].Initial) {
		return ragged
	}
	was := ""
	if lines > 1 {
		was = fmt.Sprintf(" (%d lines up to %d)", lines, ragged[len(ragged)-1].Last)
	}
	t.bad.add(ragged[at].First, 0, "", fmt.Errorf("%w: got %d%s, want %d as in the first line: if it is a note below the table, leave it out (option skip_footer: %d)",
		csv.ErrFieldCount, ragged[at].Got, was, t.fields, lines))
	return ragged[:at]
}

// mostNotes is how many lines a note below a table may have.
const mostNotes = 20

// raggedHint returns what lines with a wrong number of cells may be.
func (t *csvTable) raggedHint(i int) string {
	r := t.table.Ragged[i]
	switch {
	case strings.ContainsRune("#%;!", r.Initial):
		return fmt.Sprintf(": if it is a comment, leave such lines out (option comment: %q)", string(r.Initial))
	case t.table.Rows == 0 && r.Got == t.fields+1:
		return ": if every line ends in a delimiter, remove it, or name the last column"
	}
	return ""
}

// syntax notes a quote at a wrong place, after which nothing more is read.
func (t *csvTable) syntax(err error) {
	var e *delimited.SyntaxError
	switch {
	case errors.As(err, &e) && errors.Is(err, csv.ErrQuote):
		t.bad.add(e.Line, 0, "", fmt.Errorf(`a quoted cell that starts here does not end well: %w`, e.Err))
	case errors.As(err, &e):
		t.bad.add(e.Line, 0, "", fmt.Errorf(`%w: put the whole cell in quotes and double those inside`, e.Err))
	default:
		t.noteCut(err)
	}
}

// noteCut notes an error of the reader.
func (t *csvTable) noteCut(err error) {
	var long *delimited.LongError
	if errors.As(err, &long) {
		t.bad.add(long.Line, 0, "", err)
		return
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = fmt.Errorf("the file is cut short: %w", err)
	}
	t.bad.add(0, 0, "", err)
}

// noteColumns notes what is wrong with the cells of the columns.
func (t *csvTable) noteColumns(columns []*csvColumn) {
	t.noteOddRows(columns)
	t.noteNotations(columns)
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
		t.checkNumeric(c)
	}
}

// checkLevels notes levels that are not UTF-8, and rows without a label.
func (t *csvTable) checkLevels(c *csvColumn, codes []int32) {
	for code, level := range c.levels {
		if !utf8.ValidString(level) {
			if codes == nil {
				codes = t.textCodes(c)
			}
			row := slices.Index(codes, int32(code))
			t.bad.add(t.table.Line(row), c.field+1, c.name, fmt.Errorf("%q is not UTF-8: convert the file", clip(level)))
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
		lines := ""
		if missing.count > 1 {
			lines = fmt.Sprintf(" (%d lines up to %d)", missing.count, t.table.Line(missing.last))
		}
		t.bad.add(t.table.Line(missing.first), c.field+1, c.name, fmt.Errorf("the label is missing%s: remove the line, or give it a label", lines))
	}
}

// checkNumeric notes what keeps a column from being numeric.
func (t *csvTable) checkNumeric(c *csvColumn) {
	cures := func(text string) string {
		return fmt.Sprintf("declare the column categorical, or add %q to the missing markers (options categorical, missing)", clip(text))
	}
	texts, others, numbers := c.cells[delimited.Text], c.cells[delimited.NonFinite], c.cells[delimited.Number]
	switch {
	case texts.count > 0 && numbers.count > 0:
		first := t.cellText(c, texts.first)
		t.bad.add(t.table.Line(texts.first), c.field+1, c.name, fmt.Errorf("%q is not a number, but %q in line %d is (text: %s, numbers: %d): %s",
			clip(first), t.cellText(c, numbers.first), t.table.Line(numbers.first), counted(texts.count, "cell"), numbers.count, cures(first)))
	case texts.count > 0:
		first := t.cellText(c, texts.first)
		t.bad.add(t.table.Line(texts.first), c.field+1, c.name, fmt.Errorf("%q is not a number, and the column must hold numbers (text: %s, numbers: 0): write numbers, or add %q to the missing markers (option missing)",
			clip(first), counted(texts.count, "cell"), clip(first)))
	case others.count > 0:
		first := t.cellText(c, others.first)
		t.bad.add(t.table.Line(others.first), c.field+1, c.name, fmt.Errorf("%q is not a finite number (%s like it): %s",
			clip(first), counted(others.count, "cell"), cures(first)))
	}
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
	return string(formatNumber(nil, v))
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
