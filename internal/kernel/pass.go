package kernel

// Pass multiplies the centred data Xc = X − 1·meanᵀ, which is never stored,
// with blocks of few columns. Rows of X are read once from memory for both
// products of Fused: a block of rows gives T = Xc_b·Q, and while it is still
// in the cache Y += Xc_bᵀ·T.
//
// T is centred inside the pass, row by row, and Y is corrected for what the
// rounding of T leaves of 1ᵀT: nothing is lost where means are 10⁶ standard
// deviations.
//
// A Pass may be used again and again but by one goroutine at a time. Sums run
// over fixed pieces of the rows in a fixed order: results do not depend on
// GOMAXPROCS.
type Pass struct {
	x     Matrix
	mean  []float64
	width int // columns of a block, padded to a multiple of 8
	parts int // pieces of the rows, each with a Y of its own
	block int // rows that stay in the cache between the two products

	shift []float64   // −meanᵀQ, width
	q     []float64   // d×width
	y     [][]float64 // per part: d×width
	sums  [][]float64 // per part: 1ᵀT, width
	t     [][]float64 // per worker: block×width
}

// NewPass prepares passes over x (n×d, shared, never changed) with blocks of up
// to width columns; mean has length d, nil means 0 (not centred).
//
// Scratch space: (parts + 1)·d·width numbers, where parts grows with n so that
// this stays below a tenth of X where X is large.
func NewPass(x Matrix, mean []float64, width int) *Pass {
	x.check("X")
	if mean != nil {
		mustLen("mean", mean, x.Cols)
	}
	p := &Pass{x: x, mean: mean, width: max(8, roundUp(width, 8))}
	p.parts = passParts(x.Rows)
	p.block = passBlock(x.Cols)
	p.shift = make([]float64, p.width)
	p.q = aligned(x.Cols * p.width)
	for range p.parts {
		p.y = append(p.y, nil)
		p.sums = append(p.sums, make([]float64, p.width))
	}
	return p
}

// passParts returns in how many pieces n rows are summed.
func passParts(n int) int {
	if n < 2*tileRows {
		return 1
	}
	return max(2, min(16, n/256))
}

// passBlock returns how many rows of length d are held in the cache.
func passBlock(d int) int {
	const numbers = 96 << 10
	return min(96, max(24, numbers/max(1, d)/tileRows*tileRows))
}

// Scratch returns the bytes of scratch space that the pass holds, when all of
// its products have been used.
func (p *Pass) Scratch() int {
	return 8 * (p.width*p.x.Cols*(p.parts+1) + Workers(p.parts)*p.block*p.width)
}

// Fused sets y (d×c) to Xcᵀ·(Xc·Q) for q (d×c), c at most the pass's width.
// 4ndc flop (c rounded up to a multiple of 8), one reading of X.
func (p *Pass) Fused(y, q Matrix) {
	p.mustFit("Q", q, p.x.Cols)
	y.mustBe("Y", p.x.Cols, q.Cols)
	p.load(q)
	p.prepare()
	Parallel(p.parts, func(worker, part int) {
		t := p.t[worker]
		p.eachBlock(part, func(i0, i1 int, first bool) {
			p.right(i0, i1, t, p.width)
			p.left(i0, i1, t, p.width, part, first)
		})
	})
	p.reduce(y)
}

// Right sets t (n×c) to Xc·Q for q (d×c), c at most the pass's width. 2ndc flop,
// one reading of X.
func (p *Pass) Right(t, q Matrix) {
	p.mustFit("Q", q, p.x.Cols)
	t.mustBe("T", p.x.Rows, q.Cols)
	p.load(q)
	p.prepare()
	Parallel(p.parts, func(worker, part int) {
		p.eachBlock(part, func(i0, i1 int, _ bool) {
			block := p.t[worker]
			p.right(i0, i1, block, p.width)
			for i := i0; i < i1; i++ {
				copy(t.Row(i), block[(i-i0)*p.width:])
			}
		})
	})
}

// Left sets y (d×c) to Xcᵀ·T for t (n×c), c at most the pass's width. 2ndc flop,
// one reading of X.
func (p *Pass) Left(y, t Matrix) {
	p.mustFit("T", t, p.x.Rows)
	y.mustBe("Y", p.x.Cols, t.Cols)
	p.prepare()
	Parallel(p.parts, func(worker, part int) {
		p.eachBlock(part, func(i0, i1 int, first bool) {
			block := p.t[worker]
			for i := i0; i < i1; i++ {
				row := block[(i-i0)*p.width : (i-i0+1)*p.width]
				clear(row[copy(row, t.Row(i)):])
			}
			p.left(i0, i1, block, p.width, part, first)
		})
	})
	p.reduce(y)
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
	for i := lo; i < hi; i += p.block {
		f(i, min(hi, i+p.block), i == lo)
	}
}

// load copies q, padded with zeros, and computes −meanᵀQ.
func (p *Pass) load(q Matrix) {
	for i := range q.Rows {
		row := p.q[i*p.width : (i+1)*p.width]
		clear(row[copy(row, q.Row(i)):])
	}
	clear(p.shift)
	for i, m := range p.mean {
		axpy(-m, p.q[i*p.width:(i+1)*p.width], p.shift)
	}
}

// prepare makes the scratch space that is not there yet.
func (p *Pass) prepare() {
	for part := range p.y {
		if p.y[part] == nil {
			p.y[part] = aligned(p.x.Cols * p.width)
		}
		clear(p.sums[part])
	}
	for len(p.t) < Workers(p.parts) {
		p.t = append(p.t, aligned(p.block*p.width))
	}
}

// right sets t to Xc·Q for rows i0:i1.
func (p *Pass) right(i0, i1 int, t []float64, stride int) {
	tile(i1-i0, p.width, p.x.Cols, p.x.Data[i0*p.x.Stride:], p.x.Stride, 1, p.q, p.width, p.shift, 0, t, stride)
}

// left adds Xᵀ·T over rows i0:i1 to the part's Y, and 1ᵀT to its sums.
func (p *Pass) left(i0, i1 int, t []float64, stride, part int, first bool) {
	y := p.y[part]
	var start []float64
	if !first {
		start = y
	}
	tile(p.x.Cols, p.width, i1-i0, p.x.Data[i0*p.x.Stride:], 1, p.x.Stride, t, stride, start, p.width, y, p.width)
	if p.mean != nil {
		for i := range i1 - i0 {
			axpy(1, t[i*stride:i*stride+p.width], p.sums[part])
		}
	}
}

// reduce adds the parts' Y in order to y and subtracts mean·(1ᵀT).
func (p *Pass) reduce(y Matrix) {
	for _, s := range p.sums[1:] {
		axpy(1, s, p.sums[0])
	}
	for j := range y.Rows {
		at, row := j*p.width, y.Row(j)
		clear(row)
		for part := range p.y {
			if lo, hi := span(p.x.Rows, p.parts, tileRows, part); lo < hi {
				axpy(1, p.y[part][at:at+len(row)], row)
			}
		}
		if p.mean != nil {
			axpy(-p.mean[j], p.sums[0][:len(row)], row)
		}
	}
}

// aligned returns n zeros that start at a cache line.
func aligned(n int) []float64 { return new(buffer).floats(n) }
