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
	if dst.empty() {
		return
	}
	const block = 64
	parallelIf(rows*cols*4, (rows+block-1)/block, func(_, task int) {
		i0, i1 := task*block, min(rows, (task+1)*block)
		if v.Columns == nil {
			for i := i0; i < i1; i++ {
				copy(dst.Row(i), v.X.Row(i))
			}
		} else {
			gather(dst.from(i0), dst.Stride, v.X.from(i0), v.X.Stride, i1-i0, v.Columns)
		}
		v.scale(dst.Slice(i0, i1, 0, cols))
	})
}

// scale centres and scales rows of the view.
func (v View) scale(rows Matrix) {
	if v.Mean != nil {
		center(rows.Data, rows.Stride, rows.Data, rows.Stride, rows.Rows, v.Mean)
	}
	for i := 0; i < rows.Rows && v.Factor != nil; i++ {
		row := rows.Row(i)
		for j, f := range v.Factor[:len(row)] {
			row[j] *= f
		}
	}
}
