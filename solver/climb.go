package solver

import (
	"context"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/starts"
	"github.com/fspca/fspca/internal/subspace"
)

// climbFromAll runs IPU from every start of p, and then from those that grow around
// the included columns. It returns the best run, the earliest of equals.
func (t *task) climbFromAll(ctx context.Context) (*run, error) {
	p := &t.p
	c := climbs{t: t, at: t.ascender(), keep: p.Effort.quick()}
	if t.held, _ = c.at.(*streamAscender); t.held != nil && t.foresees() {
		t.held.likely = func(support []int) []int { return t.likely(ctx, support) }
	}
	begin := slices.Concat(p.starts(), t.supportStarts(t.near))
	c.foretell = p.Tell && c.keep && len(begin) == 1 && len(t.c.must) == 0 && len(p.Warm) == 0
	if err := c.from(ctx, begin); err != nil || c.ended {
		return c.best, err
	}
	if p.W0 != nil || p.Start == StartRandom {
		return c.best, nil
	}
	g, err := t.around(ctx)
	if err != nil {
		return c.best.ended(ctx, err)
	}
	err = c.from(ctx, slices.Concat(t.supportStarts(g.supports), spaceStarts(g.spaces)))
	return c.best, err
}

// start places a run where it begins.
type start func(context.Context, *run, *spectrum) error

// ascender returns an ascender that has the columns which came with the leading pairs.
func (t *task) ascender() ascender {
	if t.s.held != nil {
		return t.s.held
	}
	return ascenderOf(t.a)
}

// climbs are runs of IPU from one start after another.
type climbs struct {
	t    *task
	at   ascender
	keep bool // the scores of the best run's last step, until its release

	foretell bool // what follows the steps, where that is cheap

	done  int
	best  *run
	ended bool // by the context
}

// from adds a run from each start. The error is nil where there is a best run and
// ctx has ended.
func (c *climbs) from(ctx context.Context, begin []start) error {
	first := c.done
	c.done += len(begin)
	cut, err := starts.Each(ctx, first, c.done, func() bool { return c.best != nil }, func(i int) error {
		return c.run(ctx, i, begin[i-first])
	})
	if cut {
		c.best.status, c.ended = EndOf(ctx), true
	}
	return err
}

// run adds the run from one start.
func (c *climbs) run(ctx context.Context, i int, begin start) error {
	t, p := c.t, &c.t.p
	r := newRun(t.a, c.at, t.c, t.m, IPUParams{MaxIterations: p.MaxIterations, Epsilon: p.Epsilon})
	if all := c.done; p.Progress != nil {
		r.p.Step = func(step int, objective float64) {
			t.report(Progress{Stage: StageIPU, Start: i, Starts: all, Iteration: step, Objective: objective})
		}
	}
	if r.keep = c.keep; c.foretell {
		r.foretell = t.foretell
	}
	err := begin(ctx, r, t.s)
	if err == nil {
		err = r.climb(ctx)
	}
	if err == nil && (c.best == nil || r.best.gains(c.best.best)) {
		c.best, r = r, c.best
	}
	if r != nil {
		r.release()
	}
	return err
}

// spaceStarts places a run at each of the subspaces.
func spaceStarts(spaces []*mat.Dense) []start {
	return lists.Map(spaces, func(w *mat.Dense) start {
		return func(_ context.Context, r *run, _ *spectrum) error {
			r.w0 = w
			return nil
		}
	})
}

// warmed returns the better of a run and of what the supports of p.Warm lead to: by
// IPU, then by improve, if that is not nil. The run is the result without them, so
// they never make it worse. After the end of ctx they are taken as they are.
func (t *task) warmed(ctx context.Context, cold *run, improve func(warm *run) error) (*run, error) {
	if len(t.p.Warm) == 0 {
		return cold, nil
	}
	starts := lists.Map(t.supportStarts(t.warmSupports()), func(begin start) start {
		return func(_ context.Context, r *run, s *spectrum) error { return begin(context.WithoutCancel(ctx), r, s) }
	})
	c := climbs{t: t, at: cold.at, keep: t.p.Effort.quick()}
	if err := c.from(ctx, starts); err != nil {
		return cold, err
	}
	if warm := c.best; improve != nil && ctx.Err() == nil && !slices.Equal(warm.best.support, cold.best.support) {
		if err := improve(warm); err != nil {
			if _, err = warm.ended(ctx, err); err != nil {
				return cold, err
			}
		}
	}
	better, worse := cold, c.best
	if worse.best.gains(cold.best) {
		better, worse = worse, better
	}
	worse.release()
	if ctx.Err() != nil {
		better.status = EndOf(ctx)
	}
	return better, nil
}

// warmSupports returns the supports of p.Warm made to fit k.
func (t *task) warmSupports() [][]int {
	scores := t.s.lowRankScores(t.m, t.p.Epsilon)
	return lists.Map(t.p.Warm, func(support []int) []int {
		support = slices.DeleteFunc(distinct(slices.Concat(support, t.c.must)), t.c.banned)
		if len(support) > t.c.k {
			return t.c.trim(support, lists.At(scores, support))
		}
		return t.c.fill(support, scores)
	})
}

// supportStarts places a run at each of the supports.
func (t *task) supportStarts(supports [][]int) []start {
	return lists.Map(supports, func(support []int) start {
		return func(ctx context.Context, r *run, _ *spectrum) error { return r.startOn(ctx, support, nil) }
	})
}

// starts returns what places a run at each of its starts.
func (p *Params) starts() []start {
	var starts []start
	switch {
	case p.W0 != nil:
		starts = append(starts, p.given)
	case p.Start != StartRandom:
		starts = append(starts, func(ctx context.Context, r *run, s *spectrum) error {
			support := s.lowRankSupport(r.c, r.m, p.Epsilon)
			return r.startOn(ctx, support, s.near(support, r.m))
		})
	}
	return append(starts, p.randomStarts()...)
}

// given places a run at W0.
func (p *Params) given(ctx context.Context, r *run, _ *spectrum) error { return r.start(ctx, p.W0) }

// randomStarts places a run at each random start.
func (p *Params) randomStarts() []start {
	return lists.Make(p.RandomStarts(), func(i int) start {
		return func(_ context.Context, r *run, _ *spectrum) error {
			r.w0 = subspace.Random(r.a.Order(), r.m, p.Seed, uint64(i))
			return nil
		}
	})
}
