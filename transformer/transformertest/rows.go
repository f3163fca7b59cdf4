package transformertest

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/transformer"
)

// rowMap compares the RowMap of a step that has one with its Transform: on new rows, and on the same
// rows with a missing cell in each place.
func rowMap(make maker, fx fixture) error {
	s, err := fitted(make, fx)
	if err != nil {
		return err
	}
	if _, ok := s.(transformer.RowMapper); !ok {
		return nil
	}
	if make().(transformer.RowMapper).RowMap().Map != nil {
		return errors.New("method RowMap of an unfitted step has a mapping")
	}
	s, err = ofNumbers(s)
	if s == nil || err != nil {
		return err
	}
	m := s.(transformer.RowMapper).RowMap()
	if m.Map == nil {
		return errors.New("method RowMap has a mapping for each output alone and none for all")
	}
	rows := picked(fx.rows, s.Inputs())
	for hole := -1; hole < len(s.Inputs()); hole++ {
		for i := range rows.Rows() {
			src := slices.Clone(rows.Numeric().RawRowView(i))
			if hole >= 0 {
				src[hole] = math.NaN()
			}
			if err := sameRow(s, m, src, rows.Subset([]int{i})); err != nil {
				return fmt.Errorf("row %d, missing input %d, by RowMap: %w", i+1, hole, err)
			}
		}
	}
	return nil
}

// ofNumbers narrows a step to the outputs that can be mapped by rows; nil if there are none.
func ofNumbers(s transformer.Transformer) (transformer.Transformer, error) {
	if s.(transformer.RowMapper).RowMap().Map != nil {
		return s, nil
	}
	var outputs []string
	for _, name := range s.Outputs() {
		n, err := s.Narrow([]string{name})
		if err != nil {
			return nil, fmt.Errorf("method Narrow: %w", err)
		}
		if n.(transformer.RowMapper).RowMap().Map != nil {
			outputs = append(outputs, name)
		}
	}
	if outputs == nil {
		return nil, nil
	}
	return s.Narrow(outputs)
}

// sameRow maps the row src, and transforms a table of it that is otherwise like one.
func sameRow(s transformer.Transformer, m transformer.RowMap, src []float64, one *dataset.Frame) error {
	table := mustAssemble(mat.NewDense(1, len(src), slices.Clone(src)), one.Columns(), one.ClassName(), one.Class())
	want, err := transform(s, table)
	dst := make([]float64, len(s.Outputs()))
	if ok := m.Map(dst, src, make([]float64, m.Scratch)); ok != (err == nil) {
		return fmt.Errorf("the mapping says %v, and the error of Transform is %v", ok, err)
	}
	if err != nil {
		return nil
	}
	got := mustAssemble(mat.NewDense(1, len(dst), dst), want.Columns(), want.ClassName(), want.Class())
	return same("the row", got, want)
}
