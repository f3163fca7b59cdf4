package kernel

import "sync/atomic"

// Pass multiplies the centred data Xc = X − 1·meanᵀ, which is never stored,
// with blocks of few columns. Rows of X are read once from memory for both
// products of Fused: a block of rows gives T = Xc_b·Q, and while it is still
// in the cache Y += Xc_bᵀ·T.
//
// T is centred inside the pass, row by row, and Y is corrected for what the
// rounding of T leaves of 1ᵀT. Little is then lost even if means are 10⁶ standard
// deviations: taking n·mean·meanᵀQ off at the end would lose all.
//
// A Pass may be used again and again but by one goroutine at a time. Sums run
// over fixed pieces of the rows in a fixed order: results do not depend on
// GOMAXPROCS.
type Pass struct {
	x     Matrix
	mean  []float64
	width int // columns of a block, padded to a multiple of 8
	parts int // pieces of the rows, each with a Y of its own; even
	rows  int // of a block

	q     Matrix        // the block in use: the caller's, or a padded copy in room
	room  []float64     // d×width
	shift []float64     // −meanᵀQ, width
	y     [][]float64   // per part: d×width
	sums  [][]float64   // per part: 1ᵀT, width
	waits []atomic.Bool // per part: it or the sum before it is done
	t     [][]float64   // per worker: rows×width
	whole []float64     // n×width, where n is small

	held []*Buffer // the space of room, y, t and whole

	out  Matrix                  // what reduce sets
	add  bool                    // or adds to
	task func(worker, block int) // of reduce; made once: a closure each time is an allocation
}

// NewPass prepares passes over x (n×d, shared, never changed) with blocks of up
// to width columns; mean has length d, nil means 0 (not centred).
//
// Scratch space, until Release: see PassScratch. The number of pieces of the rows grows with n:
// it stays below a tenth of X where n is large beside the width.
func NewPass(x Matrix, mean []float64, width int) *Pass {
	x.check("X")
	if mean != nil {
		mustLen("mean", mean, x.Cols)
	}
	p := &Pass{x: x, mean: mean, width: max(8, roundUp(width, 8)), parts: passParts(x.Rows), rows: blockRows(x.Stride)}
	p.shift = make([]float64, p.width)
	p.y = make([][]float64, p.parts)
	p.sums = make([][]float64, p.parts)
	p.waits = make([]atomic.Bool, p.parts)
	for i := range p.sums {
		p.sums[i] = make([]float64, p.width)
	}
	p.task = func(_, block int) { p.reduceBlock(block) }
	return p
}

// A block is the rows that stay in the second-level cache between the two products: at
// least passRows, enough multiply-adds for each reading and writing of Y, and more, up to
// mostRows, as long as it is small.
const (
	passRows  = 48
	mostRows  = 96
	rowsBytes = 384 << 10
)

// blockRows returns the number of rows of a block.
func blockRows(stride int) int {
	return max(passRows, min(mostRows, rowsBytes/(size*max(1, stride))/tileRows*tileRows))
}

// passParts returns in how many pieces n rows are summed.
func passParts(n int) int {
	return max(2, min(16, roundUp(n/256, 2)))
}

// PassScratch returns the bytes of scratch space that a pass over rows×cols
// numbers with blocks of up to width columns comes to hold; a block of fewer
// columns takes cols numbers more for each of width.
func PassScratch(rows, cols, width int) int64 {
	width = max(8, roundUp(width, 8))
	if rows <= shortRows {
		return 8 * int64(width) * int64(rows)
	}
	parts := passParts(rows)
	return 8 * int64(width) * (int64(cols)*int64(parts) + int64(Workers(parts)*blockRows(cols)))
}

// LeftScratch is PassScratch where Left alone is called.
func LeftScratch(rows, cols, width int) int64 {
	if leftByColumns(rows, cols) {
		return 8 * int64(roundUp(max(8, width), 8)) * int64(rows)
	}
	return PassScratch(rows, cols, width)
}

// Fused sets y (d×c) to Xcᵀ·(Xc·Q) for q (d×c), c at most the pass's width; y
// must not overlap q. 4ndc flop (c rounded up to a multiple of 8), one reading
// of X from memory.
func (p *Pass) Fused(y, q Matrix) { p.fused(y, q, false) }

// AddFused is Fused, added to y: for sums over blocks of rows.
func (p *Pass) AddFused(y, q Matrix) { p.fused(y, q, true) }

