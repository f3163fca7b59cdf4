package solver

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/fspca/fspca/internal/kernel"
	"github.com/fspca/fspca/internal/subspace"
)

// What EffortQuick does after IPU depends on d, k and m alone. So the answer does
// not depend on the form in which A is given.
const (
	// quickOrder and quickFeatures bound d and k up to which it begins at thresholds
	// and pivots too; then it exchanges columns until none of the best pairs gains.
	quickOrder, quickFeatures = directOrder, 32

	quickThresholds = 6
	quickPivots     = 4 // over all starts

	quickPairs    = 2   // exchanges that are tried beyond these, for k up to directOrder
	quickEntering = 128 // and columns that are considered for them
)

// solveQuickly runs IPU, then what costs little beside it.
func (t *task) solveQuickly(ctx context.Context) (*Solution, error) {
	r, err := t.climbBesideBound(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { r.release() }()
	if ctx.Err() == nil {
		if err := t.quicken(ctx, r); err != nil {
			if _, err = r.ended(ctx, err); err != nil {
				return nil, err
			}
		}
	}
	if r, err = t.warmed(ctx, r, func(warm *run) error { return t.exchangeQuickly(ctx, warm) }); err != nil {
		return nil, err
	}
	t.told = r.explains()
	t.untold = t.p.Tell && t.told == 0
	sol, err := t.solution(ctx, r.best, r.trace, r.iterations, r.status)
	if err == nil {
		sol.Told, sol.Block = t.told, r.best.block
	}
	return sol, err
}

// besideOrder is the order from which the bound takes so long that it pays: helpers look out
// for no other call while this one is under way.
const besideOrder = 2048

// climbBesideBound is climbFromAll. What follows asks for the bound, which takes one thread and
// nothing but the spectrum of rows: a second one finds it meanwhile.
func (t *task) climbBesideBound(ctx context.Context) (r *run, err error) {
	if c, ok := t.a.(*Data); !ok || c.route == RouteCovariance || c.d < besideOrder {
		return t.climbFromAll(ctx)
	}
	if t.s.risesFromDiagonal(t.a.Diag(), t.c, t.m) {
		t.cheap = diagonalBound(t.a, t.s, t.c, t.m)
		return t.climbFromAll(ctx)
	}
	kernel.Parallel(2, func(_, job int) {
		if job == 0 {
			r, err = t.climbFromAll(ctx)
		} else {
			_, _ = t.bound(ctx) // an error comes again when the bound is asked for
		}
	})
	return r, err
}

// quicken improves a run. With an error it is the best so far.
func (t *task) quicken(ctx context.Context, r *run) error {
	switch proved, err := t.proves(ctx, r); {
	case proved || err != nil:
		return err
	case !t.small():
		return t.exchangeOnce(ctx, r)
	}
	whole, err := t.whole(ctx)
	if err != nil {
		return err
	}
	if t.p.W0 == nil && t.p.Start != StartRandom {
		supports := t.thresholdSupports()
		supports = slices.Concat(supports[1:min(len(supports), 1+quickThresholds)], t.pivotSupports(whole, quickPivots/t.m))
		c := climbs{t: t, at: r.at, best: r, done: 1}
		if err := c.from(ctx, t.supportStarts(supports)); err != nil {
			return err
		}
		if *r = *c.best; c.ended {
			return nil
		}
	}
	return t.exchangeAll(ctx, r, whole)
}

// small reports whether d and k are at most those up to which quick does more.
func (t *task) small() bool { return t.a.Order() <= quickOrder && t.c.k <= quickFeatures }

// exchangeQuickly is quicken without its starts.
func (t *task) exchangeQuickly(ctx context.Context, r *run) error {
	if !t.small() {
		return t.exchangeOnce(ctx, r)
	}
	whole, err := t.whole(ctx)
	if err != nil {
		return err
	}
	return t.exchangeAll(ctx, r, whole)
}

// exchangeAll exchanges columns until none of the best pairs gains.
func (t *task) exchangeAll(ctx context.Context, r *run, whole *local) (err error) {
	x := t.exchange(r.at, whole, nil)
	x.quick, x.trace = true, r.trace
	r.best, err = x.improve(ctx, r.best)
	r.trace, r.iterations = x.trace, r.iterations+x.count
	return err
}

// pivotSupports returns supports around so many columns, at least one. With W the unit vector of
// column j, IPU's scores are a_ij²/a_jj; what remains of A is then A − a_ja_jᵀ/a_jj.
// The next column of the m is the one that adds most to the k largest sums of
// scores. The first columns are those that alone explain most.
func (t *task) pivotSupports(whole *local, pivots int) [][]int {
	n, a := len(whole.index), whole.full()
	alone, first := make([]float64, n), make([]int, n)
	for j := range alone {
		first[j] = j
		alone[j] = t.pivoted(a, make([]float64, n), j, a.Row(j)[j])
	}
	slices.SortStableFunc(first, func(i, j int) int { return cmp.Compare(alone[j], alone[i]) })
	var supports [][]int
	for _, j := range first[:min(n, max(1, pivots))] {
		scores := t.pivotScores(a, j)
		all := make([]float64, t.a.Order())
		for p, i := range whole.index {
			all[i] = scores[p]
		}
		supports = append(supports, t.c.top(all))
	}
	return supports
}

// pivotScores returns the sums of scores that begin with column j.
func (t *task) pivotScores(a kernel.Matrix, j int) []float64 {
	n := a.Rows
	rest, scores := kernel.NewMatrix(n, n), make([]float64, n)
	rest.Copy(a)
	for q := range t.m {
		if q > 0 {
			j = -1
			best := math.Inf(-1)
			for i := range n {
				if v := t.pivoted(rest, scores, i, a.Row(i)[i]); v > best {
					j, best = i, v
				}
			}
		}
		if j < 0 {
			return scores
		}
		pivot := slices.Clone(rest.Row(j))
		for i, v := range pivot {
			scores[i] += v * v / pivot[j]
			kernel.Axpy(-v/pivot[j], pivot, rest.Row(i))
		}
	}
	return scores
}

// pivoted returns the k largest of scores with those of column j added, −∞ where
// nothing of its variance is left.
func (t *task) pivoted(rest kernel.Matrix, scores []float64, j int, variance float64) float64 {
	row := rest.Row(j)
	if !(row[j] > rankTolerance*variance) {
		return math.Inf(-1)
	}
	sums := make([]float64, len(row))
	for i, v := range row {
		sums[i] = scores[i] + v*v/row[j]
	}
	return subspace.TopKSum(sums, t.c.k)
}

// exchangeOnce takes the best of a few exchanges, if it gains. The m pairs (θ, V) of
// A_SS alone tell two things. What a column adds is at least what it adds to A within
// span(V, e_j). What one takes away is at most what V loses with its row v: (Σθ_c·v_c²
// − a_ii‖v‖²)/(1 − ‖v‖²), or Σθ_c·v_c² if ‖v‖ is 1.
func (t *task) exchangeOnce(ctx context.Context, r *run) error {
	e := r.best
	if r.last == nil || r.last.of != e || t.c.k > directOrder {
		return nil // it ended at a limit, or a block takes too long
	}
	tried, err := r.tried(ctx, t.prospects(e, r.last.scores, r.last.z, quickEntering, quickPairs).supports())
	if err != nil {
		return err
	}
	if best := e.improvedBy(tried); best != nil {
		r.best, r.trace, r.iterations = best, append(r.trace, best.objective), r.iterations+1
	}
	return nil
}

// tried returns the embeddings of supports after the last step: those that were foretold, or anew.
func (r *run) tried(ctx context.Context, supports [][]int) ([]*embedding, error) {
	if f := r.foretold; f != nil && f.of == r.best && slices.EqualFunc(f.supports, supports, slices.Equal) {
		*r.at.(*rowsAscender) = f.at
		return f.tried, nil
	}
	return embedAll(ctx, r.at, supports, r.m)
}

// improvedBy returns the best of others, of equal ones that with the lowest columns; nil if none gains. Their order
// is that of values which are rounded, and does not count.
func (e *embedding) improvedBy(others []*embedding) *embedding {
	var best *embedding
	for _, next := range others {
		switch {
		case !next.gains(e):
		case best == nil, next.gains(best), !best.gains(next) && slices.Compare(next.support, best.support) < 0:
			best = next
		}
	}
	return best
}
