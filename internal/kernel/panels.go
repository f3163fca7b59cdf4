package kernel

import "sync"

// Shape of the blocks of a product. A panel of B, panelWidth columns of depth rows,
// stays in the first-level cache while up to blockPanels panels of A pass by. Those
// stay in the second level.
const (
	depth       = 128
	blockPanels = 16
	superPanels = 64 // panels of A and of B that are packed at a time
)

// product is C = alpha·X·Y, or C += alpha·X·Y, over l0 ≤ l < l1, by packed
// panels. Each element of C is one chain of multiply-adds in the order of l:
// which goroutine computes it does not matter.
type product struct {
	c         Matrix
	x, y      operand
	alpha     float64
	l0, l1    int
	add       bool
	symmetric bool // x and y are the same: only the lower triangle is written
	serial    bool // on the caller's goroutine

	sums []float64 // of x by its index in C, to add to while a symmetric product is packed; nil if not wanted

	// Of the columns of x, rows that are not transposed, to set before they are packed; nil if not wanted.
	mean, squares []float64
}

// run packs and multiplies.
func (p product) run() {
	if p.c.empty() {
		return
	}
	if p.l0 == p.l1 && !p.add {
		p.c.Zero()
	}
	w := panelPool.Get().(*panels)
	w.product = p
	const super = superPanels * panelWidth
	for i := 0; i < p.c.Rows; i += super {
		for j := 0; j < p.c.Cols; j += super {
			if p.symmetric && j > i {
				break
			}
			w.i0, w.i1, w.j0, w.j1 = i, min(p.c.Rows, i+super), j, min(p.c.Cols, j+super)
			w.diagonal = p.symmetric && i == j
			w.gauges = 0
			if p.mean != nil && i == 0 {
				w.gauges = 1
			}
			w.sweep()
		}
	}
	w.product = product{} // no hold on the caller's data
	panelPool.Put(w)
}

// panels is the part of a product with rows i0:i1 and columns j0:j1 of C.
//
// Its tasks come in rounds, one more than there are steps of depth: round s
// multiplies what round s−1 has packed and packs step s. Means that are wanted come
// before: in the same round where the tasks run in order, or in the round before.
type panels struct {
	product
	i0, i1, j0, j1 int
	na, nb         int // panels of A and of B
	blockSize      int // panels of A in a block
	blocks, packs  int // tasks of a round
	gauges         int // the tasks of a round that set means
	lead           int // rounds from them to the packing
	steps          int
	diagonal       bool // A and B are the same, C's upper triangle is left out

	a, b             [2][]float64 // packed, of even and of odd steps
	bufferA, bufferB Buffer
	task             func(worker, task int) // made once: a closure each time is an allocation
}

var panelPool = sync.Pool{New: func() any {
	w := new(panels)
	w.task = func(_, task int) { w.do(task) }
	return w
}}

// sweep multiplies over all l, depth at a time.
func (w *panels) sweep() {
	w.na, w.nb = count(w.i1-w.i0), count(w.j1-w.j0)
	work := (w.i1 - w.i0) * (w.j1 - w.j0) * (w.l1 - w.l0)
	if w.serial {
		work = 0
	}
	w.blockSize = blockPanels
	if !w.serial { // enough blocks for all workers
		w.blockSize = max(1, min(blockPanels, w.na/(4*Workers(w.na))))
	}
	w.blocks = (w.na + w.blockSize - 1) / w.blockSize
	w.packs = w.na + w.nb
	if w.diagonal {
		w.packs = w.na
	}
	w.steps = (w.l1 - w.l0 + depth - 1) / depth
	rounds, tasks := w.steps+1, w.blocks+w.gauges+w.packs
	least := smallWork / 8 * max(8, rounds) // in each round workers wait for each other
	shared := work >= least && Workers(rounds*tasks) > 1
	w.reserve(shared)
	w.lead = 0
	if shared {
		w.lead = w.gauges
		parallelRounds(rounds+w.lead, tasks, w.task)
		return
	}
	for t := range rounds * tasks {
		w.do(t)
	}
}

// reserve sets the buffers: one each where nobody multiplies while others pack.
func (w *panels) reserve(two bool) {
	size := panelWidth * min(w.l1-w.l0, depth)
	w.a = halves(&w.bufferA, w.na*size, two)
	w.b = w.a
	if !w.diagonal {
		w.b = halves(&w.bufferB, w.nb*size, two)
	}
}

// halves returns two pieces of n numbers, or the same piece twice.
func halves(b *Buffer, n int, two bool) [2][]float64 {
	if !two {
		all := b.Floats(n)
		return [2][]float64{all, all}
	}
	n = roundUp(n, line)
	all := b.Floats(2 * n)
	return [2][]float64{all[:n], all[n:]}
}

// do does the task with that number.
func (w *panels) do(task int) {
	tasks := w.blocks + w.gauges + w.packs
	round, t := task/tasks, task%tasks
	packed := round - w.lead
	switch {
	case t < w.blocks && packed > 0:
		w.block(t, w.step(packed-1))
	case t >= w.blocks+w.gauges && packed >= 0 && packed < w.steps:
		w.pack(t-w.blocks-w.gauges, w.step(packed))
	case t >= w.blocks && t < w.blocks+w.gauges && round < w.steps:
		w.gauge(w.step(round))
	}
}