func (p *Pass) fused(y, q Matrix, add bool) {
	p.mustFit("Q", q, p.x.Cols)
	y.mustBe("Y", p.x.Cols, q.Cols)
	p.load(q)
	if p.x.Rows <= shortRows {
		p.fusedShort(y, add)
		return
	}
	p.sum(y, false, add, func(_, i0 int, t Matrix) Matrix {
		p.right(i0, t, p.aheadRight(i0))
		return t
	})
}

// Right sets t (n×c) to Xc·Q for q (d×c), c at most the pass's width; t must not
// overlap q. 2ndc flop, one reading of X.
func (p *Pass) Right(t, q Matrix) {
	p.mustFit("Q", q, p.x.Cols)
	t.mustBe("T", p.x.Rows, q.Cols)
	p.load(q)
	parallelIf(p.x.Rows*p.x.Cols*p.width, p.parts, func(_, part int) {
		p.eachBlock(part, func(i0, i1 int, _ bool) {
			p.right(i0, t.Slice(i0, i1, 0, t.Cols), p.aheadRight(i0))
		})
	})
}

// Left sets y (d×c) to Xcᵀ·T for t (n×c), c at most the pass's width; y must not
// overlap t. 2ndc flop, one reading of X. With a mean, T's columns need not be
// centred.
func (p *Pass) Left(y, t Matrix) {
	p.mustFit("T", t, p.x.Rows)
	y.mustBe("Y", p.x.Cols, t.Cols)
	if leftByColumns(p.x.Rows, p.x.Cols) {
		if t.Cols != p.width {
			padded := p.wholeT()
			padded.pad(t)
			t = padded
		}
		p.leftColumns(y, t, false)
		return
	}
	p.sum(y, true, false, func(_, i0 int, room Matrix) Matrix {
		block := t.Slice(i0, i0+room.Rows, 0, t.Cols)
		if t.Cols == p.width {
			return block
		}
		room.pad(block)
		return room
	})
}

// pad copies src, which has as many rows and at most as many columns, and
// fills up with zeros.
func (m Matrix) pad(src Matrix) {
	for i := range m.Rows {
		row := m.Row(i)
		clear(row[copy(row, src.Row(i)):])
	}
}

func (p *Pass) mustFit(name string, m Matrix, rows int) {
	m.mustBe(name, rows, m.Cols)
	if m.Cols > p.width {
		panic("kernel: " + name + " has more columns than the pass was made for")
	}
}

// eachBlock calls f for the blocks of rows of a part, in order.
func (p *Pass) eachBlock(part int, f func(i0, i1 int, first bool)) {
	lo, hi := span(p.x.Rows, p.parts, tileRows, part)
	for i := lo; i < hi; i += p.rows {
		f(i, min(hi, i+p.rows), i == lo)
	}
}

// load takes q, as it is or padded with zeros, and computes −meanᵀQ.
func (p *Pass) load(q Matrix) {
	p.q = q
	if q.Cols != p.width {
		if p.room == nil {
			p.room = p.borrow(p.x.Cols * p.width)
		}
		p.q = Matrix{Rows: q.Rows, Cols: p.width, Data: p.room, Stride: p.width}
		p.q.pad(q)
	}
	p.shifts(p.q)
}

// shifts computes −meanᵀQ.
func (p *Pass) shifts(q Matrix) {
	clear(p.shift)
	if p.mean != nil {
		tile(1, q.Cols, p.x.Cols, p.mean, p.x.Cols, 1, q.Data, q.Stride, nil, 0, p.shift, p.width)
	}
	for j := range p.shift {
		p.shift[j] = -p.shift[j]
	}
}

// borrow returns n numbers, with any content, until Release.
func (p *Pass) borrow(n int) []float64 {
	b := Borrow()
	p.held = append(p.held, b)
	return b.Floats(n)
}

// Release gives the scratch space back. The pass may be used again.
func (p *Pass) Release() {
	for _, b := range p.held {
		b.Release()
	}
	clear(p.held)
	clear(p.y)
	p.held, p.t, p.room, p.whole, p.q = p.held[:0], nil, nil, nil, Matrix{}
}

// right sets t to Xc·Q for the rows from i0 on.
func (p *Pass) right(i0 int, t Matrix, ahead fetch) {
	tileFetch(t.Rows, t.Cols, p.x.Cols, p.x.from(i0), p.x.Stride, 1, p.q.Data, p.q.Stride, p.shift, 0, t.Data, t.Stride, ahead)
}

// from returns the elements from row i on.
func (m Matrix) from(i int) []float64 {
	if m.empty() {
		return nil
	}
	return m.Data[i*m.Stride:]
}
