package solver

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
)

// thoroughPivots is the number of columns around which supports are built.
const thoroughPivots = 16

// exchangedStarts is the number of different fixed points of IPU, the best
// ones, from which exchanges start where not every pair is evaluated.
const exchangedStarts = 64

// solveThoroughly returns what searchThoroughly finds.
func (t *task) solveThoroughly(ctx context.Context) (*Solution, error) {
	best, err := t.searchThoroughly(ctx)
	if err != nil {
		return nil, err
	}
	return t.solution(ctx, best.best, best.trace, best.iterations, best.status)
}

// searchThoroughly is searchCold and then, from p.Warm, what warmed does.
func (t *task) searchThoroughly(ctx context.Context) (*run, error) {
	best, err := t.searchCold(ctx)
	if err != nil {
		return nil, err
	}
	return t.warmed(ctx, best, func(warm *run) error { return t.improveWarm(ctx, warm, best) })
}

// searchCold runs IPU from every start, then exchanges, then kicks, and returns the
// best run, the earliest of equals. It ends early where the cheap bound proves the
// best.
func (t *task) searchCold(ctx context.Context) (*run, error) {
	runs, err := t.climbThoroughly(ctx)
	if err != nil {
		return nil, err
	}
	runs = apart(runs)
	whole, err := t.whole(ctx)
	if err != nil {
		return bestOf(runs).ended(ctx, err)
	}
	known := &optima{}
	if !t.few() && len(runs) > exchangedStarts {
		slices.SortStableFunc(runs, func(a, b *run) int { return cmp.Compare(b.best.objective, a.best.objective) })
		runs = runs[:exchangedStarts]
	}
	best := bestOf(runs)
	for _, improve := range []func(context.Context, []*run, *local, *optima) (*run, error){t.exchangeFromAll, t.kick} {
		proved, err := t.proves(ctx, best)
		if err != nil {
			return best.ended(ctx, err)
		}
		if proved || ctx.Err() != nil {
			break
		}
		if best, err = improve(ctx, runs, whole, known); err != nil && ctx.Err() == nil {
			return nil, err
		}
		runs = []*run{best}
	}
	if ctx.Err() != nil {
		best.status = EndOf(ctx)
	}
	return best, nil
}

// improveWarm exchanges columns of a run, and kicks it if it is then better than best.
func (t *task) improveWarm(ctx context.Context, warm, best *run) error {
	whole, err := t.whole(ctx)
	if err != nil {
		return err
	}
	one, known := []*run{warm}, &optima{}
	if _, err = t.exchangeFromAll(ctx, one, whole, known); err != nil || !warm.best.gains(best.best) {
		return err
	}
	_, err = t.kick(ctx, one, whole, known)
	return err
}

// ended returns the run where it is the end of ctx that err reports, with the
// status for that.
func (r *run) ended(ctx context.Context, err error) (*run, error) {
	if ctx.Err() == nil {
		return nil, err
	}
	r.status = EndOf(ctx)
	return r, nil
}

// exchangeFromAll improves every run by exchanges and returns the best.
func (t *task) exchangeFromAll(ctx context.Context, runs []*run, whole *local, known *optima) (*run, error) {
	errs := make([]error, len(runs))
	t.each(len(runs), func(at ascender, i int) {
		r := runs[i]
		x := t.exchange(at, whole, known)
		x.trace = r.trace
		r.best, errs[i] = x.improve(ctx, r.best)
		r.trace, r.iterations = x.trace, r.iterations+x.count
		t.report(Progress{Stage: StageExchange, Start: i, Starts: len(runs), Iteration: x.count, Objective: r.best.objective})
	})
	return bestOf(runs), errors.Join(errs...)
}

// bestOf returns the run of largest objective, the first of equals.
func bestOf(runs []*run) *run {
	best := runs[0]
	for _, r := range runs[1:] {
		if r.best.gains(best.best) {
			best = r
		}
	}
	return best
}

// apart keeps the first run that ends at each support.
func apart(runs []*run) []*run {
	seen := map[string]bool{}
	return slices.DeleteFunc(runs, func(r *run) bool {
		key := fmt.Sprint(r.best.support)
		was := seen[key]
		seen[key] = true
		return was
	})
}

// proves reports whether a run meets the cheap bound.
func (t *task) proves(ctx context.Context, r *run) (bool, error) {
	b, err := t.bound(ctx)
	return err == nil && b.value <= cutoff(r.best.objective), err
}

