package reconstruction

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/param"
	"github.com/fspca/fspca/internal/starts"
	"github.com/fspca/fspca/internal/subspace"
	"github.com/fspca/fspca/solver"
	"github.com/fspca/fspca/solver/spectral"
)

// provedTolerance is the relative gap, rounding included, that counts as none.
const provedTolerance = 1e-10

// Solve finds k columns from which all are rebuilt best by m combinations of them.
// One error holds all that is wrong with p. If ctx ends once a support is known,
// the best so far is returned with the status Deadline or Cancelled. Before that
// the error is the context's.
func Solve(ctx context.Context, a solver.Covariance, p Params) (*solver.Solution, error) {
	r, err := newProblem(ctx, a, p)
	if err != nil {
		return nil, err
	}
	return r.solve(ctx)
}

func (r *problem) solve(ctx context.Context) (*solver.Solution, error) {
	vectors, err := r.decompose(ctx)
	if err != nil {
		return nil, err
	}
	s := &search{r: r, status: solver.Converged}
	if err := s.fromStarts(ctx, vectors); err != nil {
		return nil, err
	}
	if err := s.shaken(ctx); err != nil {
		return nil, err
	}
	if err := s.fromWarm(ctx); err != nil {
		return nil, err
	}
	upper, source := r.ceiling, solver.BoundSpectral
	if !s.proves(upper) && s.only() {
		upper, source = s.best.value, solver.BoundTheorem
	}
	if s.status == solver.Converged && r.p.Effort == solver.EffortExact && !s.proves(upper) {
		bound, err := s.branch(ctx)
		if err != nil {
			return nil, err
		}
		if bound < upper {
			upper, source = bound, solver.BoundSearch
		}
	}
	if r.p.Limits.Cost == nil && len(s.best.support) < r.k {
		s.status = solver.NoneFound
	}
	if len(s.best.support) < r.m {
		return nil, param.TooFew(s.best.support, r.m)
	}
	return r.solution(ctx, s, upper, source)
}

// search is what has been found so far.
type search struct {
	r      *problem
	best   candidate
	trace  []float64
	status solver.Status
	nodes  int
}

// shaken shakes the best in a thorough search.
func (s *search) shaken(ctx context.Context) (err error) {
	r := s.r
	if s.status != solver.Converged || !r.thorough() || s.proves(r.ceiling) || s.short() {
		return nil
	}
	s.best, err = r.shake(ctx, s.best, s.note)
	return s.ended(ctx, err)
}

// fromWarm improves the starts of the caller and keeps what is better than all before: the result is never
// worse than without them. After the end of ctx it takes them as they are.
func (s *search) fromWarm(ctx context.Context) error {
	r, before := s.r, s.best
	for _, list := range r.p.Starts {
		if s.proves(r.ceiling) {
			break
		}
		whole := ctx
		if len(list) >= r.k { // nothing to look for
			whole = context.WithoutCancel(ctx)
		}
		c, err := r.build(whole, list)
		if err == nil && ctx.Err() == nil {
			c, err = r.improve(ctx, c)
		}
		if c.support != nil && s.beats(c) {
			s.note(c)
		}
		if stop := s.ended(ctx, err); stop != nil {
			return stop
		}
	}
	if slices.Equal(before.support, s.best.support) {
		return nil
	}
	return s.shaken(ctx)
}

// fromStarts improves every start but the caller's and keeps the best.
func (s *search) fromStarts(ctx context.Context, vectors [][]float64) error {
	r := s.r
	first, err := r.build(ctx, nil)
	if err != nil {
		return err
	}
	s.note(first)
	if s.proves(r.ceiling) {
		return nil
	}
	lists, err := r.starts(ctx, vectors)
	if stop := s.ended(ctx, err); stop != nil || err != nil {
		return stop
	}
	cut, err := starts.Each(ctx, 0, len(lists), func() bool { return true }, func(i int) error {
		if s.proves(r.ceiling) {
			return nil
		}
		c, err := first, error(nil)
		if i > 0 {
			c, err = r.build(ctx, lists[i])
		}
		if err == nil {
			c, err = r.improve(ctx, c)
		}
		if c.support != nil && s.beats(c) {
			s.note(c)
		}
		if err == nil {
			s.report(solver.Progress{Stage: solver.StageExchange, Start: i, Starts: len(lists), Objective: c.value / r.op.scale})
		}
		return err
	})
	switch {
	case err != nil:
		return err
	case cut:
		s.status = solver.EndOf(ctx)
	case s.short() && r.p.Limits.Together():
		return s.ended(ctx, s.fromPacked(ctx))
	}
	return nil
}

