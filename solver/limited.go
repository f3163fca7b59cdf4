package solver

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/param"
	"github.com/fspca/fspca/internal/starts"
	"github.com/fspca/fspca/internal/subspace"
)

// Numbers of random starts under limits: these trap a search by exchanges.
const (
	limitedStarts         = 5
	limitedThoroughStarts = 40
)

// limited looks for the best support under limits on what may stand together:
// IPU that skips the scores of blocked columns and goes on only where the
// objective rises, then exchanges that the limits permit.
type limited struct {
	t    *task
	at   ascender
	rule *Rule

	best       *embedding // nil where no permitted support has m columns
	largest    []int      // the largest support met
	trace      []float64
	iterations int
	nodes      int // subproblems examined
}

// solveLimited is solve under limits.
func (t *task) solveLimited(ctx context.Context) (*Solution, error) {
	s := &limited{t: t, at: ascenderOf(t.a)}
	s.rule = NewRule(t.p.Limits, t.a.Diag(), func(ctx context.Context, j int) ([]float64, error) {
		column, err := Columns(ctx, t.a, []int{j})
		if err != nil {
			return nil, err
		}
		return column.RawMatrix().Data, nil
	})
	if ok, err := s.rule.Permits(ctx, t.c.must); err != nil {
		return nil, err
	} else if !ok {
		return nil, param.NewColumns("include names", t.c.must, ", which the limits do not permit together")
	}
	cut, err := s.fromStarts(ctx)
	switch {
	case err != nil:
		return nil, err
	case cut:
		return s.solution(context.WithoutCancel(ctx), EndOf(ctx), math.Inf(1))
	case t.p.Effort == EffortExact:
		upper, status, err := s.branch(ctx)
		if err != nil {
			return nil, err
		}
		return s.solution(context.WithoutCancel(ctx), status, upper)
	}
	return s.solution(context.WithoutCancel(ctx), Converged, math.Inf(1))
}

// solution describes the best support; upper is the bound of the search.
func (s *limited) solution(ctx context.Context, status Status, upper float64) (*Solution, error) {
	if s.best == nil {
		return nil, param.TooFew(s.largest, s.t.m)
	}
	s.t.standing = s.rule.Standing()
	if err := s.t.standing.Add(ctx, s.best.support...); err != nil {
		return nil, err
	}
	sol, err := s.t.solution(ctx, s.best, s.trace, s.iterations, status)
	if err != nil {
		return nil, err
	}
	sol.Nodes = s.nodes
	if s.t.p.Limits.Cost == nil && len(s.best.support) < s.t.c.k {
		sol.Status, sol.Proved = NoneFound, false
	}
	if upper < sol.UpperBound {
		sol.certify(bound{upper, BoundSearch})
	}
	return sol, nil
}

// fromStarts improves every start and keeps the best. It reports whether ctx has cut it.
func (s *limited) fromStarts(ctx context.Context) (cut bool, err error) {
	begin := s.starts()
	return starts.Each(ctx, 0, len(begin), func() bool { return s.best != nil }, func(i int) error {
		support, err := s.top(ctx, begin[i])
		if err == nil && i == len(begin)-1 && s.short() {
			support, err = s.packed(ctx)
		}
		if err == nil {
			err = s.improve(ctx, support)
		}
		if err == nil && s.best != nil {
			s.t.report(Progress{Stage: StageExchange, Start: i, Starts: len(begin), Iteration: s.iterations, Objective: s.best.objective})
		}
		return err
	})
}

// needed is the number of columns that a support must have: k or, with costs, m.
func (s *limited) needed() int {
	if s.t.p.Limits.Cost != nil {
		return s.t.m
	}
	return s.t.c.k
}

// short reports whether no support of as many columns as are needed is known.
func (s *limited) short() bool { return len(s.largest) < s.needed() }

// value is the objective that another support has to reach, −∞ where any other is better.
func (s *limited) value() float64 {
	if s.best == nil || s.short() {
		return math.Inf(-1)
	}
	return s.best.objective
}

// starts returns scores from whose largest supports are made.
func (s *limited) starts() [][]float64 {
	t := s.t
	starts := [][]float64{t.s.lowRankScores(t.m, 0), t.a.Diag()}
	for _, support := range slices.Concat(t.near, t.p.Warm) {
		starts = append(starts, foremostOf(starts[0], support))
	}
	if cost := t.p.Limits.Cost; cost != nil {
		for _, scores := range slices.Clone(starts) {
			starts = append(starts, perCost(scores, cost))
		}
	}
	restarts := t.p.Restarts
	if restarts == 0 {
		restarts = limitedStarts
		if t.p.Effort.great() {
			restarts = limitedThoroughStarts
		}
	}
	for i := range restarts {
		rng := rand.New(rand.NewPCG(t.p.Seed, uint64(i)))
		scores := slices.Clone(t.a.Diag())
		for j := range scores { // a column that does not vary stays last
			scores[j] *= rng.ExpFloat64()
		}
		starts = append(starts, scores)
	}
	return starts
}

