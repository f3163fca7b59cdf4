package solver

import (
	"math"

	"github.com/fspca/fspca/internal/kernel"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/subspace"
)

// soft is the family of upper bounds that soft-thresholds the spectrum of a
// symmetric matrix A of order n. For every σ
//
//	K_m(A_SS) ≤ mσ + Σ_{j∈S} b_j(σ),   b_j(σ) = Σ_i (λ_i − σ)₊·u_ji² + (1 − σ/ρ)₊·ε_j,
//
// where (λ_i, u_i) are r leading eigenpairs, ρ ≥ 0 is at least every other
// eigenvalue, and ε_j = a_jj − Σ_i λ_i·u_ji² is the diagonal of what they
// leave. With B = (A_r − σI)₊ + (1 − σ/ρ)₊(A − A_r), which is semidefinite
// with diagonal b, the sum of the m largest eigenvalues K_m(A_SS) is at most
// K_m(B_SS) + K_m((A−B)_SS) ≤ tr B_SS + K_m(A−B) (Ky Fan, Cauchy), and
// no eigenvalue of A − B exceeds σ. The family contains the sum of the k largest
// diagonal entries (σ = 0) and is at least as good as K_m(A) and as
// Σ_{j∈S} (A_r)_jj + λ_{r+1} + … + λ_{r+m} for every r whose pairs are known.
//
// The maximum over S is convex in σ. The first in indices are in every S; of
// the others the q that score highest are added.
//
// The pairs that are known have errors, and so have the sums. B is semidefinite
// and its diagonal right to a few places whatever the pairs are; their error as
// a decomposition, at most off in the 2-norm, adds m·off to K_m(A − B), and as
// much for each index that B holds an unknown share of. What is returned
// includes all that.
type soft struct {
	m, in, q int
	values   []float64      // λ, descending
	squares  []float64      // n×r, row-major: u_ji²
	room     *kernel.Buffer // of squares
	rest     float64        // ρ; 0 if all pairs are known
	residue  []float64      // ε; nil if all pairs are known
	below    float64        // −(a lower bound of the eigenvalues of A − A_r), at least 0
	off      float64        // the error of the pairs as a decomposition
	mass     float64        // the largest sum of a_jj over S, where not all pairs are known

	scores  []float64 // b(σ) for the σ that minimise returns
	trial   []float64 // b(σ) for the σ under trial
	weights []float64 // scratch, r
	order   []float64 // scratch, n
}

// newSoft prepares the bounds for the rows of s in the order of index, of
// which the first in are in every support of k.
func newSoft(s *spectrum, diag []float64, index []int, in, k, m int) *soft {
	r := len(s.values)
	room := kernel.Borrow()
	f := &soft{m: m, in: in, q: k - in, values: s.values, squares: room.Floats(len(index) * r), room: room, below: -s.least + s.looseness() + s.off, off: s.off}
	if !s.complete() {
		f.rest, f.residue = s.rest(), make([]float64, len(index))
		f.mass = diagSum(lists.At(diag, index), in, k)
	}
	vectors := s.vectors()
	for p, j := range index {
		row := f.squares[p*r : (p+1)*r]
		known := 0.0
		for i, u := range vectors.RawRowView(j) {
			row[i] = u * u
			known += s.values[i] * row[i]
		}
		if f.residue != nil {
			f.residue[p] = max(0, diag[j]-known)
		}
	}
	f.allocate(len(index))
	return f
}

// release gives the room back that others can use: f is void.
func (f *soft) release() {
	f.squares = nil
	f.room.Release()
}

// allocate makes room for n indices, reusing what there is.
func (f *soft) allocate(n int) {
	grow := func(v []float64, n int) []float64 {
		if cap(v) < n {
			return make([]float64, n)
		}
		return v[:n]
	}
	f.scores, f.trial, f.order = grow(f.scores, n), grow(f.trial, n), grow(f.order, n)
	f.weights = grow(f.weights, len(f.values))
}

