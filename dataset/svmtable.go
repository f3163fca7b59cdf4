package dataset

import (
	"errors"
	"fmt"
	"slices"
	"unsafe"

	"github.com/fspca/fspca/internal/memory"
)

// roomFor makes room in s for the elements of a line, or returns an error if there is no memory for a
// longer slice. Shorter ones than 2²² elements grow by themselves.
func roomFor[T any](s *[]T) error {
	const line, free = 1 << 12, 1 << 22
	if cap(*s) < free || len(*s)+line <= cap(*s) {
		return nil
	}
	more := len(*s) / 2
	var element T
	if err := memory.Check("the table", int64(len(*s)+more)*int64(unsafe.Sizeof(element))); err != nil {
		return err
	}
	*s = slices.Grow(*s, more)
	return nil
}

// table makes the table.
func (t *svmTable) table() (*Sparse, error) {
	s := &Sparse{rows: len(t.offsets) - 1, offsets: t.offsets, indices: t.indices, values: t.values, open: true}
	switch {
	case t.bad.err() != nil:
	case s.rows == 0:
		t.bad.add(0, 0, "", errors.New("the file has no rows"))
	case t.most < 0 && t.filter.only == nil:
		t.bad.add(0, 0, "", errors.New("the file has no entry index:value"))
	}
	t.noteTwice()
	if err := t.bad.err(); err != nil {
		return nil, err
	}
	first := int32(1)
	if t.opt.Base == ZeroBased || t.opt.Base == AutoBase && t.least == 0 {
		first = 0
	}
	if err := t.setColumns(s, first); err != nil {
		return nil, err
	}
	if err := s.keep(t.filter, first); err != nil {
		return nil, &ParseError{File: t.bad.file, Err: err}
	}
	if t.opt.Label != "" {
		s.className, s.class, s.unlabelled = SVMLightLabel, t.labels.factor(), t.opt.LabelOptional
	}
	if t.opt.ID != "" {
		ids, err := countedNames("id", t.opt.ID, s.rows, "rows", t.opt)
		if err != nil {
			return nil, &ParseError{File: t.bad.file, Err: err}
		}
		s.idName, s.ids = "id", ids
	}
	return s, nil
}

// setColumns says how many columns there are, of which the first has the index first, and what they are called.
func (t *svmTable) setColumns(s *Sparse, first int32) error {
	r := readingOf(indexReader, t.opt)
	r.setBase(first == 0)
	s.total = max(0, int(t.most-first)+1)
	if t.names == nil {
		r.Columns = s.total
	}
	s.src = provenance{reading: &r}
	if err := t.checkTotal(s.total); err != nil {
		return &ParseError{File: t.bad.file, Err: err}
	}
	if t.as != nil && t.as.Label > 0 {
		s.src.notes = []Warning{labelLeftOut(len(t.names), *t.as)}
	}
	if t.names != nil {
		s.names, s.total, s.open = t.names, len(t.names), false
	}
	return nil
}

// checkTotal returns an error if the largest index is that of a column which cannot be.
func (t *svmTable) checkTotal(total int) error {
	switch {
	case t.as != nil && t.as.Label > 0 && total > len(t.names):
		return fmt.Errorf("an entry is in column %d, but the data that the model was fitted on had %d without the label, which is separate here: columns are matched by position", total, len(t.names))
	case t.as != nil && t.as.Label == 0 && total > t.as.Columns:
		return fmt.Errorf("an entry is in column %d, and the model was fitted on %d columns: columns are matched by position", total, t.as.Columns)
	case t.names != nil && t.as == nil && total > len(t.names):
		return fmt.Errorf("an entry is in column %d, and %s has %d names", total, t.opt.Names, len(t.names))
	}
	return nil
}
