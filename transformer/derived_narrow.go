package transformer

import (
	"github.com/sjwhitworth/golearn/base"

	"github.com/fspca/fspca/internal/lists"
)

func (s *derivedState[O, L]) narrow(at []int) (*derivedState[O, L], error) {
	outputs := lists.At(s.outputs, at)
	needed := lists.Set(lists.Map(outputs, func(o derivedOutput) string { return o.Column }))
	columns := lists.Where(s.columns, func(c derivedColumn[L]) bool { return needed[c.Name] })
	return &derivedState[O, L]{s.recipe, s.options, columns, outputs}, nil
}

// filter returns golearn's Filter of a step that maps each numeric column to one.
func (d *derived[O, L]) filter(step string) base.Filter {
	if d.state == nil {
		return &cellFilter{step: step}
	}
	s := d.state
	maps := make(map[string]func(float64) float64)
	for _, c := range s.columns {
		switch {
		case c.Kind != numeric:
		case c.Learned == nil:
			maps[c.Name] = func(v float64) float64 { return v }
		default:
			maps[c.Name] = s.recipe.number(c.Learned, "")
		}
	}
	return newCellFilter(step, names(s.takes()), maps)
}
