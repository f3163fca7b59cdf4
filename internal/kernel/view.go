package kernel

// View is a matrix made of columns of another one, centred and scaled on the
// way into the kernels' caches and nowhere stored: element (i, j) is
//
//	(X(i, Columns[j]) − Mean[j]) · Factor[j].
type View struct {
	X       Matrix
	Columns []int     // nil: all columns of X in order
	Mean    []float64 // nil: 0; by position in the view, not by column of X
	Factor  []float64 // nil: 1; by position in the view
}

// Rows returns the number of rows.
func (v View) Rows() int { return v.X.Rows }

// Cols returns the number of columns.
func (v View) Cols() int {
	if v.Columns != nil {
		return len(v.Columns)
	}
	return v.X.Cols
}

// check panics where the fields contradict each other.
func (v View) check() {
	v.X.check("X")
	for _, c := range v.Columns {
		if c < 0 || c >= v.X.Cols {
			panic("kernel: view of a column that is not there")
		}
	}
	if v.Mean != nil {
		mustLen("Mean", v.Mean, v.Cols())
	}
	if v.Factor != nil {
		mustLen("Factor", v.Factor, v.Cols())
	}
}

// Gather writes the view to dst, v.Rows() × v.Cols(): X_S, centred and scaled.
// On Workers goroutines.
func Gather(dst Matrix, v View) {
	v.check()
	rows, cols := v.Rows(), v.Cols()
	dst.mustBe("destination", rows, cols)
	const block = 64
	parallelIf(rows*cols*4, (rows+block-1)/block, func(_, task int) {
		for i := task * block; i < min(rows, (task+1)*block); i++ {
			v.row(dst.Row(i), i, 0)
		}
	})
}

// row writes columns j0 ≤ j < j0+len(dst) of row i.
func (v View) row(dst []float64, i, j0 int) {
	if len(dst) == 0 {
		return
	}
	if v.Columns == nil {
		copy(dst, v.X.Row(i)[j0:])
	} else {
		x := v.X.Row(i)
		for j, c := range v.Columns[j0 : j0+len(dst)] {
			dst[j] = x[c]
		}
	}
	if v.Mean != nil {
		mean := v.Mean[j0 : j0+len(dst)]
		for j, m := range mean {
			dst[j] -= m
		}
	}
	if v.Factor != nil {
		for j, f := range v.Factor[j0 : j0+len(dst)] {
			dst[j] *= f
		}
	}
}
