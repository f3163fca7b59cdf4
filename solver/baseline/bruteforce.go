package baseline

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/param"
	"github.com/fspca/fspca/internal/subspace"
	"github.com/fspca/fspca/solver"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack"
	"gonum.org/v1/gonum/lapack/lapack64"
	"gonum.org/v1/gonum/mat"
)

// MaxSupports is the largest number of supports that BruteForce goes through.
const MaxSupports = 500_000_000

// ErrTooManySupports is returned (wrapped) by BruteForce above MaxSupports.
var ErrTooManySupports = errors.New("too many supports to go through")

// progressEvery is how many supports lie between two calls of progress.
const progressEvery = 1 << 16

// traceSlack covers the rounding of F − T²/k, relative to F.
const traceSlack = 1e-13

// BruteForce returns the best of all C(d, k) supports; of equals, the first in
// lexicographic order. Status is Proved. It visits every support. It skips the
// eigenvalues if the trace T and the squared Frobenius norm F of the block show
// that it cannot win. For a k×k matrix with these, the sum of the m largest
// eigenvalues is at most
//
//	m·T/k + √(m(k−m)/k · (F − T²/k))
//
// by the Cauchy–Schwarz inequality. Nodes counts the supports. If ctx ends,
// the best so far, at least as good as IPU's, is returned with the status
// Deadline or Cancelled.
func BruteForce(ctx context.Context, a solver.Covariance, k, m int, progress func(solver.Progress)) (*solver.Solution, error) {
	d := subspace.Order(a)
	if err := param.Sizes(k, m, d); err != nil {
		return nil, err
	}
	if n := binomial(d, k); n > MaxSupports {
		return nil, fmt.Errorf("%w: %.3g choices of k = %d among d = %d columns, at most %d: choose fewer columns, or use the effort exact", ErrTooManySupports, n, k, d, MaxSupports)
	}
	a, unit := solver.Normalised(a)
	first, err := solver.Solve(ctx, a, solver.Params{Features: k, Components: m})
	if err != nil {
		return nil, err
	}
	s, err := enumerate(ctx, a, first, inUnits(progress, unit))
	if err != nil {
		return nil, err
	}
	s.Scale(unit)
	return s, nil
}

// enumerate goes through all supports, with first in hand.
func enumerate(ctx context.Context, a solver.Covariance, first *solver.Solution, progress func(solver.Progress)) (*solver.Solution, error) {
	m := len(first.Values)
	entries, err := a.Entries(ctx)
	if err != nil {
		if ctx.Err() == nil {
			return nil, err
		}
		first.Status = solver.EndOf(ctx)
		return first, nil
	}
	e := newEnumeration(ctx, entries, first.Support, m)
	e.progress = progress
	e.extend(0, 0, 0, 0)
	if e.stopped {
		if e.value <= e.floor {
			e.best = first.Support
		}
		return e.solution(refit(ctx, a, e.best, m, 0, solver.EndOf(ctx)))
	}
	s, err := e.solution(refit(ctx, a, e.best, m, 0, solver.Proved))
	if err == nil {
		s.Prove(solver.BoundSearch)
	}
	return s, err
}

// solution adds to s how many supports were seen.
func (e *enumeration) solution(s *solver.Solution, err error) (*solver.Solution, error) {
	if err == nil {
		s.Nodes = e.seen
	}
	return s, err
}

// binomial returns C(d, k).
func binomial(d, k int) float64 {
	n := 1.0
	for i := range min(k, d-k) {
		n = n * float64(d-i) / float64(i+1)
	}
	return math.Round(n)
}

// enumeration goes through the supports depth first.
type enumeration struct {
	ctx      context.Context
	a        *mat.SymDense
	d, k, m  int
	progress func(solver.Progress)

	support []int       // the prefix and what is being tried
	cross   [][]float64 // cross[p][i] is Σ a_ij² over the first p indices j

	best    []int
	value   float64 // the objective on best
	floor   float64 // a value that some support is known to reach
	seen    int
	tell    int // when progress is due
	stopped bool

	block, work, eigen []float64
}

// newEnumeration begins with a support as the best that is known.
func newEnumeration(ctx context.Context, a *mat.SymDense, support []int, m int) *enumeration {
	d, k := a.SymmetricDim(), len(support)
	e := &enumeration{
		ctx: ctx, a: a, d: d, k: k, m: m,
		support: slices.Clone(support), best: slices.Clone(support), cross: lists.Make(k, func(int) []float64 { return make([]float64, d) }), value: math.Inf(-1),
		block: make([]float64, k*k), eigen: make([]float64, k), work: make([]float64, 64*k),
	}
	e.floor = e.objective()
	return e
}

// extend tries every index from on at place p of the support. The prefix has
// trace t and squared Frobenius norm f.
func (e *enumeration) extend(p, from int, t, f float64) {
	if p == e.k-1 {
		e.tryLast(from, t, f)
		return
	}
	for i := from; i <= e.d-(e.k-p) && !e.stopped; i++ {
		aii := e.a.At(i, i)
		e.support[p] = i
		for j := i + 1; j < e.d; j++ {
			aij := e.a.At(i, j)
			e.cross[p+1][j] = e.cross[p][j] + aij*aij
		}
		e.extend(p+1, i+1, t+aii, f+aii*aii+2*e.cross[p][i])
	}
}

// tryLast completes the prefix with every index from on.
func (e *enumeration) tryLast(from int, t, f float64) {
	if e.ctx.Err() != nil {
		e.stopped = true
		return
	}
	m, k := float64(e.m), float64(e.k)
	limit := max(e.value, e.floor*(1-1e-9))
	for i := from; i < e.d; i++ {
		e.seen++
		aii := e.a.At(i, i)
		trace, norm := t+aii, f+aii*aii+2*e.cross[e.k-1][i]
		spread := math.Max(norm-trace*trace/k, 0) + traceSlack*norm
		if (m*trace/k+math.Sqrt(m*(k-m)/k*spread))*(1+1e-12) < limit {
			continue
		}
		e.support[e.k-1] = i
		if v := e.objective(); v-e.value > subspace.Tie*v {
			e.value = v
			copy(e.best, e.support)
			limit = max(limit, v)
		}
	}
	if e.progress != nil && e.seen >= e.tell {
		e.tell = e.seen + progressEvery
		e.progress(solver.Progress{Starts: 1, Iteration: e.seen, Objective: max(e.value, e.floor)})
	}
}

// objective returns the sum of the m largest eigenvalues on the support.
func (e *enumeration) objective() float64 {
	for p, i := range e.support {
		for q := p; q < e.k; q++ {
			e.block[p*e.k+q] = e.a.At(i, e.support[q])
		}
	}
	sym := blas64.Symmetric{Uplo: blas.Upper, N: e.k, Stride: e.k, Data: e.block}
	lapack64.Syev(lapack.EVNone, sym, e.eigen, e.work, len(e.work))
	return lists.Sum(e.eigen[e.k-e.m:])
}
