package dataset

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/fspca/fspca/internal/lists"
)

// mistakes collects what is wrong with a file, up to maxReported mistakes.
type mistakes struct {
	file string
	list []*ParseError
	more int
}

func (m *mistakes) add(line, field int, column string, err error) {
	if len(m.list) == maxReported {
		m.more++
		return
	}
	m.list = append(m.list, &ParseError{File: m.file, Line: line, Field: field, Column: column, Err: err})
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
	if len(m.list) == 0 {
		return nil
	}
	if len(m.list) == 1 && m.more == 0 {
		return m.list[0]
	}
	slices.SortStableFunc(m.list, func(a, b *ParseError) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Field, b.Field))
	})
	errs := lists.Map(m.list, func(e *ParseError) error { return e })
	if m.more > 0 {
		errs = append(errs, fmt.Errorf("and %d more", m.more))
	}
	return errors.Join(errs...)
}
