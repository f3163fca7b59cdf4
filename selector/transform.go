package selector

import (
	"errors"
	"fmt"
	"slices"

	"github.com/sjwhitworth/golearn/base"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/lists"
)

// column is one output of a model: chosen column number at, or component number at.
type column struct {
	name      string
	component bool
	at        int
}

// outputs returns all columns of an output, in order.
func (m *Model) outputs(output Output) []column {
	var columns []column
	if output != Projection {
		for i, name := range m.features {
			columns = append(columns, column{name: name, at: i})
		}
	}
	if output != Selected {
		for j := range m.variances {
			columns = append(columns, column{componentName(j), true, j})
		}
	}
	return columns
}

// needs returns which chosen columns the outputs are made from, ascending.
func (m *Model) needs(outputs []column) []int {
	if slices.ContainsFunc(outputs, func(c column) bool { return c.component }) {
		return lists.Upto[int](len(m.features))
	}
	return lists.Marked(lists.Marks(len(m.features), lists.Map(outputs, func(c column) int { return c.at })))
}

// Transform returns the columns of the output made from grid, and its class. It needs only the k
// chosen columns of grid, in any order; one *dataset.MissingColumnsError names all that are
// absent. They must be numeric. A missing cell is an error for components (Projection, Both) and
// passes through otherwise. "" is Selected.
func (m *Model) Transform(grid base.FixedDataGrid, output Output) (*dataset.Frame, error) {
	if err := m.fitted(); err != nil {
		return nil, err
	}
	opt := m.options
	opt.Output = output
	if err := opt.check(); err != nil {
		return nil, err
	}
	return m.transform(grid, m.outputs(opt.output()))
}

func (m *Model) transform(grid base.FixedDataGrid, outputs []column) (*dataset.Frame, error) {
	f, err := frameOf(grid)
	if err != nil {
		return nil, err
	}
	if f.Rows() == 0 {
		return nil, errors.New("fspca: the table has no rows")
	}
	needs := m.needs(outputs)
	projected := slices.ContainsFunc(outputs, func(c column) bool { return c.component })
	f, err = pickNumeric(f, lists.At(m.features, needs), projected)
	if err != nil {
		return nil, err
	}
	y, err := m.yield(f.Numeric(), needs, outputs, projected)
	if err != nil {
		return nil, err
	}
	return assembled(y, namesOf(outputs), f.ClassName(), f.Class())
}

// pickNumeric returns the named columns of f, which must be numeric, as those of the fit were, and may have to
// be complete.
func pickNumeric(f *dataset.Frame, names []string, complete bool) (*dataset.Frame, error) {
	f, err := pick(f, names)
	if err != nil {
		return nil, err
	}
	if err = checkNumeric(f); err == nil && complete {
		err = f.CheckComplete("fspca")
	}
	return f, err
}

// checkNumeric returns an error for each column that is not numeric.
func checkNumeric(f *dataset.Frame) error {
	return errors.Join(lists.Map(f.CategoricalNames(), func(name string) error {
		return fmt.Errorf("fspca: column %q is categorical here and was numeric when the model was fitted", name)
	})...)
}

// assembled makes a table of the named columns, with the class of the rows.
func assembled(y *mat.Dense, names []string, className string, class *dataset.Factor) (*dataset.Frame, error) {
	columns := lists.Map(names, func(name string) dataset.Column { return dataset.Column{Name: name} })
	out, err := dataset.Assemble(y, columns, className, class)
	return out, ours(err)
}

// yield returns the outputs for the rows of x, whose columns are the chosen ones in needs: all k of
// them if projected.
func (m *Model) yield(x *mat.Dense, needs []int, outputs []column, projected bool) (*mat.Dense, error) {
	var z *mat.Dense
	if projected {
		var err error
		if z, err = m.Project(x); err != nil {
			return nil, err
		}
		if slices.Equal(outputs, m.outputs(Projection)) {
			return z, nil
		}
	}
	place := make(map[int]int, len(needs)) // chosen column → column of x
	for j, i := range needs {
		place[i] = j
	}
	n, _ := x.Dims()
	y := mat.NewDense(n, len(outputs), nil)
	for j, c := range outputs {
		source, at := x, place[c.at]
		if c.component {
			source, at = z, c.at
		}
		for i := range n {
			y.Set(i, j, source.At(i, at))
		}
	}
	return y, nil
}
