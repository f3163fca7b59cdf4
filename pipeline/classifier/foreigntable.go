package classifier

import (
	"slices"

	"github.com/sjwhitworth/golearn/base"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/golearn"
	"github.com/fspca/fspca/internal/lists"
)

// foreignTable is what a foreign classifier was trained on: golearn finds columns,
// levels and classes by their attributes, so that all its grids are made of these.
type foreignTable struct {
	features   treeFeatures
	class      treeFeature
	attributes []base.Attribute // beside features, then the class
}

// tableOf describes the rows of a frame, and the classes that occur.
func tableOf(f *dataset.Frame, classes []string) foreignTable {
	t := foreignTable{features: featuresOf(f), class: treeFeature{f.ClassName(), classes}}
	t.prepare()
	return t
}

// prepare makes the attributes.
func (t *foreignTable) prepare() {
	for _, f := range append(slices.Clone(t.features), t.class) {
		if f.Levels != nil {
			t.attributes = append(t.attributes, golearn.Categorical(f.Name, f.Levels))
		} else {
			t.attributes = append(t.attributes, base.NewFloatAttribute(f.Name))
		}
	}
}

// grid copies rows, whose columns are the features in order, into a golearn grid.
// class may be nil: every row then has the first class, which nobody looks at.
func (t *foreignTable) grid(kind string, f *dataset.Frame, class *dataset.Factor) (base.FixedDataGrid, error) {
	g := base.NewDenseInstances()
	specs := lists.Map(t.attributes, g.AddAttribute)
	last := len(specs) - 1
	if err := g.AddClassAttribute(t.attributes[last]); err != nil {
		return nil, err
	}
	if err := g.Extend(f.Rows()); err != nil {
		return nil, err
	}
	if err := t.fill(kind, g, specs, f); err != nil {
		return nil, err
	}
	if class == nil {
		return g, nil
	}
	for i := range f.Rows() {
		g.Set(specs[last], i, t.attributes[last].GetSysValFromString(class.Text(i)))
	}
	return g, nil
}

// fill writes the features of the rows into the grid.
func (t *foreignTable) fill(kind string, g *base.DenseInstances, specs []base.AttributeSpec, f *dataset.Frame) error {
	next := 0
	for j, column := range f.Columns() {
		if err := t.features[j].check(kind, f, column.Factor); err != nil {
			return err
		}
		for i := range f.Rows() {
			if column.Factor == nil {
				g.Set(specs[j], i, base.PackFloatToBytes(f.Numeric().At(i, next)))
			} else {
				g.Set(specs[j], i, t.attributes[j].GetSysValFromString(column.Factor.Text(i)))
			}
		}
		if column.Factor == nil {
			next++
		}
	}
	return nil
}
