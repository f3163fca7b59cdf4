package kernel

// shortRows is the number of rows up to which Y is cut in columns instead of
// summed over pieces of the rows: T fits the cache, no piece needs a Y of its
// own, and reading X twice costs little beside that.
const tileRows = 12 // rows of C in registers at a time: pieces of rows are multiples of it

const shortRows = 192

// columnBlock is the number of columns of X that one task of a short pass takes.
const columnBlock = 32 * tileRows

// fusedShort is Fused for a table of few rows.
func (p *Pass) fusedShort(y Matrix) {
	t := p.shortT()
	groups := (t.Rows + tileRows - 1) / tileRows
	parallelIf(p.x.Rows*p.x.Cols*p.width, groups, func(_, g int) {
		i0, i1 := g*tileRows, min(t.Rows, (g+1)*tileRows)
		p.right(i0, t.Slice(i0, i1, 0, t.Cols), fetch{})
	})
	p.leftShort(y, t)
}

// shortT returns room for T, padded.
func (p *Pass) shortT() Matrix {
	if p.t == nil {
		p.t = [][]float64{aligned(p.x.Rows * p.width)}
	}
	return Matrix{Rows: p.x.Rows, Cols: p.width, Data: p.t[0], Stride: p.width}
}

// leftShort sets y to Xcᵀ·T.
func (p *Pass) leftShort(y, t Matrix) {
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
		var x, mean []float64
		if p.x.Rows > 0 {
			x = p.x.Data[j0:]
		}
		if k > 0 {
			mean = p.mean[j0:]
		}
		c := y.from(j0)
		tile(j1-j0, y.Cols, t.Rows, x, 1, p.x.Stride, t.Data, t.Stride, nil, 0, c, y.Stride)
		tile(j1-j0, y.Cols, k, mean, 1, 1, sums, p.width, c, y.Stride, c, y.Stride)
	})
}
