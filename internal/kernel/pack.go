package kernel

// panelWidth is the width of a packed panel: 24 columns are three vectors and,
// as rows, a multiple of every tile's height.
const panelWidth = 24

// operand is one side of a product while it is packed: as index p (the one
// that stays in C) against l (the one that is summed).
type operand struct {
	View
	transposed bool // p counts columns of the view, l its rows
}

// extents returns the numbers of p and of l.
func (o operand) extents() (p, l int) {
	if o.transposed {
		return o.Cols(), o.Rows()
	}
	return o.Rows(), o.Cols()
}

// neutral holds what a nil Mean or Factor means for one panel or one depth.
type neutral struct{ zeros, ones [depth]float64 }

var none = func() *neutral {
	n := new(neutral)
	for i := range n.ones {
		n.ones[i] = 1
	}
	return n
}()

// centering returns n numbers of Mean and of Factor from j0 on.
func (o operand) centering(j0, n int) (mean, factor []float64) {
	mean, factor = none.zeros[:n], none.ones[:n]
	if o.Mean != nil {
		mean = o.Mean[j0 : j0+n]
	}
	if o.Factor != nil {
		factor = o.Factor[j0 : j0+n]
	}
	return mean, factor
}

// pack writes p0 ≤ p < p1, at most panelWidth, and l0 ≤ l < l1, at most depth, to
// a panel: l1−l0 rows of panelWidth numbers, zero past p1−p0. What it writes of a
// transposed operand is added to sums, by p, where these are not nil.
func (o operand) pack(dst []float64, p0, p1, l0, l1 int, sums []float64) {
	if o.transposed {
		o.packColumns(dst, p0, p1, l0, l1, sums)
		return
	}
	if p1-p0 < panelWidth {
		clear(dst[:panelWidth*(l1-l0)])
	}
	o.packRows(dst, p0, p1, l0, l1)
}

func (o operand) packColumns(dst []float64, p0, p1, l0, l1 int, sums []float64) {
	mean, factor := o.centering(p0, p1-p0)
	sums = cut(sums, p0, p1)
	if o.Columns == nil {
		packColumns(dst, o.X.Data[l0*o.X.Stride+p0:], o.X.Stride, l1-l0, mean, factor, sums)
		return
	}
	gather(dst, panelWidth, o.X.Data[l0*o.X.Stride:], o.X.Stride, l1-l0, o.Columns[p0:p1])
	packColumns(dst, dst, panelWidth, l1-l0, mean, factor, sums)
}

func (o operand) packRows(dst []float64, p0, p1, l0, l1 int) {
	mean, factor := o.centering(l0, l1-l0)
	if o.Columns == nil {
		packRows(dst, o.X.Data[p0*o.X.Stride+l0:], o.X.Stride, p1-p0, mean, factor)
		return
	}
	scratch := Borrow()
	defer scratch.Release()
	columns := o.Columns[l0:l1]
	rows := scratch.Floats((p1 - p0) * len(columns))
	gather(rows, len(columns), o.X.Data[p0*o.X.Stride:], o.X.Stride, p1-p0, columns)
	packRows(dst, rows, len(columns), p1-p0, mean, factor)
}

// plainPackColumns sets n rows of the panel dst to (src − mean)·factor, as wide
// as mean, and zero beyond; src may be dst. It adds them to sums, if there are any.
func plainPackColumns(dst, src []float64, stride, n int, mean, factor, sums []float64) {
	for l := range n {
		x, d := src[l*stride:][:len(mean)], dst[l*panelWidth:][:panelWidth]
		for j, v := range x {
			d[j] = (v - mean[j]) * factor[j]
		}
		clear(d[len(mean):])
		for j := range sums {
			sums[j] += d[j]
		}
	}
}

// plainPackRows sets column c0+p of the panel dst, as many rows as mean is long,
// to row p of (src − mean)·factor.
func plainPackRows(dst, src []float64, stride, rows int, mean, factor []float64) {
	for p := range rows {
		x := src[p*stride:][:len(mean)]
		for l, v := range x {
			dst[l*panelWidth+p] = (v - mean[l]) * factor[l]
		}
	}
}

// plainGather copies some columns of n rows of src, which has them all, to rows
// of dst.
func plainGather(dst []float64, width int, src []float64, stride, n int, columns []int) {
	for l := range n {
		x, d := src[l*stride:], dst[l*width:][:len(columns)]
		for j, c := range columns {
			d[j] = x[c]
		}
	}
}
