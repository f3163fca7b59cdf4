package solver

import "math"

// ulp is the distance of 1 from the next float64, twice the largest relative
// error of one operation.
const ulp = 0x1p-52

// decompositionError bounds what rounding may do to a symmetric matrix of order n
// and of norm at most norm before its eigenpairs come out: they are exactly
// those of another one within that distance, in the 2-norm. The algorithms are
// backward stable; their proofs have a low power of n for the factor 8n, and
// what is measured grows like √n and is below 1.
func decompositionError(n int, norm float64) float64 {
	return 8 * float64(n) * ulp * math.Abs(norm)
}

// sumError bounds the rounding error in a sum of n products, given the sum of
// their magnitudes.
func sumError(n int, magnitude float64) float64 {
	return float64(n+8) * ulp * math.Abs(magnitude)
}
