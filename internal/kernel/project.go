package kernel

//go:generate go -C gen run . -kernels project-avx512 -out ../project_avx512_amd64.s -stubs ../project_avx512_amd64.go -pkg kernel

// Projection multiplies centred rows with a narrow matrix: row ↦ (row − mean)ᵀV.
// It is immutable and may be used by several goroutines at a time.
//
// A row alone gives the same bytes as in a batch.
type Projection struct {
	v    Matrix    // k×m, copied, rows padded: see projectionWidth
	mean []float64 // subtracted before the product; nil for none
	zero []float64 // k zeros where mean is nil
	cols int
}

// groupRows is the number of rows that are the lanes of a vector where V is
// narrow enough for the kernels of project_avx512_amd64.s.
const groupRows = 8

// groupColumns is the most columns of V that they have room for.
const groupColumns = 12

// projectionWidth returns what the rows of V are padded to for m columns.
func projectionWidth(m int) int {
	if m <= groupColumns {
		return roundUp(max(1, m), 2)
	}
	return roundUp(m, line)
}

// NewProjection prepares products with v (k×m, copied); mean has length k, nil
// means 0.
func NewProjection(v Matrix, mean []float64) *Projection {
	v.check("V")
	if mean != nil {
		mustLen("mean", mean, v.Rows)
	}
	width := projectionWidth(v.Cols)
	p := &Projection{cols: v.Cols}
	p.v = Matrix{Rows: v.Rows, Cols: width, Stride: width, Data: aligned(v.Rows * width)}
	for i := range v.Rows {
		copy(p.v.Row(i), v.Row(i))
	}
	if mean != nil {
		p.mean = append([]float64(nil), mean...)
	} else {
		p.zero = make([]float64, v.Rows)
	}
	return p
}

// Project sets dst (n×m) to (X − 1·meanᵀ)·V for x (n×k). 2nkm flop (m rounded
// up to an even number up to 12 with AVX-512, else to a multiple of 8), on Workers
// goroutines; memory-bound where m ≤ 16.
func (p *Projection) Project(dst, x Matrix) {
	x.mustBe("X", x.Rows, p.v.Rows)
	dst.mustBe("destination", x.Rows, p.cols)
	if dst.empty() {
		return
	}
	// Rows that are asked for ahead of the end of a block are wasted: blocks are
	// large where there are many.
	block := roundUp(max(192, min(4096, x.Rows/16)), tileRows*groupRows)
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
	if len(dst) == 0 {
		return
	}
	p.rows(Matrix{Rows: 1, Cols: p.cols, Data: dst, Stride: p.cols}, Matrix{Rows: 1, Cols: len(row), Data: row, Stride: len(row)}, 0, 1)
}

// rows projects rows i0 ≤ i < i1. They are centred in registers or in a piece of
// the first-level cache: a row that is the mean gives exactly 0, and no digits
// are lost where means are large beside what varies.
func (p *Projection) rows(dst, x Matrix, i0, i1 int) {
	k := x.Cols
	if k > 0 {
		i0 += groupRows * p.groups(dst, x, i0, (i1-i0)/groupRows)
	}
	if i0 == i1 {
		return
	}
	if p.mean == nil || k == 0 {
		var a []float64
		if k > 0 {
			a = x.Data[i0*x.Stride:]
		}
		tile(i1-i0, p.cols, k, a, x.Stride, 1, p.v.Data, p.v.Stride, nil, 0, dst.Data[i0*dst.Stride:], dst.Stride)
		return
	}
	ahead := func(i int) fetch { // the next piece, as fast as this one is used up
		if !x.dense() {
			return fetch{}
		}
		return fetch{from: x.address(i), step: size * tileRows}
	}
	piece := max(tileRows, 2048/k/tileRows*tileRows)
	b := Borrow()
	defer b.Release()
	centred := b.Floats(min(piece, i1-i0) * k)
	for i := i0; i < i1; i += piece {
		n := min(piece, i1-i)
		center(centred, k, x.Data[i*x.Stride:], x.Stride, n, p.mean)
		tileFetch(n, p.cols, k, centred, k, 1, p.v.Data, p.v.Stride, nil, 0, dst.Data[i*dst.Stride:], dst.Stride, ahead(i+n))
	}
}

// plainCenter sets n rows of dst to those of src less mean.
func plainCenter(dst []float64, width int, src []float64, stride, n int, mean []float64) {
	for i := range n {
		x, d := src[i*stride:][:len(mean)], dst[i*width:][:len(mean)]
		for j, v := range x {
			d[j] = v - mean[j]
		}
	}
}
