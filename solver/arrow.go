package solver

import (
	"math"

	"github.com/fspca/fspca/internal/lists"
)

// arrow is the bordered matrix
//
//	⎡ diag(μ)  b ⎤
//	⎣   bᵀ     α ⎦
//
// whose eigenvalues are those of A_S with one more index, in the basis of the
// eigenvectors of A_S. They are the roots of the secular function f(λ) = λ −
// α − Σ b_i²/(λ − μ_i). One lies between any two neighbouring μ_i, one above
// all and one below.
type arrow struct {
	poles   []float64 // μ_i, descending and distinct, where b_i is not negligible
	weights []float64 // b_i² of each pole
	fixed   []float64 // eigenvalues that b does not move, descending
	alpha   float64
	bare    bool    // the function lacks λ − α, and its outer roots
	scale   float64 // of the matrix, for tolerances
}

// deflation is the part of the matrix's scale below which an off-diagonal
// entry, or a difference of diagonal ones, is taken as 0.
const deflation = 1e-14

// rootTolerance is the last step of an iteration to a root, relative to the
// interval it lies in. Convergence is quadratic, so that the root is more
// exact than that.
const rootTolerance = 1e-9

// set takes the bordered matrix of mu (ascending), b and alpha.
func (w *arrow) set(mu, b []float64, alpha float64) {
	w.alpha, w.bare = alpha, false
	var norm float64
	for _, v := range b {
		norm += v * v
	}
	w.scale = math.Abs(alpha) + math.Sqrt(norm) + spreadOf(mu)
	w.deflate(mu, b, deflation*w.scale, deflation*w.scale)
}

// setRemoval sets the matrix that is left when an index is removed from one with
// the eigenvalues theta (ascending). q holds the entries of that index in the
// eigenvectors. Its eigenvalues are the roots of Σ q_i²/(λ − θ_i), one between any
// two neighbours.
func (w *arrow) setRemoval(theta, q []float64) {
	w.alpha, w.bare = 0, true
	w.scale = spreadOf(theta)
	w.deflate(theta, q, deflation, deflation*w.scale)
}

// spreadOf returns the largest magnitude in an ascending list.
func spreadOf(mu []float64) float64 {
	if len(mu) == 0 {
		return 0
	}
	return max(math.Abs(mu[0]), math.Abs(mu[len(mu)-1]))
}

// deflate sorts out the poles that b leaves in place: those with an entry of
// at most tiny, and all but one of those that lie within near of each other.
func (w *arrow) deflate(mu, b []float64, tiny, near float64) {
	w.poles, w.weights, w.fixed = w.poles[:0], w.weights[:0], w.fixed[:0]
	for i := len(mu) - 1; i >= 0; i-- {
		last := len(w.poles) - 1
		switch {
		case math.Abs(b[i]) <= tiny:
			w.fixed = append(w.fixed, mu[i])
		case last >= 0 && w.poles[last]-mu[i] <= near:
			w.weights[last] += b[i] * b[i]
			w.fixed = append(w.fixed, mu[i])
		default:
			w.poles, w.weights = append(w.poles, mu[i]), append(w.weights, b[i]*b[i])
		}
	}
}

// leadingSum returns the sum of the m largest eigenvalues, m at most the
// order: the roots and the fixed ones, merged.
func (w *arrow) leadingSum(m int) float64 {
	var sum float64
	l, last := 0, len(w.poles)
	if w.bare {
		l, last = 1, last-1
	}
	root := math.Inf(-1)
	if l <= last {
		root = w.root(l)
	}
	for f := 0; m > 0; m-- {
		if f < len(w.fixed) && w.fixed[f] >= root {
			sum += w.fixed[f]
			f++
			continue
		}
		sum += root
		root = math.Inf(-1)
		if l++; l <= last && m > 1 {
			root = w.root(l)
		}
	}
	return sum
}

// least returns the smallest eigenvalue of the bordered matrix.
func (w *arrow) least() float64 {
	least := w.root(len(w.poles))
	if n := len(w.fixed); n > 0 {
		least = min(least, w.fixed[n-1])
	}
	return least
}

