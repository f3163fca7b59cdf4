package kernel

// Dot returns Σ x[i]·y[i] of two vectors of one length. The products are summed
// in 32 interleaved partial sums, which are then added pairwise: the same
// bytes on every path.
func Dot(x, y []float64) float64 {
	mustLen("y", y, len(x))
	return dot(x, y)
}

// Axpy adds alpha·x to y: y[i] += alpha·x[i].
func Axpy(alpha float64, x, y []float64) {
	mustLen("y", y, len(x))
	axpy(alpha, x, y)
}

// MulVec sets y (length a.Rows) to A·x, x of length a.Cols: one pass over A.
func MulVec(y []float64, a Matrix, x []float64) {
	a.check("A")
	mustLen("y", y, a.Rows)
	mustLen("x", x, a.Cols)
	for i := range a.Rows {
		y[i] = dot(a.Row(i), x)
	}
}

// MulVecT sets y (length a.Cols) to Aᵀ·x, x of length a.Rows: one pass over A.
func MulVecT(y []float64, a Matrix, x []float64) {
	a.check("A")
	mustLen("y", y, a.Cols)
	mustLen("x", x, a.Rows)
	clear(y)
	for i := range a.Rows {
		axpy(x[i], a.Row(i), y)
	}
}
