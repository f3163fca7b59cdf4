package transformer

import (
	"math"

	"github.com/fspca/fspca/dataset"
)

// textsOf returns a list beside each column: nil for a numeric one, else what texts says.
func textsOf(cols []column, texts func(i int) []string) [][]string {
	all := make([][]string, len(cols))
	for i, c := range cols {
		if c.Kind == categorical {
			all[i] = append([]string{}, texts(i)...)
		}
	}
	return all
}

// noTexts is for steps that do not look at texts.
func noTexts(int) []string { return nil }

// numericOnly is RowMap by RowMapOf.
func numericOnly(cols []column, mapOf func([][]string) (RowMap, [][]string)) RowMap {
	if !allNumeric(cols) {
		return RowMap{}
	}
	m, _ := mapOf(make([][]string, len(cols)))
	return m
}

// RowMap returns the mapping of single rows; see RowMapper.
func (a *affine) RowMap() RowMap {
	if a.state == nil {
		return RowMap{}
	}
	return numericOnly(a.state.columns, a.RowMapOf)
}

// RowTexts returns the levels of the inputs for single rows; see TextRowMapper.
func (a *affine) RowTexts() [][]string {
	if a.state == nil {
		return nil
	}
	return textsOf(a.state.columns, noTexts)
}

// RowMapOf returns the mapping of single rows; see TextRowMapper.
func (a *affine) RowMapOf(texts [][]string) (RowMap, [][]string) {
	s := a.state
	if s == nil || len(texts) != len(s.columns) {
		return RowMap{}, nil
	}
	return RowMap{Map: func(dst, src, _ []float64) bool {
		for i, v := range src {
			switch {
			case s.columns[i].Kind != numeric:
				dst[i] = v
			case math.IsNaN(v):
				return false
			default:
				dst[i] = s.maps[i].of(v)
			}
		}
		return true
	}}, texts
}

// RowMap returns the mapping of single rows; see RowMapper.
func (m *Impute) RowMap() RowMap {
	if m.state == nil {
		return RowMap{}
	}
	return numericOnly(m.state.columns, m.RowMapOf)
}

// RowTexts returns the levels of the inputs for single rows; see TextRowMapper.
func (m *Impute) RowTexts() [][]string {
	if m.state == nil {
		return nil
	}
	return textsOf(m.state.columns, func(i int) []string {
		if level := m.state.fills[i].level; level != nil {
			return []string{*level}
		}
		return nil
	})
}

// RowMapOf returns the mapping of single rows; see TextRowMapper. It is not there if a text to fill with is not listed.
func (m *Impute) RowMapOf(texts [][]string) (RowMap, [][]string) {
	if m.state == nil || len(texts) != len(m.state.columns) {
		return RowMap{}, nil
	}
	fills := make([]float64, len(texts))
	for i, f := range m.state.fills {
		fills[i] = f.number
		if m.state.columns[i].Kind == numeric {
			continue
		}
		fills[i] = math.NaN() // as it is
		if f.level != nil {
			at := dataset.FindLevel(texts[i])(*f.level)
			if at < 0 {
				return RowMap{}, nil
			}
			fills[i] = float64(at)
		}
	}
	return RowMap{Map: func(dst, src, _ []float64) bool {
		for i, v := range src {
			if math.IsNaN(v) {
				v = fills[i]
			}
			dst[i] = v
		}
		return true
	}}, texts
}

// RowMap returns the mapping of single rows; see RowMapper.
func (k *keep) RowMap() RowMap {
	if k.state == nil {
		return RowMap{}
	}
	return numericOnly(k.state.columns, k.RowMapOf)
}

// RowTexts returns the levels of the inputs for single rows; see TextRowMapper.
func (k *keep) RowTexts() [][]string {
	if k.state == nil {
		return nil
	}
	return textsOf(k.state.columns, noTexts)
}

// RowMapOf returns the mapping of single rows; see TextRowMapper.
func (k *keep) RowMapOf(texts [][]string) (RowMap, [][]string) {
	if k.state == nil || len(texts) != len(k.state.columns) {
		return RowMap{}, nil
	}
	return RowMap{Map: func(dst, src, _ []float64) bool {
		copy(dst, src)
		return true
	}}, texts
}
