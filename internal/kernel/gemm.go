package kernel

// Gemm sets C (m×n) to alpha·op(A)·op(B) + beta·C, where op transposes its
// matrix if the flag before it says so and op(A) is m×k, op(B) k×n. C must not
// overlap A or B; where beta is 0 the old C is not read.
//
// Cost: 2mnk flop on Workers goroutines. Near the processor's peak where m or n
// is at most 32 (a block of vectors) and where all of m, n, k exceed about
// 100; scratch space at most 2·1536·depth numbers, reused.
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
	switch {
	case n <= narrow || k*n <= smallB:
		direct(c, a, transA, b, transB, alpha, k)
	case m <= narrow:
		directTransposed(c, a, transA, b, transB, alpha, k)
	default:
		x, y := operand{View{X: a}, transA}, operand{View{X: b}, !transB}
		multiply(c, x, y, alpha, true, false)
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

// direct adds alpha·op(A)·op(B) to C, reading A where it is, and B unless it has
// to be transposed or scaled. Rows of C are independent tasks.
func direct(c, a Matrix, transA bool, b Matrix, transB bool, alpha float64, k int) {
	if transB || alpha != 1 {
		scratch := borrow()
		defer scratch.release()
		plain := Matrix{Rows: k, Cols: c.Cols, Data: scratch.floats(k * c.Cols), Stride: c.Cols}
		plain.fill(b, transB, alpha)
		b = plain
	}
	sp, sk, step := a.Stride, 1, k
	if transA {
		sp, sk, step = 1, a.Stride, passRows // columns of A go with rows of few pages
	}
	const rows = 4 * tileRows
	parallelIf(c.Rows*c.Cols*k, (c.Rows+rows-1)/rows, func(_, t int) {
		i0, i1 := t*rows, min(c.Rows, (t+1)*rows)
		d := c.from(i0)
		for l := 0; l < k; l += step {
			tile(i1-i0, c.Cols, min(step, k-l), a.Data[i0*sp+l*sk:], sp, sk, b.from(l), b.Stride, d, c.Stride, d, c.Stride)
		}
	})
}

// fill sets m to alpha·op(src).
func (m Matrix) fill(src Matrix, trans bool, alpha float64) {
	for i := range m.Rows {
		row := m.Row(i)
		if !trans {
			for j, v := range src.Row(i) {
				row[j] = alpha * v
			}
			continue
		}
		for j := range row {
			row[j] = alpha * src.Data[j*src.Stride+i]
		}
	}
}

// directTransposed is direct for a C of few rows: Cᵀ = op(B)ᵀ·op(A)ᵀ.
func directTransposed(c, a Matrix, transA bool, b Matrix, transB bool, alpha float64, k int) {
	scratch := borrow()
	defer scratch.release()
	t := Matrix{Rows: c.Cols, Cols: c.Rows, Data: scratch.floats(c.Rows * c.Cols), Stride: c.Rows}
	t.fill(c, true, 1)
	direct(t, b, !transB, a, !transA, alpha, k)
	c.fill(t, true, 1)
}

// Cross sets c (v.Cols() × v.Cols()) to VᵀV: with Mean and no Columns the
// scatter matrix (n−1)·A of the data, with Columns its block A_SS. Both
// triangles are written. n·d·(d+1) flop, half of Gemm's.
func Cross(c Matrix, v View) {
	v.check()
	c.mustBe("C", v.Cols(), v.Cols())
	symmetricProduct(c, operand{v, true})
}

// Gram sets c (v.Rows() × v.Rows()) to VVᵀ, the matrix of the rows' scalar
// products. Both triangles are written. d·n·(n+1) flop, half of Gemm's.
func Gram(c Matrix, v View) {
	v.check()
	c.mustBe("C", v.Rows(), v.Rows())
	symmetricProduct(c, operand{v, false})
}

func symmetricProduct(c Matrix, o operand) {
	multiply(c, o, o, 1, false, true)
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
