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
func Moments(mean, squares []float64, x Matrix) { Spreads(mean, squares, nil, nil, nil, x) }

// Spreads is Moments. In the same reading it lowers least and raises most (length d, both nil if not
// wanted) to the numbers of each column; NaN changes neither. The centre is about, if that is not nil, such
// as that of a larger table of which x is a part.
func Spreads(mean, squares, least, most, about []float64, x Matrix) {
	x.check("X")
	mustLen("mean", mean, x.Cols)
	if squares != nil {
		mustLen("squares", squares, x.Cols)
	}
	if least != nil {
		mustLen("least", least, x.Cols)
		mustLen("most", most, x.Cols)
	}
	if about != nil {
		mustLen("about", about, x.Cols)
	}
	clear(mean)
	clear(squares)
	if x.empty() {
		return
	}
	parts := momentPieces(x)
	if parts == 1 && x.Cols > momentColumns {
		blocks := (x.Cols + momentColumns - 1) / momentColumns
		parallelIf(momentWork*x.Rows*x.Cols, blocks, func(_, b int) {
			j0, j1 := b*momentColumns, min(x.Cols, (b+1)*momentColumns)
			moments(mean[j0:j1], cut(squares, j0, j1), cut(least, j0, j1), cut(most, j0, j1), cut(about, j0, j1), x.Slice(0, x.Rows, j0, j1), 1)
		})
		return
	}
	moments(mean, squares, least, most, about, x, parts)
}

// cut returns x[from:to], nil of nil.
func cut(x []float64, from, to int) []float64 {
	if x == nil {
		return nil
	}
	return x[from:to]
}

// moments is Spreads for x cut in so many pieces of the rows.
func moments(mean, squares, least, most, center []float64, x Matrix, parts int) {
	d := x.Cols
	scratch := Borrow()
	defer scratch.Release()
	all := scratch.Floats(d * (1 + 4*parts))
	sums, limits := all[d:][:2*d*parts], all[d+2*d*parts:]
	clear(sums)
	if center == nil {
		center = all[:d]
		momentCenter(center, sums[:2*d], x)
	}
	parallelIf(momentWork*x.Rows*d, parts, func(_, part int) {
		s := spread{sums: sums[2*d*part:][:d], squares: sums[2*d*part+d:][:d]}
		if least != nil {
			s.least, s.most = limits[2*d*part:][:d], limits[2*d*part+d:][:d]
			copy(s.least, least)
			copy(s.most, most)
		}
		lo, hi := span(x.Rows, parts, momentRows, part)
		s.add(x, lo, hi, center)
	})
	for part := range parts {
		if part > 0 {
			axpy(1, sums[2*d*part:2*d*(part+1)], sums[:2*d])
		}
		if least != nil {
			stretch(least, most, limits[2*d*part:][:d], limits[2*d*part+d:][:d])
		}
	}
	n := float64(x.Rows)
	for j, s := range sums[:d] {
		mean[j] = center[j] + s/n
		if squares != nil {
			squares[j] = math.Max(0, sums[d+j]-s*(s/n))
		}
	}
}

// stretch lowers least and raises most to other limits.
func stretch(least, most, lo, hi []float64) {
	for j, v := range lo {
		least[j], most[j] = min(least[j], v), max(most[j], hi[j])
	}
}

// spread are the sums of some rows, and the limits of their columns, nil if not wanted.
type spread struct{ sums, squares, least, most []float64 }

// add takes rows of x, a few at a time, which the first-level cache holds for both.
func (s *spread) add(x Matrix, lo, hi int, center []float64) {
	if s.least == nil {
		deviations(x, lo, hi, center, s.sums, s.squares)
		return
	}
	for ; lo < hi; lo += momentRows {
		next := min(hi, lo+momentRows)
		deviations(x, lo, next, center, s.sums, s.squares)
		ranges(x, lo, next, s.least, s.most)
	}
}

// momentColumns is the number of columns of a wide table that are summed at a
// time.
const momentColumns = 2048

// momentWork is about as long as a number takes, in multiply-adds: it is read once, or twice.
const momentWork = 6

// momentRows is the number of rows that a kernel sums at a time.
const momentRows = 4

// momentPieces returns in how many pieces the rows of x are summed: in one where pieces
// with sums of their own would take room.
func momentPieces(x Matrix) int {
	if x.Rows <= wideRows && x.Cols > momentColumns {
		return 1
	}
	return momentParts(x.Rows)
}

// momentParts returns in how many pieces n rows are summed.
func momentParts(n int) int { return max(1, min(8, n/32)) }

// centerRows is the number of rows whose mean is the centre.
const centerRows = 32

// momentCenter sets c to the mean of 32 rows spread over x, or of all: as the
// first row plus the mean deviation from it, which is exact for constants. The
// scratch space of 2d numbers is 0 before and after.
func momentCenter(c, scratch []float64, x Matrix) {
	rows := min(x.Rows, centerRows)
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

// plainRanges lowers least and raises most to the numbers of rows lo ≤ i < hi.
func plainRanges(x Matrix, lo, hi int, least, most []float64) {
	for i := lo; i < hi; i++ {
		for j, v := range x.Row(i) {
			if v < least[j] {
				least[j] = v
			}
			if v > most[j] {
				most[j] = v
			}
		}
	}
}
