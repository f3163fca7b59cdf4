package dataset

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/fspca/fspca/internal/lists"
)

// mistakes collects what is wrong with a file, up to maxReported mistakes.
type mistakes struct {
	file string
	list []*ParseError
	more int
	// That the bytes are damaged: what else is found then comes of that.
	damaged error
}

func (m *mistakes) add(line, field int, column string, err error) {
	var damage *damagedError
	if errors.As(err, &damage) {
		m.damaged = &ParseError{File: m.file, Err: err}
		return
	}
	if len(m.list) == maxReported {
		m.more++
		if !errors.Is(err, io.ErrUnexpectedEOF) { // which explains others
			return
		}
		m.list = m.list[:maxReported-1]
	}
	m.list = append(m.list, &ParseError{File: m.file, Line: line, Field: field, Column: column, Err: err})
}

// addMissing notes the rows without a label, for a reader that knows no lines.
func (m *mistakes) addMissing(name string, class *Factor) {
	var missing csvCells
	for row, code := range class.Codes {
		if code == Missing {
			missing.add(row)
		}
	}
	if missing.count == 0 {
		return
	}
	more := ""
	if missing.count > 1 {
		more = fmt.Sprintf(" (%d rows up to %d)", missing.count, missing.last+1)
	}
	m.add(0, 0, name, fmt.Errorf("row %d of %d: the label is missing%s: remove the row, or give it a label", missing.first+1, len(class.Codes), more))
}

// nameOf is what the class is called; "" where there is none.
func nameOf(class *Factor, label string) string {
	if class == nil {
		return ""
	}
	return label
}

// linesUpTo says that there are more lines than the one that is named; "" if it is the only one.
func linesUpTo(lines, last int) string {
	if lines < 2 {
		return ""
	}
	return fmt.Sprintf(" (%d lines up to %d)", lines, last)
}

// err returns nil, the only mistake, or all joined in the order of the file.
func (m *mistakes) err() error {
	if m.damaged != nil {
		return m.damaged
	}
	slices.SortStableFunc(m.list, func(a, b *ParseError) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Field, b.Field))
	})
	return joinMore(lists.Map(m.list, func(e *ParseError) error { return e }), m.more)
}
