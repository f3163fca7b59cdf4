package transformertest

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/sjwhitworth/golearn/base"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/transformer"
)

// golearnGrid fits and transforms golearn's own grids. Their columns may stand in another order than
// the frame's, since golearn groups them by type.
func golearnGrid(make maker, fx fixture) error {
	s, want, err := applied(make, fx)
	if err != nil {
		return err
	}
	rows := base.NewDenseCopy(fx.rows)
	out, err := s.Transform(rows)
	if err != nil {
		return fmt.Errorf("method Transform of a base.DenseInstances: %w", err)
	}
	frame, err := dataset.FromGrid(out)
	if err != nil {
		return err
	}
	if err := same("Transform of a base.DenseInstances", frame, want); err != nil {
		return err
	}
	other := make()
	if err := other.Fit(base.NewDenseCopy(fx.train)); err != nil {
		return fmt.Errorf("method Fit on a base.DenseInstances: %w", err)
	}
	got, err := transform(other, fx.rows)
	if err != nil {
		return err
	}
	if !slices.Equal(slices.Sorted(slices.Values(got.Names())), slices.Sorted(slices.Values(want.Names()))) {
		return fmt.Errorf("fitted on a base.DenseInstances, the outputs are %q, want %q in some order", got.Names(), want.Names())
	}
	return same("fitted on a base.DenseInstances", picked(got, want.Names()), want)
}

// golearnFilter compares the Filter of a step that has one with its Transform. The first numeric
// column is not added to the filter.
func golearnFilter(make maker, fx fixture) error {
	s, want, err := applied(make, fx)
	if err != nil {
		return err
	}
	filterer, ok := s.(interface{ Filter() base.Filter })
	if !ok {
		return nil
	}
	rows := base.NewDenseCopy(fx.rows)
	filter := filterer.Filter()
	left := want.NumericNames()[0]
	for _, a := range base.NonClassFloatAttributes(rows) {
		if a.GetName() == left {
			continue
		}
		if err := filter.AddAttribute(a); err != nil {
			return fmt.Errorf("method AddAttribute: %w", err)
		}
	}
	if err := filter.Train(); err != nil {
		return fmt.Errorf("method Train: %w", err)
	}
	if err := sameFiltered(base.NewLazilyFilteredInstances(rows, filter), fx.rows, want, left); err != nil {
		return err
	}
	return strictFilter(filter, make(), rows)
}

// sameFiltered compares the numeric cells of a filtered grid with want, and those of the column left
// with rows, by Get and by MapOverRows.
func sameFiltered(grid base.FixedDataGrid, rows, want *dataset.Frame, left string) error {
	specs := base.ResolveAllAttributes(grid)
	if len(specs) != len(rows.Names())+1 {
		return fmt.Errorf("the filtered grid has %d attributes, want %d", len(specs), len(rows.Names())+1)
	}
	expected := func(spec base.AttributeSpec, row int) (float64, bool) {
		name, from := spec.GetAttribute().GetName(), want
		if name == left {
			from = rows
		}
		j := slices.Index(from.NumericNames(), name)
		if j < 0 {
			return 0, false // categorical
		}
		return from.Numeric().At(row, j), true
	}
	compare := func(how string, spec base.AttributeSpec, row int, cell []byte) error {
		v, ok := expected(spec, row)
		if got := base.UnpackBytesToFloat(cell); ok && got != v && !(math.IsNaN(got) && math.IsNaN(v)) {
			return fmt.Errorf("%s of the filtered grid: %v, row %d: got %v, want %v", how, spec.GetAttribute(), row+1, got, v)
		}
		return nil
	}
	err := grid.MapOverRows(specs, func(cells [][]byte, row int) (bool, error) {
		for i, cell := range cells {
			if err := compare("MapOverRows", specs[i], row, cell); err != nil {
				return false, err
			}
		}
		return true, nil
	})
	if err != nil {
		return err
	}
	for _, spec := range specs {
		for row := range rows.Rows() {
			if err := compare("Get", spec, row, grid.Get(spec, row)); err != nil {
				return err
			}
		}
	}
	copied, err := dataset.FromGrid(base.NewDenseCopy(grid))
	if err != nil {
		return err
	}
	return sameClass("a copy of the filtered grid", copied, rows)
}

// strictFilter checks what a filter must refuse, and that the filter of an unfitted step says so.
func strictFilter(filter base.Filter, fresh transformer.Transformer, rows base.FixedDataGrid) error {
	if err := filter.AddAttribute(base.NewFloatAttribute("xylophone")); err == nil {
		return errors.New("the filter accepts a column that the step was not fitted on")
	}
	if err := filter.AddAttribute(rows.AllClassAttributes()[0]); err == nil {
		return errors.New("the filter accepts the class")
	}
	if filter.String() == "" {
		return errors.New("the filter has an empty String")
	}
	unfitted := fresh.(interface{ Filter() base.Filter }).Filter()
	if err := unfitted.AddAttribute(base.NonClassFloatAttributes(rows)[0]); !errors.Is(err, transformer.ErrNotFitted) {
		return fmt.Errorf("method AddAttribute of an unfitted step's filter: got the error %v, want one that wraps ErrNotFitted", err)
	}
	return nil
}
