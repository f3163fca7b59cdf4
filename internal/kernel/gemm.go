package kernel

// Gemm sets C (m×n) to alpha·op(A)·op(B) + beta·C. Here op(A) is m×k and op(B)
// k×n, transposed if the flag before it says so. C must not
// overlap A or B; where beta is 0 the old C is not read.
//
// Cost: 2mnk flop on Workers goroutines. Near the processor's peak where m or n
// is at most 32 (a block of vectors) and where m, n, k exceed 100; scratch
// space at most 6 MiB and a copy of a narrow B, reused.
func Gemm(transA, transB bool, alpha float64, a, b Matrix, beta float64, c Matrix) {
	a.check("A")
	b.check("B")
	m, k := a.Rows, a.Cols
	if transA {
		m, k = k, m
	}
	kb, n := b.Rows, b.Cols
	if transB {
		kb, n = n, kb
	}
	c.mustBe("C", m, n)
	if k != kb {
		panic("kernel: op(A) and op(B) do not fit")
	}
	scaleMatrix(c, beta)
	if c.empty() || k == 0 || alpha == 0 {
		return
	}
	d := directProduct{a: a, b: b, transA: transA, transB: transB, alpha: alpha}
	switch {
	case n <= narrow || k*n <= smallB:
		d.add(c, k)
	case m <= narrow:
		scratch := Borrow()
		defer scratch.Release()
		t := Matrix{Rows: n, Cols: m, Data: scratch.Floats(m * n), Stride: m}
		t.fill(c, true, 1)
		directProduct{a: b, b: a, transA: !transB, transB: !transA, alpha: alpha}.add(t, k)
		c.fill(t, true, 1)
	default:
		product{c: c, x: operand{View{X: a}, transA}, y: operand{View{X: b}, !transB}, alpha: alpha, l1: k, add: true}.run()
	}
}

// narrow is the number of columns up to which packing does not pay: A would be
// copied for few multiply-adds each.
const narrow = 32

// smallB is the number of elements of B up to which it may lie in the cache as
// it is.
const smallB = 1 << 14

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
// triangles are written. n·d·(d+1) flop, half of Gemm's.
func Cross(c Matrix, v View) {
	v.check()
	c.mustBe("C", v.Cols(), v.Cols())
	symmetricProduct(c, operand{v, true})
}

// AddCross adds VᵀV to the lower triangle of c (v.Cols() × v.Cols()); what is
// above the diagonal may be changed. For sums over blocks of rows, of which
// Mirror completes the last.
func AddCross(c Matrix, v View) {
	v.check()
	c.mustBe("C", v.Cols(), v.Cols())
	o := operand{v, true}
	product{c: c, x: o, y: o, alpha: 1, symmetric: true, add: true, l1: v.Rows()}.sum()
}

// Mirror copies the lower triangle of the square matrix c to the upper one.
func Mirror(c Matrix) {
	c.mustBe("C", c.Rows, c.Rows)
	mirror(c)
}

// CrossOf sets c (v.Cols() × w.Cols()) to VᵀW for views of the same number of
// rows. 2n·v.Cols()·w.Cols() flop.
func CrossOf(c Matrix, v, w View) { crossProduct(c, v, w).sum() }

// AddCrossOf is CrossOf, added to c: for sums over blocks of rows.
func AddCrossOf(c Matrix, v, w View) {
	p := crossProduct(c, v, w)
	p.add = true
	p.sum()
}

// crossProduct returns the product VᵀW.
func crossProduct(c Matrix, v, w View) product {
	v.check()
	w.check()
	c.mustBe("C", v.Cols(), w.Cols())
	if v.Rows() != w.Rows() {
		panic("kernel: V and W have different numbers of rows")
	}
	return product{c: c, x: operand{v, true}, y: operand{w, true}, alpha: 1, l1: v.Rows()}
}

// Gram sets c (v.Rows() × v.Rows()) to VVᵀ, the matrix of the rows' scalar
// products. Both triangles are written. d·n·(n+1) flop, half of Gemm's.
func Gram(c Matrix, v View) {
	v.check()
	c.mustBe("C", v.Rows(), v.Rows())
	symmetricProduct(c, operand{v, false})
}

func symmetricProduct(c Matrix, o operand) {
	p := product{c: c, x: o, y: o, alpha: 1, symmetric: true}
	_, p.l1 = o.extents()
	p.sum()
	mirror(c)
}

// sum runs p, in pieces of its depth where C is small.
func (p product) sum() {
	if !splitDepth(p.c, p.l1, p.symmetric, func(own Matrix, part, l0, l1 int, serial bool) {
		piece := p
		piece.c, piece.l0, piece.l1, piece.serial, piece.add = own, l0, l1, serial, part == 0 && p.add
		if p.sums != nil {
			piece.sums = p.sums[part*p.c.Rows:][:p.c.Rows]
		}
		piece.run()
	}) {
		p.run()
	}
}

// mirror copies the lower triangle to the upper one.
func mirror(c Matrix) {
	blocks := (c.Rows + mirrored - 1) / mirrored
	if 16*c.Rows*c.Cols < smallWork {
		for b := range blocks {
			mirrorBlock(c, b)
		}
		return
	}
	Parallel(blocks, func(_, task int) { mirrorBlock(c, blocks-1-task) }) // the longest rows first
}

// mirrored is the number of rows and of columns that are copied at a time.
const mirrored = 32

// mirrorBlock copies the rows of a block up to the diagonal.
func mirrorBlock(c Matrix, b int) {
	i0, i1 := b*mirrored, min(c.Rows, (b+1)*mirrored)
	for j0 := 0; j0 <= i0; j0 += mirrored {
		for i := i0; i < i1; i++ {
			row := c.Row(i)
			for j := j0; j < min(i, j0+mirrored); j++ {
				c.Data[j*c.Stride+i] = row[j]
			}
		}
	}
}
