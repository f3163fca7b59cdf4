package solver

import (
	"context"

	"github.com/fspca/fspca/internal/param"
	"github.com/fspca/fspca/solver/spectral"
)

// BoundEffort is the effort for the upper bound.
type BoundEffort string

// The bounds.
const (
	// BoundQuick uses the eigenpairs that the fit computes anyway. It is the default.
	BoundQuick BoundEffort = "quick"

	// BoundTight uses 64 eigenpairs or 4m, proved to be the leading ones. If at most
	// 600 columns are left then, it adds the joint dual. It costs a few times the
	// fit.
	BoundTight BoundEffort = "tight"

	// BoundNone computes no bound. UpperBound, Gap and BoundSource are then zero, and
	// nothing is Proved.
	BoundNone BoundEffort = "none"
)

// Check returns an error unless b is one of the bounds or "".
func (b BoundEffort) Check() error {
	if b == "" {
		return nil
	}
	return param.OneOf("Bound", "bound", b, BoundQuick, BoundTight, BoundNone)
}

// checkBound returns what does not go with no bound.
func (p *Params) checkBound() error {
	if err := p.Bound.Check(); err != nil || p.Bound != BoundNone {
		return err
	}
	switch {
	case p.Effort == EffortExact:
		return param.New("Bound", p.Bound, "another one", "effort %q proves a bound: bound %q does not go with it", p.Effort, p.Bound)
	case p.SDPIterations != 0:
		return param.New("Bound", p.Bound, "another one", "SDP iterations tighten a bound: bound %q does not go with them", p.Bound)
	}
	return nil
}

// unclaim takes back what a solution says of others.
func (s *Solution) unclaim() {
	s.UpperBound, s.BoundSource, s.Gap, s.Proved = 0, "", 0, false
	if s.Status == Proved {
		s.Status = Converged
	}
}

const (
	// tightOrder is the order up to which a Cholesky factorisation proves that no
	// leading eigenpair was missed.
	tightOrder = 2500

	tightTolerance = 1e-11 // of the residuals, relative to λ₁
)

// tightWork is what the joint dual takes for a tight bound: it enumerates nothing.
var tightWork = searchWork{root: steps{1e9, 20, 60}}

// tighten proves a better bound of a solution from more eigenpairs, then, where few
// columns are left, by the joint dual.
func (t *task) tighten(ctx context.Context, sol *Solution) error {
	if err := t.deepenFurther(ctx); err != nil || ctx.Err() != nil {
		return err
	}
	t.cheap = t.cheap.least(cheapBound(t.a, t.s.deep, t.c, t.m))
	sol.certify(t.cheap)
	if sol.Proved || t.p.Limits.Together() {
		return nil
	}
	e := &embedding{support: sol.Support, values: sol.Values, vectors: sol.Loadings, objective: sol.Objective}
	sub, err := t.subproblem(ctx, cutoff(sol.Objective))
	if err != nil || len(sub.index) > relaxRoot {
		return err
	}
	s, fits, err := newSearch(ctx, t, &run{a: t.a, at: ascenderOf(t.a), c: t.c, m: t.m, best: e})
	if err != nil || !fits {
		return err
	}
	s.work = tightWork
	if err := s.reach(ctx); err != nil {
		return err
	}
	sol.certify(t.cheap.least(bound{s.upper(), BoundDual}))
	return nil
}

// deepenFurther finds as many eigenpairs as a tight bound wants, where they can be
// proved to be the leading ones: of the Gram matrix, or of A where it is formed.
func (t *task) deepenFurther(ctx context.Context) error {
	d := t.a.Order()
	s, err := t.s.deepen(ctx, t.a, t.m)
	if err != nil {
		return err
	}
	r := min(d, max(wholeOrder, 4*t.m))
	if s.exact && len(s.values) >= r {
		return nil
	}
	if routeOf(t.a) == RouteGram {
		if deep, err := readSpectrum(ctx, t.a, nil, t.m, r); err == nil && deep.exact {
			t.s.deep = deep
		}
		return nil
	}
	a := explicit(t.a)
	if route := routeOf(a); d > tightOrder || route != RouteMatrix && route != RouteCovariance {
		return nil // products alone cannot tell that no pair was missed
	}
	entries, err := a.Entries(ctx)
	if err != nil {
		return err
	}
	pairs, err := spectral.Refine(ctx, entries, r, spectral.Settings{Tolerance: tightTolerance, Certify: true})
	if err != nil || !pairs.Certified {
		return nil
	}
	deep := &spectrum{leading: t.s.leading, total: t.s.total, least: t.s.least}
	deep.take(pairs)
	// What is certified is that no eigenvalue exceeds a value by more than the tolerance.
	deep.off += tightTolerance * pairs.Values[0]
	if deep.exact {
		t.s.deep = deep
	}
	return nil
}
