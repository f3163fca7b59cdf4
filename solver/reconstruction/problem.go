package reconstruction

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/param"
	"github.com/fspca/fspca/internal/subspace"
	"github.com/fspca/fspca/solver"
)

// Params states the problem and how to solve it. The zero value of every
// field but Features and Components is usable.
type Params struct {
	Features   int // k, the number of columns to choose; m ≤ k ≤ d
	Components int // m, the rank of the reconstruction; at least 1

	// Effort is "", solver.EffortQuick or solver.EffortIPU for the default search,
	// EffortThorough or EffortExact.
	Effort solver.Effort

	// Include lists columns (0 ≤ index < d) that every support must have. Exclude
	// lists columns that are left out of A: neither chosen nor reconstructed.
	Include, Exclude []int

	Limits solver.Limits // what may stand together, and what may not be chosen

	Starts   [][]int // supports to start from as well; the result is never worse than without them
	Restarts int     // random starts; 0 means what the effort has
	Seed     uint64  // of the random starts

	// MemoryLimit bounds the bytes that the subproblems of EffortExact take; 0
	// means solver.DefaultMemoryLimit.
	MemoryLimit int64

	Progress func(solver.Progress) // called after each start or batch of nodes when not nil
}

// check returns all that is wrong with the parameters for order d.
func (p *Params) check(d int) error {
	k := p.Features
	if p.Limits.Cost != nil && k == 0 {
		k = d - len(p.Exclude)
	}
	errs := []error{
		param.Sizes(k, p.Components, d), p.Effort.Check(), p.Limits.Check(d),
		param.AtLeast("Restarts", "restarts", p.Restarts, 0, ""), param.Draws("Restarts", "restarts", p.Restarts),
		param.AtLeast("MemoryLimit", "memory limit in bytes", p.MemoryLimit, 1, strconv.Itoa(solver.DefaultMemoryLimit)),
	}
	for _, start := range p.Starts {
		for _, j := range start {
			errs = append(errs, param.Index("Starts", "a start", j, d))
		}
	}
	if d > 0 {
		_, err := param.Lists(d, p.Include, p.Exclude)
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// problem is one that has been checked, and what is known of it.
type problem struct {
	p    Params
	op   *operator
	t    *table
	k, m int
	must []int  // ascending
	free []int  // the columns that may be chosen and need not be, ascending
	may  []bool // whether a column is in must or free
	rule *solver.Rule
	rank []int // the free columns, those that explain most alone first

	values  []float64 // leading eigenvalues of the operator, descending
	ceiling float64   // no support is better
	pca     []float64 // sums of the leading eigenvalues as far as they are known
}

// newProblem checks p against the covariance.
func newProblem(ctx context.Context, a solver.Covariance, p Params) (*problem, error) {
	d := subspace.Order(a)
	if err := p.check(d); err != nil {
		return nil, err
	}
	r := &problem{p: p, m: p.Components, k: p.Features}
	if err := r.sort(d); err != nil {
		return nil, err
	}
	var err error
	if r.op, err = newOperator(solver.Explicit(a), p.Exclude); err != nil {
		return nil, err
	}
	if err := r.op.square(ctx); err != nil {
		return nil, err
	}
	r.t = &table{op: r.op, rows: map[int]*column{}}
	r.rule = solver.NewRule(r.p.Limits, r.op.diag, func(ctx context.Context, j int) ([]float64, error) {
		err := r.t.fetch(ctx, []int{j})
		if err != nil {
			return nil, err
		}
		return r.t.rows[j].once, nil
	})
	if ok, err := r.rule.Permits(ctx, r.must); err != nil {
		return nil, err
	} else if !ok {
		return nil, param.NewColumns("include names", r.must, ", which the limits do not permit together")
	}
	r.rank = slices.Clone(r.free)
	slices.SortStableFunc(r.rank, func(i, j int) int { return compareDown(r.op.alone(i), r.op.alone(j)) })
	return r, nil
}

// sort sorts the columns into those that must, may and may not be chosen.
func (r *problem) sort(d int) error {
	fixed, err := param.Lists(d, r.p.Include, r.p.Exclude)
	if err != nil {
		return err
	}
	var errs []error
	for _, j := range r.p.Limits.Unmeasured {
		if fixed[j] > 0 {
			errs = append(errs, param.Both("Limits", j, "include", "unmeasured"))
		}
		fixed[j] = -1
	}
	candidates := r.divide(fixed)
	if r.p.Limits.Cost != nil && r.k == 0 {
		r.k = len(candidates)
	}
	budget := r.p.Limits.Budget
	r.k = r.p.Limits.Most(nil, candidates, r.k)
	r.p.Limits = r.p.Limits.Binding(candidates, r.k)
	if err := param.Room(r.k, d, len(r.must), len(candidates), "exclude"); err != nil {
		errs = append(errs, err)
	}
	return errors.Join(append(errs, param.Afford(budget, r.k, r.m))...)
}

// divide sorts the columns by their marks: 1 for what must, 0 for what may and −1 for what may not be chosen.
func (r *problem) divide(fixed []int8) (candidates []int) {
	r.must = lists.Places(len(fixed), func(j int) bool { return fixed[j] > 0 })
	r.free = lists.Places(len(fixed), func(j int) bool { return fixed[j] == 0 })
	r.may = lists.Map(fixed, func(mark int8) bool { return mark >= 0 })
	return lists.Marked(r.may)
}

// alone is what a column explains by itself.
func (o *operator) alone(j int) float64 {
	if o.diag[j] == 0 {
		return 0
	}
	return o.squares[j] / o.diag[j]
}

// compareDown orders larger numbers first and those within the tie tolerance
// not at all.
func compareDown(a, b float64) int {
	switch {
	case a > b*(1+subspace.Tie):
		return -1
	case b > a*(1+subspace.Tie):
		return 1
	}
	return 0
}
