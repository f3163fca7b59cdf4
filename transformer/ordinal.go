package transformer

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/sjwhitworth/golearn/base"

	"github.com/fspca/fspca/dataset"
)

const ordinalStep = "ordinal"

// Ordinal replaces each categorical column by a numeric one: the place of the cell's level, from 0,
// among those that occur in Fit. Levels are sorted by value if all are numbers, else by text, so the
// order of the rows does not matter. A missing cell becomes a missing number. Numeric columns pass
// through. The zero value is ready for Fit.
type Ordinal struct {
	// IgnoreUnseen makes a cell whose level did not occur in Fit a missing number. Without it such a
	// cell is an error in Transform that names column, level and row.
	IgnoreUnseen bool

	derived[ordinalOptions, ordinalLevels]
}

var _ Transformer = (*Ordinal)(nil)

type ordinalOptions struct {
	IgnoreUnseen bool `json:"ignore_unseen"`
}

type ordinalLevels struct {
	Levels []string `json:"levels"`
}

var ordinalRecipe = &recipe[ordinalOptions, ordinalLevels]{
	step: ordinalStep,
	level: func(o ordinalOptions, l *ordinalLevels, _ string) func(string) (float64, error) {
		find := dataset.FindLevel(l.Levels)
		return func(text string) (float64, error) {
			if text == "" {
				return math.NaN(), nil
			}
			at := find(text)
			switch {
			case at >= 0:
				return float64(at), nil
			case o.IgnoreUnseen:
				return math.NaN(), nil
			}
			return 0, fmt.Errorf("the level %q did not occur when the step was fitted: correct the cell, or let unseen levels be missing (option unseen: ignore)", text)
		}
	},
	check: func(_ ordinalOptions, c derivedColumn[ordinalLevels], part string) error {
		return needsKind(c, categorical, part)
	},
}

// Fit learns the levels of each categorical column.
func (o *Ordinal) Fit(grid base.FixedDataGrid) error {
	return o.fit(ordinalRecipe, ordinalOptions{o.IgnoreUnseen}, grid, func(f *dataset.Frame) ([]derivedColumn[ordinalLevels], []derivedOutput, error) {
		have := f.Columns()
		return learnEach(f, categorical, func(i, _ int) *ordinalLevels {
			levels := occurring(have[i].Factor)
			sortLevels(levels)
			return &ordinalLevels{levels}
		})
	})
}

// sortLevels sorts by value if all levels are numbers, else by text.
func sortLevels(levels []string) {
	values := make(map[string]float64, len(levels))
	for _, text := range levels {
		if v, err := strconv.ParseFloat(text, 64); err == nil && !math.IsNaN(v) {
			values[text] = v
		}
	}
	if len(values) < len(levels) {
		clear(values)
	}
	slices.SortFunc(levels, func(a, b string) int {
		return cmp.Or(cmp.Compare(values[a], values[b]), strings.Compare(a, b))
	})
}

// Transform yields the columns Outputs and passes the class through.
func (o *Ordinal) Transform(grid base.FixedDataGrid) (base.FixedDataGrid, error) {
	return o.transform(ordinalStep, grid)
}

// Narrow returns a copy for the named columns alone.
func (o *Ordinal) Narrow(outputs []string) (Transformer, error) {
	return narrowed(o, ordinalStep, outputs)
}

// Save writes the fitted step as JSON of type "ordinal".
func (o *Ordinal) Save(w io.Writer) error { return o.save(w, ordinalStep) }

// Load reads what Save wrote, with the option. After an error the step is unchanged.
func (o *Ordinal) Load(r io.Reader) error {
	return o.load(r, ordinalRecipe, func(saved ordinalOptions) { o.IgnoreUnseen = saved.IgnoreUnseen })
}
