package selector

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/fspca/fspca/solver"
	"github.com/fspca/fspca/solver/baseline"
	"github.com/fspca/fspca/solver/reconstruction"
)

// The values of Options.Criterion.
const (
	CriterionVariance       = "variance"       // the variance of m components on k columns: Feature Sparse PCA
	CriterionReconstruction = "reconstruction" // what m combinations of k columns tell of all columns
)

// reconstructs reports whether the criterion is what a choice tells of all columns.
func (o Options) reconstructs() bool { return o.Criterion == CriterionReconstruction }

// criterion returns the criterion by its name.
func (o Options) criterion() string {
	if o.Criterion == "" {
		return CriterionVariance
	}
	return o.Criterion
}

// checkCriterion returns what does not go with the criterion and with limits.
func (o Options) checkCriterion() error {
	var problems []error
	bad := func(format string, args ...any) { problems = append(problems, fmt.Errorf("fspca: "+format, args...)) }
	switch o.criterion() {
	case CriterionVariance:
	case CriterionReconstruction:
		if o.Method != "" && o.Method != string(solver.MethodIPU) {
			bad("the criterion %q has an algorithm of its own: leave the method out, not %q", o.Criterion, o.Method)
		}
		if o.Init != "" && o.Init != string(solver.StartGo) {
			bad("the criterion %q has starts of its own: leave init out", o.Criterion)
		}
		if o.SDPIterations != 0 {
			bad("the criterion %q has bounds of its own: leave sdp_iterations out", o.Criterion)
		}
		if o.Epsilon != 0 {
			bad("epsilon makes the paper's results again: leave it 0 with the criterion %q", o.Criterion)
		}
	default:
		bad("unknown criterion %q: want %q or %q", o.Criterion, CriterionVariance, CriterionReconstruction)
	}
	if o.WarmStart != nil && o.Method != "" && o.Method != string(solver.MethodIPU) {
		bad("method %q has no start from an older model: leave that out, or use %q", o.Method, solver.MethodIPU)
	}
	if !(o.Ridge >= 0) || math.IsInf(o.Ridge, 0) {
		bad("the ridge is %v: want a finite number, 0 or more", o.Ridge)
	}
	if o.Ridge != 0 && !o.Decoder {
		bad("a ridge is for the decoder: ask for that too")
	}
	if r := o.MaxCorrelation; r != 0 && !(r > 0 && r < 1) {
		bad("max_correlation is %v: want a number above 0 and below 1, or 0 for no limit", r)
	}
	for _, p := range slices.Sorted(maps.Keys(o.Groups)) {
		if o.Groups[p] < 0 {
			bad("groups permit %d columns of %q: want 0 or more", o.Groups[p], p)
		}
	}
	if (o.MaxCorrelation != 0 || len(o.Groups) > 0 || o.Cost != nil) && o.Method != "" && o.Method != string(solver.MethodIPU) {
		bad("method %q knows no max_correlation, no groups and no cost: leave them out, or use %q", o.Method, solver.MethodIPU)
	}
	return errors.Join(problems...)
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
	costs, err := o.costs(names)
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

// rebuilding returns the parameters of the criterion reconstruction.
func rebuilding(p solver.Params) reconstruction.Params {
	return reconstruction.Params{
		Features: p.Features, Components: p.Components, Effort: p.Effort, Include: p.Include, Exclude: p.Exclude,
		Limits: p.Limits, Starts: p.Warm, Restarts: p.Restarts, Seed: p.Seed, MemoryLimit: p.MemoryLimit, Progress: p.Progress,
	}
}
