package selector

import (
	"context"
	"errors"
	"fmt"

	"github.com/fspca/fspca/solver"
)

// sized returns the options with the number of components that they ask to be found, and a clear
// error where it does not fit k.
func (o Options) sized(ctx context.Context, t *table) (Options, error) {
	if o.ComponentsTarget == 0 && !o.ParallelAnalysis {
		return o, nil
	}
	_, exclude, err := o.lists(t.names)
	if err != nil {
		return o, err
	}
	asked := ""
	if o.ComponentsTarget != 0 {
		asked = fmt.Sprintf("%v of the total variance", o.ComponentsTarget)
		var a solver.Covariance
		if a, err = solver.Without(ctx, t.a, exclude); err == nil {
			o.Components, err = solver.ComponentsForTarget(ctx, a, o.ComponentsTarget)
		}
	} else {
		asked = "parallel analysis"
		o.Components, err = o.parallel(ctx, t, exclude)
	}
	if err != nil {
		return o, fmt.Errorf("fspca: components: %w", err)
	}
	if o.FeaturesTarget == 0 && o.Features != 0 && o.Components > o.Features {
		return o, fmt.Errorf("fspca: %s asks for m = %d components, more than features k = %d: raise k, or give m a number of at most k", asked, o.Components, o.Features)
	}
	return o, nil
}

// parallel returns Horn's number of components, and keeps the scree that it comes from in t.
func (o Options) parallel(ctx context.Context, t *table, exclude []int) (int, error) {
	if t.x == nil {
		return 0, errors.New("parallel analysis needs rows with every cell stored: give the number of components")
	}
	p := solver.ParallelParams{Seed: o.Seed, Exclude: exclude}
	if o.Progress != nil {
		p.Progress = func(done, of int) {
			o.Progress(solver.Progress{Stage: StageParallel, Start: done - 1, Starts: of})
		}
	}
	r, err := solver.ParallelAnalysis(ctx, t.x, t.opt, p)
	if err != nil {
		return 0, err
	}
	t.scree = newScree(r)
	return r.Components, nil
}

// StageParallel is the stage of progress during parallel analysis; Start, of Starts, is the shuffled table.
const StageParallel solver.Stage = "parallel analysis"

// choose returns the model of the best choice that is found.
func (s *FSPCA) choose(ctx context.Context, t *table) (*Model, error) {
	o, err := s.Options.sized(ctx, t)
	if err != nil {
		return nil, late(err)
	}
	params, err := o.params(t.names)
	if err != nil {
		return nil, err
	}
	var solution *solver.Solution
	if o.FeaturesTarget != 0 {
		if solution, err = o.reach(ctx, t.a, params); errors.Is(err, context.DeadlineExceeded) {
			return nil, fmt.Errorf("fspca: the deadline passed before a k was found that keeps the target: give it more time, or less effort: %w", context.DeadlineExceeded)
		}
	} else {
		solution, err = o.solve(ctx, t.a, params)
	}
	if err != nil {
		return nil, late(inColumns(err, t.names))
	}
	return o.model(ctx, t, solution)
}

// late says what a deadline that came too early means.
func late(err error) error {
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("fspca: the deadline passed before a first choice was known: give it more time: %w", context.DeadlineExceeded)
	}
	return err
}

// reach returns the solution for the smallest k that keeps the share. Where ctx ends while smaller k
// are tried, it is the smallest that is known to.
func (o Options) reach(ctx context.Context, a solver.Covariance, p solver.Params) (*solver.Solution, error) {
	share := o.FeaturesTarget
	k, path, err := o.solveTarget(ctx, a, p, share, 0)
	for _, solution := range path {
		keeps := solution.Objective >= share*solution.LeadingVariance*(1-1e-10)
		switch {
		case err == nil && len(solution.Support) == k:
			return solution, nil
		case err != nil && ctx.Err() != nil && keeps:
			solution.Status = solver.EndOf(ctx)
			return solution, nil
		}
	}
	return nil, err
}
