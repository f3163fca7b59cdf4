package classifier

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
)

// id3Fit is a tree of golearn's ID3. It is never changed.
type id3Fit struct {
	treeFit
	kind     string // golearn, or decision_tree where an old file was read
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

// leaf follows the branches for a row: of a categorical feature it has the code of the level.
func (t *id3Fit) leaf(row []float64) *treeNode {
	for node := t.root; ; {
		next := node.Low
		switch levels, v := t.features[node.feature].Levels, row[node.feature]; {
		case node.Column == "":
			return node
		case levels != nil:
			next = node.Levels[levels[int(v)]]
		case v > *node.Threshold:
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
	node.feature = slices.Index(t.features.names(), node.Column)
	if node.feature < 0 {
		return fmt.Errorf("a node splits on %q, which is not a feature", node.Column)
	}
	return t.adoptBranches(node, t.features[node.feature])
}

func (t *id3Fit) adoptBranches(node *treeNode, feature treeFeature) error {
	if feature.Levels == nil {
		if node.Threshold == nil {
			return fmt.Errorf("a node that splits on %q has no threshold", node.Column)
		}
		return cmp.Or(t.adopt(node.Low), t.adopt(node.High))
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
	return slices.AppendSeq(all, maps.Values(n.Levels))
}
