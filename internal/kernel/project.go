package kernel

// Projection multiplies centred rows with a narrow matrix: row ↦ (row − mean)ᵀV.
// It is immutable and may be used by several goroutines at a time.
//
// A row alone gives the same bytes as in a batch.
type Projection struct {
	v     Matrix    // k×m, copied, rows padded to a multiple of 8
	shift []float64 // −meanᵀV, padded
	cols  int
}

// NewProjection prepares products with v (k×m, copied); mean has length k, nil
// means 0.
func NewProjection(v Matrix, mean []float64) *Projection {
	v.check("V")
	if mean != nil {
		mustLen("mean", mean, v.Rows)
	}
	width := roundUp(max(1, v.Cols), 8)
	p := &Projection{cols: v.Cols, shift: make([]float64, width)}
	p.v = Matrix{Rows: v.Rows, Cols: width, Stride: width, Data: aligned(v.Rows * width)}
	for i := range v.Rows {
		copy(p.v.Row(i), v.Row(i))
	}
	for i, m := range mean {
		axpy(-m, p.v.Row(i), p.shift)
	}
	return p
}

// Project sets dst (n×m) to (X − 1·meanᵀ)·V for x (n×k). 2nkm flop (m rounded
// up to a multiple of 8), on Workers goroutines; memory-bound where m ≤ 16.
func (p *Projection) Project(dst, x Matrix) {
	x.mustBe("X", x.Rows, p.v.Rows)
	dst.mustBe("destination", x.Rows, p.cols)
	if dst.empty() {
		return
	}
	const block = 192
	if x.Rows <= block {
		p.rows(dst, x, 0, x.Rows)
		return
	}
	parallelIf(x.Rows*x.Cols*p.v.Cols, (x.Rows+block-1)/block, func(_, t int) {
		p.rows(dst, x, t*block, min(x.Rows, (t+1)*block))
	})
}

// ProjectRow sets dst (length m) to (row − mean)ᵀV for a row of length k,
// without allocation.
func (p *Projection) ProjectRow(dst, row []float64) {
	mustLen("row", row, p.v.Rows)
	mustLen("destination", dst, p.cols)
	tile(1, p.cols, p.v.Rows, row, len(row), 1, p.v.Data, p.v.Stride, p.shift, 0, dst, len(dst))
}

func (p *Projection) rows(dst, x Matrix, i0, i1 int) {
	var a []float64
	if x.Cols > 0 {
		a = x.Data[i0*x.Stride:]
	}
	tile(i1-i0, p.cols, x.Cols, a, x.Stride, 1, p.v.Data, p.v.Stride, p.shift, 0, dst.Data[i0*dst.Stride:], dst.Stride)
}
