package solver

import (
	"context"
	"fmt"
)

// Solve finds a support of k columns and an m-dimensional subspace on it, by
// the method and start that p names. Where Go is provably optimal (see Go)
// it is used whatever the method, and the status is Proved.
//
// All that is wrong with p comes back in one error. If ctx ends once a
// feasible point is known, the best so far is returned with the status
// Deadline or Cancelled; before that, the context's error.
func Solve(ctx context.Context, a Covariance, p Params) (*Solution, error) {
	d, k, m := a.Order(), p.Features, p.Components
	if err := p.check(d); err != nil {
		return nil, err
	}
	s, err := readSpectrum(ctx, a, k, m)
	if err != nil {
		return nil, err
	}
	if optimalByDiagonal(s, k, m, d) {
		return solveExactly(ctx, a, s, k, m)
	}
	if p.Method == MethodGo {
		return selectOnce(ctx, a, s, k, m, s.lowRankScores(m, p.Epsilon))
	}
	best, err := climbFromAll(ctx, a, s, p)
	if err != nil {
		return nil, err
	}
	return newSolution(a, s, best.best, best.trace, best.iterations, best.status), nil
}

// climbFromAll runs IPU from every start of p and returns the best run, the
// earliest of equals.
func climbFromAll(ctx context.Context, a Covariance, s *spectrum, p Params) (*run, error) {
	starts := p.starts()
	at := ascenderOf(a)
	var best *run
	for i, begin := range starts {
		r := newRun(a, at, p.Features, p.Components, IPUParams{MaxIterations: p.MaxIterations, Epsilon: p.Epsilon})
		if p.Progress != nil {
			r.p.Step = func(step int, objective float64) {
				p.Progress(Progress{Start: i, Starts: len(starts), Iteration: step, Objective: objective})
			}
		}
		err := begin(ctx, r, s)
		if err == nil {
			err = r.climb(ctx)
		}
		if err != nil {
			if best == nil || ctx.Err() == nil {
				return nil, fmt.Errorf("start %d of %d: %w", i+1, len(starts), err)
			}
			best.status = endOf(ctx)
			return best, nil
		}
		if best == nil || r.best.objective > best.best.objective {
			best = r
		}
		if ctx.Err() != nil && i < len(starts)-1 {
			best.status = endOf(ctx)
			return best, nil
		}
	}
	return best, nil
}

// starts returns what places a run at each of its starts.
func (p *Params) starts() []func(context.Context, *run, *spectrum) error {
	var starts []func(context.Context, *run, *spectrum) error
	restarts := p.Restarts
	switch {
	case p.W0 != nil:
		starts = append(starts, func(ctx context.Context, r *run, _ *spectrum) error { return r.start(ctx, p.W0) })
	case p.Start == StartRandom:
		if restarts == 0 {
			restarts = DefaultRestarts
		}
	default:
		starts = append(starts, func(ctx context.Context, r *run, s *spectrum) error {
			e, err := r.at.embed(ctx, topK(s.lowRankScores(r.m, p.Epsilon), r.k), r.m, nil)
			if err != nil {
				return err
			}
			r.startAt(e)
			return nil
		})
	}
	for i := range restarts {
		starts = append(starts, func(_ context.Context, r *run, _ *spectrum) error {
			r.w0 = randomSubspace(r.a.Order(), r.m, p.Seed, uint64(i))
			return nil
		})
	}
	return starts
}
