package classifier

import (
	"context"
	"math"

	"github.com/fspca/fspca/internal/kernel"
	"github.com/fspca/fspca/internal/lists"
)

// grower grows one tree after the other on the same columns. With xlogx it
// splits by entropy, without by Gini's index.
type grower struct {
	columns  []treeColumn
	codes    []int // class of each row
	classes  int
	minLeaf  int
	maxDepth int       // 0: no limit
	xlogx    []float64 // x·log x for x = 0…n; nil for gini
}

// growing is a node that is being split.
type growing struct {
	rows   []uint32 // ascending, with repeats in a bootstrap sample
	codes  []uint32 // the class of each of rows
	counts []int    // rows of each class
	depth  int
}

// tabulateXLogX tabulates x·log x for x = 0…n.
func tabulateXLogX(n int) []float64 {
	t := make([]float64, n+1)
	for x := 2; x <= n; x++ {
		t[x] = float64(x) * math.Log(float64(x))
	}
	return t
}

// allRows are the rows of a tree that is grown on each row once.
func (g *grower) allRows() []uint32 {
	return lists.Upto[uint32](len(g.codes))
}

// sprout is one tree while it grows.
type sprout struct {
	*grower
	ctx       context.Context
	tree      *cartTree
	splitters []*splitter // one for each worker
	spare     []uint32
	spareCode []uint32
	found     []treeSplit
	draw      *columnDraw // nil: every node looks at all columns
}

// grow grows a tree on the rows, which it reorders. Draw may be nil. It returns
// nil when ctx ends first.
func (g *grower) grow(ctx context.Context, rows []uint32, draw *columnDraw) *cartTree {
	s := &sprout{grower: g, ctx: ctx, tree: &cartTree{classes: g.classes}, draw: draw,
		spare: make([]uint32, len(rows)), spareCode: make([]uint32, len(rows)), found: make([]treeSplit, len(g.columns))}
	workers := 1
	if draw == nil {
		workers = kernel.Workers(len(g.columns))
	}
	for range workers {
		s.splitters = append(s.splitters, newSplitter(g, len(rows)))
	}
	root := &growing{rows: rows, codes: make([]uint32, len(rows))}
	for i, row := range rows {
		root.codes[i] = uint32(g.codes[row])
	}
	s.node(root)
	if ctx.Err() != nil {
		return nil
	}
	return s.tree
}

// node adds a node and what grows below it, and returns its index.
func (s *sprout) node(n *growing) int32 {
	n.counts = make([]int, s.classes)
	for _, code := range n.codes {
		n.counts[code]++
	}
	at := s.tree.add(n.counts)
	if s.ctx.Err() != nil || s.isLeaf(n) {
		return at
	}
	best := s.best(n)
	if !best.found {
		return at
	}
	left, right := s.part(n, best)
	node := cartNode{Column: int32(best.column), set: -1}
	if column := &s.columns[best.column]; column.values != nil {
		node.Threshold = midpoint(column.values[best.rank], column.values[best.next])
	} else {
		node.set = s.tree.addSet(best.levels, column.levels, n, column, len(left.rows) >= len(right.rows))
	}
	s.node(left) // the next node
	node.Right = s.node(right)
	s.tree.nodes[at] = node
	return at
}

// isLeaf reports whether a node is not to be split.
func (s *sprout) isLeaf(n *growing) bool {
	size := len(n.rows)
	return size < 2*s.minLeaf || s.maxDepth > 0 && n.depth >= s.maxDepth || n.counts[majority(n.counts)] == size
}

// parallelSplit is the number of cells of a node above which its columns are
// shared out among the processors.
const parallelSplit = 1 << 13

// best finds the best split by all columns, or by those that are drawn.
func (s *sprout) best(n *growing) (best treeSplit) {
	if s.draw != nil {
		s.draw.begin()
		for seen := 0; seen < s.draw.columns || !best.found; seen++ {
			j, ok := s.draw.next()
			if !ok {
				break
			}
			if split := s.splitters[0].split(n, j); split.better(best, len(n.rows)) {
				best = split
			}
		}
		return best
	}
	if len(n.rows)*len(s.columns) < parallelSplit {
		for j := range s.columns {
			s.found[j] = s.splitters[0].split(n, j)
		}
	} else {
		kernel.Parallel(len(s.columns), func(worker, j int) { s.found[j] = s.splitters[worker].split(n, j) })
	}
	for _, split := range s.found {
		if split.better(best, len(n.rows)) {
			best = split
		}
	}
	return best
}

// part divides the rows of a node in place, keeping their order.
func (s *sprout) part(n *growing, by treeSplit) (left, right *growing) {
	column := &s.columns[by.column]
	goesLeft := func(rank uint32) bool { return rank <= by.rank }
	if column.values == nil {
		set := make([]bool, column.levels)
		for _, level := range by.levels {
			set[level] = true
		}
		goesLeft = func(rank uint32) bool { return set[rank] }
	}
	l, r := 0, 0
	for i, row := range n.rows {
		if goesLeft(column.ranks[row]) {
			n.rows[l], n.codes[l] = row, n.codes[i]
			l++
		} else {
			s.spare[r], s.spareCode[r] = row, n.codes[i]
			r++
		}
	}
	copy(n.rows[l:], s.spare[:r])
	copy(n.codes[l:], s.spareCode[:r])
	return &growing{rows: n.rows[:l], codes: n.codes[:l], depth: n.depth + 1},
		&growing{rows: n.rows[l:], codes: n.codes[l:], depth: n.depth + 1}
}

// midpoint lies between two values, a < b, so that a ≤ midpoint < b in floating
// point too.
func midpoint(a, b float64) float64 {
	if m := a/2 + b/2; m >= a && m < b {
		return m
	}
	return a
}
