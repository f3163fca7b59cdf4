package subspace

import "slices"

// FantopeShift returns the θ with Σ min(1, (γ_i − θ)₊) = m for the descending
// γ, of which there are at least m. The sum is piecewise linear and falls in
// θ; its knots are γ_i and γ_i − 1.
func FantopeShift(gamma []float64, m int) float64 {
	var knots []float64
	for _, g := range gamma {
		knots = append(knots, g, g-1)
	}
	slices.Sort(knots)
	sum := func(theta float64) float64 { return ClippedSum(gamma, theta) }
	lo, hi := 0, len(knots)-1 // sum(knots[lo]) ≥ m > sum(knots[hi])
	for hi-lo > 1 {
		if mid := (lo + hi) / 2; sum(knots[mid]) >= float64(m) {
			lo = mid
		} else {
			hi = mid
		}
	}
	a, b := sum(knots[lo]), sum(knots[hi])
	if a == b {
		return knots[lo]
	}
	return knots[lo] + (knots[hi]-knots[lo])*(a-float64(m))/(a-b)
}

// Clip returns γ − θ limited to [0, 1].
func Clip(gamma, theta float64) float64 { return min(1, max(0, gamma-theta)) }

// ClippedSum returns Σ min(1, (γ_i − θ)₊).
func ClippedSum(gamma []float64, theta float64) float64 {
	var sum float64
	for _, g := range gamma {
		sum += Clip(g, theta)
	}
	return sum
}
