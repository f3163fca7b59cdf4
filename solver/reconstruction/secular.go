package reconstruction

import (
	"math"

	"github.com/fspca/fspca/internal/lists"
)

// smallest returns the smallest eigenvalue of diag(poles) + vvᵀ, where poles
// is descending and squares holds v². It is the root of the secular equation
// 1 = Σ squares_i/(x − poles_i) above the last pole. K_m of a matrix of order
// m + 1 is its trace less this.
//
// It lies in [last, last + v_last²] and below the pole before. The function
// falls there from +∞; Newton's method on x ↦ 1/Σ… would overshoot. So each
// step fits the pole at the left end and takes the rest as its tangent, inside
// a bracket.
func smallest(poles, squares []float64) float64 {
	n := len(poles) - 1
	last, weight := poles[n], squares[n]
	if weight == 0 {
		return last
	}
	low, high := 0.0, weight // of x − last
	if n > 0 {
		high = min(high, poles[n-1]-last)
	}
	if !(high > 0) {
		return last
	}
	x := high / 2
	for range 60 {
		value, slope := 1.0, 0.0 // of 1 + Σ_{i<n} squares/(pole − x), which rises
		for i, p := range poles[:n] {
			gap := p - last - x
			if gap <= 0 {
				gap = math.SmallestNonzeroFloat64
			}
			q := squares[i] / gap
			value += q
			slope += q / gap
		}
		// weight/x = value, with value linear about x: slope·y² + (value − slope·x)·y = weight.
		if weight/x > value {
			low = x
		} else {
			high = x
		}
		b := value - slope*x
		root := math.Sqrt(b*b + 4*slope*weight)
		next := 2 * weight / (b + root)
		if !(next > low && next < high) {
			next = (low + high) / 2
		}
		if math.Abs(next-x) <= 1e-14*next || high-low <= 1e-15*high {
			x = next
			break
		}
		x = next
	}
	return last + x
}

// rankOneSum returns the sum of the m largest eigenvalues of diag(poles) +
// vvᵀ, poles descending, squares = v². Each is the root between two poles, by
// bisection and Newton steps on the distance from its lower pole.
func rankOneSum(poles, squares []float64, m int) float64 {
	norm := lists.Sum(squares)
	var sum float64
	for i := range min(m, len(poles)) {
		gap := norm
		if i > 0 {
			gap = min(gap, poles[i-1]-poles[i])
		}
		sum += poles[i] + shiftAbove(poles, squares, i, gap)
	}
	return sum
}

// shiftAbove returns by how much eigenvalue i exceeds pole i, at most gap.
func shiftAbove(poles, squares []float64, i int, gap float64) float64 {
	if !(gap > 0) {
		return 0
	}
	low, high := 0.0, gap
	x := gap / 2
	for range 100 {
		value, slope := 1.0, 0.0 // 1 − Σ squares/(λ − pole) rises in x
		for r, p := range poles {
			distance := poles[i] - p + x
			if distance == 0 {
				distance = math.SmallestNonzeroFloat64
			}
			q := squares[r] / distance
			value -= q
			slope += q / distance
		}
		if value < 0 {
			low = x
		} else {
			high = x
		}
		next := x - value/slope
		if !(next > low && next < high) {
			next = (low + high) / 2
		}
		if math.Abs(next-x) <= 1e-15*gap || high-low <= 1e-16*gap {
			return next
		}
		x = next
	}
	return x
}
