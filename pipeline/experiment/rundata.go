package experiment

import (
	"errors"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/param"
	"github.com/fspca/fspca/pipeline/config"
	"github.com/fspca/fspca/transformer"
)

// divisionOf is how a config divides the rows that were read, and these without the
// columns that say it: they are no features.
func divisionOf(c *config.Config, f *dataset.Frame) (data *dataset.Frame, opt SplitOptions, err error) {
	s := c.Split
	opt = SplitOptions{Test: s.Test, Folds: s.Folds, Repeats: s.Repeats, Seed: s.Seed,
		Unshuffled:   s.Shuffle != nil && !*s.Shuffle,
		Unstratified: dividedBy(f) == nil || s.Stratify != nil && !*s.Stratify}
	if s.Group != "" {
		if opt.Group, err = labelsOf(f, "group", s.Group); err != nil {
			return nil, opt, c.At("split.group", inData(c, err))
		}
	}
	if s.Column != "" {
		if opt.Fold, err = labelsOf(f, "column", s.Column); err != nil {
			return nil, opt, c.At("split.column", inData(c, err))
		}
	}
	if s.Time != "" {
		opt.Unshuffled = false // it goes without saying
		if opt.Time, err = timesOf(f, s.Time); err != nil {
			return nil, opt, c.At("split.time", inData(c, err))
		}
	}
	names := slices.DeleteFunc(f.Names(), func(name string) bool {
		return slices.ContainsFunc([]string{s.Group, s.Column, s.Time}, func(by string) bool { return dataset.SameName(name, by) })
	})
	if len(names) == len(f.Names()) {
		return f, opt, nil
	}
	data, err = f.Pick(names)
	return data, opt, inData(c, err)
}

// inData names the file of the data in front of each line of an error.
func inData(c *config.Config, err error) error {
	name := c.DataPath()
	if name == "" || err == nil {
		return err
	}
	return param.InFront(name, err)
}

// neededIn says what can be done about missing cells of a column that divides the rows.
func neededIn(err error, cure string) error {
	var missing *dataset.MissingCellsError
	if errors.As(err, &missing) {
		missing.Cure = cure
	}
	return err
}

// labelsOf are the values of a column that divides the rows, or the names of the rows.
func labelsOf(f *dataset.Frame, key, name string) (*dataset.Factor, error) {
	if id, ids := f.ID(); ids != nil && id == name {
		levels := slices.Clone(ids)
		slices.Sort(levels)
		levels = slices.Compact(levels)
		codes := lists.Map(ids, func(text string) int32 {
			at, _ := slices.BinarySearch(levels, text)
			return int32(at)
		})
		return &dataset.Factor{Levels: levels, Codes: codes}, nil
	}
	picked, err := f.Pick([]string{name})
	if err != nil {
		return nil, fmt.Errorf("split.%s: %w", key, err)
	}
	if labels := picked.Factor(name); labels != nil {
		if i := slices.Index(labels.Codes, dataset.Missing); i >= 0 {
			return nil, fmt.Errorf("split.%s: %s, column %q: the value is missing, and each row needs one", key, f.RowPlace(i), name)
		}
		return labels, nil
	}
	if err := picked.CheckComplete("split." + key); err != nil {
		return nil, neededIn(err, "fill the cells, or leave the rows out")
	}
	return dataset.NewTarget(mat.Col(nil, 0, picked.Numeric()))
}

// timesOf are the times of the rows: numbers, or dates as seconds.
func timesOf(f *dataset.Frame, name string) ([]float64, error) {
	picked, err := f.Pick([]string{name})
	if err != nil {
		return nil, fmt.Errorf("split.time: %w", err)
	}
	if picked.Factor(name) != nil {
		made, err := transformer.FitTransform(&transformer.Dates{Parts: []string{"unix"}}, picked.WithoutClass())
		if err != nil {
			return nil, fmt.Errorf("split.time: the column %q must hold numbers or dates as 2026-11-28: %w", name, err)
		}
		if picked, err = dataset.FromGrid(made); err != nil {
			return nil, err
		}
	}
	if err := picked.WithRows(f).CheckComplete("split.time"); err != nil {
		return nil, neededIn(err, "fill the cells, or leave the rows out")
	}
	return mat.Col(nil, 0, picked.Numeric()), nil
}
