package solver

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/param"
)

// Limits say which columns may be chosen together. The zero value permits
// everything.
type Limits struct {
	// MaxCorrelation, if not 0, is the largest |r_ij| that two chosen columns
	// may have, above 0 and below 1.
	MaxCorrelation float64

	// Groups limit how many columns of a set are chosen.
	Groups []Group

	// Cost, if not nil, holds a cost of 0 or more for each of the d columns. The
	// chosen columns together cost at most Budget. Features is then the largest
	// number of columns, not the exact number.
	Cost   []float64
	Budget float64

	// Unmeasured lists columns that may not be chosen. Unlike those of Exclude,
	// they count among the columns to be reconstructed, and in LeadingVariance and
	// TotalVariance. Solve, Path and FeaturesForTarget choose, and bound, as if they
	// were excluded: the objective does not depend on them.
	Unmeasured []int
}

// Group is a set of columns. At most Most of them are chosen.
type Group struct {
	Columns []int
	Most    int
}

// Together reports whether the limits forbid combinations of columns, and not
// just single ones.
func (l *Limits) Together() bool {
	return l.MaxCorrelation != 0 || len(l.Groups) > 0 || l.Cost != nil
}

// Check returns all that is wrong with the limits for order d.
func (l *Limits) Check(d int) error {
	var errs []error
	bad := func(field string, got any, want, problem string, args ...any) {
		errs = append(errs, param.New(field, got, want, problem, args...))
	}
	inside := func(what string, columns []int) {
		for _, j := range columns {
			errs = append(errs, param.Index("Limits", what, j, d))
		}
	}
	errs = append(errs, param.Correlation("Limits.MaxCorrelation", "the largest correlation", l.MaxCorrelation))
	for i, g := range l.Groups {
		inside(fmt.Sprintf("group %d", i+1), g.Columns)
		if g.Most < 0 {
			bad("Limits.Groups", g.Most, "0 or more", "group %d permits %d columns", i+1, g.Most)
		}
	}
	inside("unmeasured", l.Unmeasured)
	if l.Cost == nil {
		if l.Budget != 0 {
			bad("Limits.Budget", l.Budget, "a cost for each column", "the budget is %v but there are no costs", l.Budget)
		}
		return errors.Join(errs...)
	}
	if len(l.Cost) != d {
		bad("Limits.Cost", len(l.Cost), "one for each", "there are %d costs for %d columns", len(l.Cost), d)
	}
	for j, c := range l.Cost {
		if !(c >= 0) || math.IsInf(c, 0) {
			bad("Limits.Cost", c, "a finite number, 0 or more", "the cost of column %d (counted from 0) is %v", j, c)
		}
	}
	return errors.Join(append(errs, param.Budget("Limits.Budget", l.Budget))...)
}

// Binding returns the limits without those that forbid no choice of at most k of the candidates, which are all
// columns that may be chosen. A budget that pays for any k of them goes only where no other limit is left: with
// a budget a choice may have fewer columns, without one it has k.
func (l Limits) Binding(candidates []int, k int) Limits {
	if len(l.Groups) == 0 && l.Cost == nil {
		return l // at no cost: every fit asks
	}
	may := lists.Set(candidates)
	l.Groups = lists.Where(l.Groups, func(g Group) bool {
		return g.Most < min(k, lists.Count(lists.Distinct(g.Columns), func(j int) bool { return may[j] }))
	})
	if l.Cost == nil || l.MaxCorrelation != 0 || len(l.Groups) > 0 {
		return l
	}
	costs := lists.At(l.Cost, candidates)
	slices.Sort(costs)
	if !l.overspent(lists.Sum(costs[max(0, len(costs)-k):])) {
		l.Cost, l.Budget = nil, 0
	}
	return l
}

// within returns what the limits mean for the columns in index, ascending.
func (l Limits) within(index []int) Limits {
	l.Groups = lists.Map(l.Groups, func(g Group) Group { return Group{found(index, g.Columns), g.Most} })
	l.Unmeasured, l.Cost = found(index, l.Unmeasured), lists.Pick(l.Cost, index)
	return l
}

// Most returns how many of the candidates the budget affords beside the chosen
// columns, at most k. It panics if a column has no cost.
func (l *Limits) Most(chosen, candidates []int, k int) int {
	if l.Cost == nil || k == 0 {
		return k
	}
	spent := lists.Sum(lists.At(l.Cost, chosen))
	costs := lists.At(l.Cost, candidates)
	slices.Sort(costs)
	for n, c := range costs {
		if spent += c; n == k || l.overspent(spent) {
			return n
		}
	}
	return min(k, len(costs))
}

// overspent reports whether the budget does not pay for columns that cost so much. The sum may be infinite.
func (l *Limits) overspent(spent float64) bool {
	return spent-l.Budget > correlationSlack*l.Budget
}
