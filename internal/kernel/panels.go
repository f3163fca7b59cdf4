package kernel

// Shape of the blocks of a product. A panel of B of panelWidth columns and
// depth rows stays in the first-level cache while blockPanels panels of A pass
// by, which stay in the second level.
const (
	depth       = 160
	blockPanels = 4
	superPanels = 64 // panels of A and of B that are packed at a time
)

// multiply sets C to the product of x and y, alpha times, or adds it. When both
// are the same (symmetric), only the lower triangle is written, and what is
// packed serves as both sides.
func multiply(c Matrix, x, y operand, alpha float64, add, symmetric bool) {
	if c.empty() {
		return
	}
	_, k := x.extents()
	if k == 0 && !add {
		c.Zero()
	}
	bx, by := borrow(), borrow()
	defer bx.release()
	defer by.release()
	const super = superPanels * panelWidth
	for i := 0; i < c.Rows; i += super {
		for j := 0; j < c.Cols; j += super {
			if symmetric && j > i {
				break
			}
			w := panels{x: x, y: y, c: c, alpha: alpha, diagonal: symmetric && i == j,
				i0: i, i1: min(c.Rows, i+super), j0: j, j1: min(c.Cols, j+super)}
			w.a = bx.floats(roundUp(w.i1-i, panelWidth) * min(k, depth))
			w.b = w.a
			if !w.diagonal {
				w.b = by.floats(roundUp(w.j1-j, panelWidth) * min(k, depth))
			}
			for l := 0; l < k; l += depth {
				w.l0, w.l1 = l, min(k, l+depth)
				w.add = add || l > 0
				w.run()
			}
		}
	}
}

// panels is the product of the packed panels of rows i0:i1 and columns j0:j1
// of C over l0 ≤ l < l1.
type panels struct {
	x, y           operand
	c              Matrix
	alpha          float64
	a, b           []float64
	i0, i1, j0, j1 int
	l0, l1         int
	add            bool
	diagonal       bool // a and b are the same, C's upper triangle is left out
}

// count returns the number of panels of n rows or columns.
func count(n int) int { return (n + panelWidth - 1) / panelWidth }

func (w *panels) run() {
	na, nb := count(w.i1-w.i0), count(w.j1-w.j0)
	work := (w.i1 - w.i0) * (w.j1 - w.j0) * (w.l1 - w.l0)
	packs := na
	if !w.diagonal {
		packs += nb
	}
	parallelIf(work, packs, func(_, t int) { w.pack(t, na) })
	blocks := (na + blockPanels - 1) / blockPanels
	parallelIf(work, blocks, func(_, t int) {
		if w.diagonal {
			t = blocks - 1 - t // the longest rows first
		}
		for j := range nb {
			for i := t * blockPanels; i < min(na, (t+1)*blockPanels); i++ {
				w.tile(i, j)
			}
		}
	})
}

// pack packs the t-th of the panels of A and B.
func (w *panels) pack(t, na int) {
	size := panelWidth * (w.l1 - w.l0)
	if t < na {
		p := w.i0 + t*panelWidth
		w.x.pack(w.a[t*size:], p, min(w.i1, p+panelWidth), w.l0, w.l1)
		return
	}
	t -= na
	p, dst := w.j0+t*panelWidth, w.b[t*size:][:size]
	w.y.pack(dst, p, min(w.j1, p+panelWidth), w.l0, w.l1)
	if w.alpha != 1 {
		for i := range dst {
			dst[i] *= w.alpha
		}
	}
}

// tile multiplies the ti-th panel of A with the tj-th of B.
func (w *panels) tile(ti, tj int) {
	if w.diagonal && tj > ti {
		return
	}
	k := w.l1 - w.l0
	i, j := w.i0+ti*panelWidth, w.j0+tj*panelWidth
	m, n := min(panelWidth, w.i1-i), min(panelWidth, w.j1-j)
	a, b := w.a[ti*panelWidth*k:], w.b[tj*panelWidth*k:]
	if !w.diagonal || ti != tj {
		w.product(i, j, m, n, k, a, b)
		return
	}
	for p := 0; p < m; p += 8 { // on the diagonal: no further than the rows reach
		w.product(i+p, j, min(8, m-p), min(p+8, n), k, a[p:], b)
	}
}

// product sets m×n elements of C from (i, j) on, or adds to them.
func (w *panels) product(i, j, m, n, k int, a, b []float64) {
	c := w.c.Data[i*w.c.Stride+j:]
	var start []float64
	if w.add {
		start = c
	}
	tile(m, n, k, a, 1, panelWidth, b, panelWidth, start, w.c.Stride, c, w.c.Stride)
}
