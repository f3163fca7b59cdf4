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

// Largest returns the largest |x[i]·y[i]| of two vectors of finite numbers and of one length; 0 for none.
func Largest(x, y []float64) float64 {
	mustLen("y", y, len(x))
	return largest(x, y)
}
