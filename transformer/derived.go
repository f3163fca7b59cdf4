package transformer

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sjwhitworth/golearn/base"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/lists"
)

// derived is what the steps share whose every output comes from one input, cell by cell: a column
// that passes through, or numbers computed from it. O are the options that are saved with the step,
// L is what it learns of a column.
type derived[O, L any] struct {
	fitted[*derivedState[O, L]]
}

// recipe says how a step computes its outputs.
type recipe[O, L any] struct {
	step     string
	complete bool // a missing number is an error
	// number returns the function that gives a part of a numeric cell; NaN is missing. What it makes
	// of a number must be finite, else the cell is refused with the text outside.
	number  func(learned *L, part string) func(float64) float64
	outside string
	// level returns the function that gives a part of a categorical cell; "" is missing. An error
	// speaks of the text alone.
	level func(o O, learned *L, part string) func(text string) (float64, error)
	// check says what is wrong with an output of a saved step.
	check func(o O, c derivedColumn[L], part string) error
}

type derivedState[O, L any] struct {
	recipe  *recipe[O, L]
	options O
	columns []derivedColumn[L]
	outputs []derivedOutput
}

func (s *derivedState[O, L]) gives() []string {
	return lists.Map(s.outputs, func(o derivedOutput) string { return o.Name })
}

// derivedColumn is an input; Learned is nil where it passes through.
type derivedColumn[L any] struct {
	column
	Learned *L `json:"learned,omitempty"`
}

// derivedOutput is an output: a part of the input Column, or, where Part is "" and nothing was
// learned of the input, that column itself.
type derivedOutput struct {
	output
	Part string `json:"part,omitempty"`
}

func outputOf(name, column, part string) derivedOutput {
	return derivedOutput{output{name, column}, part}
}

func passes[L any](c derivedColumn[L], o derivedOutput) bool { return o.Part == "" && c.Learned == nil }

// inPlace gives each column one output of its own name.
func inPlace[L any](cols []derivedColumn[L]) []derivedOutput {
	return lists.Map(cols, func(c derivedColumn[L]) derivedOutput { return outputOf(c.Name, c.Name, "") })
}

// learnEach gives each column of a kind what learn makes of it, by its place in the table and among the numeric ones.
func learnEach[L any](f *dataset.Frame, of kind, learn func(i, number int) *L) ([]derivedColumn[L], []derivedOutput, error) {
	cols := lists.Map(schema(f), func(c column) derivedColumn[L] { return derivedColumn[L]{column: c} })
	for i, number := range numberPlaces(cols) {
		if cols[i].Kind == of {
			cols[i].Learned = learn(i, number)
		}
	}
	return cols, inPlace(cols), nil
}

// fit learns a state by what learn makes of the table.
func (d *derived[O, L]) fit(r *recipe[O, L], o O, grid base.FixedDataGrid, learn func(f *dataset.Frame) ([]derivedColumn[L], []derivedOutput, error)) error {
	f, err := open(r.step, grid)
	if err == nil && r.complete {
		err = f.CheckComplete(r.step)
	}
	if err != nil {
		return err
	}
	s := &derivedState[O, L]{recipe: r, options: o}
	if s.columns, s.outputs, err = learn(f); err != nil {
		return err
	}
	if err := checkNames(r.step, s.outputs, f.ClassName()); err != nil {
		return err
	}
	if r.outside != "" { // learning has not looked at every cell
		if _, err := s.transform(f); err != nil {
			return err
		}
	}
	d.state = s
	return nil
}

func (s *derivedState[O, L]) transform(grid base.FixedDataGrid) (base.FixedDataGrid, error) {
	r := s.recipe
	f, err := take(r.step, grid, s.takes())
	if err == nil && r.complete {
		err = f.CheckComplete(r.step)
	}
	if err != nil {
		return nil, err
	}
	cols, values, err := s.make(f)
	if err != nil {
		return nil, err
	}
	var y *mat.Dense
	if values != nil {
		y = mat.NewDense(f.Rows(), len(values), nil)
		for j, v := range values {
			y.SetCol(j, v)
		}
	}
	return assemble(r.step, f, y, cols)
}

