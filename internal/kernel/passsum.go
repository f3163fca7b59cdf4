package kernel

// A pass sums over pieces of the rows, each of which has a Y of its own. The pieces are
// two halves. Within a half neighbours are added, then neighbouring sums, and so on: who
// comes second adds, mostly what lies in the processor's own cache. At the end there are
// two sums. The order of all additions depends on the number of pieces alone. Tables of at
// most shortRows rows are not summed in this way, so no piece is empty.

// sum sets y to Xcᵀ·T, or adds it. Scores returns T's rows from i0 on, as many as
// room has: written there, or others of the same width. Alone says that X is not
// read for them.
func (p *Pass) sum(y Matrix, alone, add bool, scores func(worker, i0 int, room Matrix) Matrix) {
	p.prepare()
	Parallel(p.parts, func(worker, task int) {
		part := task/2 + task%2*p.half() // two workers have a half each
		room := Matrix{Cols: p.width, Data: p.t[worker], Stride: p.width}
		p.eachBlock(part, func(i0, i1 int, first bool) {
			room.Rows = i1 - i0
			p.left(i0, scores(worker, i0, room), p.aheadLeft(i0, alone), part, first)
		})
		p.join(part)
	})
	p.reduce(y, add)
}

// half returns the number of pieces in each half.
func (p *Pass) half() int { return p.parts / 2 }

// prepare makes the scratch space that is not there yet.
func (p *Pass) prepare() {
	if p.y[0] == nil {
		each := roundUp(p.x.Cols*p.width, line)
		all := p.borrow(p.parts * each)
		for part := range p.y {
			p.y[part] = all[part*each:][:p.x.Cols*p.width]
		}
	}
	for part, s := range p.sums {
		clear(s)
		p.waits[part].Store(false)
	}
	for len(p.t) < Workers(p.parts) {
		p.t = append(p.t, p.borrow(p.rows*p.width))
	}
}

// left adds Xᵀ·T over the rows from i0 on to the part's Y, and 1ᵀT to its sums.
func (p *Pass) left(i0 int, t Matrix, ahead fetch, part int, first bool) {
	y := p.y[part]
	var start []float64
	if !first {
		start = y
	}
	tileFetch(p.x.Cols, p.width, t.Rows, p.x.from(i0), 1, p.x.Stride, t.Data, t.Stride, start, p.width, y, p.width, ahead)
	if p.mean != nil {
		t.addRows(p.sums[part])
	}
}

// addRows adds the rows of m to sums, which is as long as they are, in their order.
func (m Matrix) addRows(sums []float64) {
	tile(1, m.Cols, m.Rows, unity, 1, 0, m.Data, m.Stride, sums, 0, sums, len(sums))
}

var unity = []float64{1}

// join is called when a part is done. It adds what is complete: a sum over step
// parts, from a multiple of 2·step of the half on, and the sum over those after it.
func (p *Pass) join(part int) {
	begin := part / p.half() * p.half()
	at := part - begin
	for step := 1; step < p.half(); step *= 2 {
		first := at &^ step
		if next := first + step; next < p.half() {
			if p.waits[begin+next].CompareAndSwap(false, true) {
				return // the other one comes later
			}
			axpy(1, p.y[begin+next], p.y[begin+first])
			axpy(1, p.sums[begin+next], p.sums[begin+first])
		}
		at = first
	}
}

// reduce sets y to the sum of the halves' Y, less mean·(1ᵀT), or adds that.
func (p *Pass) reduce(y Matrix, add bool) {
	axpy(1, p.sums[p.half()], p.sums[0])
	for j := range p.sums[0] {
		p.sums[0][j] = -p.sums[0][j]
	}
	p.out, p.add = y, add
	parallelIf(2*len(p.y[0])*16, (y.Rows+reduceRows-1)/reduceRows, p.task)
	p.out = Matrix{} // no hold on the caller's data
}

// reduceRows is the number of rows of Y that are summed at a time.
const reduceRows = 512

// reduceBlock sets the rows of a block once the sums of T are there.
func (p *Pass) reduceBlock(block int) {
	j0, j1 := block*reduceRows, min(p.out.Rows, (block+1)*reduceRows)
	first := p.y[0][j0*p.width : j1*p.width]
	axpy(1, p.y[p.half()][j0*p.width:j1*p.width], first)
	for j := j0; p.add && j < j1; j++ {
		axpy(1, p.out.Row(j), first[(j-j0)*p.width:][:p.out.Cols])
	}
	var mean []float64
	k := 0
	if p.mean != nil {
		mean, k = p.mean[j0:], 1
	}
	tile(j1-j0, p.out.Cols, k, mean, 1, 1, p.sums[0], p.width, first, p.width, p.out.from(j0), p.out.Stride)
}
