package kernel

// operand is one side of a product while it is packed: op(A) or op(B)ᵀ as
// index p (the one that stays in C) against l (the one that is summed).
type operand struct {
	View
	transposed bool // p counts columns of the view, l its rows
	scale      float64
}

func rowsOf(v View) operand { return operand{View: v, scale: 1} }
func colsOf(v View) operand { return operand{View: v, transposed: true, scale: 1} }

// extents returns the numbers of p and of l.
func (o operand) extents() (p, l int) {
	if o.transposed {
		return o.Cols(), o.Rows()
	}
	return o.Rows(), o.Cols()
}

// pack writes p0 ≤ p < p1, l0 ≤ l < l1 to dst as l1−l0 rows of width numbers,
// zero past p1−p0 ≤ width.
func (o operand) pack(dst []float64, width, p0, p1, l0, l1 int) {
	if o.transposed {
		o.packColumns(dst, width, p0, p1, l0, l1)
	} else {
		o.packRows(dst, width, p0, p1, l0, l1)
	}
	if o.scale != 1 {
		for i := range dst[:width*(l1-l0)] {
			dst[i] *= o.scale
		}
	}
}

func (o operand) packColumns(dst []float64, width, p0, p1, l0, l1 int) {
	for l := l0; l < l1; l++ {
		d := dst[(l-l0)*width : (l-l0+1)*width]
		o.row(d[:p1-p0], l, p0)
		clear(d[p1-p0:])
	}
}

func (o operand) packRows(dst []float64, width, p0, p1, l0, l1 int) {
	if p1-p0 < width {
		clear(dst[:width*(l1-l0)])
	}
	var piece [64]float64
	for p := p0; p < p1; p++ {
		for l := l0; l < l1; l += len(piece) {
			x := piece[:min(len(piece), l1-l)]
			o.row(x, p, l)
			d := dst[(l-l0)*width+p-p0:]
			for i, v := range x {
				d[i*width] = v
			}
		}
	}
}