// make returns the output columns, and the numbers of those that are numeric.
func (s *derivedState[O, L]) make(f *dataset.Frame) (cols []dataset.Column, values [][]float64, err error) {
	at, numbers := s.places(), numberPlaces(s.columns)
	cols = make([]dataset.Column, len(s.outputs))
	var problems []error
	have := f.Columns()
	for j, o := range s.outputs {
		i := at[o.Column]
		cols[j].Name = o.Name
		if c := s.columns[i]; passes(c, o) && c.Kind == categorical {
			cols[j].Factor = have[i].Factor
			continue
		}
		v, err := s.output(f, have[i].Factor, i, numbers[i], o)
		if err != nil && !slices.ContainsFunc(problems, func(p error) bool { return p.Error() == err.Error() }) {
			problems = append(problems, err) // once, however many outputs come from the cell
		}
		values = append(values, v)
	}
	return cols, values, errors.Join(problems...)
}

// output returns the numbers of an output that comes from input i of f: its levels, or column number
// of the matrix if it is numeric.
func (s *derivedState[O, L]) output(f *dataset.Frame, levels *dataset.Factor, i, number int, o derivedOutput) ([]float64, error) {
	v, c := make([]float64, f.Rows()), s.columns[i]
	if c.Kind == categorical {
		return v, s.levels(v, f, levels, c, o.Part)
	}
	mat.Col(v, number, f.Numeric())
	if passes(c, o) {
		return v, nil
	}
	return v, s.numbers(v, f, c, o.Part)
}

// numbers replaces the cells v of a numeric column by a part of each.
func (s *derivedState[O, L]) numbers(v []float64, f *dataset.Frame, c derivedColumn[L], part string) error {
	of := s.recipe.number(c.Learned, part)
	for i, x := range v {
		v[i] = of(x)
		if bad := v[i] - v[i]; bad != 0 && !math.IsNaN(x) { // NaN − NaN and ∞ − ∞ are NaN
			return fmt.Errorf("%s: column %q, %s: the cell %v %s", s.recipe.step, c.Name, f.RowPlace(i), x, s.recipe.outside)
		}
	}
	return nil
}

// levels stores in v a part of each cell of a categorical column. All levels that are refused and
// occur are in one error.
func (s *derivedState[O, L]) levels(v []float64, table *dataset.Frame, f *dataset.Factor, c derivedColumn[L], part string) error {
	of, refused, missing := s.ofTexts(f.Levels, c, part)
	var problems []string
	for i, code := range f.Codes {
		if code < 0 {
			v[i] = missing
			continue
		}
		v[i] = of[code]
		if err := refused[code]; err != nil {
			problems = append(problems, fmt.Sprintf("%s: %v", table.RowPlace(i), err))
			refused[code] = nil // told once
		}
	}
	if problems != nil {
		return fmt.Errorf("%s: column %q: %s", s.recipe.step, c.Name, listed(problems))
	}
	return nil
}

// ofTexts returns what becomes of each text of a categorical column and of a missing cell.
func (s *derivedState[O, L]) ofTexts(texts []string, c derivedColumn[L], part string) (of []float64, refused []error, missing float64) {
	of, refused = make([]float64, len(texts)), make([]error, len(texts))
	level := s.recipe.level(s.options, c.Learned, part)
	for i, text := range texts {
		of[i], refused[i] = level(text)
	}
	missing, _ = level("")
	return of, refused, missing
}

// listed joins the first few problems and counts the others.
func listed(problems []string) string {
	const most = 5
	if more := len(problems) - most; more > 0 {
		problems = append(slices.Clone(problems[:most]), fmt.Sprintf("and %d more", more))
	}
	return strings.Join(problems, "; ")
}

// places returns the place of each input.
func (s *derivedState[O, L]) places() map[string]int { return lists.Index(names(s.takes())) }

func (s *derivedState[O, L]) takes() []column {
	return lists.Map(s.columns, func(c derivedColumn[L]) column { return c.column })
}
