package classifier

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/spelling"
)

// treeFeature is a training column; Levels is nil where it is numeric.
type treeFeature struct {
	Name   string   `json:"name"`
	Levels []string `json:"levels,omitempty"`
}

// treeFeatures are the training columns of a tree.
type treeFeatures []treeFeature

// featuresOf copies what trees keep of the columns of f.
func featuresOf(f *dataset.Frame) treeFeatures {
	return lists.Map(f.Columns(), func(column dataset.Column) treeFeature {
		if column.Factor == nil {
			return treeFeature{Name: column.Name}
		}
		return treeFeature{column.Name, slices.Clone(column.Factor.Levels)}
	})
}

func (t treeFeatures) names() []string {
	return lists.Map(t, func(feature treeFeature) string { return feature.Name })
}

// plain tells whether all features are numeric.
func (t treeFeatures) plain() bool {
	return !slices.ContainsFunc(t, func(f treeFeature) bool { return f.Levels != nil })
}

// present finds the features in f by name. None of their cells may be missing.
func (t treeFeatures) present(kind string, f *dataset.Frame) (*dataset.Frame, error) {
	picked, err := f.Pick(t.names())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", kind, err)
	}
	return picked, cmp.Or(picked.CheckComplete(kind), picked.CheckLevels(kind))
}

// pick is present, and checks kinds and levels.
func (t treeFeatures) pick(kind string, f *dataset.Frame) (*dataset.Frame, error) {
	picked, err := t.present(kind, f)
	if err != nil {
		return nil, err
	}
	for j, column := range picked.Columns() {
		if err := t[j].check(kind, picked, column.Factor); err != nil {
			return nil, err
		}
	}
	return picked, nil
}

// check holds a new column to what the feature was in training.
func (t *treeFeature) check(kind string, f *dataset.Frame, column *dataset.Factor) error {
	if (column == nil) != (t.Levels == nil) {
		was, is := "numeric", "categorical"
		if column == nil {
			was, is = is, was
		}
		return fmt.Errorf("%s: column %q was %s in training, and is %s here", kind, t.Name, was, is)
	}
	if column == nil {
		return nil
	}
	known := lists.Set(t.Levels)
	for i, code := range column.Codes {
		level := column.Levels[code]
		if known[level] {
			continue
		}
		return fmt.Errorf("%s: %s of column %q has the level %q, which the training rows did not have%s",
			kind, f.RowPlace(i), t.Name, level, spelling.Hint(" (the nearest is %q)", level, t.Levels))
	}
	return nil
}

// treeFit is what classifiers of trees learn of the table.
type treeFit struct {
	features treeFeatures
	classes  []string
}

func (t *treeFit) inputs() []string { return t.features.names() }
func (t *treeFit) labels() []string { return t.classes }
func (t *treeFit) plain() bool      { return t.features.plain() }

// likely is likely for rows as cartTree.leaf takes them.
func (t *treeFit) likely(ctx context.Context, kind string, f *dataset.Frame, one func(row, to []float64)) (*Prediction, error) {
	picked, err := t.features.pick(kind, f)
	if err != nil {
		return nil, err
	}
	rows := t.features.rows(picked)
	return likely(ctx, f.Rows(), t.classes, func(i int, to []float64) { one(rows.row(i, rows.room()), to) })
}

// treeRows gives rows as cartTree.leaf takes them.
type treeRows struct {
	x       *mat.Dense
	plain   bool // all columns are numeric
	numeric []int
	factors []*dataset.Factor // nil where a column is numeric
	codes   [][]float64       // by column: the training code of each of its levels
}

// rows reads the columns of f, which pick returned or which are those of training.
func (t treeFeatures) rows(f *dataset.Frame) *treeRows {
	r := &treeRows{x: f.Numeric(), plain: true, numeric: make([]int, len(t)),
		factors: make([]*dataset.Factor, len(t)), codes: make([][]float64, len(t))}
	next := 0
	for j, column := range f.Columns() {
		if column.Factor == nil {
			r.numeric[j] = next
			next++
			continue
		}
		r.plain, r.factors[j] = false, column.Factor
		r.codes[j] = lists.Map(column.Factor.Levels, func(level string) float64 { return float64(slices.Index(t[j].Levels, level)) })
	}
	return r
}

// row returns row i, in room where it has to be put together.
func (r *treeRows) row(i int, room []float64) []float64 {
	if r.plain {
		return r.x.RawRowView(i)
	}
	for j, factor := range r.factors {
		if factor == nil {
			room[j] = r.x.At(i, r.numeric[j])
		} else {
			room[j] = r.codes[j][factor.Codes[i]]
		}
	}
	return room
}

// room is space for one row.
func (r *treeRows) room() []float64 {
	if r.plain {
		return nil
	}
	return make([]float64, len(r.numeric))
}
