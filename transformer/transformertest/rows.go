package transformertest

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/transformer"
)

// rowMap compares the RowMap of a step that has one with its Transform: on new rows, and on the same
// rows with a missing cell in each place.
func rowMap(make maker, fx fixture) {
	s := fitted(make, fx)
	if _, is := s.(transformer.RowMapper); !is {
		return
	}
	if mapOf(make()).Map != nil {
		fail("method RowMap of an unfitted step has a mapping")
	}
	if s = ofNumbers(s); s == nil {
		return
	}
	m := mapOf(s)
	if m.Map == nil {
		fail("method RowMap has a mapping for each output alone and none for all")
	}
	rows := picked(fx.rows, s.Inputs())
	for hole := -1; hole < len(s.Inputs()); hole++ {
		for i := range rows.Rows() {
			src := slices.Clone(rows.Numeric().RawRowView(i))
			if hole >= 0 {
				src[hole] = math.NaN()
			}
			ok(fmt.Sprintf("row %d, missing input %d, by RowMap", i+1, hole), caught(func() { sameRow(s, m, src, rows.Subset([]int{i})) }))
		}
	}
}

func mapOf(s transformer.Transformer) transformer.RowMap { return s.(transformer.RowMapper).RowMap() }

// ofNumbers narrows a step to the outputs that can be mapped by rows; nil if there are none.
func ofNumbers(s transformer.Transformer) transformer.Transformer {
	if mapOf(s).Map != nil {
		return s
	}
	narrow := func(outputs ...string) transformer.Transformer {
		n, err := s.Narrow(outputs)
		ok("method Narrow", err)
		return n
	}
	outputs := lists.Where(s.Outputs(), func(name string) bool { return mapOf(narrow(name)).Map != nil })
	if len(outputs) == 0 {
		return nil
	}
	return narrow(outputs...)
}

// sameRow maps the row src, and transforms a table of it that is otherwise like one.
func sameRow(s transformer.Transformer, m transformer.RowMap, src []float64, one *dataset.Frame) {
	var want *dataset.Frame
	err := caught(func() {
		want = transform("", s, mustAssemble(mat.NewDense(1, len(src), slices.Clone(src)), one.Columns(), one.ClassName(), one.Class()))
	})
	dst := make([]float64, len(s.Outputs()))
	if mapped := m.Map(dst, src, make([]float64, m.Scratch)); mapped != (err == nil) {
		fail("the mapping says %v, and the error of Transform is %v", mapped, err)
	}
	if err == nil {
		same("the row", mustAssemble(mat.NewDense(1, len(dst), dst), want.Columns(), want.ClassName(), want.Class()), want)
	}
}