// climbThoroughly runs IPU from each support that Go finds at a threshold of the
// spectrum. It also runs it from a given W₀ and from the random starts asked for.
// If ctx ends it returns the runs that have a solution, or the error where none
// has.
func (t *task) climbThoroughly(ctx context.Context) ([]*run, error) {
	g, err := t.around(ctx)
	if err != nil {
		return nil, err
	}
	pivots, err := t.pivots(ctx)
	if err != nil && ctx.Err() == nil {
		return nil, err
	}
	supports := slices.Concat(t.thresholdSupports(), t.near, g.supports, pivots)
	begin := slices.Concat(t.supportStarts(supports), spaceStarts(g.spaces))
	if t.p.W0 != nil {
		begin = append(begin, t.p.given)
	}
	return t.climbAll(ctx, append(begin, t.p.randomStarts()...))
}

// climbAll runs IPU from all starts.
func (t *task) climbAll(ctx context.Context, begin []start) ([]*run, error) {
	runs, errs := make([]*run, len(begin)), make([]error, len(begin))
	t.each(len(begin), func(at ascender, i int) {
		if errs[i] = ctx.Err(); errs[i] != nil {
			return
		}
		r := newRun(t.a, at, t.c, t.m, IPUParams{MaxIterations: t.p.MaxIterations, Epsilon: -t.shift()})
		if errs[i] = begin[i](ctx, r, t.s); errs[i] == nil {
			errs[i] = r.climb(ctx)
		}
		if errs[i] == nil {
			runs[i] = r
			t.report(Progress{Stage: StageIPU, Start: i, Starts: len(begin), Iteration: r.iterations, Objective: r.best.objective})
		}
	})
	runs = slices.DeleteFunc(runs, func(r *run) bool { return r == nil })
	if err := errors.Join(errs...); err != nil && (ctx.Err() == nil || len(runs) == 0) {
		return nil, err
	}
	return runs, nil
}

// pivots returns supports around some columns, where A is at hand and not large.
func (t *task) pivots(ctx context.Context) ([][]int, error) {
	if t.a.Order() > directOrder {
		return nil, nil
	}
	whole, err := t.whole(ctx)
	if err != nil {
		return nil, err
	}
	return t.pivotSupports(whole, thoroughPivots), nil
}

// shift returns a σ such that A − σI is semidefinite: as f changes by mσ
// only, the ascent holds, and the proxy of A − σI is nearer to A's.
func (t *task) shift() float64 {
	if !t.s.complete() {
		return 0
	}
	return max(0, t.s.values[len(t.s.values)-1]-t.s.off)
}

// thresholdSupports returns the different supports that Go finds on A_r and
// on (A − λ_r·I)₊ for every r whose pairs are known; Go on A_m first. Scores that are all
// equal but for rounding, as the diagonal of a correlation matrix, choose nothing and are
// left out: otherwise the order of the columns would decide.
func (t *task) thresholdSupports() [][]int {
	d, r, vectors := t.a.Order(), len(t.s.values), t.s.vectors()
	seen := map[string]bool{}
	var supports [][]int
	add := func(scores []float64) {
		if most := slices.Max(scores); len(supports) > 0 && most-slices.Min(scores) <= pairTolerance*most {
			return
		}
		s := t.c.top(scores)
		if key := fmt.Sprint(s); !seen[key] {
			seen[key] = true
			supports = append(supports, s)
		}
	}
	add(t.s.lowRankScores(t.m, 0))
	ranked, weight := make([]float64, d), make([]float64, d) // diag(A_i), Σ u_ji²
	soft := make([]float64, d)
	for i, value := range t.s.values {
		if value <= rankTolerance*t.s.values[0] {
			break
		}
		for j := range soft {
			soft[j] = ranked[j] - value*weight[j]
		}
		if i > 0 {
			add(soft)
		}
		for j := range ranked {
			u := vectors.At(j, i)
			ranked[j] += value * u * u
			weight[j] += u * u
		}
		if i+1 == r || value-t.s.values[i+1] > rankTolerance*t.s.values[0] { // not within a multiple eigenvalue
			add(ranked)
		}
	}
	add(t.a.Diag())
	return supports
}

// each calls body for 0 ≤ i < n, on several goroutines where the operator
// itself has too little work for them. Each has an ascender of its own.
func (t *task) each(n int, body func(at ascender, i int)) {
	spread(n, t.a.Order() <= directOrder && n > 1, func() ascender { return ascenderOf(t.a) }, body)
}

// report passes progress on, one call at a time.
func (t *task) report(p Progress) {
	if t.p.Progress == nil {
		return
	}
	t.reporting.Lock()
	defer t.reporting.Unlock()
	p.Features = t.c.k
	t.p.Progress(p)
}
