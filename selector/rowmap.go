package selector

import (
	"math"
	"slices"

	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/transformer"
)

var (
	_ transformer.RowMapper = (*FSPCA)(nil)
	_ transformer.RowMapper = (*PCA)(nil)
)

// RowMap returns a map of single rows; see transformer.RowMapper.
func (s *FSPCA) RowMap() transformer.RowMap {
	if s.state == nil {
		return transformer.RowMap{}
	}
	m, outputs := s.state.model, s.state.outputs
	place := make([]int, len(m.features)) // of a chosen column, its place in the row
	for j, i := range m.needs(outputs) {
		place[i] = j
	}
	components := 0
	at := lists.Map(outputs, func(c column) int { // a component if below 0: ^number
		if !c.component {
			return place[c.at]
		}
		components = len(m.variances)
		return ^c.at
	})
	return transformer.RowMap{Scratch: components, Map: m.rowFunc(at, components)}
}

// rowFunc makes outputs of a row of chosen columns: of column at, or of component ^at if that is below 0.
func (m *Model) rowFunc(at []int, components int) func(dst, src, scratch []float64) bool {
	return func(dst, src, scratch []float64) bool {
		z := scratch[:components]
		if components > 0 {
			if slices.ContainsFunc(src, math.IsNaN) {
				return false
			}
			m.projection.ProjectRow(z, src)
		}
		lists.Gather(dst, at, src, z)
		return true
	}
}

// RowMap returns a map of single rows; see transformer.RowMapper.
func (p *PCA) RowMap() transformer.RowMap {
	if p.state == nil {
		return transformer.RowMap{}
	}
	inside, scale := p.state.selection.RowMap(), p.state.scale
	return transformer.RowMap{Scratch: inside.Scratch, Map: func(dst, src, scratch []float64) bool {
		if !inside.Map(dst, src, scratch) {
			return false
		}
		for j, s := range scale {
			dst[j] /= s
		}
		return true
	}}
}
