package classifier

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
)

// id3Fit is a tree of golearn's ID3. It is never changed.
type id3Fit struct {
	kind     string // golearn, or decision_tree where an old file was read
	features treeFeatures
	classes  []string
	root     *treeNode
	maxDepth int
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

// treeInput is a frame's columns, in the order of the training features.
type treeInput struct {
	x       *mat.Dense
	numeric []int             // column of x, where the feature is numeric
	factors []*dataset.Factor // nil where it is numeric
}

// input finds the features in f by name and checks their kinds and levels.
func (t *id3Fit) input(f *dataset.Frame) (*treeInput, error) {
	picked, err := t.features.pick(t.kind, f)
	if err != nil {
		return nil, err
	}
	in := &treeInput{x: picked.Numeric(), numeric: make([]int, len(t.features)), factors: make([]*dataset.Factor, len(t.features))}
	next := 0
	for j, column := range picked.Columns() {
		in.factors[j] = column.Factor
		if column.Factor == nil {
			in.numeric[j] = next
			next++
		}
	}
	return in, nil
}

// leaf follows the branches for row i.
func (t *id3Fit) leaf(in *treeInput, i int) *treeNode {
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

// adopt checks a node that was read, and those below, and finds its feature.
func (t *id3Fit) adopt(node *treeNode) error {
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

func (t *id3Fit) adoptBranches(node *treeNode, feature treeFeature) error {
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
