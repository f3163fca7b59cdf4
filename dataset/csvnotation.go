package dataset

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/fspca/fspca/internal/delimited"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/words"
)

// masked are the texts of a column that are numbers in another notation.
type masked struct {
	by       []disguise
	levels   []bool // which texts
	cells    int    // how many cells have them
	first    int    // the first of these rows
	others   int    // cells of other text
	other    string // the first of that
	anywhere bool
}

// noteNotations notes columns of numbers in another notation, one mistake for each
// notation. The texts that it explains count no more as text of their columns.
func (t *csvTable) noteNotations(columns []*csvColumn) {
	var found []*csvColumn
	for _, c := range columns {
		if len(c.kinds) == 0 {
			continue
		}
		if c.masked = c.unmask(t.form.Numbers); !c.masked.anywhere {
			continue
		}
		found = append(found, c)
		for i, code := range t.texts(c) {
			if c.masked.levels[code] {
				c.masked.first = i
				break
			}
		}
	}
	for _, alike := range lists.Groups(found, func(c *csvColumn) string { return fmt.Sprint(c.masked.by) }) {
		t.noteNotation(alike, columns)
	}
}

// noteNotation notes columns whose cells are written alike with the first of their cells.
func (t *csvTable) noteNotation(alike, all []*csvColumn) {
	first := slices.MinFunc(alike, func(a, b *csvColumn) int { return cmp.Compare(a.masked.first, b.masked.first) })
	m, cells := first.masked, lists.Sum(lists.Map(alike, func(c *csvColumn) int { return c.masked.cells }))
	text := t.cellText(first, m.first)
	rest := ""
	if m.others > 0 && first.cells[delimited.Number].count == 0 {
		rest = fmt.Sprintf(`; %q is none (%s): if it stands for a missing cell, say so (option missing)`, clip(m.other), words.Count(m.others, "cell"))
	}
	t.bad.add(t.table.Line(m.first), first.field+1, first.name, fmt.Errorf("%q is a number with %s%s: %s%s%s",
		clip(text), listed(m.by), likeIt(cells, "cell", inOthers(alike)), t.opt.cureOf(m.by, t.fraction(all)), t.opt.otherwise(first.name), rest))
}

// inOthers says in how many columns beside the one that an error shows.
func inOthers(columns []*csvColumn) string {
	if len(columns) < 2 {
		return ""
	}
	return fmt.Sprintf(" in this and %s", words.Count(len(columns)-1, "other column"))
}

// mostLooked is in how many columns the first rows are looked at.
const mostLooked = 200

// earlyNotation finds the first column all of whose first cells are numbers, several of them in another
// notation: what is said of a table with more texts than can be read.
func (t *csvTable) earlyNotation() *ParseError {
	for _, c := range t.columns[:min(len(t.columns), mostLooked)] {
		if by, line, text := t.earlyDisguises(c); len(by) > 1 && !c.declared {
			by = settled(by)
			return &ParseError{File: t.bad.file, Line: line, Field: c.field + 1, Column: c.name,
				Err: fmt.Errorf("%q is a number with %s: %s%s", clip(text), listed(by), t.opt.cureOf(by, ""), t.opt.otherwise(c.name))}
		}
	}
	return nil
}

// earlyDisguises returns the notations of the first cells of a column, with the first that has one and its
// line; nil if one is no number.
func (t *csvTable) earlyDisguises(c chosenColumn) (by []disguise, line int, text string) {
	for at, s := range t.headCells(c) {
		if _, kind := t.form.Numbers.Parse(s); kind == delimited.Number {
			continue
		}
		d, ok := unmask(s, t.form.Numbers)
		if !ok {
			return nil, 0, ""
		}
		if by == nil {
			line, text = at, s
		}
		by = append(by, d.by...)
	}
	return by, line, text
}

