package transformer

import (
	"io"

	"github.com/sjwhitworth/golearn/base"

	"github.com/fspca/fspca/internal/spelling"
)

// fitted holds the state of a step, and has the methods that follow from it.
type fitted[S learned[S]] struct {
	state S // nil before Fit; replaced as a whole, never changed
}

// learned is what a fit leaves behind: a pointer.
type learned[S any] interface {
	comparable
	transform(grid base.FixedDataGrid) (base.FixedDataGrid, error) // of a table
	takes() []column                                               // the columns that Transform needs
	gives() []string                                               // the names of those that it yields
	narrow(at []int) (S, error)                                    // the same for the outputs at these places
	texts(i int) []string                                          // the texts of categorical input i that are known
	mapRows(texts [][]string) (m RowMap, made [][]string)          // RowMapOf for as many lists as inputs
	file() (any, error)                                            // what is saved
}

func (f *fitted[S]) isFitted() bool {
	var none S
	return f.state != none
}

// Inputs returns the names of the columns that Transform needs, in the order of the table that the
// step was fitted on; nil before Fit.
func (f *fitted[S]) Inputs() []string {
	if !f.isFitted() {
		return nil
	}
	return names(f.state.takes())
}

// CategoricalInputs returns the categorical columns of Inputs; nil before Fit.
func (f *fitted[S]) CategoricalInputs() []string {
	if !f.isFitted() {
		return nil
	}
	return categoricalNames(f.state.takes())
}

// Outputs returns the names of the columns that Transform yields, in order; nil before Fit.
func (f *fitted[S]) Outputs() []string {
	if !f.isFitted() {
		return nil
	}
	return f.state.gives()
}

// narrow leaves the named outputs alone.
func (f *fitted[S]) narrow(step string, outputs []string) error {
	if !f.isFitted() {
		return notFitted(step)
	}
	at, err := spelling.Outputs(step, outputs, f.state.gives())
	if err != nil {
		return err
	}
	f.state, err = f.state.narrow(at)
	return err
}

// narrowed returns a copy of a step for the named outputs alone.
func narrowed[T any, P interface {
	*T
	Transformer
	narrow(step string, outputs []string) error
}](of P, step string, outputs []string) (Transformer, error) {
	n := *of
	if err := P(&n).narrow(step, outputs); err != nil {
		return nil, err
	}
	return P(&n), nil
}

// transform maps a table.
func (f *fitted[S]) transform(step string, grid base.FixedDataGrid) (base.FixedDataGrid, error) {
	if !f.isFitted() {
		return nil, notFitted(step)
	}
	return f.state.transform(grid)
}

// save writes the state.
func (f *fitted[S]) save(w io.Writer, step string) error {
	if !f.isFitted() {
		return notFitted(step)
	}
	file, err := f.state.file()
	if err != nil {
		return err
	}
	return encode(w, step, file)
}

// RowMap returns the mapping of single rows, if the step has one; see RowMapper.
func (f *fitted[S]) RowMap() RowMap {
	if !f.isFitted() || len(f.CategoricalInputs()) > 0 {
		return RowMap{}
	}
	m, _ := f.state.mapRows(make([][]string, len(f.state.takes())))
	return m
}

// RowTexts returns the levels of the inputs for single rows; see TextRowMapper.
func (f *fitted[S]) RowTexts() [][]string {
	if !f.isFitted() {
		return nil
	}
	cols := f.state.takes()
	all := make([][]string, len(cols))
	for i, c := range cols {
		if c.Kind == categorical {
			all[i] = append([]string{}, f.state.texts(i)...)
		}
	}
	return all
}

// RowMapOf returns the mapping of single rows, if the step has one; see TextRowMapper.
func (f *fitted[S]) RowMapOf(texts [][]string) (RowMap, [][]string) {
	if !f.isFitted() || len(texts) != len(f.state.takes()) {
		return RowMap{}, nil
	}
	return f.state.mapRows(texts)
}