// foremostOf returns scores by which the columns of a support come first.
func foremostOf(scores []float64, support []int) []float64 {
	raised := slices.Clone(scores)
	above := 1 + 2*slices.Max(scores)
	for _, j := range support {
		raised[j] += above
	}
	return raised
}

// perCost divides scores by costs.
func perCost(scores, cost []float64) []float64 {
	each := slices.Clone(scores)
	for j, c := range cost {
		each[j] /= max(c, math.SmallestNonzeroFloat64*0x1p52)
	}
	return each
}

// top returns the columns that must be chosen and then those of largest score
// that the limits permit beside those before; of equals the lower index.
func (s *limited) top(ctx context.Context, scores []float64) ([]int, error) {
	standing := s.rule.Standing()
	if err := standing.Add(ctx, s.t.c.must...); err != nil {
		return nil, err
	}
	order := lists.Places(len(scores), s.t.c.free)
	slices.SortStableFunc(order, func(i, j int) int { return subspace.Compare(scores[j], scores[i]) })
	for _, j := range order {
		if standing.Len() == s.t.c.k {
			break
		}
		if !standing.Admits(j) {
			continue
		}
		if err := standing.Add(ctx, j); err != nil {
			return nil, err
		}
	}
	return standing.Members(), nil
}

// packed returns as many columns as are needed, whatever they explain, where the limits permit so many.
func (s *limited) packed(ctx context.Context) ([]int, error) {
	free := lists.Places(s.t.a.Order(), s.t.c.free)
	set, _, err := s.rule.Pack(ctx, s.t.c.must, free, s.needed(), PackingSteps(s.t.p.Effort))
	return set, err
}

// improve takes the end of the ascent from support as the best if it is.
func (s *limited) improve(ctx context.Context, support []int) error {
	if len(support) > len(s.largest) {
		s.largest = support
	}
	if len(support) < s.t.m || s.best != nil && s.t.p.Limits.Cost == nil && len(support) < len(s.best.support) {
		return nil
	}
	e, err := s.at.embed(ctx, support, s.t.m, nil)
	if err != nil {
		return err
	}
	for {
		before := e.objective
		if e, err = s.climb(ctx, e); err == nil {
			e, err = s.exchange(ctx, e)
		}
		s.keep(e)
		if err != nil {
			return err
		}
		if e.objective <= before*(1+gainTolerance) {
			return nil
		}
	}
}

// keep takes e as the best if it is: more columns, or a higher objective.
func (s *limited) keep(e *embedding) {
	if len(e.support) > len(s.largest) {
		s.largest = e.support
	}
	longer := s.best == nil || s.t.p.Limits.Cost == nil && len(e.support) > len(s.best.support)
	if !longer && !e.gains(s.best) {
		return
	}
	s.best = e
	s.trace = append(s.trace, e.objective)
}

// climb repeats IPU's step while the objective rises.
func (s *limited) climb(ctx context.Context, e *embedding) (*embedding, error) {
	for {
		r := newRun(s.t.a, s.at, s.t.c, s.t.m, IPUParams{})
		r.best = e
		scores, _, err := r.scores(ctx)
		if err != nil {
			return e, err
		}
		scores = slices.Clone(scores)
		r.release()
		s.iterations++
		choices := [][]float64{scores}
		if cost := s.t.p.Limits.Cost; cost != nil {
			choices = append(choices, perCost(scores, cost))
		}
		better, err := s.bestChoice(ctx, e, choices)
		if err != nil {
			return e, err
		}
		if better == e {
			return e, nil
		}
		e = better
	}
}

// bestChoice returns the best embedding of what the scores choose, e where none is better.
func (s *limited) bestChoice(ctx context.Context, e *embedding, choices [][]float64) (*embedding, error) {
	better := e
	for _, choice := range choices {
		support, err := s.top(ctx, choice)
		if err != nil {
			return e, err
		}
		if len(support) < s.t.m || s.t.p.Limits.Cost == nil && len(support) < len(e.support) || slices.Equal(support, e.support) {
			continue
		}
		next, err := s.at.embed(ctx, support, s.t.m, nil)
		if err != nil {
			return e, err
		}
		if next.gains(better) {
			better = next
		}
	}
	return better, nil
}
