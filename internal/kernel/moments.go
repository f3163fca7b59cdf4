package kernel

import "math"

// Moments sets mean (length d) to the column means of x (n×d). It sets
// squares (length d, nil if not wanted) to the sums of the squared
// deviations from them, Σ_i (x_ij − mean_j)²: (n−1) times the diagonal of
// the covariance. A table without rows has means and squares 0. On Workers
// goroutines, x is read once.
//
// Both are summed as deviations from a centre c that is the mean of s = 32 rows
// spread over the table: mean = c + Σ(x−c)/n, squares = Σ(x−c)² − n(mean−c)². By
// the Cauchy–Schwarz inequality (mean−c)² ≤ squares/s. The subtraction therefore
// loses at most the factor n/s in the last places, and almost nothing if the rows
// are in no order; the size of the means beside the deviations does not matter. A
// constant column gives its value and exactly 0.
func Moments(mean, squares []float64, x Matrix) {
	x.check("X")
	mustLen("mean", mean, x.Cols)
	if squares != nil {
		mustLen("squares", squares, x.Cols)
	}
	clear(mean)
	clear(squares)
	if x.empty() {
		return
	}
	if x.Rows <= wideRows && x.Cols > momentColumns { // pieces with sums of their own would take room
		blocks := (x.Cols + momentColumns - 1) / momentColumns
		parallelIf(4*x.Rows*x.Cols, blocks, func(_, b int) {
			j0, j1 := b*momentColumns, min(x.Cols, (b+1)*momentColumns)
			var sq []float64
			if squares != nil {
				sq = squares[j0:j1]
			}
			moments(mean[j0:j1], sq, x.Slice(0, x.Rows, j0, j1), 1)
		})
		return
	}
	moments(mean, squares, x, momentParts(x.Rows))
}

// moments is Moments for x cut in so many pieces of the rows.
func moments(mean, squares []float64, x Matrix, parts int) {
	d := x.Cols
	scratch := Borrow()
	defer scratch.Release()
	all := scratch.Floats(d * (1 + 2*parts))
	clear(all)
	center, all := all[:d], all[d:]
	momentCenter(center, all[:2*d], x)
	parallelIf(4*x.Rows*d, parts, func(_, part int) {
		sums, sq := all[2*d*part:2*d*part+d], all[2*d*part+d:2*d*part+2*d]
		lo, hi := span(x.Rows, parts, momentRows, part)
		deviations(x, lo, hi, center, sums, sq)
	})
	for part := 1; part < parts; part++ {
		axpy(1, all[2*d*part:2*d*(part+1)], all[:2*d])
	}
	n := float64(x.Rows)
	for j, s := range all[:d] {
		mean[j] = center[j] + s/n
		if squares != nil {
			squares[j] = math.Max(0, all[d+j]-s*(s/n))
		}
	}
}

// momentColumns is the number of columns of a wide table that are summed at a
// time.
const momentColumns = 2048

// momentRows is the number of rows that a kernel sums at a time.
const momentRows = 4

// momentParts returns in how many pieces n rows are summed.
func momentParts(n int) int { return max(1, min(8, n/32)) }

// momentCenter sets c to the mean of 32 rows spread over x, or of all: as the
// first row plus the mean deviation from it, which is exact for constants. The
// scratch space of 2d numbers is 0 before and after.
func momentCenter(c, scratch []float64, x Matrix) {
	rows := min(x.Rows, 32)
	sample := x
	sample.Rows = rows
	sample.Stride *= x.Rows / rows
	first := x.Row(0)
	deviations(sample, 0, rows, first, scratch[:len(c)], scratch[len(c):])
	for j, s := range scratch[:len(c)] {
		c[j] = first[j] + s/float64(rows)
	}
	clear(scratch)
}

// plainDeviations adds Σ_i (x_ij − center_j) to sums and the squares' sum to
// squares, over lo ≤ i < hi.
func plainDeviations(x Matrix, lo, hi int, center, sums, squares []float64) {
	for i := lo; i < hi; i++ {
		for j, v := range x.Row(i) {
			e := v - center[j]
			sums[j] += e
			squares[j] = fma(e, e, squares[j])
		}
	}
}
