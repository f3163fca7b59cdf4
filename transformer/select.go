package transformer

import (
	"io"
	"slices"

	"github.com/sjwhitworth/golearn/base"
)

const (
	selectStep = "select"
	dropStep   = "drop"
)

// Select keeps the named columns, in the order of the table, and drops the others.
type Select struct {
	// Columns names them; see OnColumns.
	Columns []string

	keep
}

// Drop drops the named columns and keeps the others.
type Drop struct {
	// Columns names them; see OnColumns.
	Columns []string

	keep
}

var (
	_ Transformer = (*Select)(nil)
	_ Transformer = (*Drop)(nil)
)

// named fits Select or Drop.
func (k *keep) named(step string, grid base.FixedDataGrid, wanted []string, drops bool) error {
	f, err := open(step, grid)
	if err != nil {
		return err
	}
	at, err := choose(step, f, wanted)
	if err != nil {
		return err
	}
	drop := slices.Repeat([]bool{!drops}, len(f.Columns()))
	for _, i := range at {
		drop[i] = drops
	}
	return k.fit(step, keepOptions{Select: slices.Clone(wanted)}, f, drop, "is to be dropped")
}

// Fit finds the columns. A name or a pattern that matches none is an error.
func (s *Select) Fit(grid base.FixedDataGrid) error {
	return s.named(selectStep, grid, s.Columns, false)
}

// Fit finds the columns. Errors: a name or a pattern that matches none, and a table without any
// column left.
func (d *Drop) Fit(grid base.FixedDataGrid) error { return d.named(dropStep, grid, d.Columns, true) }

// Transform returns the columns that are kept, cells unchanged, and the class.
func (s *Select) Transform(grid base.FixedDataGrid) (base.FixedDataGrid, error) {
	return s.transform(selectStep, grid)
}

// Narrow returns a copy for the named columns alone; its Dropped is the receiver's.
func (s *Select) Narrow(outputs []string) (Transformer, error) {
	return narrowed(&Select{slices.Clone(s.Columns), s.keep}, selectStep, outputs)
}

// Transform returns the columns that are kept, cells unchanged, and the class.
func (d *Drop) Transform(grid base.FixedDataGrid) (base.FixedDataGrid, error) {
	return d.transform(dropStep, grid)
}

// Narrow returns a copy for the named columns alone; its Dropped is the receiver's.
func (d *Drop) Narrow(outputs []string) (Transformer, error) {
	return narrowed(&Drop{slices.Clone(d.Columns), d.keep}, dropStep, outputs)
}

// Save writes the fitted step as JSON of type "select".
func (s *Select) Save(w io.Writer) error { return s.save(w, selectStep) }

// Save writes the fitted step as JSON of type "drop".
func (d *Drop) Save(w io.Writer) error { return d.save(w, dropStep) }

// Load reads what Save wrote, with the names. After an error the step is unchanged.
func (s *Select) Load(r io.Reader) error {
	return s.load(r, selectStep, "select", nil, func(o keepOptions) { s.Columns = slices.Clone(o.Select) })
}

// Load reads what Save wrote, with the names. After an error the step is unchanged.
func (d *Drop) Load(r io.Reader) error {
	return d.load(r, dropStep, "select", nil, func(o keepOptions) { d.Columns = slices.Clone(o.Select) })
}
