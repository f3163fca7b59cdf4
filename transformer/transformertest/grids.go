package transformertest

import (
	"errors"
	"math"
	"slices"

	"github.com/sjwhitworth/golearn/base"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/transformer"
)

// golearnGrid fits and transforms golearn's own grids. Their columns may stand in another order than
// the frame's, since golearn groups them by type.
func golearnGrid(make maker, fx fixture) {
	s, want := applied(make, fx)
	out, err := s.Transform(base.NewDenseCopy(fx.rows))
	ok("method Transform of a base.DenseInstances", err)
	frame, err := dataset.FromGrid(out)
	ok("", err)
	same("Transform of a base.DenseInstances", frame, want)
	other := make()
	ok("method Fit on a base.DenseInstances", other.Fit(base.NewDenseCopy(fx.train)))
	got := transform("", other, fx.rows)
	if !slices.Equal(slices.Sorted(slices.Values(got.Names())), slices.Sorted(slices.Values(want.Names()))) {
		fail("fitted on a base.DenseInstances, the outputs are %q, want %q in some order", got.Names(), want.Names())
	}
	same("fitted on a base.DenseInstances", picked(got, want.Names()), want)
}

// golearnFilter compares the Filter of a step that has one with its Transform. The first numeric
// column is not added to the filter.
func golearnFilter(make maker, fx fixture) {
	s, want := applied(make, fx)
	filterer, is := s.(interface{ Filter() base.Filter })
	if !is {
		return
	}
	rows := base.NewDenseCopy(fx.rows)
	filter := filterer.Filter()
	left := want.NumericNames()[0]
	for _, a := range base.NonClassFloatAttributes(rows) {
		if a.GetName() != left {
			ok("method AddAttribute", filter.AddAttribute(a))
		}
	}
	ok("method Train", filter.Train())
	sameFiltered(base.NewLazilyFilteredInstances(rows, filter), fx.rows, want, left)
	strictFilter(filter, make(), rows)
}

// sameFiltered compares the numeric cells of a filtered grid with want, and those of the column left
// with rows, by Get and by MapOverRows.
func sameFiltered(grid base.FixedDataGrid, rows, want *dataset.Frame, left string) {
	specs := base.ResolveAllAttributes(grid)
	if len(specs) != len(rows.Names())+1 {
		fail("the filtered grid has %d attributes, want %d", len(specs), len(rows.Names())+1)
	}
	compare := func(how string, spec base.AttributeSpec, row int, cell []byte) {
		name, from := spec.GetAttribute().GetName(), want
		if name == left {
			from = rows
		}
		j := slices.Index(from.NumericNames(), name)
		if j < 0 {
			return // categorical
		}
		got, v := base.UnpackBytesToFloat(cell), from.Numeric().At(row, j)
		if got != v && !(math.IsNaN(got) && math.IsNaN(v)) {
			fail("%s of the filtered grid: %v, row %d: got %v, want %v", how, spec.GetAttribute(), row+1, got, v)
		}
	}
	ok("method MapOverRows", grid.MapOverRows(specs, func(cells [][]byte, row int) (bool, error) {
		for i, cell := range cells {
			compare("MapOverRows", specs[i], row, cell)
		}
		return true, nil
	}))
	for _, spec := range specs {
		for row := range rows.Rows() {
			compare("Get", spec, row, grid.Get(spec, row))
		}
	}
	copied, err := dataset.FromGrid(base.NewDenseCopy(grid))
	ok("a copy of the filtered grid", err)
	sameClass("a copy of the filtered grid", copied, rows)
}

// strictFilter checks what a filter must refuse, and that the filter of an unfitted step says so.
func strictFilter(filter base.Filter, fresh transformer.Transformer, rows base.FixedDataGrid) {
	if filter.AddAttribute(base.NewFloatAttribute("xylophone")) == nil {
		fail("the filter accepts a column that the step was not fitted on")
	}
	if filter.AddAttribute(rows.AllClassAttributes()[0]) == nil {
		fail("the filter accepts the class")
	}
	if filter.String() == "" {
		fail("the filter has an empty String")
	}
	unfitted := fresh.(interface{ Filter() base.Filter }).Filter()
	if err := unfitted.AddAttribute(base.NonClassFloatAttributes(rows)[0]); !errors.Is(err, transformer.ErrNotFitted) {
		fail("method AddAttribute of an unfitted step's filter: got the error %v, want one that wraps ErrNotFitted", err)
	}
}
