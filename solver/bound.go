package solver

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/subspace"
)

// BoundSource says what proves an upper bound.
type BoundSource string

// The sources of upper bounds.
const (
	BoundDiagonal BoundSource = "diagonal" // the k largest diagonal entries of A
	BoundSpectral BoundSource = "spectral" // the soft-thresholded spectrum of A
	BoundTrace    BoundSource = "trace"    // trace and Frobenius norm of the blocks
	BoundTheorem  BoundSource = "theorem"  // rank(A) ≤ m, a spiked spectrum, m = k, or a single permitted support
	BoundSDP      BoundSource = "sdp"      // the dual of the semidefinite relaxation
	BoundDual     BoundSource = "dual"     // the joint dual of the columns that cheaper bounds leave
	BoundSearch   BoundSource = "search"   // branch and bound
)

// ProvedGap is the largest Gap of a solution that counts as proved.
const ProvedGap = 1e-10

// traceOrder is the largest order for which the trace bound, which reads
// every entry and seldom is the best, is worth its time.
const traceOrder = 256

// bound is an upper bound of the objective over all permitted supports, the
// error of its own arithmetic included.
type bound struct {
	value  float64
	source BoundSource
}

// least returns the smaller of two bounds, b of equals.
func (b bound) least(other bound) bound {
	if other.value < b.value {
		return other
	}
	return b
}

// cheapBound is the best rigorous bound that what is known of A affords.
func cheapBound(a Covariance, s *spectrum, c *choice, m int) bound {
	best := diagonalBound(a, s, c, m)
	if !s.risesFromDiagonal(a.Diag(), c, m) {
		f := newSoft(s, a.Diag(), c.candidates(a.Order()), len(c.must), c.k, m)
		defer f.release()
		value, _ := f.minimise(math.Inf(-1))
		best = best.least(bound{value, BoundSpectral})
	}
	if given, ok := a.(*matrix); ok && a.Order() <= traceOrder {
		value := traceBound(given.a, c.candidates(a.Order()), len(c.must), c.k, m, float64(c.k-m)*-s.least)
		best = best.least(bound{value, BoundTrace})
	}
	return best
}

// diagonalBound is the sum of the k largest permitted diagonal entries.
func diagonalBound(a Covariance, s *spectrum, c *choice, m int) bound {
	sum := c.topSum(a.Diag()) + float64(c.k-m)*-s.least
	return bound{sum + sumError(c.k, sum), BoundDiagonal}
}

// risesFromDiagonal reports whether no bound of soft is below that of the diagonal, which is the one for σ = 0 but
// for rounding. They are convex in σ, and a subgradient there takes no more than the rows of the eigenvectors that
// belong to the k largest entries.
func (s *spectrum) risesFromDiagonal(diag []float64, c *choice, m int) bool {
	if s.complete() {
		return false
	}
	rest := s.rest()
	if math.IsInf(rest, 1) { // nothing is known beyond the diagonal
		return true
	}
	if rest == 0 {
		return false
	}
	support, slope := c.top(diag), float64(m)
	rows := s.rows(support)
	for p, j := range support {
		known := 0.0
		for i, u := range rows.RawRowView(p) {
			if square := u * u; s.values[i] > 0 {
				slope -= square
				known += s.values[i] * square
			}
		}
		slope -= max(0, diag[j]-known) / rest
	}
	return slope >= 0
}

// candidates returns the indices that may be chosen, must first, both parts
// ascending.
func (c *choice) candidates(d int) []int {
	return slices.Concat(c.must, lists.Places(d, c.free))
}

// traceBound bounds K_m(A_SS) by the trace T and the squared Frobenius norm F
// of the k×k block: eigenvalues with sum T and sum of squares F have
//
//	K_m ≤ mT/k + √(m(k−m)/k·(F − T²/k))
//
// (Cauchy–Schwarz against the indicator of the m leading ones minus m/k). The
// largest T and F over the permitted supports are bounded one row at a time;
// the right side grows with F, and with T up to √(mF). The first in of the
// indices are in every support. spread is what T may lack to the trace norm
// of A_SS where A is semidefinite only to rounding.
func traceBound(a *mat.SymDense, index []int, in, k, m int, spread float64) float64 {
	n := len(index)
	diag, frob := make([]float64, n), make([]float64, n)
	squares := make([]float64, n)
	for p, i := range index {
		for q, j := range index {
			v := a.At(i, j)
			squares[q] = v * v
		}
		diag[p] = a.At(i, i)
		frob[p] = rowFrobenius(squares, p, in, k)
	}
	t, f := diagSum(diag, in, k), diagSum(frob, in, k)
	t, f = t+sumError(k, t), f+sumError(2*k, f)
	return min(t+spread, blockBound(t, f, k, m))
}

// rowFrobenius returns the largest sum of squares that row p can have in a
// permitted block: its diagonal entry, the members that are in every support,
// and the largest of the rest. It reorders squares.
func rowFrobenius(squares []float64, p, in, k int) float64 {
	sum, others := squares[p], k-1
	for q, v := range squares[:in] {
		if q != p {
			sum += v
			others--
		}
	}
	free := squares[in:]
	if p >= in {
		free[p-in] = math.Inf(-1)
	}
	if others <= 0 {
		return sum
	}
	subspace.SelectLargest(free, others)
	for _, v := range free[:others] {
		sum += v
	}
	return sum
}

// diagSum returns the sum of the first in values and the k − in largest of
// the others.
func diagSum(values []float64, in, k int) float64 {
	sum := lists.Sum(values[:in])
	return sum + subspace.TopKSum(values[in:], k-in)
}

// blockBound is the bound of traceBound for a trace of at most t and a squared
// Frobenius norm of at most f.
func blockBound(t, f float64, k, m int) float64 {
	kf, mf := float64(k), float64(m)
	t = min(t, math.Sqrt(mf*f))
	// The difference may be all rounding, and it stands under a root.
	value := mf*t/kf + math.Sqrt(mf*(kf-mf)/kf*(max(0, f-t*t/kf)+sumError(0, f)))
	return value + sumError(0, value)
}
