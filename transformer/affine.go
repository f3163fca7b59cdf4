package transformer

import (
	"fmt"
	"io"
	"slices"

	"github.com/sjwhitworth/golearn/base"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/lists"
)

// affine is what Center, Standardize, MinMax and Robust share: after Fit, each numeric column maps
// x ↦ (x − shift)/scale and the categorical ones pass through.
type affine struct {
	fitted[*affineState]
}

type affineState struct {
	step     string
	columns  []column
	maps     []affineMap // beside columns; the identity for categorical ones
	constant []string    // the columns that did not vary in Fit; Narrow keeps all of them
}

func (s *affineState) takes() []column { return s.columns }
func (s *affineState) gives() []string { return names(s.columns) }

// affineMap maps x ↦ (x − shift)/scale. Where the column did not vary, what differs from shift by
// rounding alone maps to 0: otherwise the rounding of large cells would be the largest variance of
// the table that comes out.
type affineMap struct {
	shift, scale float64
	constant     bool
}

func (m affineMap) of(v float64) float64 {
	if m.constant && WithinRounding(min(v, m.shift), max(v, m.shift), 0) {
		return 0
	}
	return (v - m.shift) / m.scale
}

// fit learns a state; rule returns shift and scale of a column that varies, from
// its moments and its place among the numeric columns. For a column that does not
// vary it returns the shift.
func (a *affine) fit(step string, grid base.FixedDataGrid, rule func(f *dataset.Frame, j int, m moments) (shift, scale float64)) error {
	f, ms, err := openMeasured(step, grid, true)
	if err != nil {
		return err
	}
	s := &affineState{step: step, columns: schema(f)}
	s.learn(f, ms, rule)
	a.state = s
	return nil
}

// learn makes the map of each column.
func (s *affineState) learn(f *dataset.Frame, ms []moments, rule func(f *dataset.Frame, j int, m moments) (shift, scale float64)) {
	for i, j := range numberPlaces(s.columns) {
		m := affineMap{scale: 1}
		if c := s.columns[i]; c.Kind == numeric {
			m.shift, m.scale = rule(f, j, ms[j])
			if m.constant = ms[j].constant(); m.constant {
				m.scale = 1
				s.constant = append(s.constant, c.Name)
			}
		}
		s.maps = append(s.maps, m)
	}
}

func (s *affineState) transform(grid base.FixedDataGrid) (base.FixedDataGrid, error) {
	f, err := take(s.step, grid, s.columns)
	if err == nil {
		err = f.CheckComplete(s.step)
	}
	if err != nil {
		return nil, err
	}
	if f.Numeric() == nil {
		return f, nil
	}
	maps := lists.At(s.maps, lists.Places(len(s.columns), func(i int) bool { return s.columns[i].Kind == numeric }))
	var y mat.Dense
	y.Apply(func(_, j int, v float64) float64 { return maps[j].of(v) }, f.Numeric())
	return assemble(s.step, f, &y, f.Columns())
}

func (s *affineState) narrow(at []int) (*affineState, error) {
	return &affineState{s.step, lists.At(s.columns, at), lists.At(s.maps, at), s.constant}, nil
}

// Constant returns the names of the columns that did not vary in Fit (see
// WithinRounding), in file order. It includes columns that Narrow has left out, and
// is nil before Fit.
func (a *affine) Constant() []string {
	if a.state == nil {
		return nil
	}
	return slices.Clone(a.state.constant)
}

// affineVersion is the version of the files that are written; version 1 had no field "constant".
const affineVersion = 2

// affineFile is a saved Center, Standardize, MinMax or Robust.
type affineFile struct {
	header
	Columns  []affineColumn `json:"columns"`
	Constant []string       `json:"constant,omitempty"`
}

// affineColumn maps x ↦ (x − Shift)/Scale; categorical columns have neither.
type affineColumn struct {
	column
	Shift *float64 `json:"shift,omitempty"`
	Scale *float64 `json:"scale,omitempty"`
}

func (s *affineState) file() (any, error) {
	file := affineFile{header: header{affineVersion, s.step}, Constant: s.constant}
	for i, c := range s.columns {
		ac := affineColumn{column: c}
		if c.Kind == numeric {
			ac.Shift, ac.Scale = &s.maps[i].shift, &s.maps[i].scale
		}
		file.Columns = append(file.Columns, ac)
	}
	return file, nil
}

func (a *affine) load(r io.Reader, step string) error {
	var file affineFile
	if err := decodeUpTo(affineVersion, r, step, &file); err != nil {
		return err
	}
	problems := []error{checkColumns(file.Columns)}
	s := &affineState{step: step, constant: file.Constant}
	constant := lists.Set(file.Constant)
	for i, c := range file.Columns {
		m := affineMap{scale: 1, constant: constant[c.Name]}
		switch {
		case c.Kind == categorical && (m.constant || c.Shift != nil || c.Scale != nil):
			problems = append(problems, fmt.Errorf(`columns[%d] (%q): a categorical column has no "shift" and no "scale", and is not in "constant"`, i, c.Name))
		case c.Kind == numeric && (c.Shift == nil || c.Scale == nil || !(*c.Scale > 0)):
			problems = append(problems, fmt.Errorf(`columns[%d] (%q): want a number "shift" and a number "scale" above 0`, i, c.Name))
		case c.Kind == numeric:
			m.shift, m.scale = *c.Shift, *c.Scale
		}
		s.columns, s.maps = append(s.columns, c.column), append(s.maps, m)
	}
	if err := damaged(step, problems...); err != nil {
		return err
	}
	a.state = s
	return nil
}

// filter returns golearn's Filter of the mapping.
func (a *affine) filter(step string) base.Filter {
	if a.state == nil {
		return &cellFilter{step: step}
	}
	s := a.state
	maps := make(map[string]func(float64) float64, len(s.columns))
	for i, c := range s.columns {
		if c.Kind == numeric {
			maps[c.Name] = s.maps[i].of
		}
	}
	return newCellFilter(step, names(s.columns), maps)
}

// assemble builds the output of a step from the frame that take gave it: the columns cols over the
// numbers x, with f's class.
func assemble(step string, f *dataset.Frame, x *mat.Dense, cols []dataset.Column) (base.FixedDataGrid, error) {
	out, err := dataset.Assemble(x, cols, f.ClassName(), f.Class())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", step, err)
	}
	return out, nil
}
