package kernel

// SparsePass is Pass for sparse rows: centring stays implicit, so that the cost
// is that of the non-zeros. Q and Y, whose rows they gather, need the room in
// the caches.
//
// Products are centred as in Pass, with the same accuracy. A SparsePass may be
// used again and again but by one goroutine at a time.
type SparsePass struct {
	x     Sparse
	mean  []float64
	root  []float64 // what rows of x were multiplied by; nil: 1
	parts int
	slabs []slab
	t     [][]float64 // per worker: sparseRows×16
}

// slab is a group of columns of the block: 16, or 8 at the end.
type slab struct {
	first, width int
	q            []float64   // d×width
	shift        []float64   // −meanᵀQ
	none         []float64   // zeros
	y            [][]float64 // per part: d×width
	sums         [][]float64 // per part: 1ᵀT
}

// sparseRows is the number of rows whose T stays in the first-level cache.
const sparseRows = 64

// NewSparsePass prepares passes over x (n×d), which has passed Check and is shared
// and never changed, with blocks of up to width columns; mean has length d,
// nil means 0.
//
// Scratch space: (parts + 1)·d·width numbers, width rounded up to a multiple of
// 8; parts, at least 2, grows with the entries per column.
func NewSparsePass(x Sparse, mean []float64, width int) *SparsePass {
	if mean != nil {
		mustLen("mean", mean, x.Cols)
	}
	p := &SparsePass{x: x, mean: mean}
	p.parts = sparseParts(x.Rows, x.Cols, x.Entries(), width)
	for first := 0; first < max(1, width); first += 16 {
		s := slab{first: first, width: min(16, roundUp(max(1, width-first), 8))}
		s.q = aligned(x.Cols * s.width)
		s.shift, s.none = make([]float64, s.width), make([]float64, s.width)
		s.y = make([][]float64, p.parts)
		for range p.parts {
			s.sums = append(s.sums, make([]float64, s.width))
		}
		p.slabs = append(p.slabs, s)
	}
	return p
}

// Weigh says that the rows of x are other rows times root (length n; nil means
// 1): so is the mean that is taken from them. It returns p.
func (p *SparsePass) Weigh(root []float64) *SparsePass {
	if root != nil {
		mustLen("root", root, p.x.Rows)
	}
	p.root = root
	return p
}

// sparseParts returns in how many pieces the rows are summed.
func sparseParts(rows, cols, entries, width int) int {
	return max(2, min(passParts(rows), entries/max(1, 4*cols*width)))
}

// SparseScratch returns the bytes of scratch space of a pass with blocks of up
// to width columns over sparse rows with so many entries.
func SparseScratch(rows, cols, entries, width int) int64 {
	return 8 * int64(sparseParts(rows, cols, entries, width)+1) * int64(cols) * int64(roundUp(max(1, width), 8))
}

// Fused sets y (d×c) to Xcᵀ·(Xc·Q) for q (d×c), c at most the pass's width; y
// must not overlap q. 4c flop for each entry of X.
func (p *SparsePass) Fused(y, q Matrix) {
	p.mustFit("Q", q, p.x.Cols)
	y.mustBe("Y", p.x.Cols, q.Cols)
	p.each(q.Cols, func(s *slab) {
		s.load(q, p.mean)
		s.prepare(p.x.Cols)
		p.blocks(func(t []float64, part, i0, i1 int) {
			p.right(s, t, i0, i1)
			p.left(s, t, part, i0, i1)
		})
		p.reduce(s, y)
	})
}

// Right sets t (n×c) to Xc·Q for q (d×c), c at most the pass's width; t must not
// overlap q. 2c flop for each entry.
func (p *SparsePass) Right(t, q Matrix) {
	p.mustFit("Q", q, p.x.Cols)
	t.mustBe("T", p.x.Rows, q.Cols)
	p.each(q.Cols, func(s *slab) {
		s.load(q, p.mean)
		p.blocks(func(block []float64, _, i0, i1 int) {
			p.right(s, block, i0, i1)
			for i := i0; i < i1; i++ {
				copy(s.columns(t, i), block[(i-i0)*s.width:])
			}
		})
	})
}

