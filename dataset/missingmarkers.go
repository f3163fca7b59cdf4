package dataset

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/fspca/fspca/internal/half"
	"github.com/fspca/fspca/internal/lists"
)

// missingMarkers are what stands for missing cells among numbers.
type missingMarkers struct {
	numbers []float64
	names   []string // of numbers
	nan     bool
	other   []string // texts that are no number
}

func newMarkers(missing []string) missingMarkers {
	var m missingMarkers
	for _, s := range missing {
		s = strings.TrimSpace(s)
		if s == "" {
			continue
		}
		v, kind := parseCell(s)
		switch {
		case kind == numberCell:
			m.numbers, m.names = append(m.numbers, v), append(m.names, s)
		case strings.EqualFold(s, "nan"):
			m.nan = true
		default:
			m.other = append(m.other, s)
		}
	}
	return m
}

// arrayMarkers returns the markers of an array, which holds numbers alone.
func arrayMarkers(missing []string) (missingMarkers, error) {
	m := newMarkers(missing)
	if len(m.other) > 0 {
		return m, fmt.Errorf("missing: %q cannot occur in an array of numbers: want NaN or a number", m.other[0])
	}
	return m, nil
}

// apply makes the cells of row-major x missing that are equal to a marker, and returns the markers that are
// nowhere. If columns are given, they are the markers as each column of x stores them.
func (m missingMarkers) apply(x []float64, columns ...missingMarkers) (absent []string) {
	if len(m.numbers) == 0 {
		return nil
	}
	if len(columns) == 0 {
		columns = []missingMarkers{m}
	}
	seen := make([]bool, len(m.numbers))
	for i, v := range x {
		if at := slices.Index(columns[i%len(columns)].numbers, v); at >= 0 {
			x[i] = math.NaN()
			seen[at] = true
		}
	}
	return lists.At(m.names, lists.Places(len(seen), func(i int) bool { return !seen[i] }))
}

// rounded returns markers as the columns at some places of the file store them.
func (t *columnTable) rounded(m missingMarkers, places []int) []missingMarkers {
	return lists.Map(places, func(j int) missingMarkers { return m.rounded(t.infos[j].Bits) })
}

// rounded returns the markers rounded to floats of so many bits, for numbers that were stored so.
func (m missingMarkers) rounded(bits int) missingMarkers {
	n := m
	n.numbers = nil
	for _, v := range m.numbers {
		if bits == 32 {
			v = float64(float32(v))
		} else if bits == 16 {
			v = half.Value(half.Nearest(v))
		}
		n.numbers = append(n.numbers, v)
	}
	return n
}
