package transformer

import (
	"github.com/sjwhitworth/golearn/base"

	"github.com/fspca/fspca/internal/lists"
)

// narrow returns the state for the named outputs alone.
func (d *derived[O, L]) narrow(step string, outputs []string) (derived[O, L], error) {
	if d.state == nil {
		return derived[O, L]{}, notFitted(step)
	}
	at, err := positions(step, outputs, d.Outputs())
	if err != nil {
		return derived[O, L]{}, err
	}
	s := *d.state
	s.outputs, s.columns = lists.At(s.outputs, at), nil
	needed := make(map[string]bool, len(s.outputs))
	for _, o := range s.outputs {
		needed[o.Column] = true
	}
	for _, c := range d.state.columns {
		if needed[c.Name] {
			s.columns = append(s.columns, c)
		}
	}
	return derived[O, L]{fitted[*derivedState[O, L]]{&s}}, nil
}

// filter returns golearn's Filter of a step that maps each numeric column to one.
func (d *derived[O, L]) filter() base.Filter {
	if d.state == nil {
		return &cellFilter{}
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
	return newCellFilter(s.recipe.step, names(s.takes()), maps)
}
