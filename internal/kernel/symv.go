package kernel

// Symv sets y to A·x for a symmetric A of order d = len(x) of which only the
// upper triangle (j ≥ i, diagonal included) is read: half the memory traffic
// of MulVec. y must not overlap x. On Workers goroutines where d ≥ 512.
func Symv(y []float64, a Matrix, x []float64) {
	a.mustBe("A", len(x), len(x))
	mustLen("y", y, len(x))
	d := len(x)
	parts := symvParts(d)
	if parts == 1 {
		clear(y)
		symvRange(y, a, x, 0, d)
		return
	}
	scratch := borrow()
	defer scratch.release()
	all := scratch.floats(parts * d)
	Parallel(parts, func(_, part int) {
		own := all[part*d : (part+1)*d]
		lo, hi := symvSpan(d, parts, part)
		clear(own[lo:])
		symvRange(own, a, x, lo, hi)
	})
	copy(y, all[:d])
	for part := 1; part < parts; part++ {
		lo, _ := symvSpan(d, parts, part)
		axpy(1, all[part*d+lo:(part+1)*d], y[lo:])
	}
}

// symvParts returns in how many pieces the rows are cut.
func symvParts(d int) int { return max(1, min(4, d/256)) }

// symvSpan returns the rows of a part, such that all parts have about the same
// area of the triangle.
func symvSpan(d, parts, part int) (lo, hi int) {
	return symvCut(d, parts, part), symvCut(d, parts, part+1)
}

// symvCut returns the row above which the area is part/parts of the triangle's:
// d(1 − √(1 − part/parts)), rounded to the rows of a sweep.
func symvCut(d, parts, part int) int {
	if part == parts {
		return d
	}
	rest := (parts - part) * d * d / parts
	lo, hi := 0, d
	for lo < hi { // the integer root: floating point may differ elsewhere
		if mid := (lo + hi + 1) / 2; mid*mid <= rest {
			lo = mid
		} else {
			hi = mid - 1
		}
	}
	return (d - lo) / sweepRows * sweepRows
}

// sweepRows is the number of rows that one sweep takes.
const sweepRows = 4

// symvRange adds to y what rows lo ≤ i < hi of the upper triangle and their
// mirror images contribute.
func symvRange(y []float64, a Matrix, x []float64, lo, hi int) {
	for i := lo; i < hi; i += sweepRows {
		rows := min(sweepRows, hi-i)
		for r := range rows { // the corner at the diagonal
			row := a.Row(i + r)
			y[i+r] = fma(row[i+r], x[i+r], y[i+r])
			for s := r + 1; s < rows; s++ {
				y[i+r] = fma(row[i+s], x[i+s], y[i+r])
				y[i+s] = fma(row[i+s], x[i+r], y[i+s])
			}
		}
		j := i + rows
		if rows < sweepRows {
			return // the last rows: nothing is right of their corner
		}
		whole := (len(x) - j) &^ 7
		if whole > 0 {
			var dots [sweepRows]float64
			sweep(whole, a.Data[i*a.Stride+j:], a.Stride, x[j:], y[j:], x[i:], &dots)
			for r, v := range dots {
				y[i+r] += v
			}
		}
		for j += whole; j < len(x); j++ {
			for r := range rows {
				v := a.Data[(i+r)*a.Stride+j]
				y[i+r] = fma(v, x[j], y[i+r])
				y[j] = fma(v, x[i+r], y[j])
			}
		}
	}
}

// plainSweep adds to y (n numbers, n a multiple of 8) four rows of A times
// xr[0:4], and sets dots to the rows' products with x, summed in eight partial
// sums.
func plainSweep(n int, a []float64, sa int, x, y, xr []float64, dots *[sweepRows]float64) {
	var s [sweepRows][8]float64
	for j := 0; j < n; j += 8 {
		for l := range 8 {
			t := y[j+l]
			for r := range sweepRows {
				v := a[r*sa+j+l]
				s[r][l] = fma(x[j+l], v, s[r][l])
				t = fma(xr[r], v, t)
			}
			y[j+l] = t
		}
	}
	for r := range dots {
		p := &s[r]
		for h := 4; h > 0; h /= 2 {
			for l := range h {
				p[l] += p[l+h]
			}
		}
		dots[r] = p[0]
	}
}
