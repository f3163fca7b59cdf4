package pipeline

import (
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
)

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
	if truth != nil {
		columns = append(columns, dataset.Column{Name: "true", Factor: truth})
	}
	columns = append(columns, dataset.Column{Name: "predicted", Factor: p.Predicted})
	x := mat.NewDense(n, 1, nil)
	for i := range n {
		x.Set(i, 0, float64(first+i))
	}
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
