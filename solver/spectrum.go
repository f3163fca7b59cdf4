package solver

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/subspace"
	"github.com/fspca/fspca/solver/spectral"
)

// spikedTolerance bounds λ_{m+1} − λ_d, relative to λ₁, for a spectrum that
// counts as spiked.
const spikedTolerance = 1e-10

// spectrum is what is known of the eigenvalues of A: r leading pairs and the
// trace.
type spectrum struct {
	values    []float64  // r of them, descending
	found     *mat.Dense // d×r: their eigenvectors; nil where lifted has them
	lifted    *gramPairs // nil if the Gram matrix did not find them
	residuals []float64  // ‖Au − λu‖ of each pair; nil where the operator does not tell
	leading   float64    // Tr(A_m)
	total     float64    // Tr(A)

	// exact: the pairs are those of A to rounding, and no other eigenvalue
	// exceeds the last of them. False for Ritz pairs.
	exact bool

	// off bounds, where exact, the error of the pairs as a decomposition of A in
	// the 2-norm.
	off float64

	deep *spectrum // see deepen

	switched *switching // what formed A on the way, nil if nothing did: what follows works on that

	wanted func(*spectral.Pairs) []int // see ahead; nil for nothing
	held   *streamAscender             // the columns of A that came with a product; nil for none

	// least is a lower bound, at most 0, of every eigenvalue of A: 0 but for
	// a given matrix that is semidefinite only to within rounding.
	least float64
}

// readSpectrum asks the operator for r leading eigenpairs, m < r or r = d: to
// full precision, or, where the operator iterates and sizes are given, until
// diag(A_m) has settled on the k largest entries for each of them.
func readSpectrum(ctx context.Context, a Covariance, sizes []int, m, r int) (*spectrum, error) {
	s := &spectrum{}
	return s, s.read(ctx, a, sizes, m, r)
}

// read is readSpectrum.
func (s *spectrum) read(ctx context.Context, a Covariance, sizes []int, m, r int) error {
	s.total = trace(a)
	if l, ok := a.(leader); ok {
		var settled func(*spectral.Pairs) bool
		if len(sizes) > 0 {
			settled = settledOn(sizes, m)
		}
		pairs, err := s.leadingOf(ctx, l, m, r, settled)
		if err != nil {
			return err
		}
		s.take(pairs)
	} else {
		var err error
		if s.values, s.found, err = a.Leading(ctx, r); err != nil {
			return err
		}
		// Its contract says that no other eigenvalue is larger.
		if s.residuals, err = residualsOf(ctx, a, s.values, s.found); err != nil {
			return err
		}
		s.exact, s.off = true, s.error()+floats.Norm(s.residuals, 2)
	}
	if given, ok := a.(*matrix); ok {
		s.least = given.least
	}
	s.leading = lists.Sum(s.values[:m])
	return nil
}

// leadingAbove returns Tr(A_m), given that m components explain the objective. The sum of Ritz values lies below
// it, and no components explain more.
func (s *spectrum) leadingAbove(objective float64) float64 {
	if s.exact {
		return s.leading
	}
	return max(s.leading, objective)
}

// leadingOf asks for the leading pairs and notes whether A was formed for them, and which columns of it came by.
func (s *spectrum) leadingOf(ctx context.Context, a leader, m, r int, settled func(*spectral.Pairs) bool) (*spectral.Pairs, error) {
	if c, ok := a.(*Stream); ok && s.wanted != nil && settled != nil && c.reads() {
		o := &ahead{Stream: c, m: m, wanted: s.wanted, at: &streamAscender{c: c}}
		pairs, err := o.leading(ctx, r, settled)
		if s.wanted = nil; o.at.support != nil {
			s.held = o.at
		}
		return pairs, err
	}
	c, ok := a.(*Data)
	if !ok {
		return a.leading(ctx, r, settled)
	}
	if c.route == RouteGram {
		var err error
		if s.lifted, err = c.byGram(ctx, r); err != nil {
			return nil, err
		}
		return s.lifted.bare(), nil
	}
	var pairs *spectral.Pairs
	var err error
	pairs, s.switched, err = c.leadingBy(ctx, r, settled)
	return pairs, err
}

// take notes the pairs that a decomposition or an iteration has found.
func (s *spectrum) take(p *spectral.Pairs) {
	s.values, s.found, s.residuals = p.Values, p.Vectors, p.Residuals
	s.off = max(s.error(), floats.Norm(p.Residuals, 2))
	s.exact = p.Certified && s.off <= exactTolerance*s.values[0]
}

const (
	// settledResidual is the residual, relative to λ₁, below which m pairs may
	// count as settled. An eigenvalue that stands apart is then right to about its
	// square; one among many like it to this share of λ₁.
	settledResidual = 1e-5

	// settledMargin is how many last changes of a score fit between the last score
	// chosen and the first left out.
	settledMargin = 10
)

