package transformer

import (
	"slices"

	"github.com/fspca/fspca/internal/lists"
)

func (s *onColumnsState) texts(i int) []string {
	if mapper, ok := s.step.(TextRowMapper); ok {
		if at := slices.Index(s.step.Inputs(), s.inputs[i].Name); at >= 0 {
			return mapper.RowTexts()[at]
		}
	}
	return nil
}

func (s *onColumnsState) mapRows(texts [][]string) (RowMap, [][]string) {
	from, at, made := s.rowPlaces()
	inside, insideTexts := RowMap{}, make([][]string, made)
	if s.step != nil {
		if inside, insideTexts = stepMap(s.step, lists.At(texts, from)); inside.Map == nil {
			return RowMap{}, nil
		}
	}
	out := make([][]string, len(at))
	lists.Gather(out, at, texts, insideTexts)
	in := len(from)
	return RowMap{Scratch: in + made + inside.Scratch, Map: func(dst, src, scratch []float64) bool {
		part, result := scratch[:in], scratch[in:in+made]
		for i, j := range from {
			part[i] = src[j]
		}
		if inside.Map != nil && !inside.Map(result, part, scratch[in+made:]) {
			return false
		}
		lists.Gather(dst, at, src, result)
		return true
	}}, out
}

// stepMap is RowMapOf of any step; of one that knows no texts, for rows of numbers alone.
func stepMap(step Transformer, texts [][]string) (RowMap, [][]string) {
	switch mapper, ok := step.(RowMapper); {
	case !ok:
		return RowMap{}, nil
	case slices.ContainsFunc(texts, func(list []string) bool { return list != nil }):
		if mapper, ok := step.(TextRowMapper); ok {
			return mapper.RowMapOf(texts)
		}
		return RowMap{}, nil
	default:
		return mapper.RowMap(), make([][]string, len(step.Outputs()))
	}
}

// rowPlaces returns the place in the row of each input of the step; of each output its place in the
// row, or, if it is the step's, the complement of its place there; and how many the step makes.
func (s *onColumnsState) rowPlaces() (from, at []int, made int) {
	place := lists.Index(names(s.inputs))
	var makes map[string]int
	if s.step != nil {
		from = lists.Map(s.step.Inputs(), func(name string) int { return place[name] })
		makes = lists.Index(s.step.Outputs())
	}
	at = lists.Map(s.outputs, func(o onOutput) int {
		if o.Passes {
			return place[o.Name]
		}
		return ^makes[o.Name]
	})
	return from, at, len(makes)
}
