package dataset

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/sjwhitworth/golearn/base"

	"github.com/fspca/fspca/internal/delimited"
)

// What golearn sees of a frame: its feature columns in order, then the class,
// as FloatAttribute and CategoricalAttribute (or as the attributes of the grid
// that the frame was made from). A missing number is NaN. A missing category is
// a value "" that the attribute has besides the levels.

var _ base.FixedDataGrid = (*Frame)(nil)

// grid is a frame's side towards golearn.
type grid struct {
	attrs  []base.Attribute // features, then the class
	specs  []base.AttributeSpec
	cells  []columnBytes
	column map[base.Attribute]int // attribute → its place in attrs
}

// skeletonGroup is the number of attributes in one group of the skeleton:
// golearn copies a group's attributes whenever one is added to it.
const skeletonGroup = 64

// learn returns the frame's side towards golearn, which is made on first use.
func (f *Frame) learn() *grid {
	f.once.Do(func() {
		g := &grid{column: make(map[base.Attribute]int, len(f.cols)+1)}
		for _, c := range f.cols {
			if c.Factor == nil {
				g.attrs = append(g.attrs, f.numbers.attribute(c.Name))
			} else {
				g.attrs = append(g.attrs, c.Factor.origin.attribute())
			}
		}
		if f.class != nil {
			g.attrs = append(g.attrs, f.class.origin.attribute())
		}
		for j, a := range g.attrs {
			g.cells = append(g.cells, f.bytesOf(j, a))
			g.column[a] = j
		}
		g.specs = mintSpecs(g.attrs)
		f.grid = g
	})
	return f.grid
}

// mintSpecs returns specs of the attributes. The fields of a base.AttributeSpec
// cannot be set from outside, so they come from DenseInstances without rows that
// have the same attributes. golearn sorts specs by group and by place in the
// group; groups are made as the attributes come, so that this is their order.
func mintSpecs(attrs []base.Attribute) []base.AttributeSpec {
	specs := make([]base.AttributeSpec, len(attrs))
	skeleton, group := base.NewDenseInstances(), ""
	for j, a := range attrs {
		_, numeric := a.(*base.FloatAttribute)
		if !numeric || group == "" || j%skeletonGroup == 0 {
			group = fmt.Sprint(j)
			if err := skeleton.CreateAttributeGroup(group, 8); err != nil {
				panic(err) // cannot be: no rows yet
			}
		}
		spec, err := skeleton.AddAttributeToAttributeGroup(a, group)
		if err != nil {
			panic(err) // cannot be: the group is there and holds floats or nothing
		}
		if !numeric {
			group = "" // takes no other attribute
		}
		specs[j] = spec
	}
	return specs
}

// find returns the place of an attribute: of this very one, or of one that is
// equal to it as golearn sees it (name, kind and values).
func (f *Frame) find(a base.Attribute) (int, bool) {
	g := f.learn()
	if j, ok := g.column[a]; ok {
		return j, true
	}
	if a == nil {
		return 0, false
	}
	j, ok := f.named(a.GetName())
	if !ok && f.class != nil && a.GetName() == f.className {
		j, ok = len(f.cols), true
	}
	return j, ok && g.attrs[j].Equals(a)
}

// GetAttribute returns the spec of a column of this frame. The attribute may be
// the frame's own or an equal one.
func (f *Frame) GetAttribute(a base.Attribute) (base.AttributeSpec, error) {
	if j, ok := f.find(a); ok {
		return f.learn().specs[j], nil
	}
	return base.AttributeSpec{}, fmt.Errorf("the frame has no attribute equal to %v", a)
}

// AllAttributes returns the attributes of the feature columns in order, then
// that of the class.
func (f *Frame) AllAttributes() []base.Attribute { return slices.Clone(f.learn().attrs) }

// AllClassAttributes returns the attribute of the class, or none.
func (f *Frame) AllClassAttributes() []base.Attribute {
	if f.class == nil {
		return nil
	}
	return []base.Attribute{f.learn().attrs[len(f.cols)]}
}

// AddClassAttribute returns nil if a is the class already, else an error: a
// frame does not change. Use [Frame.WithClass].
func (f *Frame) AddClassAttribute(a base.Attribute) error {
	j, ok := f.find(a)
	switch {
	case !ok:
		return fmt.Errorf("the frame has no attribute equal to %v", a)
	case j < len(f.cols):
		return fmt.Errorf("%q cannot become the class: a frame does not change; use WithClass", a.GetName())
	}
	return nil
}

// RemoveClassAttribute returns nil if a is a feature, else an error: a frame
// does not change. Use [Frame.WithoutClass].
func (f *Frame) RemoveClassAttribute(a base.Attribute) error {
	j, ok := f.find(a)
	switch {
	case !ok:
		return fmt.Errorf("the frame has no attribute equal to %v", a)
	case j == len(f.cols):
		return fmt.Errorf("%q cannot stop being the class: a frame does not change; use WithoutClass", a.GetName())
	}
	return nil
}

// Size returns the number of attributes, the class included, and of rows.
func (f *Frame) Size() (columns, rows int) {
	columns = len(f.cols)
	if f.class != nil {
		columns++
	}
	return columns, f.rows
}

// Get returns the bytes of one cell as golearn packs them. It returns nil if the
// spec is not of this frame or there is no such row. The bytes may be shared:
// read only.
func (f *Frame) Get(spec base.AttributeSpec, row int) []byte {
	j, ok := f.find(spec.GetAttribute())
	if !ok || row < 0 || row >= f.rows {
		return nil
	}
	return f.grid.cells[j].at(row)
}

// MapOverRows calls fn with the cells of each row, in order, and the row's
// index, until fn returns false or an error, which is returned. The slices are
// reused for the next row, and the bytes may be shared: read only.
func (f *Frame) MapOverRows(specs []base.AttributeSpec, fn func([][]byte, int) (bool, error)) error {
	if fn == nil {
		return errors.New("there is no function to call with the rows")
	}
	columns := make([]*columnBytes, len(specs))
	for i := range specs {
		j, ok := f.find(specs[i].GetAttribute())
		if !ok {
			return fmt.Errorf("the frame has no attribute equal to %v", specs[i].GetAttribute())
		}
		columns[i] = &f.grid.cells[j]
	}
	cells := make([][]byte, len(specs))
	for row := range f.rows {
		for i := range columns {
			cells[i] = columns[i].at(row)
		}
		if more, err := fn(cells, row); err != nil || !more {
			return err
		}
	}
	return nil
}

// RowString returns the cells of a row with a space between them, numbers in
// their shortest exact form; "" if there is no such row.
func (f *Frame) RowString(row int) string {
	if row < 0 || row >= f.rows {
		return ""
	}
	cells := make([]string, 0, len(f.cols)+1)
	for j, c := range f.cols {
		if c.Factor != nil {
			cells = append(cells, c.Factor.Text(row))
		} else {
			cells = append(cells, string(delimited.AppendNumber(nil, f.x.At(row, f.place(j)))))
		}
	}
	if f.class != nil {
		cells = append(cells, f.class.Text(row))
	}
	return strings.Join(cells, " ")
}
