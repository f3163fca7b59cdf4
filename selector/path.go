package selector

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/sjwhitworth/golearn/base"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/param"
	"github.com/fspca/fspca/solver"
)

// Points says for which k a path has models.
type Points struct {
	// Features are the numbers k, in any order, each once.
	Features []int

	// Target, if not 0, is the share of dense PCA's variance, at most 1, at which the path ends. Its
	// last model is that of the smallest k found that keeps the share; the others are smaller k that
	// were tried.
	Target float64

	// Max, if not 0, is the largest k. With Target it limits the search. Alone it is the end of
	// a path over every k from m (or the number of columns that must be chosen).
	Max int
}

// check returns an error unless the points say one thing.
func (p Points) check() error {
	switch {
	case len(p.Features) > 0 && (p.Target != 0 || p.Max != 0):
		return errors.New("fspca: a path has a list of k, or a target or a largest k: give one of them")
	case len(p.Features) == 0 && p.Target == 0 && p.Max == 0:
		return errors.New("fspca: a path needs a list of k, a target or a largest k")
	}
	return ours(errors.Join(param.AtLeast("Max", "the largest k", p.Max, 1, "no limit"), param.Target("Target", "the target", p.Target, "dense PCA's variance")))
}

// largest returns the largest k, 0 where it is yet to be found.
func (p Points) largest() int { return max(p.Max, slices.Max(append([]int{0}, p.Features...))) }

// Path chooses columns for one k after another and returns a model for each, in ascending k. Each k also
// starts from the choices of its neighbours, so the objective never falls as k grows. All models have the
// same m; ComponentsTarget or ParallelAnalysis finds it first. Only the methods "ipu" and "go" have a path.
// Options.Features, FeaturesTarget, Bootstrap, Ledger and Reconstruction are not read. If ctx or the deadline
// ends after some k, their models are returned without an error; the last has the status solver.Deadline or
// solver.Cancelled.
func (s *FSPCA) Path(ctx context.Context, grid base.FixedDataGrid, points Points) ([]*Model, error) {
	return s.path(ctx, points, func(s *FSPCA) (*table, error) { return s.openGrid(grid) })
}

// PathCovariance is Path for the variables of a covariance matrix; see FitCovariance.
func (s *FSPCA) PathCovariance(ctx context.Context, a mat.Symmetric, names []string, points Points) ([]*Model, error) {
	return s.path(ctx, points, func(s *FSPCA) (*table, error) { return s.openCovariance(a, names) })
}

// PathSparse is Path for sparse rows; see FitSparse.
func (s *FSPCA) PathSparse(ctx context.Context, rows *dataset.Sparse, points Points) ([]*Model, error) {
	return s.path(ctx, points, func(s *FSPCA) (*table, error) { return s.openSparse(rows) })
}

func (s *FSPCA) path(ctx context.Context, points Points, open func(*FSPCA) (*table, error)) ([]*Model, error) {
	of := New(s.Options)
	of.Features, of.FeaturesTarget, of.Bootstrap, of.Ledger, of.Reconstruction, of.Decoder, of.Ridge = 0, 1, 0, false, false, false, 0 // k is what the points say
	if err := errors.Join(of.Options.check(), points.check()); err != nil {
		return nil, err
	}
	ctx, cancel := of.limit(ctx)
	defer cancel()
	t, err := open(of)
	if err != nil {
		return nil, err
	}
	o, err := of.Options.sized(ctx, t)
	if err != nil {
		return nil, late(err)
	}
	params, err := o.params(t.names)
	if err != nil {
		return nil, err
	}
	solutions, err := o.walk(ctx, t, params, points)
	if err != nil && (ctx.Err() == nil || len(solutions) == 0) {
		return nil, late(inColumns(err, t.names))
	}
	o.FeaturesTarget = points.Target
	return o.models(ctx, t, solutions)
}

// models makes a model of each solution.
func (o Options) models(ctx context.Context, t *table, solutions []*solver.Solution) ([]*Model, error) {
	var models []*Model
	for _, solution := range solutions {
		m, err := o.model(ctx, t, solution)
		if err != nil {
			return nil, err
		}
		m.prepare()
		models = append(models, m)
	}
	return models, nil
}

// walk returns the solutions at the points.
func (o Options) walk(ctx context.Context, t *table, p solver.Params, points Points) ([]*solver.Solution, error) {
	if points.Target != 0 {
		k, all, err := o.solveTarget(ctx, t.a, p, points.Target, points.Max)
		if err == nil {
			all = slices.DeleteFunc(all, func(s *solver.Solution) bool { return len(s.Support) > k })
		}
		return all, err
	}
	sizes := points.Features
	if len(sizes) == 0 {
		first := max(p.Components, len(p.Include))
		if points.Max < first {
			return nil, fmt.Errorf("the largest k is %d, and the smallest is %d (m = %d components, %d columns to include)", points.Max, first, p.Components, len(p.Include))
		}
		for k := first; k <= min(points.Max, len(t.names)+1); k++ { // one too many is refused below
			sizes = append(sizes, k)
		}
	}
	return o.solvePath(ctx, t.a, p, sizes)
}
