package transformer

import (
	"math"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/lists"
)

func (s *oneHotState) texts(i int) []string { return s.columns[i].Levels }

const (
	leftOut     = -1 // a level that was narrowed away
	unseenLevel = -2 // a text that is no level
)

func (s *oneHotState) mapRows(texts [][]string) (RowMap, [][]string) {
	numbers, places := s.rowPlaces(texts)
	return RowMap{Map: func(dst, src, _ []float64) bool {
		clear(dst)
		for i, v := range src {
			at := numbers[i]
			switch {
			case places[i] == nil:
				dst[at] = v
				continue
			case math.IsNaN(v) && s.ignoreMissing:
				continue
			case math.IsNaN(v):
				return false
			}
			switch at = places[i][int(v)]; {
			case at >= 0:
				dst[at] = 1
			case at == unseenLevel && !s.ignoreUnseen:
				return false
			}
		}
		return true
	}}, make([][]string, len(s.outputs))
}

// rowPlaces returns the output of each numeric input, and for a categorical one those of its texts.
func (s *oneHotState) rowPlaces(texts [][]string) (numbers []int, places [][]int) {
	numbers, places = make([]int, len(s.columns)), make([][]int, len(s.columns))
	levels, at := make([][]string, len(s.columns)), make([][]int, len(s.columns))
	inputs := lists.Index(names(s.takes()))
	for j, out := range s.outputs {
		if i := inputs[out.Column]; out.Level == nil {
			numbers[i] = j
		} else {
			levels[i], at[i] = append(levels[i], *out.Level), append(at[i], j)
		}
	}
	for i, c := range s.columns {
		if c.Kind == numeric {
			continue
		}
		find, known := dataset.FindLevel(levels[i]), dataset.FindLevel(c.Levels)
		places[i] = lists.Map(texts[i], func(text string) int {
			switch p := find(text); {
			case p >= 0:
				return at[i][p]
			case known(text) >= 0:
				return leftOut
			}
			return unseenLevel
		})
	}
	return numbers, places
}

func (s *derivedState[O, L]) texts(i int) []string {
	learned := s.columns[i].Learned
	if known, ok := any(learned).(interface{ texts() []string }); ok && learned != nil {
		return known.texts()
	}
	return nil
}

func (l *ordinalLevels) texts() []string { return l.Levels }

// derivedCell gives an output of a row: number of a numeric cell, of those in of of a categorical one, and else
// the cell itself.
type derivedCell struct {
	from    int
	number  func(float64) float64
	of      []float64
	refused []error // beside of
	missing float64
}

func (s *derivedState[O, L]) mapRows(texts [][]string) (RowMap, [][]string) {
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
			cell.of, cell.refused, cell.missing = s.ofTexts(texts[cell.from], c, o.Part)
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
	return c.of[int(v)], c.refused[int(v)] == nil
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
