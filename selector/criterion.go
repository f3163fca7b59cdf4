package selector

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/fspca/fspca/solver"
	"github.com/fspca/fspca/solver/baseline"
	"github.com/fspca/fspca/solver/reconstruction"
)

// The values of Options.Criterion.
const (
	CriterionVariance       = "variance"       // the variance of m components on k columns: Feature Sparse PCA
	CriterionReconstruction = "reconstruction" // how well m combinations of k columns predict all columns
)

// reconstructs reports whether the criterion is what a choice tells of all columns.
func (o Options) reconstructs() bool { return o.Criterion == CriterionReconstruction }

// criterion returns the criterion by its name.
func (o Options) criterion() string {
	return cmp.Or(o.Criterion, CriterionVariance)
}

// limits returns what may stand together among columns of these names.
func (o Options) limits(names []string) (solver.Limits, error) {
	l := solver.Limits{MaxCorrelation: o.MaxCorrelation}
	var problems []error
	for _, p := range slices.Sorted(maps.Keys(o.Groups)) {
		l.Groups = append(l.Groups, solver.Group{Columns: find("groups", []string{p}, names, &problems), Most: o.Groups[p]})
	}
	if len(o.Unmeasured) > 0 {
		l.Unmeasured = find("unmeasured", o.Unmeasured, names, &problems)
	}
	costs, err := o.Costs(names)
	if l.Cost = costs; costs != nil {
		l.Budget = o.Cost.Budget
	}
	return l, errors.Join(append(problems, err)...)
}

// solve chooses columns by the criterion.
func (o Options) solve(ctx context.Context, a solver.Covariance, p solver.Params) (*solver.Solution, error) {
	if o.reconstructs() {
		return reconstruction.Solve(ctx, a, rebuilding(p))
	}
	return baseline.Solve(ctx, a, p)
}

// solvePath chooses columns for one k after another.
func (o Options) solvePath(ctx context.Context, a solver.Covariance, p solver.Params, sizes []int) ([]*solver.Solution, error) {
	if o.reconstructs() {
		return reconstruction.Path(ctx, a, rebuilding(p), sizes)
	}
	return solver.Path(ctx, a, p, sizes)
}

// solveTarget finds k for a share of what dense PCA explains.
func (o Options) solveTarget(ctx context.Context, a solver.Covariance, p solver.Params, share float64, most int) (int, []*solver.Solution, error) {
	if o.reconstructs() {
		return reconstruction.FeaturesForTarget(ctx, a, rebuilding(p), share, most)
	}
	return solver.FeaturesForTarget(ctx, a, p, share, most)
}
