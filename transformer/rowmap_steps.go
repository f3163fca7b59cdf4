package transformer

import (
	"math"

	"github.com/fspca/fspca/dataset"
)

func (s *affineState) texts(int) []string { return nil }

func (s *affineState) mapRows(texts [][]string) (RowMap, [][]string) {
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

func (s *imputeState) texts(i int) []string {
	if level := s.fills[i].level; level != nil {
		return []string{*level}
	}
	return nil
}

// mapRows has no mapping if a text to fill with is not listed.
func (s *imputeState) mapRows(texts [][]string) (RowMap, [][]string) {
	fills := make([]float64, len(texts))
	for i, f := range s.fills {
		fills[i] = f.number
		if s.columns[i].Kind == numeric {
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

func (s *keepState) texts(int) []string { return nil }

func (s *keepState) mapRows(texts [][]string) (RowMap, [][]string) {
	return RowMap{Map: func(dst, src, _ []float64) bool {
		copy(dst, src)
		return true
	}}, texts
}
