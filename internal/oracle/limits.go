package oracle

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Limits are the columns that must be chosen, those that may not, and what may be chosen together.
type Limits struct {
	Include, Exclude []int
	MaxCorrelation   float64   // 0: any
	Cost             []float64 // nil: none
	Budget           float64
	Groups           []Group
}

// Group is a set of columns of which at most Most may be chosen.
type Group struct {
	Columns []int
	Most    int
}

// Permit reports whether a support is within the limits; a is the covariance.
func (l Limits) Permit(a mat.Symmetric, support []int) bool {
	in := func(list []int) int {
		n := 0
		for _, i := range support {
			if slices.Contains(list, i) {
				n++
			}
		}
		return n
	}
	if in(l.Include) < len(l.Include) || in(l.Exclude) > 0 ||
		slices.ContainsFunc(l.Groups, func(g Group) bool { return in(g.Columns) > g.Most }) {
		return false
	}
	var spent float64
	for q, i := range support {
		if l.Cost != nil {
			spent += l.Cost[i]
		}
		for _, j := range support[:q] {
			if l.MaxCorrelation != 0 && math.Abs(a.At(i, j))/math.Sqrt(a.At(i, i)*a.At(j, j)) > l.MaxCorrelation {
				return false
			}
		}
	}
	return l.Cost == nil || spent <= l.Budget
}
