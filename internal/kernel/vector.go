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

// Foremost returns the first i for which |x[i]·y[i]| is at least share ≤ 1 times the largest such magnitude. The
// vectors are of one length, above 0, and hold finite numbers.
func Foremost(x, y []float64, share float64) int {
	mustLen("y", y, len(x))
	return foremost(x, y, share)
}
