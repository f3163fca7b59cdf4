package solver

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/kernel"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/param"
	"github.com/fspca/fspca/internal/subspace"
)

// ComponentsForTarget returns the smallest m for which the m leading
// eigenvalues of A make up the given share of Tr(A), 0 < share ≤ 1. This is the
// m of dense PCA; it does not depend on k.
func ComponentsForTarget(ctx context.Context, a Covariance, share float64) (int, error) {
	if err := param.Share("Target", "the target", share, "the total variance"); err != nil {
		return 0, err
	}
	d := subspace.Order(a)
	if err := param.Sizes(1, 1, d); err != nil {
		return 0, err
	}
	total := trace(a)
	for r := min(16, d); ; r = min(2*r, d) {
		values, _, err := a.Leading(ctx, r)
		if err != nil {
			return 0, err
		}
		var sum float64
		for i, v := range values {
			if sum += v; sum >= share*total*(1-targetTolerance) {
				return i + 1, nil
			}
		}
		if r == d { // nothing but rounding is missing
			return d, nil
		}
	}
}

// ParallelParams are the parameters of ParallelAnalysis. The zero value is
// usable.
type ParallelParams struct {
	Replicates    int     // permuted data sets; 0 means 50
	Quantile      float64 // of their eigenvalues, below 1; 0 means 0.95
	Seed          uint64  // of the permutations
	MaxComponents int     // 0 means 20; never more than min(n−1, d)
	Exclude       []int   // columns that are left out

	Progress func(replicate, replicates int) // called after each when not nil
}

// ParallelResult is the result of ParallelAnalysis.
type ParallelResult struct {
	Components int       // the number of components, at least 1
	Observed   []float64 // the leading eigenvalues of the data's covariance
	Threshold  []float64 // the quantile of each over the permuted data
}

// ParallelAnalysis is Horn's method for the number of components. It permutes
// each column by itself, so that only chance correlates them, and repeats that.
// A leading eigenvalue of A counts if it exceeds the Quantile of the same
// eigenvalue of the permuted data. The first that does not ends the count; the
// result is at least 1. It takes three copies of x (24·n·d bytes).
//
// With 64 to 448 columns and at least 18 permutations, two permuted copies of each
// column are made. Each permuted table takes one of them for each column, in each of
// eight pieces of the rows. Its distribution is the same, and it takes a tenth of the
// time. Two such tables share a quarter of their products.
//
// Reference: J. L. Horn, A rationale and test for the number of factors in
// factor analysis, Psychometrika 30 (1965).
func ParallelAnalysis(ctx context.Context, x *mat.Dense, opt DataOptions, p ParallelParams) (*ParallelResult, error) {
	if err := p.fill(); err != nil {
		return nil, err
	}
	x, opt, err := leaveOut(x, opt, p.Exclude)
	if err != nil {
		return nil, err
	}
	a, err := NewData(x, opt)
	if err != nil {
		return nil, err
	}
	from, err := unweighted(a, x, opt)
	if err != nil {
		return nil, err
	}
	r := min(p.MaxComponents, from.d, from.n-1)
	observed, _, err := a.Leading(ctx, r)
	if err != nil {
		return nil, err
	}
	chance, err := p.permuted(ctx, from, r)
	if err != nil {
		return nil, err
	}
	threshold := lists.Map(chance, func(values []float64) float64 {
		slices.Sort(values)
		return values[int(math.Ceil(p.Quantile*float64(len(values))))-1]
	})
	above := 0
	for above < r && observed[above] > threshold[above] {
		above++
	}
	return &ParallelResult{Components: max(1, above), Observed: observed, Threshold: threshold}, nil
}

// permuted returns, for each of the r leading eigenvalues, its values for the permuted data.
func (p ParallelParams) permuted(ctx context.Context, from *Data, r int) ([][]float64, error) {
	chance := make([][]float64, r)
	permuted := newPermutation(from, p.Seed, p.Replicates)
	for b := range p.Replicates {
		values, err := permuted.leading(ctx, uint64(b), r)
		if err != nil {
			return nil, fmt.Errorf("permutation %d of %d: %w", b+1, p.Replicates, err)
		}
		for i, v := range values {
			chance[i] = append(chance[i], v)
		}
		if p.Progress != nil {
			p.Progress(b+1, p.Replicates)
		}
	}
	return chance, nil
}

// unweighted returns a, of the rows x, without weights: each row as often as it counts. Columns are permuted
// by themselves, so a cell has no weight of its own.
func unweighted(a *Data, x *mat.Dense, opt DataOptions) (*Data, error) {
	if opt.Weights == nil {
		return a, nil
	}
	x, err := expanded(x, opt.Weights)
	if err != nil {
		return nil, err
	}
	opt.Weights = nil
	return NewData(x, opt)
}

// leaveOut returns the rows without some columns, copied where there are any.
func leaveOut(x *mat.Dense, opt DataOptions, exclude []int) (*mat.Dense, DataOptions, error) {
	if x == nil || x.IsEmpty() {
		return nil, opt, errNoColumn
	}
	n, d := x.Dims()
	if _, err := newChoice(d, 1, nil, exclude); err != nil {
		return nil, opt, err
	}
	index := rest(d, exclude)
	if index == nil {
		return x, opt, nil
	}
	left := mat.NewDense(n, len(index), nil)
	kernel.Gather(kernel.Matrix(left.RawMatrix()), kernel.View{X: kernel.Matrix(x.RawMatrix()), Columns: index})
	if opt.Scale != nil {
		if len(opt.Scale) != d {
			return nil, opt, fmt.Errorf("scale has %d entries for %d columns", len(opt.Scale), d)
		}
		opt.Scale = lists.At(opt.Scale, index)
	}
	return left, opt, nil
}

// fill checks the parameters and replaces zeros by the defaults.
func (p *ParallelParams) fill() error {
	errs := []error{
		param.AtLeast("Replicates", "replicates", p.Replicates, 1, "50"),
		param.AtLeast("MaxComponents", "max components", p.MaxComponents, 1, "20"),
	}
	if !(p.Quantile >= 0 && p.Quantile < 1) {
		errs = append(errs, param.New("Quantile", p.Quantile, "a number above 0 and below 1, or 0 for 0.95", "quantile is %v", p.Quantile))
	}
	p.Replicates, p.Quantile, p.MaxComponents = cmp.Or(p.Replicates, 50), cmp.Or(p.Quantile, 0.95), cmp.Or(p.MaxComponents, 20)
	return errors.Join(errs...)
}