// fromPacked improves what the limits were found to permit where no start has as many columns as are needed.
func (s *search) fromPacked(ctx context.Context) error {
	c, _, err := s.r.packed(ctx, s.r.must, s.r.rank)
	if err == nil {
		c, err = s.r.improve(ctx, c)
	}
	if c.support != nil && s.beats(c) {
		s.note(c)
	}
	return err
}

// beats reports whether c is better than the best: it holds more columns where
// the limits left that one short, or explains more.
func (s *search) beats(c candidate) bool {
	if s.r.p.Limits.Cost == nil && len(c.support) != len(s.best.support) {
		return len(c.support) > len(s.best.support)
	}
	return s.r.better(c, s.best)
}

// note takes c as the best.
func (s *search) note(c candidate) {
	s.best = c
	s.trace = append(s.trace, c.value/s.r.op.scale)
}

// ended turns an error of the ended context into a status and passes others on.
func (s *search) ended(ctx context.Context, err error) error {
	if err == nil || ctx.Err() == nil {
		return err
	}
	s.status = solver.EndOf(ctx)
	return nil
}

// proves reports whether an upper bound leaves nothing to find.
func (s *search) proves(upper float64) bool {
	return !s.short() && upper <= s.best.value*(1+provedTolerance)
}

// only reports whether nothing else can be chosen: the best holds all columns that may be, and what they
// explain never falls when the support grows; or as many as are asked for must be.
func (s *search) only() bool {
	n, must := len(s.best.support), len(s.r.must)
	return n == must+len(s.r.free) || n == must && n == s.r.k && s.r.p.Limits.Cost == nil
}

// short reports whether no support of as many columns as are needed is known.
func (s *search) short() bool { return len(s.best.support) < s.r.needed() }

func (s *search) report(p solver.Progress) {
	if s.r.p.Progress != nil {
		p.Features = s.r.k
		s.r.p.Progress(p)
	}
}

// solution describes the best support.
func (r *problem) solution(ctx context.Context, s *search, upper float64, source solver.BoundSource) (*solver.Solution, error) {
	c := newFactor(r.t, len(s.best.support))
	if err := c.addAll(context.WithoutCancel(ctx), s.best.support); err != nil {
		return nil, err
	}
	loadings, values, err := c.loadings(s.best.support, r.m)
	if err != nil {
		return nil, err
	}
	root := math.Sqrt(r.op.scale)
	loadings.Scale(root, loadings)
	sol := &solver.Solution{
		Support: s.best.support, Loadings: loadings, Values: values,
		Trace: s.trace, Iterations: len(s.trace) - 1, Status: s.status, Nodes: s.nodes,
		LeadingVariance: r.pca[min(r.m, len(r.pca)-1)] / r.op.scale, TotalVariance: r.op.total / r.op.scale,
		BoundSource: source,
	}
	for i := range values {
		values[i] /= r.op.scale
		sol.Objective += values[i]
	}
	if routed, ok := r.op.a.(interface{ Route() solver.Route }); ok {
		sol.Route = routed.Route()
	}
	sol.Told = sol.Objective
	sol.UpperBound = max(upper/r.op.scale, sol.Objective+c.rounding()/r.op.scale)
	sol.Gap = subspace.Gap(sol.UpperBound, sol.Objective)
	if sol.Gap <= provedTolerance && sol.Status != solver.NoneFound {
		sol.Proved, sol.Status = true, solver.Proved
	}
	return sol, nil
}

// loadings returns V (|support|×m, rows in its order) with VᵀA_SSV = I and
// AV orthogonal, and the variances ‖AV_i‖², descending. In the factor's order
// V = L⁻ᵀU, where ΩΩᵀ = U·diag(θ)·Uᵀ. Spanned columns and components beyond the
// rank of A_SS are zero. The entry of largest magnitude of a component is
// positive.
func (c *factor) loadings(support []int, m int) (*mat.Dense, []float64, error) {
	v, values := mat.NewDense(len(support), m, nil), make([]float64, m)
	n := len(c.order)
	if n == 0 {
		return v, values, nil
	}
	r := min(m, n)
	pairs, err := spectral.Leading(c.inner(), r)
	if err != nil {
		return nil, nil, err
	}
	copy(values, pairs.Values)
	y := solved(pairs.Vectors, func(q, p int) float64 { return c.omega.Row(p)[c.order[q]] })
	for p, j := range c.order {
		at, _ := slices.BinarySearch(support, j)
		copy(v.RawRowView(at), y.Row(p))
	}
	subspace.OrientColumns(v)
	return v, values, nil
}
