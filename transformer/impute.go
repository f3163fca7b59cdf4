package transformer

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/sjwhitworth/golearn/base"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/param"
)

const imputeStep = "impute"

// The strategies of Impute.
const (
	Mean         = "mean"          // the mean of the column's cells, the default
	Median       = "median"        // their median; of an even number, the mean of the middle two
	MostFrequent = "most_frequent" // the cell that occurs most often; ties go to the least number or the first level
	Fixed        = "constant"      // Impute.Value, Impute.Level
)

// Impute fills missing cells with what it learned from the columns it was fitted on.
//
// Every strategy fills numeric columns. MostFrequent, and Fixed with a Level, also fill categorical
// columns; otherwise these pass through unchanged, and a second step with MostFrequent can fill
// them. Transform also fills columns that had no missing cells in Fit. A column without any cell in
// Fit is an error, except with Fixed.
type Impute struct {
	Strategy string  // Mean, Median, MostFrequent or Fixed; "" is Mean
	Value    float64 // what Fixed fills numeric columns with; must be finite
	Level    string  // what Fixed fills categorical columns with; "" leaves them as they are

	fitted[*imputeState]
}

var _ Transformer = (*Impute)(nil)

type imputeState struct {
	strategy string
	value    float64
	level    string
	columns  []column
	fills    []fill // beside columns
}

func (s *imputeState) takes() []column { return s.columns }
func (s *imputeState) gives() []string { return names(s.columns) }

// Check returns all that is wrong with the options.
func (m *Impute) Check() error {
	problems := []error{param.OneOf("Strategy", "strategy", cmp.Or(m.Strategy, Mean), Mean, Median, MostFrequent, Fixed)}
	if math.IsNaN(m.Value) || math.IsInf(m.Value, 0) {
		problems = append(problems, param.Plain("Value", m.Value, "the value %v is not finite", m.Value))
	}
	if !utf8.ValidString(m.Level) {
		problems = append(problems, param.Plain("Level", m.Level, "the level %q is not UTF-8", m.Level))
	}
	if m.Strategy != Fixed && m.Value != 0 {
		problems = append(problems, param.Plain("Value", m.Value, "only strategy: %s uses value", Fixed).Beside("Strategy"))
	}
	if m.Strategy != Fixed && m.Level != "" {
		problems = append(problems, param.Plain("Level", m.Level, "only strategy: %s uses level", Fixed).Beside("Strategy"))
	}
	return errors.Join(problems...)
}

// Fit learns what to fill each column with.
func (m *Impute) Fit(grid base.FixedDataGrid) error {
	if err := m.Check(); err != nil {
		return param.In(imputeStep, err)
	}
	f, ms, err := openMeasured(imputeStep, grid, false)
	if err != nil {
		return err
	}
	s := &imputeState{strategy: cmp.Or(m.Strategy, Mean), value: m.Value, level: m.Level, columns: schema(f)}
	if err := s.learn(f, ms); err != nil {
		return err
	}
	m.state = s
	return nil
}

// learn finds what each column is filled with.
func (s *imputeState) learn(f *dataset.Frame, ms []moments) error {
	var empty []string
	s.fills = make([]fill, len(s.columns))
	for i, j := range numberPlaces(s.columns) {
		var ok bool
		if c := f.Columns()[i]; c.Factor == nil {
			s.fills[i], ok = s.learnNumber(f.Numeric(), j, ms[j])
		} else {
			s.fills[i], ok = s.learnLevel(c.Factor)
		}
		if !ok {
			empty = append(empty, strconv.Quote(s.columns[i].Name))
		}
	}
	if empty != nil {
		return fmt.Errorf("%s: every cell is missing in column %s: there is no %s to learn; leave it out (option drop); in a pipeline, a constant step before this one drops it, and the strategy %q fills it",
			imputeStep, strings.Join(empty, ", "), s.strategy, Fixed)
	}
	return nil
}

// Transform fills the missing cells and passes the class through.
func (m *Impute) Transform(grid base.FixedDataGrid) (base.FixedDataGrid, error) {
	return m.transform(imputeStep, grid)
}

func (s *imputeState) transform(grid base.FixedDataGrid) (base.FixedDataGrid, error) {
	f, err := take(imputeStep, grid, s.columns)
	if err != nil {
		return nil, err
	}
	cols := slices.Clone(f.Columns())
	var numbers []float64
	for i, c := range cols {
		if c.Factor == nil {
			numbers = append(numbers, s.fills[i].number)
		} else if level := s.fills[i].level; level != nil {
			cols[i].Factor = fillFactor(c.Factor, *level)
		}
	}
	return assemble(imputeStep, f, fillNumbers(f.Numeric(), numbers), cols)
}

// Narrow returns a copy for the named columns alone.
func (m *Impute) Narrow(outputs []string) (Transformer, error) {
	return narrowed(m, imputeStep, outputs)
}

func (s *imputeState) narrow(at []int) (*imputeState, error) {
	return &imputeState{s.strategy, s.value, s.level, lists.At(s.columns, at), lists.At(s.fills, at)}, nil
}

// Filter returns the filling of numeric columns as golearn's Filter; see Center.Filter for its use.
func (m *Impute) Filter() base.Filter {
	if m.state == nil {
		return &cellFilter{step: imputeStep}
	}
	maps := make(map[string]func(float64) float64)
	for i, c := range m.state.columns {
		if number := m.state.fills[i].number; c.Kind == numeric {
			maps[c.Name] = func(v float64) float64 {
				if math.IsNaN(v) {
					return number
				}
				return v
			}
		}
	}
	return newCellFilter(imputeStep, names(m.state.columns), maps)
}