// Left sets y (d×c) to Xcᵀ·T for t (n×c), c at most the pass's width; y must not
// overlap t. 2c flop for each entry.
func (p *SparsePass) Left(y, t Matrix) {
	p.mustFit("T", t, p.x.Rows)
	y.mustBe("Y", p.x.Cols, t.Cols)
	p.each(t.Cols, func(s *slab) {
		s.prepare(p.x.Cols)
		p.blocks(func(block []float64, part, i0, i1 int) {
			for i := i0; i < i1; i++ {
				row := block[(i-i0)*s.width : (i-i0+1)*s.width]
				clear(row[copy(row, s.columns(t, i)):])
			}
			p.left(s, block, part, i0, i1)
		})
		p.reduce(s, y)
	})
}

func (p *SparsePass) mustFit(name string, m Matrix, rows int) {
	m.mustBe(name, rows, m.Cols)
	last := p.slabs[len(p.slabs)-1]
	if m.Cols > last.first+last.width {
		panic("kernel: " + name + " has more columns than the pass was made for")
	}
}

// each calls f for the slabs that c columns touch.
func (p *SparsePass) each(c int, f func(s *slab)) {
	for i := range p.slabs {
		if p.slabs[i].first < c {
			f(&p.slabs[i])
		}
	}
}

// blocks calls f for all blocks of rows, those of a part in order, with room
// for T.
func (p *SparsePass) blocks(f func(t []float64, part, i0, i1 int)) {
	for len(p.t) < Workers(p.parts) {
		p.t = append(p.t, aligned(sparseRows*16))
	}
	parallelIf(16*p.x.Entries(), p.parts, func(worker, part int) {
		lo, hi := span(p.x.Rows, p.parts, 1, part)
		for i := lo; i < hi; i += sparseRows {
			f(p.t[worker], part, i, min(hi, i+sparseRows))
		}
	})
}

// right sets t to Xc·Q for rows i0 ≤ i < i1.
func (p *SparsePass) right(s *slab, t []float64, i0, i1 int) {
	if p.root == nil || p.mean == nil {
		sparseRight(p.x, i0, i1, s.q, s.shift, t, s.width)
		return
	}
	sparseRight(p.x, i0, i1, s.q, s.none, t, s.width)
	for i := i0; i < i1; i++ {
		axpy(p.root[i], s.shift, t[(i-i0)*s.width:(i-i0+1)*s.width])
	}
}

// left adds Xᵀ·T to the part's Y and 1ᵀT (or rootᵀT) to its sums.
func (p *SparsePass) left(s *slab, t []float64, part, i0, i1 int) {
	sparseLeft(p.x, i0, i1, t, s.y[part], s.width)
	if p.mean == nil {
		return
	}
	for i := range i1 - i0 {
		r := 1.0
		if p.root != nil {
			r = p.root[i0+i]
		}
		axpy(r, t[i*s.width:(i+1)*s.width], s.sums[part])
	}
}

// columns returns the slab's columns of row i of m.
func (s *slab) columns(m Matrix, i int) []float64 {
	return m.Row(i)[s.first:min(m.Cols, s.first+s.width)]
}

// load copies the slab's columns of q and computes −meanᵀQ.
func (s *slab) load(q Matrix, mean []float64) {
	for i := range q.Rows {
		row := s.q[i*s.width : (i+1)*s.width]
		clear(row[copy(row, s.columns(q, i)):])
	}
	clear(s.shift)
	if mean != nil {
		tile(1, s.width, len(mean), mean, len(mean), 1, s.q, s.width, nil, 0, s.shift, s.width)
	}
	for j := range s.shift {
		s.shift[j] = -s.shift[j]
	}
}

// prepare clears the sums, and makes them where they are not there yet.
func (s *slab) prepare(d int) {
	for part := range s.y {
		if s.y[part] == nil {
			s.y[part] = aligned(d * s.width)
		}
		clear(s.y[part])
		clear(s.sums[part])
	}
}

// reduce sets the slab's columns of y to the sum of the parts' Y, in order,
// less mean·(1ᵀT).
func (p *SparsePass) reduce(s *slab, y Matrix) {
	for part := 1; part < p.parts; part++ {
		axpy(1, s.y[part], s.y[0])
		axpy(1, s.sums[part], s.sums[0])
	}
	for j := range s.sums[0] {
		s.sums[0][j] = -s.sums[0][j]
	}
	k := 0
	if p.mean != nil {
		k = 1
	}
	if y.empty() {
		return
	}
	tile(y.Rows, min(s.width, y.Cols-s.first), k, p.mean, 1, 1, s.sums[0], s.width, s.y[0], s.width, y.Data[s.first:], y.Stride)
}
