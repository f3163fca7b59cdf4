package kernel

// Shape of the blocks of a product. A block of A of tileRows·blockTiles rows
// and depth columns stays in the second-level cache while panels of B of
// tileCols columns pass through the first level.
const (
	tileRows   = 12
	tileCols   = 16
	depth      = 192
	blockTiles = 8
	superRows  = 1536 // rows of A and columns of B that are packed at a time
	superCols  = 1536
)

// Gemm sets C (m×n) to alpha·op(A)·op(B) + beta·C, where op transposes its
// matrix if the flag before it says so and op(A) is m×k, op(B) k×n. C must not
// overlap A or B; where beta is 0 the old C is not read.
//
// Cost: 2mnk flop on Workers goroutines, near the processor's peak once all of
// m, n, k exceed about 100; scratch space at most 2·1536·192 numbers, reused.
func Gemm(transA, transB bool, alpha float64, a, b Matrix, beta float64, c Matrix) {
	a.check("A")
	b.check("B")
	x, y := rowsOf(View{X: a}), colsOf(View{X: b})
	x.transposed, y.transposed = transA, !transB
	y.scale = alpha
	m, k := x.extents()
	n, kb := y.extents()
	c.mustBe("C", m, n)
	if k != kb {
		panic("kernel: op(A) and op(B) do not fit")
	}
	scaleMatrix(c, beta)
	multiply(c, x, y, beta != 0, false)
}

func scaleMatrix(c Matrix, beta float64) {
	if beta == 1 {
		return
	}
	for i := range c.Rows {
		row := c.Row(i)
		if beta == 0 {
			clear(row)
			continue
		}
		for j := range row {
			row[j] *= beta
		}
	}
}

// Cross sets c (v.Cols() × v.Cols()) to VᵀV: with Mean and no Columns the
// scatter matrix (n−1)·A of the data, with Columns its block A_SS. Both
// triangles are written. Half the flops of Gemm.
func Cross(c Matrix, v View) {
	v.check()
	c.mustBe("C", v.Cols(), v.Cols())
	o := colsOf(v)
	symmetricProduct(c, o)
}

// Gram sets c (v.Rows() × v.Rows()) to VVᵀ, the matrix of the rows' scalar
// products. Both triangles are written. Half the flops of Gemm.
func Gram(c Matrix, v View) {
	v.check()
	c.mustBe("C", v.Rows(), v.Rows())
	symmetricProduct(c, rowsOf(v))
}

func symmetricProduct(c Matrix, o operand) {
	multiply(c, o, o, false, true)
	mirror(c)
}

// mirror copies the lower triangle to the upper one.
func mirror(c Matrix) {
	const block = 32
	for i0 := 0; i0 < c.Rows; i0 += block {
		for j0 := 0; j0 <= i0; j0 += block {
			for i := i0; i < min(c.Rows, i0+block); i++ {
				row := c.Row(i)
				for j := j0; j < min(i, j0+block); j++ {
					c.Data[j*c.Stride+i] = row[j]
				}
			}
		}
	}
}

// multiply adds (or, without add, sets) C to the product of x and y; with
// lower set, tiles that lie above the diagonal are left out.
func multiply(c Matrix, x, y operand, add, lower bool) {
	k := 0
	_, k = x.extents()
	if c.empty() {
		return
	}
	if k == 0 {
		if !add {
			c.Zero()
		}
		return
	}
	bx, by := borrow(), borrow()
	defer bx.release()
	defer by.release()
	for i := 0; i < c.Rows; i += superRows {
		for j := 0; j < c.Cols; j += superCols {
			w := panels{x: x, y: y, lower: lower, c: c,
				i0: i, i1: min(c.Rows, i+superRows), j0: j, j1: min(c.Cols, j+superCols)}
			if lower && j >= w.i1 {
				continue
			}
			w.a = bx.floats(roundUp(w.i1-i, tileRows) * min(k, depth))
			w.b = by.floats(roundUp(w.j1-j, tileCols) * min(k, depth))
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
	a, b           []float64
	i0, i1, j0, j1 int
	l0, l1         int
	add, lower     bool
}

func (w *panels) run() {
	tilesA := (w.i1 - w.i0 + tileRows - 1) / tileRows
	tilesB := (w.j1 - w.j0 + tileCols - 1) / tileCols
	k := w.l1 - w.l0
	work := (w.i1 - w.i0) * (w.j1 - w.j0) * k
	parallelIf(work, tilesA+tilesB, func(_, t int) {
		if t < tilesA {
			p := w.i0 + t*tileRows
			w.x.pack(w.a[t*tileRows*k:], tileRows, p, min(w.i1, p+tileRows), w.l0, w.l1)
			return
		}
		t -= tilesA
		p := w.j0 + t*tileCols
		w.y.pack(w.b[t*tileCols*k:], tileCols, p, min(w.j1, p+tileCols), w.l0, w.l1)
	})
	blocks := (tilesA + blockTiles - 1) / blockTiles
	parallelIf(work, blocks, func(_, t int) {
		for j := range tilesB {
			for i := t * blockTiles; i < min(tilesA, (t+1)*blockTiles); i++ {
				w.tile(i, j, k)
			}
		}
	})
}

// tile multiplies the ti-th packed panel of A with the tj-th of B.
func (w *panels) tile(ti, tj, k int) {
	i, j := w.i0+ti*tileRows, w.j0+tj*tileCols
	m, n := min(tileRows, w.i1-i), min(tileCols, w.j1-j)
	if w.lower && j >= i+m {
		return
	}
	c := w.c.Data[i*w.c.Stride+j:]
	var start []float64
	if w.add {
		start = c
	}
	tile(m, n, k, w.a[ti*tileRows*k:], 1, tileRows, w.b[tj*tileCols*k:], tileCols, start, w.c.Stride, c, w.c.Stride)
}
