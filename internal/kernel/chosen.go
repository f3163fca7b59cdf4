package kernel

// LeftOf sets y (d×c) to Xcᵀ·(V·W) for a view V of X with Columns and w
// (v.Cols()×c); y must not overlap w. 2nc(d + v.Cols()) flop, one reading of X;
// V is copied for a block of rows at a time.
func (p *Pass) LeftOf(y Matrix, v View, w Matrix) { p.leftOf(y, v, w, false) }

// AddLeftOf is LeftOf, added to y: for sums over blocks of rows.
func (p *Pass) AddLeftOf(y Matrix, v View, w Matrix) { p.leftOf(y, v, w, true) }

func (p *Pass) leftOf(y Matrix, v View, w Matrix, add bool) {
	v.check()
	p.mustFit("W", w, len(v.Columns))
	y.mustBe("Y", p.x.Cols, w.Cols)
	if w.Rows == 0 {
		if !add {
			y.Zero()
		}
		return
	}
	scratch := Borrow()
	defer scratch.Release()
	k := w.Rows
	room := scratch.Floats(roundUp(k*p.width, line) + Workers(p.parts)*p.rows*chosenBlock)
	padded := Matrix{Rows: k, Cols: p.width, Data: room, Stride: p.width}
	padded.pad(w)
	room = room[roundUp(k*p.width, line):]
	scores := func(worker, i0 int, t Matrix) Matrix {
		v.times(t, padded, i0, room[worker*p.rows*chosenBlock:])
		return t
	}
	if !leftByColumns(p.x.Rows, p.x.Cols) {
		p.sum(y, true, add, scores)
		return
	}
	t := p.wholeT()
	parallelIf(p.x.Rows*k*p.width, p.parts, func(worker, part int) {
		p.eachBlock(part, func(i0, i1 int, _ bool) { scores(worker, i0, t.Slice(i0, i1, 0, t.Cols)) })
	})
	p.leftColumns(y, t, add)
}

// AddFusedBeside adds Xcᵀ·[Xc·Q  V] to y (d×(c + v.Cols())), in one reading of X, for c + v.Cols() columns, at most
// the pass's width. The numbers are those of AddFused, and of AddLeftOf with a unit matrix.
func (p *Pass) AddFusedBeside(y, q Matrix, v View) {
	v.check()
	k := len(v.Columns)
	y.mustBe("Y", p.x.Cols, q.Cols+k)
	q.mustBe("Q", p.x.Cols, q.Cols)
	if q.Cols+k > p.width {
		panic("kernel: Q and V have more columns than the pass was made for")
	}
	p.q = q
	p.shifts(q)
	scores := func(_, i0 int, t Matrix) Matrix {
		p.right(i0, t.Slice(0, t.Rows, 0, q.Cols), fetch{})
		beside := t.Slice(0, t.Rows, q.Cols, p.width)
		gather(beside.Data, beside.Stride, v.X.from(i0), v.X.Stride, t.Rows, v.Columns)
		v.scale(Matrix{Rows: t.Rows, Cols: k, Data: beside.Data, Stride: beside.Stride})
		for i := range t.Rows {
			clear(beside.Row(i)[k:])
		}
		return t
	}
	if !leftByColumns(p.x.Rows, p.x.Cols) {
		p.sum(y, false, true, scores)
		return
	}
	t := p.wholeT()
	parallelIf(p.x.Rows*p.x.Cols*p.width, p.parts, func(worker, part int) {
		p.eachBlock(part, func(i0, i1 int, _ bool) { scores(worker, i0, t.Slice(i0, i1, 0, t.Cols)) })
	})
	p.leftColumns(y, t, true)
}

// chosenBlock is the number of columns of a view that are copied at a time.
const chosenBlock = 256

// times sets t to the rows of V·W from i0 on; room holds a block of V.
func (v View) times(t, w Matrix, i0 int, room []float64) {
	var start []float64
	for j := 0; j < w.Rows; j += chosenBlock {
		part := v.slice(j, min(w.Rows, j+chosenBlock))
		k := len(part.Columns)
		gather(room, k, v.X.from(i0), v.X.Stride, t.Rows, part.Columns)
		part.scale(Matrix{Rows: t.Rows, Cols: k, Data: room, Stride: k})
		tile(t.Rows, t.Cols, k, room, k, 1, w.from(j), w.Stride, start, t.Stride, t.Data, t.Stride)
		start = t.Data
	}
}

// slice returns the view of columns j0:j1 of a view with Columns.
func (v View) slice(j0, j1 int) View {
	v.Columns = v.Columns[j0:j1]
	if v.Mean != nil {
		v.Mean = v.Mean[j0:j1]
	}
	if v.Factor != nil {
		v.Factor = v.Factor[j0:j1]
	}
	return v
}
