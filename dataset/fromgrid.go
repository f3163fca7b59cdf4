package dataset

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/sjwhitworth/golearn/base"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/lists"
)

// FromGrid returns a golearn grid as a frame: a *Frame as it is, anything else
// read once. The columns keep the grid's order, the class goes last.
//
//   - A FloatAttribute is a numeric column (NaN is a missing cell), and a
//     BinaryAttribute is one of 0 and 1.
//   - A CategoricalAttribute is a factor. The value "" is a missing cell in it,
//     as an empty cell of a file is.
//   - A class that is a number becomes text levels: the shortest exact form.
//   - The frame shows golearn the same attributes, by address, so that golearn
//     filters and classifiers that were trained on the grid accept the frame.
//
// DenseInstances are read group by group through their storage. If the numeric
// columns lie side by side in one group, the frame shares that memory, so later
// changes of the grid change the frame. Views, filtered grids and other
// implementations are read cell by cell and copied.
//
// Errors: a nil grid, no rows, more than one class attribute, a missing class
// cell, an unknown kind of attribute, and those of [Assemble]. A panic inside
// the grid becomes an error.
func FromGrid(g base.FixedDataGrid) (f *Frame, err error) {
	if v := reflect.ValueOf(g); !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() {
		return nil, errors.New("the grid is nil")
	}
	if f, ok := g.(*Frame); ok {
		return f, nil
	}
	defer func() {
		if r := recover(); r != nil {
			f, err = nil, fmt.Errorf("reading a %T: golearn panicked: %v", g, r)
		}
	}()
	table, err := newGridTable(g)
	if err != nil {
		return nil, err
	}
	if err := table.read(g); err != nil {
		return nil, err
	}
	return table.frame()
}

// gridTable is a grid on its way to a frame.
type gridTable struct {
	rows     int
	features []*gridColumn
	class    *gridColumn // nil without one
	p        int         // number of numeric features
	x        *mat.Dense  // rows×p
}

// gridColumn is one attribute of the grid and where its cells go.
type gridColumn struct {
	attr    base.Attribute
	place   int       // numeric feature: its column of x; else −1
	values  []float64 // numeric class: its cells
	missing bool      // some cell of the numbers is not there
	codes   []int32   // factor: its cells
	levels  []string  // factor: the values but ""
	code    []int32   // factor: golearn's value → code
}

func newGridTable(g base.FixedDataGrid) (*gridTable, error) {
	attrs := g.AllAttributes()
	_, rows := g.Size()
	t := &gridTable{rows: rows}
	if rows <= 0 || len(attrs) == 0 {
		return nil, fmt.Errorf("the grid has %d rows and %d attributes: want at least one of each", max(rows, 0), len(attrs))
	}
	class, err := classOf(g)
	if err != nil {
		return nil, err
	}
	for _, a := range attrs {
		if a == nil {
			return nil, errors.New("the grid has a nil attribute (a filter that drops columns leaves one)")
		}
		if err := t.addColumn(a, class != nil && t.class == nil && (a == class || a.Equals(class))); err != nil {
			return nil, err
		}
	}
	if class != nil && t.class == nil {
		return nil, fmt.Errorf("the class %q is not among the grid's attributes", class.GetName())
	}
	return t, nil
}

// addColumn makes room for the cells of an attribute.
func (t *gridTable) addColumn(a base.Attribute, isClass bool) error {
	c := &gridColumn{attr: a, place: -1}
	switch a := a.(type) {
	case *base.FloatAttribute, *base.BinaryAttribute:
		if isClass {
			c.values = make([]float64, t.rows)
		} else {
			c.place = t.p
			t.p++
		}
	case *base.CategoricalAttribute:
		c.codes = make([]int32, t.rows)
		c.setLevels(a.GetValues())
	default:
		return fmt.Errorf("attribute %q is a %T: want a float, a binary or a categorical one", a.GetName(), a)
	}
	if isClass {
		t.class = c
	} else {
		t.features = append(t.features, c)
	}
	return nil
}

// classOf returns the only class attribute of g, nil without one.
func classOf(g base.FixedDataGrid) (base.Attribute, error) {
	var classes []base.Attribute
	for _, a := range g.AllClassAttributes() {
		if a != nil && !slices.ContainsFunc(classes, a.Equals) { // a view may hold one twice
			classes = append(classes, a)
		}
	}
	if len(classes) > 1 {
		names := lists.Map(classes, func(a base.Attribute) string { return fmt.Sprintf("%q", a.GetName()) })
		slices.Sort(names)
		return nil, fmt.Errorf("the grid has %d class attributes, %s: want at most one", len(classes), strings.Join(names, ", "))
	}
	if len(classes) == 0 {
		return nil, nil
	}
	return classes[0], nil
}

// setLevels takes the attribute's values over as levels, but for "", which is a
// missing cell.
func (c *gridColumn) setLevels(values []string) {
	c.code = make([]int32, len(values))
	for i, v := range values {
		c.code[i] = Missing
		if v != "" {
			c.code[i] = int32(len(c.levels))
			c.levels = append(c.levels, v)
		}
	}
}

// frame makes the frame of the cells that were read.
func (t *gridTable) frame() (*Frame, error) {
	cols := make([]Column, len(t.features))
	pool := new(attributePool)
	for j, c := range t.features {
		cols[j].Name = c.attr.GetName()
		if c.codes != nil {
			cols[j].Factor = c.factor()
		} else if _, binary := c.attr.(*base.BinaryAttribute); !binary || !c.missing {
			pool.keep(c.attr) // a missing cell cannot be shown as binary
		}
	}
	var className string
	var class *Factor
	if t.class != nil {
		className, class = t.class.attr.GetName(), t.class.factor()
	}
	f, err := Assemble(t.x, cols, className, class)
	if err != nil {
		return nil, err
	}
	f.numbers = pool
	return f, nil
}

// factor returns the factor of a categorical column, or of a numeric class,
// with the grid's own attribute.
func (c *gridColumn) factor() *Factor {
	if c.values != nil {
		return c.numericClass()
	}
	o := &origin{name: c.attr.GetName(), levels: c.levels, attr: c.attr}
	missing := -1 // golearn's value for a missing cell
	for i, code := range c.code {
		if code != Missing {
			o.bytes = append(o.bytes, base.PackU64ToBytes(uint64(i))...)
		} else if missing < 0 {
			missing = i
		}
	}
	if missing >= 0 {
		o.missing = true
		o.bytes = append(o.bytes, base.PackU64ToBytes(uint64(missing))...)
	}
	return &Factor{Levels: c.levels, Codes: c.codes, origin: o}
}

// numericClass turns the numbers of a class into levels.
func (c *gridColumn) numericClass() *Factor {
	f := factorOf(c.values, 1, 0)
	_, binary := c.attr.(*base.BinaryAttribute)
	o := &origin{name: c.attr.GetName(), levels: f.Levels, attr: c.attr}
	for _, level := range f.Levels {
		v, _ := parseCell(level)
		if binary {
			o.bytes = append(o.bytes, byte(v), 0, 0, 0, 0, 0, 0, 0)
		} else {
			o.bytes = append(o.bytes, base.PackFloatToBytes(v)...)
		}
	}
	f.origin = o
	return f
}
