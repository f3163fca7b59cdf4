package kernel

import "sync"

// Shape of the blocks of a product. A panel of B, panelWidth columns of depth
// rows, stays in the first-level cache while up to blockPanels panels of A pass
// by, which stay in the second level.
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
			w.sweep()
		}
	}
	w.product = product{} // no hold on the caller's data
	panelPool.Put(w)
}

// panels is the part of a product with rows i0:i1 and columns j0:j1 of C over
// k0 ≤ l < k1.
type panels struct {
	product
	a, b           []float64
	i0, i1, j0, j1 int
	k0, k1         int
	blockSize      int  // panels of A in a block
	diagonal       bool // a and b are the same, C's upper triangle is left out

	bufferA, bufferB buffer
	packTask, task   func(worker, task int) // made once: a closure each time is an allocation
}

var panelPool = sync.Pool{New: func() any {
	w := new(panels)
	w.packTask = func(_, t int) { w.pack(t) }
	w.task = func(_, t int) { w.block(t) }
	return w
}}

// sweep multiplies over all l, depth at a time.
func (w *panels) sweep() {
	na, nb := w.counts()
	d := min(w.l1-w.l0, depth)
	w.a = w.bufferA.floats(na * panelWidth * d)
	packs := na
	if w.diagonal {
		w.b = w.a
	} else {
		w.b = w.bufferB.floats(nb * panelWidth * d)
		packs += nb
	}
	w.blockSize = blockPanels
	if !w.serial { // enough blocks for all workers
		w.blockSize = max(1, min(blockPanels, na/(4*Workers(na))))
	}
	work := (w.i1 - w.i0) * (w.j1 - w.j0) * d
	if w.serial {
		work = 0
	}
	add := w.add
	for l := w.l0; l < w.l1; l += depth {
		w.k0, w.k1 = l, min(w.l1, l+depth)
		parallelIf(work, packs, w.packTask)
		parallelIf(work, w.blocks(), w.task)
		w.add = true
	}
	w.add = add
}

// counts returns the numbers of panels of A and of B.
func (w *panels) counts() (na, nb int) { return count(w.i1 - w.i0), count(w.j1 - w.j0) }

// blocks returns the number of blocks of panels of A.
func (w *panels) blocks() int {
	na, _ := w.counts()
	return (na + w.blockSize - 1) / w.blockSize
}

// count returns the number of panels of n rows or columns.
func count(n int) int { return (n + panelWidth - 1) / panelWidth }

// block multiplies the t-th block of panels of A with all panels of B.
func (w *panels) block(t int) {
	na, nb := w.counts()
	if w.diagonal {
		t = w.blocks() - 1 - t // the longest rows first
	}
	last := min(na, (t+1)*w.blockSize) - 1
	for j := range nb {
		for i := t * w.blockSize; i <= last; i++ {
			w.tile(i, j, w.ahead(i, j, i == last))
		}
	}
}

// pack packs the t-th of the panels of A and B.
func (w *panels) pack(t int) {
	na, _ := w.counts()
	size := panelWidth * (w.k1 - w.k0)
	if t < na {
		p := w.i0 + t*panelWidth
		w.x.pack(w.a[t*size:], p, min(w.i1, p+panelWidth), w.k0, w.k1)
		return
	}
	t -= na
	p, dst := w.j0+t*panelWidth, w.b[t*size:][:size]
	w.y.pack(dst, p, min(w.j1, p+panelWidth), w.k0, w.k1)
	if w.alpha != 1 {
		for i := range dst {
			dst[i] *= w.alpha
		}
	}
}

// ahead returns what the product of panel i of A and j of B asks for: the next
// panel of B where it is the last to use this one, and otherwise its share of
// the rows of X that are packed next.
func (w *panels) ahead(i, j int, last bool) fetch {
	k := w.k1 - w.k0
	if last {
		return fetch{addressOf(w.b) + uintptr(8*panelWidth*k*(j+1)), 64}
	}
	if !w.diagonal || !w.x.transposed || w.x.Columns != nil || !w.x.X.dense() {
		return fetch{}
	}
	bytes := 8 * k * w.x.X.Stride
	steps := panelWidth / 12 * k // of a tile, in groups of twelve rows
	share := bytes / (count(w.i1-w.i0) * (count(w.i1-w.i0) + 1) / 2)
	tile := i*(i+1)/2 + j
	return fetch{w.x.X.address(w.k1) + uintptr(tile*share), share/steps + 1}
}

// tile multiplies the ti-th panel of A with the tj-th of B.
func (w *panels) tile(ti, tj int, ahead fetch) {
	if w.diagonal && tj > ti {
		return
	}
	k := w.k1 - w.k0
	i, j := w.i0+ti*panelWidth, w.j0+tj*panelWidth
	m, n := min(panelWidth, w.i1-i), min(panelWidth, w.j1-j)
	a, b := w.a[ti*panelWidth*k:], w.b[tj*panelWidth*k:]
	if !w.diagonal || ti != tj {
		w.multiply(i, j, m, n, a, b, ahead)
		return
	}
	for p := 0; p < m; p += 8 { // on the diagonal: no further than the rows reach
		w.multiply(i+p, j, min(8, m-p), min(p+8, n), a[p:], b, ahead)
	}
}

// multiply sets m×n elements of C from (i, j) on, or adds to them.
func (w *panels) multiply(i, j, m, n int, a, b []float64, ahead fetch) {
	c := w.c.Data[i*w.c.Stride+j:]
	var start []float64
	if w.add {
		start = c
	}
	tileFetch(m, n, w.k1-w.k0, a, 1, panelWidth, b, panelWidth, start, w.c.Stride, c, w.c.Stride, ahead)
}
