package transformer

import (
	"math"

	"github.com/fspca/fspca/dataset"
)

// RowMap returns the mapping of single rows; see RowMapper. A step that has categorical columns to encode has none.
func (o *OneHot) RowMap() RowMap {
	if o.state == nil {
		return RowMap{}
	}
	return numericOnly(o.state.takes(), o.RowMapOf)
}

// RowTexts returns the levels of the inputs for single rows; see TextRowMapper.
func (o *OneHot) RowTexts() [][]string {
	if o.state == nil {
		return nil
	}
	return textsOf(o.state.takes(), func(i int) []string { return o.state.columns[i].Levels })
}

const (
	leftOut     = -1 // a level that was narrowed away
	unseenLevel = -2 // a text that is no level
)

// RowMapOf returns the mapping of single rows; see TextRowMapper.
func (o *OneHot) RowMapOf(texts [][]string) (RowMap, [][]string) {
	s := o.state
	if s == nil || len(texts) != len(s.columns) {
		return RowMap{}, nil
	}
	numbers, places := s.rowPlaces(texts)
	return RowMap{Map: func(dst, src, _ []float64) bool {
		clear(dst)
		for i, v := range src {
			at := numbers[i]
			switch {
			case places[i] == nil:
				dst[at] = v
				continue
			case math.IsNaN(v) && o.IgnoreMissing:
				continue
			case math.IsNaN(v):
				return false
			}
			switch at = places[i][int(v)]; {
			case at >= 0:
				dst[at] = 1
			case at == unseenLevel && !o.IgnoreUnseen:
				return false
			}
		}
		return true
	}}, make([][]string, len(s.outputs))
}

// rowPlaces returns the output of each numeric input, and for a categorical one those of its texts.
func (s *oneHotState) rowPlaces(texts [][]string) (numbers []int, places [][]int) {
	numbers, places = make([]int, len(s.columns)), make([][]int, len(s.columns))
	for i, c := range s.columns {
		var levels []string
		var at []int
		for j, out := range s.outputs {
			switch {
			case out.Column != c.Name:
			case out.Level == nil:
				numbers[i] = j
			default:
				levels, at = append(levels, *out.Level), append(at, j)
			}
		}
		if c.Kind == numeric {
			continue
		}
		find, known := dataset.FindLevel(levels), dataset.FindLevel(c.Levels)
		places[i] = make([]int, len(texts[i]))
		for t, text := range texts[i] {
			switch p := find(text); {
			case p >= 0:
				places[i][t] = at[p]
			case known(text) >= 0:
				places[i][t] = leftOut
			default:
				places[i][t] = unseenLevel
			}
		}
	}
	return numbers, places
}

// RowMap returns the mapping of single rows; see RowMapper.
func (d *derived[O, L]) RowMap() RowMap {
	if d.state == nil {
		return RowMap{}
	}
	return numericOnly(d.state.takes(), d.RowMapOf)
}

// RowTexts returns the levels of the inputs for single rows; see TextRowMapper.
func (d *derived[O, L]) RowTexts() [][]string {
	if d.state == nil {
		return nil
	}
	return textsOf(d.state.takes(), func(i int) []string {
		if known, ok := any(d.state.columns[i].Learned).(interface{ texts() []string }); ok && d.state.columns[i].Learned != nil {
			return known.texts()
		}
		return nil
	})
}

func (l *ordinalLevels) texts() []string { return l.Levels }

// derivedCell gives an output of a row: number of a numeric cell, of those in of of a categorical one, and else
// the cell itself.
type derivedCell struct {
	from    int
	number  func(float64) float64
	of      []float64
	refused []bool // beside of
	missing float64
}

// RowMapOf returns the mapping of single rows; see TextRowMapper.
func (d *derived[O, L]) RowMapOf(texts [][]string) (RowMap, [][]string) {
	s := d.state
	if s == nil || len(texts) != len(s.columns) {
		return RowMap{}, nil
	}
	cells, made := make([]derivedCell, len(s.outputs)), make([][]string, len(s.outputs))
	places := s.places()
	for j, o := range s.outputs {
		cell := derivedCell{from: places[o.Column]}
		switch c := s.columns[cell.from]; {
		case passes(c, o):
			made[j] = texts[cell.from]
		case c.Kind == numeric:
			cell.number = s.recipe.number(c.Learned, o.Part)
		default:
			level := s.recipe.level(s.options, c.Learned, o.Part)
			cell.of, cell.refused = make([]float64, len(texts[cell.from])), make([]bool, len(texts[cell.from]))
			for t, text := range texts[cell.from] {
				v, err := level(text)
				cell.of[t], cell.refused[t] = v, err != nil
			}
			cell.missing, _ = level("")
		}
		cells[j] = cell
	}
	complete := s.recipe.complete
	return RowMap{Map: func(dst, src, _ []float64) bool {
		if complete && s.lacks(src) {
			return false
		}
		for j := range cells {
			y, ok := cells[j].at(src)
			if !ok {
				return false
			}
			dst[j] = y
		}
		return true
	}}, made
}

// at is the output for a row; false where Transform refuses it.
func (c *derivedCell) at(src []float64) (float64, bool) {
	v := src[c.from]
	switch {
	case c.number != nil:
		y := c.number(v)
		return y, y-y == 0 || math.IsNaN(v) // see numbers
	case c.of == nil:
		return v, true
	case math.IsNaN(v):
		return c.missing, true
	}
	return c.of[int(v)], !c.refused[int(v)]
}

// lacks says whether a number of a row is missing.
func (s *derivedState[O, L]) lacks(row []float64) bool {
	for i, v := range row {
		if s.columns[i].Kind == numeric && math.IsNaN(v) {
			return true
		}
	}
	return false
}
