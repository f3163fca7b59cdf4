package classifier

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/sjwhitworth/golearn/base"
	"github.com/sjwhitworth/golearn/trees"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/golearn"
	"github.com/fspca/fspca/internal/lists"
)

// growID3 lets golearn's ID3 grow a tree on a copy of the rows, by a rule of
// our own, and takes its nodes over.
func growID3(ctx context.Context, f *dataset.Frame, rows *trainingRows, maxDepth int) (*id3Fit, error) {
	fit := &id3Fit{treeFit: treeFit{featuresOf(f), rows.classes}, kind: golearnKind, maxDepth: maxDepth}
	err := golearn.Guard("golearn id3: fit", func() error {
		grid, rule, err := treeGrid(f, rows)
		if err != nil {
			return err
		}
		rule.ctx, rule.maxDepth = ctx, maxDepth
		id3 := trees.NewID3DecisionTreeFromRule(0, rule)
		if err := id3.Fit(grid); err != nil {
			return err
		}
		fit.root, err = fit.takeOver(id3.Root, rule)
		return err
	})
	return fit, cmp.Or(err, ctx.Err())
}

// treeGrid copies the rows into a golearn grid under names of its own (golearn
// finds attributes by name, and a user's names may collide): first the class, which
// golearn looks up for every row, then a column of row numbers. By it the rule
// knows the rows of a node without reading them through golearn's views. It is
// never split on, and keeps the last feature usable: golearn makes a leaf as soon
// as only the class and one other column are left.
func treeGrid(f *dataset.Frame, rows *trainingRows) (*base.DenseInstances, *gainRule, error) {
	grid := base.NewDenseInstances()
	class := golearn.Categorical("class", rows.classes)
	specs := []base.AttributeSpec{grid.AddAttribute(class)}
	number := base.NewFloatAttribute("row")
	specs = append(specs, grid.AddAttribute(number))
	rule := &gainRule{
		codes: rows.codes, classes: len(rows.classes), x: f.Numeric(),
		number: number, columns: make(map[base.Attribute]int),
		xlogx: tabulateXLogX(f.Rows()),
	}
	for j, column := range f.Columns() {
		name := fmt.Sprintf("x%d", j)
		var attribute base.Attribute = base.NewFloatAttribute(name)
		if column.Factor != nil {
			attribute = golearn.Categorical(name, column.Factor.Levels)
		}
		specs = append(specs, grid.AddAttribute(attribute))
		rule.columns[attribute] = j
		rule.add(attribute, column.Factor)
	}
	if err := errors.Join(grid.AddClassAttribute(class), grid.Extend(f.Rows())); err != nil {
		return nil, nil, err
	}
	rule.fill(grid, specs)
	return grid, rule, nil
}

// fill writes the rows into the grid: the class, the row's number, the features.
func (r *gainRule) fill(grid *base.DenseInstances, specs []base.AttributeSpec) {
	var cell [8]byte
	set := func(spec, row int, bits uint64) {
		binary.LittleEndian.PutUint64(cell[:], bits)
		grid.Set(specs[spec], row, cell[:])
	}
	for i := range len(r.codes) {
		set(0, i, uint64(r.codes[i]))
		set(1, i, math.Float64bits(float64(i)))
		for j, feature := range r.features {
			if feature.factor != nil {
				set(2+j, i, uint64(feature.factor.Codes[i]))
			} else {
				set(2+j, i, math.Float64bits(r.x.At(i, feature.numeric)))
			}
		}
	}
}

// takeOver copies golearn's node and those below. golearn's own class of a node
// is left alone: it is a random one at a tie.
func (t *id3Fit) takeOver(from *trees.DecisionTreeNode, rule *gainRule) (*treeNode, error) {
	node := &treeNode{Counts: lists.Map(t.classes, func(class string) int { return from.ClassDist[class] })}
	if from.Children == nil {
		return node, nil
	}
	column, ok := rule.columns[from.SplitRule.SplitAttr]
	if !ok {
		return nil, fmt.Errorf("golearn id3: golearn split on an attribute that is not a feature: %v", from.SplitRule.SplitAttr)
	}
	node.feature, node.Column = column, t.features[column].Name
	branches := make(map[string]*treeNode, len(from.Children))
	for key, child := range from.Children {
		branch, err := t.takeOver(child, rule)
		if err != nil {
			return nil, err
		}
		branches[key] = branch
	}
	if t.features[column].Levels != nil {
		node.Levels = branches
		return node, nil
	}
	threshold := from.SplitRule.SplitVal
	node.Threshold, node.Low, node.High = &threshold, branches["0"], branches["1"]
	return node, nil
}
