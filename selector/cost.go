package selector

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/param"
	"github.com/fspca/fspca/internal/spelling"
	"gonum.org/v1/gonum/mat"
)

// Cost limits the total cost of the chosen columns instead of their number.
type Cost struct {
	// File is a table with a row for each column of the data. The first column of text holds its name.
	// The column called Column, or else the only column of numbers, holds its cost.
	File   string `json:"file,omitempty"`
	Column string `json:"column,omitempty"`

	// Each maps names of columns to costs, in place of a file.
	Each map[string]float64 `json:"each,omitempty"`

	Budget float64 `json:"budget"` // above 0
}

// check returns what is wrong with the cost itself.
func (c *Cost) check() error {
	if c == nil {
		return nil
	}
	errs := []error{param.Budget("Cost", c.Budget)}
	if (c.File == "") == (c.Each == nil) {
		errs = append(errs, param.New("Cost", c.File, "a file or a list, one of the two", "the budget needs the cost of each column"))
	}
	if c.Column != "" && c.File == "" {
		errs = append(errs, param.New("Cost", c.Column, "a file too", "the column %q of costs is one of a file", c.Column))
	}
	return errors.Join(errs...)
}

// Costs returns the cost of each of the named columns; nil without a budget. A file is read anew.
func (o Options) Costs(names []string) ([]float64, error) {
	if o.Cost == nil {
		return nil, nil
	}
	each := o.Cost.Each
	if o.Cost.File != "" {
		var err error
		if each, err = readCosts(o.Cost.File, o.Cost.Column); err != nil {
			return nil, fmt.Errorf("fspca: cost: %w", err)
		}
	}
	costs := make([]float64, len(names))
	var problems []error
	for j, name := range names {
		v, ok := each[name]
		switch {
		case len(problems) == mostReported:
		case !ok:
			problems = append(problems, fmt.Errorf("fspca: cost: the column %q has no cost%s: give one, or drop the column",
				name, spelling.Hint(" (the nearest is %q)", name, slices.Sorted(maps.Keys(each)))))
		case !(v >= 0) || math.IsInf(v, 0):
			problems = append(problems, fmt.Errorf("fspca: cost: the column %q has the cost %v: want a finite number, 0 or more", name, v))
		}
		costs[j] = v
	}
	return costs, errors.Join(problems...)
}

// readCosts reads a file of costs, with or without a header. Names that are numbers, such as years, are names too.
func readCosts(path, column string) (map[string]float64, error) {
	f, err := readCostTable(path, dataset.ReadOptions{})
	if err != nil {
		return nil, err
	}
	if column == "" && slices.ContainsFunc(f.Names(), isNumber) { // a cost, so that the first line is no header
		if bare, err := readCostTable(path, dataset.ReadOptions{NoHeader: true}); err == nil {
			f = bare
		}
	}
	names, column, err := costColumns(f, path, column)
	if err != nil {
		return nil, err
	}
	values, err := f.Pick([]string{column})
	if err != nil {
		return nil, err
	}
	return costsOf(path, names, values.Numeric())
}

func isNumber(text string) bool {
	_, err := strconv.ParseFloat(text, 64)
	return err == nil
}

// readCostTable reads a file of costs. If it holds numbers alone, the first are names.
func readCostTable(path string, opt dataset.ReadOptions) (*dataset.Frame, error) {
	read := func() (*dataset.Frame, error) {
		file, err := dataset.Open(path, "")
		if err != nil {
			return nil, err
		}
		defer file.Close()
		return file.Read(opt)
	}
	f, err := read()
	if err == nil && len(f.NumericNames()) == len(f.Names()) && len(f.Names()) > 1 {
		opt.Categorical = f.Names()[:1]
		return read()
	}
	return f, err
}

// costColumns finds the column of names and that of costs.
func costColumns(f *dataset.Frame, path, column string) (names *dataset.Factor, costs string, err error) {
	if texts := f.CategoricalNames(); len(texts) > 0 {
		names = f.Factor(texts[0])
	}
	numbers := f.NumericNames()
	switch {
	case names == nil:
		return nil, "", fmt.Errorf("%s: no column holds the names of columns: want one of text, and one of costs", path)
	case column == "" && len(numbers) == 1:
		column = numbers[0]
	case column == "":
		return nil, "", fmt.Errorf("%s: %d columns hold numbers, %q: say which are the costs", path, len(numbers), numbers)
	case !slices.Contains(numbers, column):
		return nil, "", fmt.Errorf("%s: there is no column %q of numbers: there are %q", path, column, numbers)
	}
	return names, column, nil
}

// costsOf returns the cost of each name.
func costsOf(path string, names *dataset.Factor, values *mat.Dense) (map[string]float64, error) {
	each := make(map[string]float64, len(names.Codes))
	for i, code := range names.Codes {
		if code < 0 {
			return nil, fmt.Errorf("%s: row %d has a cost without a name", path, i+1)
		}
		name, v := names.Levels[code], values.At(i, 0)
		if math.IsNaN(v) {
			return nil, fmt.Errorf("%s: row %d: the cost of the column %q is missing", path, i+1, name)
		}
		if _, twice := each[name]; twice {
			return nil, fmt.Errorf("%s: row %d: the column %q has a cost already", path, i+1, name)
		}
		each[name] = v
	}
	return each, nil
}

// Spent returns the total cost of the chosen columns, and the budget; 0 and 0 without Options.Cost.
func (m *Model) Spent() (cost, budget float64) {
	if m.options.Cost == nil {
		return 0, 0
	}
	return m.spent, m.options.Cost.Budget
}

// SpentSummary is Model.Spent in a summary.
type SpentSummary struct {
	Spent  float64 `json:"spent"`
	Budget float64 `json:"budget"`
}
