package dataset

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"

	"github.com/fspca/fspca/internal/delimited"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/words"
)

// noteOddRows notes rows that do not seem to belong to the table: repeated headers,
// units below the header, notes below the table. Their texts count no more.
func (t *csvTable) noteOddRows(columns []*csvColumn) {
	if !slices.ContainsFunc(columns, func(c *csvColumn) bool {
		return c.cells[delimited.Text].count > 0 && c.cells[delimited.Number].count > 0
	}) {
		return
	}
	odd := t.repeatedHeaders(columns)
	if len(odd) == 0 {
		odd = append(t.unitRows(columns), t.summaryRows(columns)...)
		odd = append(odd, t.noteRows(columns)...)
		odd = append(odd, t.commentRows(columns)...)
	}
	if len(odd) == 0 {
		return
	}
	skip := make(map[int]bool, len(odd))
	for _, row := range odd {
		skip[row] = true
		t.notes[t.table.Line(row)] = true
	}
	t.count(columns, skip)
}

// repeatedHeaders returns the rows in which most columns have their own name.
func (t *csvTable) repeatedHeaders(columns []*csvColumn) []int {
	if t.line == 0 {
		return nil
	}
	var rows []int
	at := slices.IndexFunc(columns, func(c *csvColumn) bool { return len(c.kinds) > 0 && c.codeOfName() >= 0 })
	if at < 0 {
		return nil
	}
	code := columns[at].codeOfName()
	for i, got := range t.texts(columns[at]) {
		if got != code {
			continue
		}
		same := lists.Count(columns, func(c *csvColumn) bool { return strings.EqualFold(cleanText(t.cellText(c, i)), c.name) })
		if 2*same > len(columns) {
			rows = append(rows, i)
		}
	}
	if len(rows) > 0 {
		lines := linesUpTo(len(rows), t.table.Line(rows[len(rows)-1]))
		t.bad.add(t.table.Line(rows[0]), 0, "", fmt.Errorf("the line repeats the header%s, as where files are put together: leave it out (option skip_lines: [headers])", lines))
	}
	return rows
}

// codeOfName returns the code of the column's own name among its texts, or −1.
func (c *csvColumn) codeOfName() int32 {
	return int32(slices.IndexFunc(c.levels, func(s string) bool { return strings.EqualFold(cleanText(s), c.name) }))
}

// mostUnitRows is how many rows below the header may explain it.
const mostUnitRows = 3

// unitRows returns the first rows if they hold text in several columns of numbers,
// and no number.
func (t *csvTable) unitRows(columns []*csvColumn) []int {
	var rows []int
	var texts []string
	for i := range min(mostUnitRows, t.table.Rows-1) {
		var inRow []string
		others := 0 // columns of text that have a cell here
		for _, c := range columns {
			v := t.value(c, i)
			if c.isText() && t.cellText(c, i) != "" {
				others++
			}
			code, isText := delimited.TextCode(v)
			if v == v || isText && !t.couldBeUnit(c, code) {
				inRow = nil
				break
			}
			if isText && c.cells[delimited.Number].count > 0 {
				inRow = append(inRow, c.levels[code])
			}
		}
		if len(inRow) < 2 && (len(inRow) == 0 || isMissingWord(inRow[0]) || len(columns) == 1 || others > 0) {
			break
		}
		rows = append(rows, i)
		if texts == nil {
			texts = inRow
		}
	}
	if len(rows) > 0 {
		t.noteUnits(len(rows), texts)
	}
	return rows
}

// noteUnits notes the first lines, which hold texts.
func (t *csvTable) noteUnits(rows int, texts []string) {
	what, line := "the line holds", t.table.Line(0)
	if rows > 1 {
		what = fmt.Sprintf("%d lines hold", rows)
	}
	err := fmt.Errorf("%s text (%s) where those below hold numbers: if it is units, leave it out (option skip_lines: [units]); if it is the header, leave out what is before it (option skip_rows: %d)", what, quotedNames(texts), line-1)
	if t.line == 0 {
		err = fmt.Errorf("%s text (%s) where those below hold numbers: if it is the header, say so (option header: true)", what, quotedNames(texts))
	} else if name := t.columns[0].name; name != "" && strings.ContainsAny(name[:1], "#%;!") {
		err = fmt.Errorf("the header seems to be line %d (%s), after lines that start with %q: leave these out (option comment: %q)", line, quotedNames(texts), name[:1], name[:1])
	}
	t.bad.add(line, 0, "", err)
}

// couldBeUnit reports whether a text is in no other row and is not a number in
// another notation.
func (t *csvTable) couldBeUnit(c *csvColumn, code int32) bool {
	if c.cells[delimited.Number].count == 0 {
		return true
	}
	_, number := unmask(c.levels[code], t.form.Numbers)
	return c.counts[code] == 1 && !number
}

