package dataset

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/fspca/fspca/internal/lists"
)

// Missing is the code of a missing cell in a [Factor].
const Missing int32 = -1

// A Factor holds the values of a categorical column: row [i] has the text
// Levels[Codes[i]], or is missing if Codes[i] is [Missing]. Levels are distinct
// and not empty; a level need not occur.
//
// Numbers makes a class column the target of a regression: level l stands for
// the number Numbers[l]. It is nil for classes; [NewTarget] and [Factor.AsTarget]
// set it.
type Factor struct {
	Levels  []string
	Codes   []int32
	Numbers []float64

	origin *origin // golearn's attribute for these levels; nil until a frame holds the factor
}

// Text returns the text of row i; "" if it is missing or there is no such row.
func (c *Factor) Text(i int) string {
	if l := c.level(i); l >= 0 {
		return c.Levels[l]
	}
	return ""
}

// level returns the place of the level of row i, −1 when it has none.
func (c *Factor) level(i int) int {
	if i < 0 || i >= len(c.Codes) || c.Codes[i] < 0 || int(c.Codes[i]) >= len(c.Levels) {
		return -1
	}
	return int(c.Codes[i])
}

// check reports what Assemble does not allow of the factor of a column.
func (c *Factor) check(name string, rows int) []error {
	var errs []error
	if len(c.Codes) != rows {
		errs = append(errs, fmt.Errorf("column %q has %d rows, want %d as the others have", name, len(c.Codes), rows))
	}
	if c.Numbers != nil && len(c.Numbers) != len(c.Levels) {
		errs = append(errs, fmt.Errorf("column %q has %d numbers for %d levels", name, len(c.Numbers), len(c.Levels)))
	}
	twice := twiceIn(c.Levels)
	for i, level := range c.Levels {
		switch {
		case level == "":
			errs = append(errs, fmt.Errorf("column %q has an empty level: a missing cell is code %d", name, Missing))
		case !utf8.ValidString(level):
			errs = append(errs, fmt.Errorf("column %q: level %q is not UTF-8", name, level))
		case twice(i):
			errs = append(errs, fmt.Errorf("column %q has the level %q twice", name, level))
		}
	}
	for i, code := range c.Codes {
		if code < Missing || int(code) >= len(c.Levels) {
			errs = append(errs, fmt.Errorf("column %q, row %d: code %d is outside −1…%d", name, i+1, code, len(c.Levels)-1))
			break
		}
	}
	return errs
}

// twiceIn returns a function that reports whether a text stands before, too. Texts in order, of which
// there may be as many as rows, are compared with their neighbours alone.
func twiceIn(texts []string) func(i int) bool {
	if slices.IsSorted(texts) {
		return func(i int) bool { return i > 0 && texts[i] == texts[i-1] }
	}
	first := make(map[string]int, len(texts))
	for i, text := range texts {
		if _, ok := first[text]; !ok {
			first[text] = i
		}
	}
	return func(i int) bool { return first[texts[i]] < i }
}

// subset returns the rows of c, with all its levels; nil of nil.
func (c *Factor) subset(rows []int) *Factor {
	if c == nil {
		return nil
	}
	codes := lists.At(c.Codes, rows)
	return &Factor{Levels: c.Levels, Codes: codes, Numbers: c.Numbers, origin: c.origin}
}

// A factorBuilder collects the texts of a column row by row.
type factorBuilder struct {
	codes map[string]int32
	rows  []int32
}

func newFactorBuilder() *factorBuilder { return &factorBuilder{codes: make(map[string]int32)} }

func (b *factorBuilder) addMissing() { b.rows = append(b.rows, Missing) }

// add appends a row with the text s and reports whether s is a new level.
func (b *factorBuilder) add(s string) (fresh bool) {
	code, ok := b.codes[s]
	if !ok {
		code = int32(len(b.codes))
		b.codes[strings.Clone(s)] = code // s may be part of a whole record
	}
	b.rows = append(b.rows, code)
	return !ok
}

// factor returns the column, its levels in the order of levelOrder, so that
// the order of the rows does not matter.
func (b *factorBuilder) factor() *Factor {
	levels := make([]string, len(b.codes))
	for s, code := range b.codes {
		levels[code] = s
	}
	return orderedFactor(levels, b.rows)
}

// orderedFactor returns the factor of distinct levels by their codes, which are taken over, with the
// levels in the order of levelOrder.
func orderedFactor(levels []string, codes []int32) *Factor {
	order := lists.Upto[int32](len(levels))
	compare := levelOrder(levels)
	slices.SortFunc(order, func(i, j int32) int { return compare(levels[i], levels[j]) })
	sorted, rank := make([]string, len(levels)), make([]int32, len(levels))
	for to, from := range order {
		sorted[to], rank[from] = levels[from], int32(to)
	}
	recode(codes, rank)
	return &Factor{Levels: sorted, Codes: codes}
}

// recode puts in the place of each code that of another list of levels, unless the cell is missing.
func recode(codes, to []int32) {
	for i, code := range codes {
		if code != Missing {
			codes[i] = to[code]
		}
	}
}

// levelOrder returns the order of levels: by value when all are numbers ("2"
// before "10", and "01" before "1"), else by text.
func levelOrder(levels []string) func(a, b string) int {
	values := make(map[string]float64, len(levels))
	for _, s := range levels {
		v, kind := parseCell(s)
		if kind != numberCell {
			return strings.Compare
		}
		values[s] = v
	}
	return func(a, b string) int {
		return cmp.Or(cmp.Compare(values[a], values[b]), strings.Compare(a, b))
	}
}