// share returns the part (1 − σ/ρ)₊ of the unknown spectrum that B keeps.
func (f *soft) share(sigma float64) float64 {
	if f.residue == nil || sigma >= f.rest {
		return 0
	}
	return 1 - sigma/f.rest
}

// at stores b(σ) in trial and returns the bound at σ and a subgradient of it but
// for the rounding.
func (f *soft) at(sigma float64) (bound, slope float64) {
	r, active := len(f.values), 0
	for ; active < r && f.values[active] > sigma; active++ {
		f.weights[active] = f.values[active] - sigma
	}
	part := f.share(sigma)
	for p := range f.trial {
		row, b := f.squares[p*r:p*r+active], 0.0
		for i, v := range row {
			b += f.weights[i] * v
		}
		if part > 0 {
			b += part * f.residue[p]
		}
		f.trial[p] = b
	}
	bound, slope = float64(f.m)*sigma, float64(f.m)
	if part > 0 {
		// B is semidefinite only with the part of −λ_min added to its diagonal.
		bound += float64(f.in+f.q-f.m) * part * f.below
	}
	least, ties := f.threshold()
	for p, b := range f.trial {
		if p >= f.in {
			if b < least || (b == least && ties == 0) {
				continue
			}
			if b == least {
				ties--
			}
		}
		bound += b
		for _, v := range f.squares[p*r : p*r+active] {
			slope -= v
		}
		if part > 0 {
			slope -= f.residue[p] / f.rest
		}
	}
	terms := r + f.in + f.q
	bound += float64(f.m)*f.off + sumError(terms, math.Abs(bound)+2*float64(f.m)*math.Abs(sigma))
	if part > 0 {
		bound += sumError(r, 2*f.mass)
	}
	return bound, slope
}

// threshold returns the q-th largest entry of trial among the free indices
// and how many of the q are equal to it.
func (f *soft) threshold() (least float64, ties int) {
	if f.q == 0 {
		return math.Inf(1), 0
	}
	free := f.order[:copy(f.order, f.trial[f.in:])]
	least = subspace.SelectLargest(free, f.q)
	for _, b := range free[:f.q] {
		if b == least {
			ties++
		}
	}
	return least, ties
}

// softTolerance is the relative distance from its minimum at which minimise
// stops: the bound is valid at every σ.
const softTolerance = 1e-10

// minimise returns the least bound found and its σ, with b(σ) in scores. It
// stops early at a bound ≤ enough. The minimum of the convex piecewise linear
// function is bracketed; the next σ is where the two outer tangents meet,
// every third time the middle.
func (f *soft) minimise(enough float64) (bound, sigma float64) {
	lo, hi := f.bracket()
	best, at := math.Inf(1), 0.0
	try := func(x float64) (value, slope float64) {
		value, slope = f.at(x)
		if value < best {
			best, at = value, x
			f.scores, f.trial = f.trial, f.scores
		}
		return value, slope
	}
	left, fall := try(lo)
	if fall >= 0 || best <= enough || lo == hi {
		return best, at
	}
	right, rise := try(hi)
	for step := 1; step <= 60 && best > enough && rise > 0; step++ {
		x := (right - left + fall*lo - rise*hi) / (fall - rise)
		floor := left + fall*(x-lo)
		if !(x > lo && x < hi) || best-floor <= softTolerance*math.Abs(best) {
			break
		}
		if step%3 == 0 {
			x = (lo + hi) / 2
		}
		value, slope := try(x)
		if slope < 0 {
			lo, left, fall = x, value, slope
		} else {
			hi, right, rise = x, value, slope
		}
	}
	return best, at
}

// bracket returns the range in which the minimum lies: below the least
// eigenvalue the slope is m − k, above the largest it is m.
func (f *soft) bracket() (lo, hi float64) {
	r := len(f.values)
	if f.residue == nil {
		return f.values[r-1], f.values[0]
	}
	if math.IsInf(f.rest, 1) { // nothing is known beyond the diagonal
		return 0, 0
	}
	return 0, f.values[0]
}
