package delimited

import (
	"fmt"
)

// A Column is a column that is read.
type Column struct {
	Field int  // its place in a record, from 0
	Text  bool // cells are text even if they look like numbers
	Names bool // cells may be of any number of texts, as what names the rows
}

// A Plan says what to read.
type Plan struct {
	Fields  int      // of every record
	Columns []Column // in the order of their fields
	// Missing reports whether a text stands for a missing cell; an empty one always
	// does. It is called from several goroutines.
	Missing func(text string) bool
	// Suspects are the numbers for whose text Missing is to be asked.
	Suspects []float64
	// MostTexts is how many different texts a column may have before the reading ends with a
	// *TextsError; 0 for any number.
	MostTexts int
}

// A TextsError is a column of too many different texts.
type TextsError struct {
	Column int // in Plan.Columns
	Line   int // about where they are too many
	Most   int
}

// Error says how many there may be.
func (e *TextsError) Error() string {
	return fmt.Sprintf("the column has more than %d different texts up to here", e.Most)
}

// role is what becomes of a field.
type role struct {
	place int32 // in the row of numbers or of texts; −1: left out
	text  bool
}

// layout is a plan ready for use.
type layout struct {
	*format
	Plan
	roles    []role // of the fields
	numbers  int    // columns of numbers
	texts    int    // columns of text
	byNumber []int  // numbers and texts → place in Plan.Columns
	byText   []int
}

func (p Plan) layout(f *format) *layout {
	l := &layout{format: f, Plan: p, roles: make([]role, p.Fields)}
	for i := range l.roles {
		l.roles[i].place = -1
	}
	l.byNumber = make([]int, 0, len(p.Columns))
	for i, c := range p.Columns {
		if c.Text {
			l.roles[c.Field] = role{int32(l.texts), true}
			l.byText = append(l.byText, i)
			l.texts++
		} else {
			l.roles[c.Field] = role{int32(l.numbers), false}
			l.byNumber = append(l.byNumber, i)
			l.numbers++
		}
	}
	if l.Missing == nil {
		l.Missing = func(string) bool { return false }
	}
	return l
}

// A dictionary holds the texts of a column in the order of their first
// occurrence.
type dictionary struct {
	codes map[string]int32
	texts []string
}

func (d *dictionary) add(text string) int32 {
	if d.codes == nil {
		d.codes = make(map[string]int32)
	}
	code := int32(len(d.texts))
	d.codes[text] = code
	d.texts = append(d.texts, text)
	return code
}
