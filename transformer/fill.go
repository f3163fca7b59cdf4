package transformer

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/lists"
)

// fill is what goes into a column's missing cells: number for a numeric column; level for a
// categorical one, or nothing if level is nil.
type fill struct {
	number float64
	level  *string
}

// learnNumber returns the fill of numeric column j of x; false where there is no cell to learn from.
func (s *imputeState) learnNumber(x *mat.Dense, j int, ms moments) (fill, bool) {
	if s.strategy == Fixed {
		return fill{number: s.value}, true
	}
	if ms.count == 0 {
		return fill{}, false
	}
	if s.strategy == Mean {
		return fill{number: ms.mean}, true
	}
	cells := sortedCells(x, j)
	if s.strategy == Median {
		return fill{number: median(cells)}, true
	}
	return fill{number: mode(cells)}, true
}

// learnLevel returns the fill of a categorical column; false where there is no cell to learn from.
func (s *imputeState) learnLevel(f *dataset.Factor) (fill, bool) {
	if s.strategy == Fixed && s.level != "" {
		return fill{level: &s.level}, true
	}
	if s.strategy != MostFrequent {
		return fill{}, true
	}
	counts := append(lists.Tally(len(f.Levels), f.Codes), 0) // 0 if there is no level
	most := slices.Max(counts)
	if most == 0 {
		return fill{}, false
	}
	level := f.Levels[slices.Index(counts, most)] // a copy: the levels are the caller's
	return fill{level: &level}, true
}

// median returns the median of sorted cells.
func median(cells []float64) float64 {
	h := len(cells) / 2
	if len(cells)%2 == 1 {
		return cells[h]
	}
	a, b := cells[h-1], cells[h]
	if sum := a + b; !math.IsInf(sum, 0) {
		return sum / 2
	}
	return a/2 + b/2
}

// mode returns the most frequent of sorted cells, the least of equals.
func mode(cells []float64) float64 {
	best, most, run := cells[0], 0, 0
	for i, v := range cells {
		if i > 0 && v == cells[i-1] {
			run++
		} else {
			run = 1
		}
		if run > most {
			best, most = v, run
		}
	}
	return best
}

// fillNumbers returns a copy of x with numbers[j] in the missing cells of column j.
func fillNumbers(x *mat.Dense, numbers []float64) *mat.Dense {
	if x == nil {
		return nil
	}
	var y mat.Dense
	y.Apply(func(_, j int, v float64) float64 {
		if math.IsNaN(v) {
			return numbers[j]
		}
		return v
	}, x)
	return &y
}

// fillFactor returns f with level in its missing cells, f itself if it has none. A level that f
// does not list is added after the others.
func fillFactor(f *dataset.Factor, level string) *dataset.Factor {
	if !slices.ContainsFunc(f.Codes, func(c int32) bool { return c < 0 }) {
		return f
	}
	filled := *f
	at := slices.Index(f.Levels, level)
	if at < 0 {
		at = len(f.Levels)
		filled = dataset.Factor{Levels: append(slices.Clone(f.Levels), level)}
	}
	filled.Codes = slices.Clone(f.Codes)
	for i, c := range filled.Codes {
		if c < 0 {
			filled.Codes[i] = int32(at)
		}
	}
	return &filled
}
