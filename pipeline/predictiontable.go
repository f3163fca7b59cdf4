package pipeline

import (
	"errors"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/lists"
)

// asPredicted returns the true classes as the model writes them: "1.0" and "1" are one class, and whoever
// compares the two columns should find them equal.
func (p *Prediction) asPredicted(truth *dataset.Factor) *dataset.Factor {
	if p.Values != nil || truth.Numbers != nil {
		return truth
	}
	find := dataset.FindLevel(p.Predicted.Levels)
	levels := slices.Clone(truth.Levels)
	for i, level := range levels {
		if at := find(level); at >= 0 && !slices.Contains(levels, p.Predicted.Levels[at]) {
			levels[i] = p.Predicted.Levels[at]
		}
	}
	if slices.Equal(levels, truth.Levels) {
		return truth
	}
	return &dataset.Factor{Levels: levels, Codes: truth.Codes}
}

// Table returns the predictions of rows as fspca predict writes them: the names of the rows if
// they have some, their numbers counted on from first, and the true class unless it is nil. Then
// come the prediction, and the probability of each class as p_CLASS. It is an error if there are
// not as many predictions as rows.
func (p *Prediction) Table(rows *dataset.Frame, truth *dataset.Factor, first int) (*dataset.Frame, error) {
	if p == nil || rows == nil {
		return nil, errors.New("pipeline: there are no predictions, or no rows")
	}
	n := rows.Rows()
	if err := p.check(n); err != nil {
		return nil, err
	}
	columns := []dataset.Column{{Name: "row"}}
	x := mat.NewDense(n, 1, lists.Make(n, func(i int) float64 { return float64(first + i) }))
	if truth != nil {
		column := dataset.Column{Name: "true", Factor: p.asPredicted(truth)}
		if numbers, err := truth.AsTarget(); err == nil && p.Values != nil && len(truth.Codes) == n { // written as they are predicted
			column.Factor, x = nil, beside(x, mat.NewDense(n, 1, lists.Make(n, numbers.Value)))
		}
		columns = append(columns, column)
	}
	columns = append(columns, dataset.Column{Name: "predicted", Factor: p.Predicted})
	if p.Values != nil {
		x = beside(x, mat.NewDense(n, 1, p.Values))
	}
	if p.Probabilities != nil {
		for _, level := range p.Predicted.Levels {
			columns = append(columns, dataset.Column{Name: "p_" + level})
		}
		x = beside(x, p.Probabilities)
	}
	table, err := dataset.Assemble(x, columns, "", nil)
	if err != nil {
		return nil, err
	}
	name, ids := rows.ID()
	if name == "row" { // it takes the place of the number
		if table, err = table.Pick(table.Names()[1:]); err != nil {
			return nil, err
		}
	}
	return table.WithID(name, ids)
}

// check returns an error unless these are predictions of n rows, one at least.
func (p *Prediction) check(n int) error {
	switch {
	case n == 0:
		return errors.New("pipeline: there are no rows")
	case (p.Values == nil) == (p.Predicted == nil):
		return errors.New("pipeline: want predicted classes or predicted numbers")
	case p.Values != nil && len(p.Values) != n:
		return fmt.Errorf("pipeline: there are predictions of %d rows, want %d", len(p.Values), n)
	}
	if p.Probabilities != nil {
		if rows, levels := p.Probabilities.Dims(); p.Predicted == nil || rows != n || levels != len(p.Predicted.Levels) {
			return fmt.Errorf("pipeline: the probabilities are %d×%d: want a row for each of %d and a column for each class", rows, levels, n)
		}
	}
	return nil
}

func beside(a, b *mat.Dense) *mat.Dense {
	var wide mat.Dense
	wide.Augment(a, b)
	return &wide
}
