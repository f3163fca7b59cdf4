package dataset

import (
	"errors"
	"fmt"
)

// ErrNoRows is returned (wrapped) for a file without rows: an empty one, or one
// with column names only.
var ErrNoRows = errors.New("no rows")

// emptyFile is ErrNoRows of a file without a byte.
type emptyFile struct{}

// Error says what is wrong, for people.
func (emptyFile) Error() string { return "the file is empty" }

// Is reports whether target is ErrNoRows.
func (emptyFile) Is(target error) bool { return target == ErrNoRows }

// Header returns the names of the feature columns that Read would give, numeric or
// not, from the first lines or the footer of a file. Close the file then, and open
// it again to read it. The error wraps ErrNoBlocks if the whole file must be read
// for that: sparse rows, workbooks, archives and transposed tables.
func (f *File) Header(opt ReadOptions) ([]string, error) {
	as, err := f.ready(opt)
	if err != nil {
		return nil, err
	}
	unknown := &ParseError{File: f.name, Err: fmt.Errorf("%s: %w", f.format.name, ErrNoBlocks)}
	if opt.Transpose {
		return nil, unknown
	}
	var chosen []chosenColumn
	switch f.format.kind {
	case arrayReader:
		return f.arrayHeader(opt, unknown)
	case textReader:
		chosen, err = f.textColumns(as.cleaned())
	case columnReader:
		var t *columnTable
		if t, err = f.openColumns(as); err == nil {
			chosen = t.chosen
		}
	default:
		return nil, unknown
	}
	if err != nil {
		return nil, err
	}
	return as.cleaned().features(chosen), nil
}

// arrayHeader is Header for an array of numbers.
func (f *File) arrayHeader(opt ReadOptions, unknown error) ([]string, error) {
	if f.seekable() == nil || len(f.layers) > 0 { // which would be copied
		return nil, unknown
	}
	b, err := f.Blocks(opt)
	if err != nil {
		return nil, err
	}
	return b.Names(), b.Close()
}

// textColumns reads the header of a text.
func (f *File) textColumns(opt ReadOptions) ([]chosenColumn, error) {
	t, err := openCSV(f.rawText(), f.name, opt)
	if err == nil {
		err = t.readHeader()
	}
	if err != nil {
		return nil, err
	}
	return t.columns, nil
}

// features are the names of columns that are neither label nor id.
func (o ReadOptions) features(chosen []chosenColumn) []string {
	names := make([]string, 0, len(chosen))
	for _, c := range chosen {
		if (o.Label == "" || c.name != o.Label) && (o.ID == "" || c.name != o.ID) {
			names = append(names, c.name)
		}
	}
	return names
}