// summaries are what rows of totals are called.
var summaries = []string{"total", "totals", "grand total", "sum", "summe", "gesamt", "mean", "average", "avg", "median", "count", "all", "subtotal", "sd", "std", "stdev", "st.dev", "std dev", "se", "sem", "variance", "min", "max", "minimum", "maximum", "mittelwert", "total general", "n"}

// totals are those of them that no other row is called.
var totals = []string{"total", "totals", "grand total", "subtotal", "sum", "summe", "gesamt", "average", "mean", "mittelwert"}

// isCalled reports whether a text is one of the names of rows of totals.
func isCalled(text string, names []string) bool {
	return slices.Contains(names, strings.ToLower(strings.Trim(text, " :.")))
}

// summaryRows returns the last rows if a column of numbers holds only there texts, as
// "Total".
func (t *csvTable) summaryRows(columns []*csvColumn) []int {
	for _, c := range columns {
		if c.cells[delimited.Number].count == 0 {
			continue
		}
		var rows []int
		text := ""
		for i := t.table.Rows - 1; i > 0; i-- {
			code, isText := delimited.TextCode(t.value(c, i))
			if !isText || c.counts[code] > 1 || !isCalled(c.levels[code], summaries) {
				break
			}
			rows, text = append(rows, i), c.levels[code]
		}
		if n := len(rows); n > 0 {
			slices.Reverse(rows)
			on := "on the last line, which seems to sum up the others: leave it out"
			if n > 1 {
				on = fmt.Sprintf("on the first of the last %d lines, which seem to sum up the others: leave them out", n)
			}
			t.bad.add(t.table.Line(rows[0]), c.field+1, c.name, fmt.Errorf("%q stands %s (option skip_footer: %d)", text, on, n))
			return rows
		}
	}
	return nil
}

// noteRows returns the last rows if each has one cell that is not missing, a text
// in a column of numbers.
func (t *csvTable) noteRows(columns []*csvColumn) []int {
	var rows []int
	for i := t.table.Rows - 1; i > 0 && len(columns) > 1; i-- {
		cells, text := 0, false
		for _, c := range columns {
			if s := t.cellText(c, i); s != "" {
				cells++
				_, isText := delimited.TextCode(t.value(c, i))
				text = isText && c.cells[delimited.Number].count > 0
			}
		}
		if cells != 1 || !text {
			break
		}
		rows = append(rows, i)
	}
	if len(rows) == 0 {
		return nil
	}
	slices.Reverse(rows)
	t.bad.add(t.table.Line(rows[0]), 0, "", fmt.Errorf("the last %s one text and no numbers: if it is a note below the table, leave it out (option skip_footer: %d)", words.Count(len(rows), "line")+words.Of(len(rows), " holds", " hold"), len(rows)))
	return rows
}

// commentRows returns the rows that start like a comment in a column of numbers.
func (t *csvTable) commentRows(columns []*csvColumn) []int {
	at := slices.IndexFunc(columns, func(c *csvColumn) bool {
		return c.field == 0 && !c.declared && c.cells[delimited.Number].count > 0 && c.cells[delimited.Text].count > 0
	})
	if at < 0 {
		return nil
	}
	c := columns[at]
	for _, sign := range []string{"#", "//", "%"} {
		rows, text := t.rowsThatStart(c, sign)
		if text {
			lines := linesUpTo(len(rows), t.table.Line(rows[len(rows)-1]))
			t.bad.add(t.table.Line(rows[0]), 0, "", fmt.Errorf("the line starts with %q, as comments do%s: leave such lines out (option comment: %q)", sign, lines, sign))
			return rows
		}
	}
	return nil
}

// rowsThatStart returns the rows in which a cell of a column starts so and is no number nor word for a missing
// cell. It also returns whether text follows in one.
func (t *csvTable) rowsThatStart(c *csvColumn, sign string) (rows []int, text bool) {
	for i, code := range t.texts(c) {
		if !strings.HasPrefix(c.levels[code], sign) || isMissingWord(c.levels[code]) {
			continue
		}
		if _, number := unmask(c.levels[code], t.form.Numbers); !number {
			rows, text = append(rows, i), text || c.levels[code] != sign
		}
	}
	return rows, text
}

// texts gives the rows in which a column that is read as numbers holds a text, with the codes of these.
func (t *csvTable) texts(c *csvColumn) iter.Seq2[int, int32] {
	return func(yield func(row int, code int32) bool) {
		for i := range t.table.Rows {
			if code, ok := delimited.TextCode(t.value(c, i)); ok && !yield(i, code) {
				return
			}
		}
	}
}

// value returns the cell of a column that is read as numbers; a missing one for
// others.
func (t *csvTable) value(c *csvColumn, row int) float64 {
	if c.declared {
		return math.NaN()
	}
	return t.table.Values[row*t.width+c.place]
}
