package kernel

import "fmt"

// Sparse is a matrix in compressed sparse rows: the non-zeros of row i are
// Values[p] in column Indices[p] for Offsets[i] ≤ p < Offsets[i+1].
type Sparse struct {
	Rows, Cols int
	Offsets    []int64 // length Rows+1
	Indices    []int32
	Values     []float64
}

// Check returns an error where the fields contradict each other. The kernels
// trust a matrix that has passed it.
func (s Sparse) Check() error {
	if s.Rows < 0 || s.Cols < 0 || len(s.Offsets) != s.Rows+1 || s.Offsets[0] != 0 {
		return fmt.Errorf("sparse matrix of %d×%d: want %d offsets that start at 0", s.Rows, s.Cols, s.Rows+1)
	}
	for i := range s.Rows {
		if s.Offsets[i] > s.Offsets[i+1] {
			return fmt.Errorf("sparse matrix: row %d ends before it starts", i)
		}
	}
	nnz := s.Offsets[s.Rows]
	if int64(len(s.Indices)) < nnz || int64(len(s.Values)) < nnz {
		return fmt.Errorf("sparse matrix: %d indices and %d values, want %d", len(s.Indices), len(s.Values), nnz)
	}
	for p, c := range s.Indices[:nnz] {
		if c < 0 || int(c) >= s.Cols {
			return fmt.Errorf("sparse matrix: entry %d is in column %d of %d", p, c, s.Cols)
		}
	}
	return nil
}

// SparsePass is Pass for sparse rows: centring stays implicit, so that the cost
// is that of the non-zeros.
type SparsePass struct {
	x     Sparse
	mean  []float64
	width int
	parts int
	q     []float64
	shift []float64
	y     [][]float64
	sums  [][]float64
}

// NewSparsePass prepares passes over x, which has passed Check, with blocks of up
// to width columns; mean has length x.Cols, nil means 0.
func NewSparsePass(x Sparse, mean []float64, width int) *SparsePass {
	if mean != nil {
		mustLen("mean", mean, x.Cols)
	}
	p := &SparsePass{x: x, mean: mean, width: max(8, roundUp(width, 8)), parts: passParts(x.Rows)}
	p.q = aligned(x.Cols * p.width)
	p.shift = make([]float64, p.width)
	p.y = make([][]float64, p.parts)
	p.sums = make([][]float64, p.parts)
	for i := range p.sums {
		p.sums[i] = make([]float64, p.width)
	}
	return p
}

// Fused sets y (d×c) to Xcᵀ·(Xc·Q) for q (d×c), c at most the pass's width.
func (p *SparsePass) Fused(y, q Matrix) {
	q.mustBe("Q", p.x.Cols, q.Cols)
	y.mustBe("Y", p.x.Cols, q.Cols)
	p.load(q)
	p.prepare()
	Parallel(p.parts, func(_, part int) {
		t := make([]float64, p.width)
		lo, hi := span(p.x.Rows, p.parts, 1, part)
		for i := lo; i < hi; i++ {
			p.right(t, i)
			p.left(t, i, part)
		}
	})
	p.reduce(y)
}

// Right sets t (n×c) to Xc·Q for q (d×c).
func (p *SparsePass) Right(t, q Matrix) {
	q.mustBe("Q", p.x.Cols, q.Cols)
	t.mustBe("T", p.x.Rows, q.Cols)
	p.load(q)
	Parallel(p.parts, func(_, part int) {
		row := make([]float64, p.width)
		lo, hi := span(p.x.Rows, p.parts, 1, part)
		for i := lo; i < hi; i++ {
			p.right(row, i)
			copy(t.Row(i), row)
		}
	})
}

// Left sets y (d×c) to Xcᵀ·T for t (n×c).
func (p *SparsePass) Left(y, t Matrix) {
	t.mustBe("T", p.x.Rows, t.Cols)
	y.mustBe("Y", p.x.Cols, t.Cols)
	p.prepare()
	Parallel(p.parts, func(_, part int) {
		row := make([]float64, p.width)
		lo, hi := span(p.x.Rows, p.parts, 1, part)
		for i := lo; i < hi; i++ {
			clear(row[copy(row, t.Row(i)):])
			p.left(row, i, part)
		}
	})
	p.reduce(y)
}

func (p *SparsePass) load(q Matrix) {
	if q.Cols > p.width {
		panic("kernel: Q has more columns than the pass was made for")
	}
	for i := range q.Rows {
		row := p.q[i*p.width : (i+1)*p.width]
		clear(row[copy(row, q.Row(i)):])
	}
	clear(p.shift)
	for i, m := range p.mean {
		axpy(-m, p.q[i*p.width:(i+1)*p.width], p.shift)
	}
}

func (p *SparsePass) prepare() {
	for i := range p.y {
		if p.y[i] == nil {
			p.y[i] = aligned(p.x.Cols * p.width)
		}
		clear(p.y[i])
		clear(p.sums[i])
	}
}

func (p *SparsePass) right(t []float64, i int) {
	copy(t, p.shift)
	for e := p.x.Offsets[i]; e < p.x.Offsets[i+1]; e++ {
		at := int(p.x.Indices[e]) * p.width
		axpy(p.x.Values[e], p.q[at:at+p.width], t)
	}
}

func (p *SparsePass) left(t []float64, i, part int) {
	y := p.y[part]
	for e := p.x.Offsets[i]; e < p.x.Offsets[i+1]; e++ {
		at := int(p.x.Indices[e]) * p.width
		axpy(p.x.Values[e], t, y[at:at+p.width])
	}
	axpy(1, t, p.sums[part])
}

func (p *SparsePass) reduce(y Matrix) {
	for _, s := range p.sums[1:] {
		axpy(1, s, p.sums[0])
	}
	for j := range y.Rows {
		at, row := j*p.width, y.Row(j)
		clear(row)
		for _, part := range p.y {
			axpy(1, part[at:at+len(row)], row)
		}
		if p.mean != nil {
			axpy(-p.mean[j], p.sums[0][:len(row)], row)
		}
	}
}
