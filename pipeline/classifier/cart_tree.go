package classifier

import (
	"math"
	"slices"

	"github.com/fspca/fspca/internal/lists"
)

// cartTree is a grown tree: nodes in preorder, the root first. It is not changed
// once it is grown and pruned.
type cartTree struct {
	classes int
	nodes   []cartNode
	counts  []int    // training rows of each class: nodes × classes
	sets    [][]bool // for categorical splits: by level, whether it goes left
}

// cartNode is a leaf where Column is −1.
type cartNode struct {
	Threshold float64 // numeric: not above it goes left
	Column    int32
	Right     int32 // the left branch is the next node
	set       int32 // index into sets; −1 for a numeric column
}

func (t *cartTree) add(counts []int) int32 {
	t.nodes = append(t.nodes, cartNode{Column: -1, set: -1})
	t.counts = append(t.counts, counts...)
	return int32(len(t.nodes) - 1)
}

// addSet keeps the levels that go left. Levels without a row in the node go the
// way of most rows.
func (t *cartTree) addSet(left []uint32, levels int, n *growing, column *treeColumn, mostLeft bool) int32 {
	set := slices.Repeat([]bool{mostLeft}, levels)
	for _, row := range n.rows {
		set[column.ranks[row]] = false
	}
	for _, level := range left {
		set[level] = true
	}
	t.sets = append(t.sets, set)
	return int32(len(t.sets) - 1)
}

// rowCounts are the training rows of each class in a node.
func (t *cartTree) rowCounts(node int32) []int {
	return t.counts[int(node)*t.classes : (int(node)+1)*t.classes]
}

// leaf follows the branches for a row: numbers holds its value of each column,
// and of a categorical column the code of its level.
func (t *cartTree) leaf(numbers []float64) int32 {
	if t.sets != nil {
		at := int32(0)
		for t.nodes[at].Column >= 0 {
			at = t.step(at, numbers)
		}
		return at
	}
	nodes := t.nodes
	at := int32(0)
	for {
		node := &nodes[at]
		column := int(node.Column)
		if column < 0 {
			return at
		}
		at++
		if numbers[column] > node.Threshold {
			at = node.Right
		}
	}
}

// path is leaf, and appends to met the columns that the row meets, each once.
func (t *cartTree) path(numbers []float64, met []int32) (leaf int32, columns []int32) {
	for node := t.nodes[0]; node.Column >= 0; node = t.nodes[leaf] {
		if !slices.Contains(met, node.Column) {
			met = append(met, node.Column)
		}
		leaf = t.step(leaf, numbers)
	}
	return leaf, met
}

// step goes from an inner node to the child that a row belongs to.
func (t *cartTree) step(at int32, numbers []float64) int32 {
	node := &t.nodes[at]
	v := numbers[node.Column]
	left := v <= node.Threshold
	if node.set >= 0 {
		left = t.sets[node.set][int(v)]
	}
	if left {
		return at + 1
	}
	return node.Right
}

// size returns the number of leaves and the depth.
func (t *cartTree) size() (leaves, depth int) {
	depths := make([]int, len(t.nodes))
	for at, node := range t.nodes { // parents come before children
		depth = max(depth, depths[at])
		if node.Column < 0 {
			leaves++
			continue
		}
		depths[at+1], depths[node.Right] = depths[at]+1, depths[at]+1
	}
	return leaves, depth
}

// prune returns the smallest subtree that minimises the cost R + alpha·leaves. R is
// the mean impurity of the leaves (Breiman et al., chapter 3). It is the subtree
// that repeated cutting of the weakest link stops at.
func (t *cartTree) prune(alpha float64, entropy bool) *cartTree {
	total := lists.Sum(t.rowCounts(0))
	cost := make([]float64, len(t.nodes))
	cut := make([]bool, len(t.nodes))
	for at := len(t.nodes) - 1; at >= 0; at-- { // children come after parents
		node := t.nodes[at]
		own := t.impurity(int32(at), entropy)/float64(total) + alpha
		cost[at], cut[at] = own, true
		if node.Column < 0 {
			continue
		}
		below := cost[at+1] + cost[node.Right]
		if below < own-1e-14 { // cost is at most log(classes) + alpha: rounding
			cost[at], cut[at] = below, false
		}
	}
	kept := &cartTree{classes: t.classes}
	t.keep(kept, 0, cut)
	return kept
}

// keep copies a node, and what is below it unless it is cut there.
func (t *cartTree) keep(to *cartTree, at int32, cut []bool) int32 {
	kept := to.add(t.rowCounts(at))
	if cut[at] {
		return kept
	}
	node := t.nodes[at]
	if node.set >= 0 {
		to.sets = append(to.sets, slices.Clone(t.sets[node.set]))
		node.set = int32(len(to.sets) - 1)
	}
	t.keep(to, at+1, cut)
	node.Right = t.keep(to, node.Right, cut)
	to.nodes[kept] = node
	return kept
}

// impurity is that of a node times its number of rows: Gini's index, or the
// entropy in bits.
func (t *cartTree) impurity(node int32, entropy bool) float64 {
	counts := t.rowCounts(node)
	n, sum := lists.Sum(counts), 0.0
	for _, count := range counts {
		if count == 0 {
			continue
		}
		share := float64(count) / float64(n)
		if entropy {
			sum -= float64(count) * math.Log2(share)
		} else {
			sum += float64(count) * (1 - share)
		}
	}
	return sum
}
