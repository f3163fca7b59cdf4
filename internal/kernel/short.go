package kernel

// tileRows is the number of rows of C in registers at a time: pieces of rows
// are multiples of it.
const tileRows = 12

// shortRows is the number of rows of a short table: T fits the first-level cache
// and reading X twice costs little beside that no piece of the rows needs a Y of
// its own.
const shortRows = 192

// wideRows is the number of rows up to which T fits the second-level cache.
const wideRows = 2048

// columnBlock is the number of columns of X that one task takes where Y is
// cut in columns.
const columnBlock = 32 * tileRows

// leftByColumns reports whether Xᵀ·T for n×d rows is cut in columns, and not
// summed over pieces of the rows.
func leftByColumns(n, d int) bool {
	return n <= shortRows || n <= wideRows && d >= 4*columnBlock
}

// fusedShort is Fused for a short table.
func (p *Pass) fusedShort(y Matrix, add bool) {
	t := p.wholeT()
	groups := (t.Rows + tileRows - 1) / tileRows
	parallelIf(p.x.Rows*p.x.Cols*p.width, groups, func(_, g int) {
		i0, i1 := g*tileRows, min(t.Rows, (g+1)*tileRows)
		p.right(i0, t.Slice(i0, i1, 0, t.Cols), fetch{})
	})
	p.leftColumns(y, t, add)
}

// wholeT returns room for T, padded.
func (p *Pass) wholeT() Matrix {
	if p.whole == nil {
		p.whole = p.borrow(p.x.Rows * p.width)
	}
	return Matrix{Rows: p.x.Rows, Cols: p.width, Data: p.whole, Stride: p.width}
}

// leftColumns sets y to Xcᵀ·T, or adds it, some columns of X at a time.
func (p *Pass) leftColumns(y, t Matrix, add bool) {
	sums := p.sums[0]
	clear(sums)
	k := 0
	if p.mean != nil {
		k = 1
		for i := range t.Rows {
			axpy(-1, t.Row(i), sums)
		}
	}
	blocks := (y.Rows + columnBlock - 1) / columnBlock
	parallelIf(p.x.Rows*p.x.Cols*p.width, blocks, func(_, b int) {
		j0, j1 := b*columnBlock, min(y.Rows, (b+1)*columnBlock)
		c := y.from(j0)
		var start []float64
		if add {
			start = c
		}
		for i := 0; i < t.Rows; i += shortRows { // T stays in the first-level cache
			n := min(shortRows, t.Rows-i)
			tile(j1-j0, y.Cols, n, p.x.from(i)[j0:], 1, p.x.Stride, t.from(i), t.Stride, start, y.Stride, c, y.Stride)
			start = c
		}
		var mean []float64
		if k > 0 {
			mean = p.mean[j0:]
		}
		tile(j1-j0, y.Cols, k, mean, 1, 1, sums, p.width, start, y.Stride, c, y.Stride)
	})
}
