package classifier

import (
	"errors"
	"fmt"

	"github.com/fspca/fspca/internal/lists"
)

// errNoRows says that a count of rows is not positive.
var errNoRows = errors.New("a class or a leaf without rows")

// savedTree is the JSON of a cartTree: its nodes in preorder, so that the left
// branch of a node is the next one.
type savedTree struct {
	Column    []int32   `json:"column"`           // −1: a leaf
	Threshold []float64 `json:"threshold"`        // one for each numeric split
	Levels    [][]int   `json:"levels,omitempty"` // one for each categorical split: what goes left
	Right     []int32   `json:"right"`            // one for each split
	Counts    []int     `json:"counts"`           // of each leaf, the rows of each class
}

func (t *cartTree) saved() savedTree {
	s := savedTree{Column: []int32{}, Threshold: []float64{}, Right: []int32{}}
	for at, node := range t.nodes {
		s.Column = append(s.Column, node.Column)
		if node.Column < 0 {
			s.Counts = append(s.Counts, t.rowCounts(int32(at))...)
			continue
		}
		s.Right = append(s.Right, node.Right)
		if node.set < 0 {
			s.Threshold = append(s.Threshold, node.Threshold)
			continue
		}
		s.Levels = append(s.Levels, append([]int{}, lists.Marked(t.sets[node.set])...))
	}
	return s
}

// read checks a saved tree and builds it.
func (s *savedTree) read(features treeFeatures, classes int) (*cartTree, error) {
	n := len(s.Column)
	leaves := 0
	t := &cartTree{classes: classes, nodes: make([]cartNode, n), counts: make([]int, n*classes)}
	for at, column := range s.Column {
		t.nodes[at] = cartNode{Column: column, set: -1}
		if column < 0 {
			t.nodes[at].Column = -1
			if len(s.Counts) < (leaves+1)*classes {
				return nil, errors.New("a leaf has no counts")
			}
			copy(t.rowCounts(int32(at)), s.Counts[leaves*classes:])
			leaves++
			continue
		}
		if err := s.split(t, int32(at), features); err != nil {
			return nil, err
		}
	}
	if len(s.Right)+len(s.Threshold)+len(s.Levels) > 0 || len(s.Counts) != leaves*classes || n == 0 {
		return nil, errors.New("the tree has too few nodes")
	}
	return t, t.check()
}

// split reads a split, and takes its parts off s.
func (s *savedTree) split(t *cartTree, at int32, features treeFeatures) error {
	node := &t.nodes[at]
	if int(node.Column) >= len(features) || len(s.Right) == 0 {
		return fmt.Errorf("node %d splits on the column %d of %d", at, node.Column, len(features))
	}
	node.Right, s.Right = s.Right[0], s.Right[1:]
	levels := features[node.Column].Levels
	if levels == nil {
		if len(s.Threshold) == 0 {
			return fmt.Errorf("node %d has no threshold", at)
		}
		node.Threshold, s.Threshold = s.Threshold[0], s.Threshold[1:]
		return nil
	}
	if len(s.Levels) == 0 {
		return fmt.Errorf("node %d has no levels", at)
	}
	set := make([]bool, len(levels))
	for _, level := range s.Levels[0] {
		if level < 0 || level >= len(levels) {
			return fmt.Errorf("node %d has a level %d of %d", at, level, len(levels))
		}
		set[level] = true
	}
	s.Levels = s.Levels[1:]
	node.set = int32(len(t.sets))
	t.sets = append(t.sets, set)
	return nil
}

// check walks the nodes in preorder and sums up their counts.
func (t *cartTree) check() error {
	if err := t.checkOrder(); err != nil {
		return err
	}
	for at := len(t.nodes) - 1; at >= 0; at-- {
		counts, total := t.rowCounts(int32(at)), 0
		for class := range counts {
			if node := t.nodes[at]; node.Column >= 0 {
				counts[class] = t.rowCounts(int32(at) + 1)[class] + t.rowCounts(node.Right)[class]
			}
			if counts[class] < 0 || int64(counts[class]) > 1<<50 {
				return errNoRows
			}
			total += counts[class]
		}
		if total == 0 {
			return errNoRows
		}
	}
	return nil
}

// checkOrder holds the nodes to preorder: the left branch follows its node, the right one the left.
func (t *cartTree) checkOrder() error {
	var waiting []int32 // right branches that are still to come
	for at := range t.nodes {
		if node := &t.nodes[at]; node.Column >= 0 {
			waiting = append(waiting, node.Right)
			continue
		}
		next := len(t.nodes)
		if len(waiting) > 0 {
			next = int(waiting[len(waiting)-1])
			waiting = waiting[:len(waiting)-1]
		} else if at < len(t.nodes)-1 {
			return errors.New("nodes belong to no branch")
		}
		if next != at+1 {
			return fmt.Errorf("after node %d comes node %d", at, next)
		}
	}
	if len(waiting) > 0 {
		return errors.New("a branch is missing")
	}
	return nil
}