// settledOn returns a test for the end of an iteration for the m leading
// pairs: their residuals are small, and for each k of sizes the k largest
// entries of diag(A_m) have been the same twice. They are larger than the
// others by a margin that the next steps, whose changes shrink, do not
// bridge.
func settledOn(sizes []int, m int) func(*spectral.Pairs) bool {
	var last []float64
	return func(p *spectral.Pairs) bool {
		scores := (&spectrum{values: p.Values, found: p.Vectors}).lowRankScores(m, 0)
		before := last
		last = scores
		residual := maxOf(p.Residuals[:m])
		switch {
		case residual <= pairTolerance*p.Values[0]:
			return true // whatever the margin, and the pair after the m-th
		case before == nil || residual > settledResidual*p.Values[0]:
			return false
		}
		change := 0.0
		for i, v := range scores {
			change = max(change, math.Abs(v-before[i]))
		}
		for _, k := range sizes {
			if k < len(scores) && margin(scores, k) <= settledMargin*change {
				return false
			}
		}
		return true
	}
}

// margin returns by how much the k-th largest score exceeds the next, k <
// len(scores).
func margin(scores []float64, k int) float64 {
	v := slices.Clone(scores)
	return subspace.SelectLargest(v, k) - maxOf(v[k:])
}

// A decomposition of a d×d matrix takes no time worth speaking of up to
// cheapOrder, and beside forming the matrix from cheapRows·d rows.
const (
	cheapOrder = 250
	cheapRows  = 8
)

// deepen returns a spectrum for bounds, which profit from several times m
// exact pairs: they are found directly where A is a matrix that is not large,
// which takes the same time for any number of them. Elsewhere, and
// where that would cost more than forming A from its rows did, it is s itself.
func (s *spectrum) deepen(ctx context.Context, a Covariance, m int) (*spectrum, error) {
	if s.deep != nil {
		return s.deep, nil
	}
	s.deep = s
	d, r := s.order(), len(s.values)
	more := min(d, max(wholeOrder, 4*m))
	route := routeOf(a)
	if s.exact && r >= more || d > decomposedOrder || route != RouteMatrix && route != RouteCovariance {
		return s, nil
	}
	if c, ok := a.(*Data); ok && d > cheapOrder && c.n < cheapRows*d {
		return s, nil
	}
	formed, err := atHand(ctx, a)
	var entries *mat.SymDense
	if err == nil && formed == nil {
		entries, err = a.Entries(ctx)
	}
	switch {
	case err != nil && ctx.Err() != nil:
		return s, nil
	case err != nil:
		return nil, err
	}
	var pairs *spectral.Pairs
	if formed != nil {
		pairs, err = formed.direct(more)
	} else {
		pairs, err = spectral.Leading(entries, more)
	}
	if err == nil {
		s.deep = &spectrum{leading: s.leading, total: s.total, least: s.least}
		s.deep.take(pairs)
	}
	return s.deep, nil
}

// complete reports whether all d eigenvalues are known.
func (s *spectrum) complete() bool {
	return s.exact && s.order() == len(s.values)
}

// rest returns a number that no eigenvalue beyond the r known ones exceeds.
func (s *spectrum) rest() float64 {
	if s.complete() {
		return 0
	}
	if !s.exact {
		return math.Inf(1)
	}
	d, r := s.order(), len(s.values)
	trace := s.total - float64(d-r)*s.least + sumError(d, s.total) + float64(r)*s.off
	for _, v := range s.values {
		trace -= v
	}
	return max(0, min(s.values[r-1], trace))
}

// looseness returns by how much A − U·min(Θ, σ)·Uᵀ can fail to be semidefinite
// because the pairs (Θ, U) are not quite those of A: in the basis of U and its
// complement it is at least [0 Rᵀ; R 0], R the residuals, so no eigenvalue lies
// below −‖R‖. Zero for pairs that are exact to rounding.
func (s *spectrum) looseness() float64 {
	if s.exact {
		return 0
	}
	return floats.Norm(s.residuals, 2)
}

// error is what rounding alone may do to the pairs as a decomposition.
func (s *spectrum) error() float64 {
	return decompositionError(s.order(), max(s.values[0], -s.values[len(s.values)-1]))
}

// spiked reports whether the eigenvalues after the m-th are all equal. A − λ_d·I
// then has rank ≤ m (rank(A) ≤ m is the case λ_d = 0). None of the d−m of them
// exceeds λ_{m+1}, so they are equal as soon as their sum, which the trace gives,
// reaches (d−m)λ_{m+1}.
func (s *spectrum) spiked(d, m int) bool {
	if m >= d {
		return true
	}
	// A value that is not yet an eigenvalue lies below λ_{m+1} and proves
	// nothing.
	if s.residuals != nil && s.residuals[m] > spikedTolerance*s.values[0] {
		return false
	}
	rest := s.total - s.leading
	return float64(d-m)*s.values[m]-rest <= spikedTolerance*s.values[0]
}
