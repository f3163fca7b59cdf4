package classifier

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/spelling"
)

// treeFit is what was learned. It is never changed.
type treeFit struct {
	features []treeFeature
	classes  []string
	root     *treeNode
	status   string // "converged", "deadline" or "cancelled"
}

// treeFeature is a training column; Levels is nil where it is numeric.
type treeFeature struct {
	Name   string   `json:"name"`
	Levels []string `json:"levels,omitempty"`
}

// treeNode is a leaf where Column is "". Otherwise it splits on that feature.
type treeNode struct {
	// Counts are the training rows of each class that came here.
	Counts []int  `json:"counts"`
	Column string `json:"column,omitempty"`
	// Threshold parts a numeric feature: Low takes what is not above it.
	Threshold *float64  `json:"threshold,omitempty"`
	Low       *treeNode `json:"low,omitempty"`
	High      *treeNode `json:"high,omitempty"`
	// Levels are the branches of a categorical feature.
	Levels map[string]*treeNode `json:"levels,omitempty"`

	feature int // index of Column among the features
}

// checkLevels refuses missing cells in categorical columns.
func checkLevels(kind string, f *dataset.Frame) error {
	for _, column := range f.Columns() {
		if column.Factor == nil {
			continue
		}
		for i, code := range column.Factor.Codes {
			if code < 0 {
				return fmt.Errorf("%s: row %d has no value in column %q: put an impute step before it, or drop the column",
					kind, i+1, column.Name)
			}
		}
	}
	return nil
}

// treeInput is a frame's columns, in the order of the training features.
type treeInput struct {
	x       *mat.Dense
	numeric []int             // column of x, where the feature is numeric
	factors []*dataset.Factor // nil where it is numeric
}

// input finds the features in f by name and checks their kinds and levels.
func (t *treeFit) input(f *dataset.Frame) (*treeInput, error) {
	picked, err := f.Pick(t.names())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", treeKind, err)
	}
	if err := picked.CheckComplete(treeKind); err != nil {
		return nil, err
	}
	if err := checkLevels(treeKind, picked); err != nil {
		return nil, err
	}
	in := &treeInput{x: picked.Numeric(), numeric: make([]int, len(t.features)), factors: make([]*dataset.Factor, len(t.features))}
	next := 0
	for j, column := range picked.Columns() {
		if err := t.features[j].check(treeKind, column.Factor); err != nil {
			return nil, err
		}
		in.factors[j] = column.Factor
		if column.Factor == nil {
			in.numeric[j] = next
			next++
		}
	}
	return in, nil
}

// check holds a new column to what the feature was in training.
func (t *treeFeature) check(kind string, column *dataset.Factor) error {
	if (column == nil) != (t.Levels == nil) {
		was, is := "numeric", "categorical"
		if column == nil {
			was, is = is, was
		}
		return fmt.Errorf("%s: column %q was %s in training, and is %s here", kind, t.Name, was, is)
	}
	if column == nil {
		return nil
	}
	known := make(map[string]bool, len(t.Levels))
	for _, level := range t.Levels {
		known[level] = true
	}
	for i, code := range column.Codes {
		level := column.Levels[code] // a missing cell is refused before
		if known[level] {
			continue
		}
		hint := ""
		if near := spelling.Nearest(level, t.Levels); near != "" {
			hint = fmt.Sprintf(" (the nearest is %q)", near)
		}
		return fmt.Errorf("%s: row %d of column %q has the level %q, which the training rows did not have%s",
			kind, i+1, t.Name, level, hint)
	}
	return nil
}

// leaf follows the branches for row i.
func (t *treeFit) leaf(in *treeInput, i int) *treeNode {
	for node := t.root; ; {
		next := node.Low
		switch factor := in.factors[node.feature]; {
		case node.Column == "":
			return node
		case factor != nil:
			next = node.Levels[factor.Levels[factor.Codes[i]]]
		case in.x.At(i, in.numeric[node.feature]) > *node.Threshold:
			next = node.High
		}
		if next == nil {
			return node
		}
		node = next
	}
}

func (t *treeFit) names() []string {
	names := make([]string, len(t.features))
	for j, feature := range t.features {
		names[j] = feature.Name
	}
	return names
}

// adopt checks a node that was read, and those below, and finds its feature.
func (t *treeFit) adopt(node *treeNode) error {
	if node == nil {
		return fmt.Errorf("a node is missing")
	}
	rows := 0
	for _, count := range node.Counts {
		if count < 0 {
			return fmt.Errorf("a node counts %d rows", count)
		}
		rows += count
	}
	if len(node.Counts) != len(t.classes) || rows == 0 {
		return fmt.Errorf("a node counts %d rows of %d classes, and there are %d classes", rows, len(node.Counts), len(t.classes))
	}
	if node.Column == "" {
		return nil
	}
	for j, feature := range t.features {
		if feature.Name == node.Column {
			node.feature = j
			return t.adoptBranches(node, feature)
		}
	}
	return fmt.Errorf("a node splits on %q, which is not a feature", node.Column)
}

func (t *treeFit) adoptBranches(node *treeNode, feature treeFeature) error {
	if feature.Levels == nil {
		if node.Threshold == nil {
			return fmt.Errorf("a node that splits on %q has no threshold", node.Column)
		}
		if err := t.adopt(node.Low); err != nil {
			return err
		}
		return t.adopt(node.High)
	}
	for _, level := range feature.Levels { // in this order, for a fixed message
		if branch := node.Levels[level]; branch != nil {
			if err := t.adopt(branch); err != nil {
				return err
			}
		}
	}
	return nil
}

// size counts the leaves below a node and the splits down to the deepest one.
func (n *treeNode) size() (leaves, depth int) {
	for _, branch := range n.branches() {
		l, d := branch.size()
		leaves += l
		depth = max(depth, d+1)
	}
	return max(leaves, 1), depth
}

func (n *treeNode) branches() []*treeNode {
	var all []*treeNode
	if n.Low != nil && n.High != nil {
		all = append(all, n.Low, n.High)
	}
	for _, branch := range n.Levels {
		all = append(all, branch)
	}
	return all
}
