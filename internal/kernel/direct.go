package kernel

// directProduct is alpha·op(A)·op(B) with A read where it is: for narrow
// results, for which packing costs more than it gains, and for small ones.
type directProduct struct {
	a, b           Matrix
	transA, transB bool
	alpha          float64
}

// add adds the product, over k, to C.
func (p directProduct) add(c Matrix, k int) {
	if p.transB || p.alpha != 1 {
		scratch := Borrow()
		defer scratch.Release()
		plain := Matrix{Rows: k, Cols: c.Cols, Data: scratch.Floats(k * c.Cols), Stride: c.Cols}
		plain.fill(p.b, p.transB, p.alpha)
		p.b = plain
	}
	if !splitDepth(c, k, false, func(own Matrix, part, l0, l1 int, serial bool) {
		if part > 0 {
			own.Zero()
		}
		if serial {
			p.rows(own, 0, own.Rows, l0, l1)
		} else {
			p.share(own, l0, l1)
		}
	}) {
		p.share(c, 0, k)
	}
}

// share adds to C the sum over l0 ≤ l < l1, on several goroutines.
func (p directProduct) share(c Matrix, l0, l1 int) {
	const rows = 4 * tileRows
	parallelIf(c.Rows*c.Cols*(l1-l0), (c.Rows+rows-1)/rows, func(_, t int) {
		p.rows(c, t*rows, min(c.Rows, (t+1)*rows), l0, l1)
	})
}

// rows adds to rows i0:i1 of C the sum over l0 ≤ l < l1.
func (p directProduct) rows(c Matrix, i0, i1, l0, l1 int) {
	sp, sk, step := p.a.Stride, 1, l1-l0
	if p.transA {
		sp, sk, step = 1, p.a.Stride, passRows // columns of A: rows of few pages at a time
	}
	d := c.from(i0)
	for l := l0; l < l1; l += step {
		tile(i1-i0, c.Cols, min(step, l1-l), p.a.Data[i0*sp+l*sk:], sp, sk, p.b.from(l), p.b.Stride, d, c.Stride, d, c.Stride)
	}
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