// fraction returns a number that was read with a decimal sign, as the file may write it, and its line; ""
// if there is none.
func (t *csvTable) fraction(columns []*csvColumn) string {
	for i := range t.table.Rows {
		for _, c := range columns {
			v := t.value(c, i)
			if t.form.Numbers.Percent {
				v *= 100
			}
			if v != math.Trunc(v) && v == v && math.Abs(v) < 1e15 {
				text := strings.Replace(string(delimited.AppendNumber(nil, t.value(c, i))), ".", t.form.Numbers.Decimal, 1)
				return fmt.Sprintf("%s in line %d, column %q", text, t.table.Line(i), c.name)
			}
		}
	}
	return ""
}

// mostlyMasked is the share of a column's cells from which on texts in another
// notation make it one of numbers, beside other text.
const mostlyMasked = 0.8

// missingWords are what cells without a number hold where nothing says so.
var missingWords = []string{"na", "n/a", "nan", "null", "none", "nil", "missing", "unknown", "undefined", "-", "--", "—", "–", ".", "..", "?", "x", "#n/a", "n.a.", "k.a.", "not available"}

func isMissingWord(text string) bool { return slices.Contains(missingWords, strings.ToLower(text)) }

// enoughTexts is after how many texts a column in which few are numbers is given up.
const enoughTexts = 1000

// unmask looks for numbers in another notation among the texts of a column.
func (c *csvColumn) unmask(numbers delimited.Notation) masked {
	m := masked{levels: make([]bool, len(c.levels)), first: -1}
	found := make([]disguised, len(c.levels))
	hits := 0
	for code, s := range c.levels {
		if c.kinds[code] != delimited.Text || c.counts[code] == 0 {
			continue
		}
		if found[code], m.levels[code] = unmask(s, numbers); m.levels[code] {
			hits++
		}
		if code == enoughTexts && hits < enoughTexts/4 {
			return masked{} // a long column of names need not be looked at whole
		}
	}
	c.commonUnit(found, m.levels)
	words := 0 // other texts that do not say that a cell is missing
	for code, is := range m.levels {
		if n := c.counts[code]; is {
			m.cells += n
			m.by = append(m.by, found[code].by...)
		} else if n > 0 {
			if m.others == 0 {
				m.other = c.levels[code]
			}
			m.others += n
			if !isMissingWord(c.levels[code]) {
				words += n
			}
		}
	}
	mixed := c.cells[delimited.Number].count > 0
	if m.cells == 0 || !mixed && words > 0 && float64(m.cells) < mostlyMasked*float64(m.cells+words) {
		return masked{}
	}
	m.anywhere = true
	m.by = settled(m.by)
	return m
}

// commonUnit takes out numbers with letters directly behind them unless these are
// the same in all texts, of which there are several: "3rd" and "4b" are names.
func (c *csvColumn) commonUnit(found []disguised, is []bool) {
	unit, texts := "", 0
	same := true
	for code := range c.levels {
		if c.kinds[code] != delimited.Text || c.counts[code] == 0 || isMissingWord(c.levels[code]) {
			continue
		}
		texts++
		if u := found[code].unit; is[code] && u != "" {
			same = same && (unit == "" || unit == u)
			unit = u
		} else {
			same = same && is[code]
		}
	}
	if unit == "" || same && texts > 1 {
		return
	}
	for code := range c.levels {
		if found[code].unit != "" {
			is[code] = false
		}
	}
}

// settled returns the notations of a column, each once. A comma that may be either
// is what another cell says.
func settled(by []disguise) []disguise {
	slices.Sort(by)
	by = slices.Compact(by)
	if slices.Contains(by, decimalComma) || slices.Contains(by, commaGroups) {
		by = slices.DeleteFunc(by, func(d disguise) bool { return d == commaEither })
	}
	return by
}

// listed says what numbers have.
func listed(by []disguise) string {
	parts := lists.Map(by, func(d disguise) string { return disguises[d].what })
	return strings.Join(parts, " and ")
}
