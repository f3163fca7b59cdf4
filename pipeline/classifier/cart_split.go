package classifier

import (
	"cmp"
	"math"
	"slices"
)

// A treeSplit parts the rows of a node. Score is larger the purer the parts
// are; the zero value is no split.
type treeSplit struct {
	found  bool
	column int
	score  float64
	rank   uint32   // the highest rank of the left part, in a numeric column
	next   uint32   // the lowest of the right part
	levels []uint32 // levels of the left part, ascending, in a categorical column
}

// better reports whether s is to be preferred to other: the purer one, and the
// earlier column where rounding alone parts them. n is the rows of the node.
func (s treeSplit) better(other treeSplit, n int) bool {
	switch {
	case !s.found || !other.found:
		return s.found
	case math.Abs(s.score-other.score) <= scoreBand*float64(n):
		return s.column < other.column
	}
	return s.score > other.score
}

// scoreBand, times the number of rows, bounds how far rounding moves a score.
const scoreBand = 1e-12

// splitter finds the best split of a node by one column. A splitter belongs to
// one goroutine.
type splitter struct {
	g           *grower
	keys, spare []uint64
	left, right []int // rows of each class, or of each level and class
	table       []int
}

func newSplitter(g *grower, rows int) *splitter {
	return &splitter{g: g, keys: make([]uint64, rows), spare: make([]uint64, rows),
		left: make([]int, g.classes), right: make([]int, g.classes)}
}

// split finds the best split of a node by column j.
func (s *splitter) split(node *growing, j int) treeSplit {
	column := &s.g.columns[j]
	if column.values == nil {
		return s.splitLevels(node, j)
	}
	lowest, highest := uint32(math.MaxUint32), uint32(0)
	keys := s.keys[:len(node.rows)]
	for i, row := range node.rows {
		rank := column.ranks[row]
		lowest, highest = min(lowest, rank), max(highest, rank)
		keys[i] = uint64(rank)<<32 | uint64(node.codes[i])
	}
	if lowest == highest {
		return treeSplit{}
	}
	for i := range keys {
		keys[i] -= uint64(lowest) << 32
	}
	keys = sortRanks(keys, s.spare[:len(keys)], highest-lowest)
	best := s.scan(node, keys)
	best.column = j
	best.rank += lowest
	best.next += lowest
	return best
}

// scan tries all cuts of the sorted keys, the lowest first.
func (s *splitter) scan(node *growing, keys []uint64) treeSplit {
	left, right := s.left, s.right
	clear(left)
	copy(right, node.counts)
	n, least := len(keys), s.g.minLeaf
	p := newPurity(s.g, node.counts)
	best := treeSplit{score: math.Inf(-1)}
	band := scoreBand * float64(n)
	for i := range n - 1 {
		class := uint32(keys[i])
		p.move(left[class], right[class])
		left[class]++
		right[class]--
		here, next := uint32(keys[i]>>32), uint32(keys[i+1]>>32)
		if here == next || i+1 < least || n-i-1 < least {
			continue
		}
		if score := p.score(i+1, n-i-1); score > best.score+band {
			best = treeSplit{found: true, score: score, rank: here, next: next}
		}
	}
	return best
}

// splitLevels tries cuts of the levels in the order of their share of a class,
// for each class in turn. With two classes the best of all divisions of the
// levels is among these (Breiman et al., Classification and Regression Trees,
// theorem 4.5); with more, it mostly is.
func (s *splitter) splitLevels(node *growing, j int) treeSplit {
	column, classes := &s.g.columns[j], s.g.classes
	present, sizes := s.countLevels(node, column)
	best := treeSplit{}
	for class := range classes {
		if class == 0 && classes == 2 || len(present) < 2 {
			continue // the order of the other class, backwards
		}
		slices.SortFunc(present, func(a, b uint32) int {
			// Shares are compared as fractions: without rounding.
			left := s.table[int(a)*classes+class] * sizes[b]
			right := s.table[int(b)*classes+class] * sizes[a]
			return cmp.Or(cmp.Compare(left, right), cmp.Compare(a, b))
		})
		found := s.scanLevels(node, present, sizes)
		found.column = j
		if !best.found || found.found && found.score > best.score+scoreBand*float64(len(node.rows)) {
			best = found
		}
	}
	return best
}

// countLevels counts the rows of a node by level and class in table, and by level; present are the levels that occur.
func (s *splitter) countLevels(node *growing, column *treeColumn) (present []uint32, sizes []int) {
	classes := s.g.classes
	s.table = append(s.table[:0], make([]int, column.levels*classes)...)
	sizes = make([]int, column.levels)
	for i, row := range node.rows {
		level := column.ranks[row]
		s.table[int(level)*classes+int(node.codes[i])]++
		sizes[level]++
	}
	for level, size := range sizes {
		if size > 0 {
			present = append(present, uint32(level))
		}
	}
	return present, sizes
}

// scanLevels tries all cuts of the levels in the given order.
func (s *splitter) scanLevels(node *growing, order []uint32, sizes []int) treeSplit {
	left, right := s.left, s.right
	clear(left)
	copy(right, node.counts)
	n, nl := len(node.rows), 0
	p := newPurity(s.g, node.counts)
	best := treeSplit{score: math.Inf(-1)}
	for at, level := range order[:len(order)-1] {
		counts := s.table[int(level)*s.g.classes : (int(level)+1)*s.g.classes]
		for class, count := range counts {
			for range count {
				p.move(left[class], right[class])
				left[class]++
				right[class]--
			}
		}
		nl += sizes[level]
		if nl < s.g.minLeaf || n-nl < s.g.minLeaf {
			continue
		}
		if score := p.score(nl, n-nl); score > best.score+scoreBand*float64(n) {
			best = treeSplit{found: true, score: score, levels: slices.Clone(order[:at+1])}
		}
	}
	slices.Sort(best.levels)
	return best
}

// purity follows the purity of both parts while rows move from right to left.
// With gini it is Σ_c l_c²/l + Σ_c r_c²/r, with entropy Σ_c l_c·log(l_c/l) + Σ_c
// r_c·log(r_c/r): both are largest where the mean impurity is smallest.
type purity struct {
	g           *grower
	left, right int     // Σ l_c² and Σ r_c²
	sum         float64 // Σ l_c·log l_c + Σ r_c·log r_c
}

func newPurity(g *grower, counts []int) purity {
	p := purity{g: g}
	for _, count := range counts {
		if g.xlogx == nil {
			p.right += count * count
		} else {
			p.sum += g.xlogx[count]
		}
	}
	return p
}

// move takes over a row of a class that has l rows on the left and r on the
// right.
func (p *purity) move(l, r int) {
	if t := p.g.xlogx; t != nil {
		p.sum += t[l+1] - t[l] + t[r-1] - t[r]
		return
	}
	p.left += 2*l + 1
	p.right -= 2*r - 1
}

func (p *purity) score(l, r int) float64 {
	if t := p.g.xlogx; t != nil {
		return p.sum - t[l] - t[r]
	}
	return float64(p.left)/float64(l) + float64(p.right)/float64(r)
}