// gainsLess reports that alpha exceeds the smallest eigenvalue of the bordered matrix by less than gain, clearly: it
// costs a fraction of least. With g > α − min μ, Σb²/(μ − α + g) falls; it is g for that difference.
func gainsLess(mu, b []float64, alpha, gain float64) bool {
	margin := clearly * (gain + math.Abs(alpha) + spreadOf(mu))
	var sum float64
	for i, v := range b {
		pole := mu[i] - alpha + gain - margin
		if !(pole > 0) {
			return false
		}
		sum += v * v / pole
	}
	return sum < gain-margin
}

// clearly is a relative difference that is no rounding error.
const clearly = 1e-9

// root returns the root above pole l and below pole l−1; l = 0 is the largest
// eigenvalue, l = len(poles) the smallest.
func (w *arrow) root(l int) float64 {
	if len(w.poles) == 0 {
		return w.alpha
	}
	lo, hi := w.limits(l)
	x := (lo + hi) / 2
	if l == 0 {
		x = hi
	}
	enough := max(rootTolerance*(hi-lo), 4e-16*w.scale)
	for step := range 60 {
		f, psi, psiSlope, phi, phiSlope := w.evaluate(x, l)
		if f > 0 {
			hi = x
		} else {
			lo = x
		}
		next := w.model(x, l, psi, psiSlope, phi, phiSlope)
		switch {
		case !(next > lo && next < hi) || step%8 == 7:
			if next = (lo + hi) / 2; hi-lo <= 4e-16*w.scale || next == lo || next == hi {
				return next
			}
		case math.Abs(next-x) <= enough:
			return next
		}
		x = next
	}
	return x
}

// limits returns an interval that holds root l.
func (w *arrow) limits(l int) (lo, hi float64) {
	n := len(w.poles)
	norm := lists.Sum(w.weights)
	// Moving every pole to the outermost one moves the root outwards.
	outer := func(p, sign float64) float64 {
		mid, half := (p+w.alpha)/2, (p-w.alpha)/2
		return mid + sign*math.Hypot(half, math.Sqrt(norm))*(1+1e-15) + sign*4e-16*w.scale
	}
	switch l {
	case 0:
		return max(w.poles[0], w.alpha), outer(w.poles[0], 1)
	case n:
		return outer(w.poles[n-1], -1), min(w.poles[n-1], w.alpha)
	}
	return w.poles[l], w.poles[l-1]
}

// evaluate returns f at x and its two monotone parts: psi of the poles below
// x, and phi of those above with the linear term, f = phi − psi.
func (w *arrow) evaluate(x float64, l int) (f, psi, psiSlope, phi, phiSlope float64) {
	if !w.bare {
		phi, phiSlope = x-w.alpha, 1
	}
	for i, p := range w.poles[:l] {
		r := 1 / (p - x)
		t := w.weights[i] * r
		phi += t
		phiSlope += t * r
	}
	for i, p := range w.poles[l:] {
		r := 1 / (x - p)
		t := w.weights[l+i] * r
		psi += t
		psiSlope -= t * r
	}
	return phi - psi, psi, psiSlope, phi, phiSlope
}

// model returns the root of a function with a pole at each end of the interval.
// At x it has the values and slopes of the two parts.
func (w *arrow) model(x float64, l int, psi, psiSlope, phi, phiSlope float64) float64 {
	n := len(w.poles)
	if l == 0 {
		left := w.poles[0]
		s := -psiSlope * (x - left) * (x - left)
		e := left - w.alpha - (psi - s/(x-left))
		return left + positiveRoot(e, s)
	}
	if l == n {
		right := w.poles[n-1]
		s := (phiSlope - 1) * (right - x) * (right - x)
		e := w.alpha - right - (phi - (x - w.alpha) - s/(right-x))
		return right - positiveRoot(e, s)
	}
	left, right := w.poles[l], w.poles[l-1]
	d := right - left
	s1 := -psiSlope * (x - left) * (x - left)
	s2 := phiSlope * (right - x) * (right - x)
	c := phi - s2/(right-x) - (psi - s1/(x-left))
	b := c*d + s1 + s2
	r := math.Sqrt(max(0, b*b-4*c*s1*d))
	if b < 0 {
		return left + (b-r)/(2*c)
	}
	return left + 2*s1*d/(b+r)
}

// positiveRoot returns the positive x with x² + ex = s, without cancellation.
func positiveRoot(e, s float64) float64 {
	r := math.Sqrt(e*e + 4*s)
	if e < 0 {
		return (r - e) / 2
	}
	return 2 * s / (e + r)
}
