package transformer

import (
	"fmt"
	"slices"

	"github.com/sjwhitworth/golearn/base"

	"github.com/fspca/fspca/internal/spelling"
)

// cellFilter offers the cell-by-cell mapping of a fitted step as golearn's base.Filter. golearn
// calls Transform also with attributes that were never added, and with attributes of another
// pointer than the one that was added; so columns are known by name and type here.
type cellFilter struct {
	step   string
	needs  []string                         // all columns of the step
	maps   map[string]func(float64) float64 // the numeric ones; nil before Fit
	added  map[string]bool                  // names given to AddAttribute
	before []base.FilteredAttribute         // in the order added
}

func newCellFilter(step string, needs []string, maps map[string]func(float64) float64) *cellFilter {
	return &cellFilter{step: step, needs: needs, maps: maps, added: make(map[string]bool)}
}

// AddAttribute asks for the column a to be mapped. Columns that are not numeric, or that the step
// was not fitted on, are errors.
func (f *cellFilter) AddAttribute(a base.Attribute) error {
	if f.maps == nil {
		return notFitted(f.step)
	}
	name := a.GetName()
	if _, ok := a.(*base.FloatAttribute); !ok {
		return fmt.Errorf("%s: cannot filter column %q: it is not numeric (%T)", f.step, name, a)
	}
	if f.maps[name] == nil {
		if near := spelling.Nearest(name, f.needs); near != "" && near != name {
			return fmt.Errorf("%s: cannot filter column %q: the step was not fitted on a numeric column of that name (the nearest is %q)", f.step, name, near)
		}
		return fmt.Errorf("%s: cannot filter column %q: the step was not fitted on a numeric column of that name", f.step, name)
	}
	same := func(b base.FilteredAttribute) bool { return b.Old == a }
	if !slices.ContainsFunc(f.before, same) {
		f.before = append(f.before, base.FilteredAttribute{Old: a, New: a})
	}
	f.added[name] = true
	return nil
}

// GetAttributesAfterFiltering returns the attributes added, each mapped to itself: name and type
// stay.
func (f *cellFilter) GetAttributesAfterFiltering() []base.FilteredAttribute {
	return slices.Clone(f.before)
}

// String names the step and how many columns are mapped.
func (f *cellFilter) String() string {
	return fmt.Sprintf("%s(%d attributes)", f.step, len(f.before))
}

// Transform maps one cell of a column that was added and returns any other cell as it is.
func (f *cellFilter) Transform(from, _ base.Attribute, cell []byte) []byte {
	if _, ok := from.(*base.FloatAttribute); !ok || !f.added[from.GetName()] {
		return cell
	}
	return base.PackFloatToBytes(f.maps[from.GetName()](base.UnpackBytesToFloat(cell)))
}

// Train has nothing to do: the step is fitted already.
func (f *cellFilter) Train() error {
	if f.maps == nil {
		return notFitted(f.step)
	}
	return nil
}
