package classifier

import (
	"context"
	"math/rand/v2"
	"slices"

	"github.com/fspca/fspca/internal/kernel"
	"github.com/fspca/fspca/internal/lists"
)

// columnDraw draws the columns that a node of a forest's tree looks at.
type columnDraw struct {
	random  *rand.Rand
	columns int // to look at; more where none of these splits
	order   []int
	drawn   int
}

func newColumnDraw(random *rand.Rand, columns, of int) *columnDraw {
	return &columnDraw{random: random, columns: columns, order: lists.Upto[int](of)}
}

// begin starts the draw for a node.
func (d *columnDraw) begin() { d.drawn = 0 }

// next draws a column that was not drawn for this node; false after the last.
func (d *columnDraw) next() (int, bool) {
	if d.drawn == len(d.order) {
		return 0, false
	}
	at := d.drawn + d.random.IntN(len(d.order)-d.drawn)
	d.order[d.drawn], d.order[at] = d.order[at], d.order[d.drawn]
	d.drawn++
	return d.order[d.drawn-1], true
}

// grownForest is a forest with what its out-of-bag rows say of it.
type grownForest struct {
	trees      []*cartTree
	outOfBag   float64   // accuracy of each row by the trees that did not see it
	judged     int       // rows that some tree did not see
	importance []float64 // by column; see RandomForest.Importance
}

// growForest grows trees on bootstrap samples, one generator for each tree, so
// that the division of the work does not matter. Rows are the training rows.
func (g *grower) growForest(ctx context.Context, trees, columns int, seed uint64, rows *treeRows) (*grownForest, error) {
	n, p := len(g.codes), len(g.columns)
	f := &grownForest{trees: make([]*cartTree, trees), importance: make([]float64, p)}
	seen := make([][]uint64, trees) // bit sets of the rows in each sample
	lost := make([][]float64, trees)
	kernel.Parallel(trees, func(_, b int) {
		if ctx.Err() != nil {
			return
		}
		random := rand.New(rand.NewPCG(seed, uint64(b)))
		var sample []uint32
		sample, seen[b] = drawSample(n, random)
		f.trees[b] = g.grow(ctx, sample, newColumnDraw(random, columns, p))
		if f.trees[b] != nil {
			lost[b] = g.permuted(f.trees[b], seen[b], random, rows)
		}
	})
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	for _, drop := range lost {
		for j, v := range drop {
			f.importance[j] += v / float64(trees)
		}
	}
	g.judge(f, seen, rows)
	return f, nil
}

// drawSample draws n rows with replacement. seen is the bit set of those drawn.
func drawSample(n int, random *rand.Rand) (sample []uint32, seen []uint64) {
	sample, seen = make([]uint32, n), make([]uint64, (n+63)/64)
	for i := range sample {
		row := random.IntN(n)
		sample[i] = uint32(row)
		seen[row/64] |= 1 << (row % 64)
	}
	slices.Sort(sample)
	return sample, seen
}

// judge measures the forest on rows by the trees that were grown without them.
func (g *grower) judge(f *grownForest, seen [][]uint64, rows *treeRows) {
	const block = 256
	n := len(g.codes)
	blocks := (n + block - 1) / block
	right, judged := make([]int, blocks), make([]int, blocks)
	kernel.Parallel(blocks, func(_, part int) {
		right[part], judged[part] = g.judgeRows(f, seen, rows, part*block, min(n, (part+1)*block))
	})
	hits := 0
	for part := range blocks {
		hits += right[part]
		f.judged += judged[part]
	}
	if f.judged > 0 {
		f.outOfBag = float64(hits) / float64(f.judged)
	}
}

// judgeRows counts the rows of first to last that some tree was grown without, and those of them that such
// trees predict rightly.
func (g *grower) judgeRows(f *grownForest, seen [][]uint64, rows *treeRows, first, last int) (right, judged int) {
	room := rows.room()
	shares := make([]float64, g.classes)
	for i := first; i < last; i++ {
		numbers := rows.row(i, room)
		clear(shares)
		votes := 0
		for b, t := range f.trees {
			if seen[b][i/64]>>(i%64)&1 == 0 {
				t.addShares(shares, numbers)
				votes++
			}
		}
		if votes == 0 {
			continue
		}
		judged++
		if majority(shares) == g.codes[i] {
			right++
		}
	}
	return right, judged
}

// addShares adds the class shares of the leaf that a row comes to.
func (t *cartTree) addShares(shares, numbers []float64) {
	addShares(shares, t.rowCounts(t.leaf(numbers)))
}

// addShares adds the shares that counts have of their sum.
func addShares(shares []float64, counts []int) {
	total := lists.Sum(counts)
	for class, count := range counts {
		shares[class] += float64(count) / float64(total)
	}
}

// permuted returns for each column the fall of a tree's out-of-bag accuracy when
// its values are shuffled among the out-of-bag rows. See Breiman, Random
// forests, 2001, section 10. Only rows whose path meets the column can change.
func (g *grower) permuted(t *cartTree, seen []uint64, random *rand.Rand, rows *treeRows) []float64 {
	out := lists.Places(len(g.codes), func(i int) bool { return seen[i/64]>>(i%64)&1 == 0 })
	drop := make([]float64, len(g.columns))
	if len(out) == 0 {
		return drop
	}
	partner := random.Perm(len(out)) // one exchange for all columns of the tree
	numbers, room := make([]float64, len(g.columns)), rows.room()
	var leaf int32
	var met []int32
	for at, i := range out {
		copy(numbers, rows.row(i, room))
		other := rows.row(out[partner[at]], room)
		leaf, met = t.path(numbers, met[:0])
		before := majority(t.rowCounts(leaf)) == g.codes[i]
		for _, j := range met {
			kept := numbers[j]
			numbers[j] = other[j]
			after := majority(t.rowCounts(t.leaf(numbers))) == g.codes[i]
			numbers[j] = kept
			if before && !after {
				drop[j]++
			} else if after && !before {
				drop[j]--
			}
		}
	}
	for j := range drop {
		drop[j] /= float64(len(out))
	}
	return drop
}
