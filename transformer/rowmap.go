package transformer

import "math"

// RowMap maps one row of numbers as a fitted step maps a table, without making one.
type RowMap struct {
	// Map stores in dst, in the order of Outputs, what Transform makes of the row src, in the order of
	// Inputs; NaN is a missing cell. It gives the same bits, allocates nothing and may run
	// concurrently. False says that the row cannot be mapped so: Transform has the error, or the
	// result. scratch has at least the length Scratch; no two of the slices share memory.
	Map     func(dst, src, scratch []float64) bool
	Scratch int
}

// RowMapper is a Transformer that can also map single rows.
type RowMapper interface {
	// RowMap returns the mapping of the fitted step; a zero value before Fit, and where an input or an
	// output is categorical.
	RowMap() RowMap
}

// allNumeric tells whether a row of these columns is a row of numbers.
func allNumeric(cols []column) bool {
	for _, c := range cols {
		if c.Kind != numeric {
			return false
		}
	}
	return true
}

// RowMap is for single rows; see RowMapper.
func (a *affine) RowMap() RowMap {
	if a.state == nil || !allNumeric(a.state.columns) {
		return RowMap{}
	}
	maps := a.state.maps
	return RowMap{Map: func(dst, src, _ []float64) bool {
		for i, v := range src {
			if math.IsNaN(v) {
				return false
			}
			dst[i] = maps[i].of(v)
		}
		return true
	}}
}

// RowMap is for single rows; see RowMapper.
func (m *Impute) RowMap() RowMap {
	if m.state == nil || !allNumeric(m.state.columns) {
		return RowMap{}
	}
	fills := make([]float64, len(m.state.fills))
	for i, f := range m.state.fills {
		fills[i] = f.number
	}
	return RowMap{Map: func(dst, src, _ []float64) bool {
		for i, v := range src {
			if math.IsNaN(v) {
				v = fills[i]
			}
			dst[i] = v
		}
		return true
	}}
}

// RowMap is for single rows; see RowMapper.
func (k *keep) RowMap() RowMap {
	if k.state == nil || !allNumeric(k.state.columns) {
		return RowMap{}
	}
	return RowMap{Map: func(dst, src, _ []float64) bool {
		copy(dst, src)
		return true
	}}
}

// RowMap is for single rows; see RowMapper. A step that has categorical columns to encode has none.
func (o *OneHot) RowMap() RowMap {
	if o.state == nil || !allNumeric(o.state.inputs()) {
		return RowMap{}
	}
	places := make(map[string]int, len(o.state.columns))
	for i, c := range o.state.columns {
		places[c.Name] = i
	}
	at := make([]int, len(o.state.outputs))
	for j, out := range o.state.outputs {
		at[j] = places[out.Column]
	}
	return RowMap{Map: func(dst, src, _ []float64) bool {
		for j, i := range at {
			dst[j] = src[i]
		}
		return true
	}}
}

// RowMap is for single rows; see RowMapper.
func (d *derived[O, L]) RowMap() RowMap {
	if d.state == nil || !allNumeric(d.state.inputs()) {
		return RowMap{}
	}
	s := d.state
	at := make([]int, len(s.outputs))
	maps := make([]func(float64) float64, len(s.outputs)) // nil passes through
	places := s.places()
	for j, o := range s.outputs {
		at[j] = places[o.Column]
		if c := s.columns[at[j]]; !passes(c, o) {
			maps[j] = s.recipe.number(c.Learned, o.Part)
		}
	}
	complete := s.recipe.complete
	return RowMap{Map: func(dst, src, _ []float64) bool {
		if complete && anyNaN(src) {
			return false
		}
		for j, i := range at {
			v := src[i]
			if maps[j] != nil {
				y := maps[j](v)
				if y-y != 0 && !math.IsNaN(v) { // see numbers
					return false
				}
				v = y
			}
			dst[j] = v
		}
		return true
	}}
}

func anyNaN(row []float64) bool {
	for _, v := range row {
		if math.IsNaN(v) {
			return true
		}
	}
	return false
}