// gauge sets the moments of the columns of a step.
func (w *panels) gauge(s step) {
	x := w.x.X
	moments(w.mean[s.k0:s.k1], w.squares[s.k0:s.k1], nil, nil, nil, x.Slice(0, x.Rows, s.k0, s.k1), momentPieces(x))
}

// step is a piece of the depth, packed in a and b.
type step struct {
	k0, k1 int
	a, b   []float64
	add    bool
}

func (w *panels) step(i int) step {
	l := w.l0 + i*depth
	return step{l, min(w.l1, l+depth), w.a[i%2], w.b[i%2], w.add || i > 0}
}

// count returns the number of panels of n rows or columns.
func count(n int) int { return (n + panelWidth - 1) / panelWidth }

// block multiplies the t-th block of panels of A with all panels of B.
func (w *panels) block(t int, s step) {
	if w.diagonal {
		t = w.blocks - 1 - t // the longest rows first
	}
	last := min(w.na, (t+1)*w.blockSize) - 1
	for j := range w.nb {
		for i := t * w.blockSize; i <= last; i++ {
			w.tile(i, j, s, i == last)
		}
	}
}

// pack packs the t-th of the panels of A and B.
func (w *panels) pack(t int, s step) {
	size := panelWidth * (s.k1 - s.k0)
	if t < w.na {
		p := w.i0 + t*panelWidth
		sums := w.sums
		if !w.diagonal {
			sums = nil // each column is packed on the diagonal once
		}
		w.x.pack(s.a[t*size:], p, min(w.i1, p+panelWidth), s.k0, s.k1, sums)
		return
	}
	t -= w.na
	p, dst := w.j0+t*panelWidth, s.b[t*size:][:size]
	w.y.pack(dst, p, min(w.j1, p+panelWidth), s.k0, s.k1, nil)
	if w.alpha != 1 {
		for i := range dst {
			dst[i] *= w.alpha
		}
	}
}

// tile multiplies the ti-th panel of A with the tj-th of B, which it is the last to use or not.
func (w *panels) tile(ti, tj int, s step, last bool) {
	if w.diagonal && tj > ti {
		return
	}
	k := s.k1 - s.k0
	i, j := ti*panelWidth, tj*panelWidth
	m, n := min(panelWidth, w.i1-w.i0-i), min(panelWidth, w.j1-w.j0-j)
	a, b := s.a[i*k:], s.b[j*k:]
	before := triangle(i) + m*j // elements of C
	if !w.diagonal || ti != tj {
		w.multiply(i, j, m, n, k, a, b, s.add, w.ahead(before, m, n, s, tj, last))
		return
	}
	for p := 0; p < m; p += 8 { // on the diagonal: no further than the rows reach
		m, n := min(8, m-p), min(p+8, n)
		w.multiply(i+p, j, m, n, k, a[p:], b, s.add, w.ahead(before, m, n, s, tj, last))
		before += m * n
	}
}

// ahead returns what the product of m×n elements of C asks for, before which come so many others: its
// share of the rows of X that are packed next. Where panels do not stay in the second-level cache, the
// last product with panel j of B asks for the next.
func (w *panels) ahead(before, m, n int, s step, j int, last bool) fetch {
	k := s.k1 - s.k0
	if last && w.na*panelWidth*k > nearPanels {
		return fetch{from: addressOf(s.b) + uintptr(8*panelWidth*k*(j+1)), step: 8 * tileRows} // a line for eight rows
	}
	if !w.diagonal || w.x.Columns != nil {
		return fetch{}
	}
	if !w.x.transposed {
		return w.columnsAhead(before/(panelWidth*panelWidth), s)
	}
	if !w.x.X.dense() {
		return fetch{}
	}
	bytes, all := 8*k*w.x.X.Stride, triangle(w.i1-w.i0)
	groups := max(1, m/tileRows)
	return fetch{from: w.x.X.address(s.k1) + uintptr(bytes*before/all), step: bytes*m*n/(all*groups*k) + 1}
}

// columnsAhead is ahead where columns of rows of X are packed next, for product q of about
// a panel of A with one of B. It asks for lines below each other, of as many rows as the
// steps are deep. Each group of rows of C takes the next line to the right.
func (w *panels) columnsAhead(q int, s step) fetch {
	const lines = 3
	n, k, stride := w.i1-w.i0, s.k1-s.k0, size*w.x.X.Stride
	if n < k {
		return fetch{}
	}
	parts := (n + k - 1) / k
	line := q / parts * lines
	if line*8 >= k+8 {
		return fetch{} // all are asked for
	}
	first := w.i0 + min(q%parts*k, n-k)
	return fetch{w.x.X.address(first) + uintptr(8*s.k1+64*line), stride, 64 - k*stride}
}

// triangle returns about how many elements of C are computed for that many rows of the lower triangle: on
// the diagonal squares of eight.
func triangle(rows int) int { return rows * (rows + 8) / 2 }

// nearPanels is about the number of packed numbers that stay in the second-level
// cache beside the rows that are packed next.
const nearPanels = 1 << 16

// multiply sets m×n elements of C from (i, j) of the part on, or adds to them.
func (w *panels) multiply(i, j, m, n, k int, a, b []float64, add bool, ahead fetch) {
	c := w.c.Data[(w.i0+i)*w.c.Stride+w.j0+j:]
	var start []float64
	if add {
		start = c
	}
	tileFetch(m, n, k, a, 1, panelWidth, b, panelWidth, start, w.c.Stride, c, w.c.Stride, ahead)
}
