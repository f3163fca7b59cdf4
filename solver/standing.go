package solver

import (
	"context"
	"math"
	"slices"
	"sync"

	"github.com/fspca/fspca/internal/lists"
)

// Rule applies Limits to one covariance. It is safe for concurrent use.
type Rule struct {
	limits Limits
	diag   []float64
	column func(ctx context.Context, j int) ([]float64, error)
	groups [][]int32 // those that each column is in

	mu   sync.Mutex
	near map[int][]int32 // the columns that each asked for may not stand beside
}

// NewRule returns the rule of limits that Check has passed. Column returns
// A_·j, and diag is the diagonal of A; both may be multiplied by a constant. It
// panics if a group has a column that diag lacks.
func NewRule(l Limits, diag []float64, column func(ctx context.Context, j int) ([]float64, error)) *Rule {
	r := &Rule{limits: l, diag: diag, column: column, near: map[int][]int32{}}
	if len(l.Groups) > 0 {
		r.groups = make([][]int32, len(diag))
	}
	for i, g := range l.Groups {
		for _, j := range g.Columns {
			if !slices.Contains(r.groups[j], int32(i)) {
				r.groups[j] = append(r.groups[j], int32(i))
			}
		}
	}
	return r
}

// correlationSlack is what rounding adds to a correlation at its limit, and to the share of a budget that is spent.
const correlationSlack = 1e-12

// conflicts returns the columns whose correlation with column j is above the
// limit.
func (r *Rule) conflicts(ctx context.Context, j int) ([]int32, error) {
	if r.limits.MaxCorrelation == 0 || r.diag[j] <= 0 {
		return nil, nil
	}
	r.mu.Lock()
	known, ok := r.near[j]
	r.mu.Unlock()
	if ok {
		return known, nil
	}
	a, err := r.column(ctx, j)
	if err != nil {
		return nil, err
	}
	var near []int32
	own := math.Sqrt(r.diag[j])
	for i, v := range a {
		if i != j && r.diag[i] > 0 && math.Abs(v)/own/math.Sqrt(r.diag[i]) > r.limits.MaxCorrelation+correlationSlack {
			near = append(near, int32(i))
		}
	}
	r.mu.Lock()
	r.near[j] = near
	r.mu.Unlock()
	return near, nil
}

// Standing is a set of columns under a Rule. Rule.Standing makes it. Its methods
// panic on a zero value, and if a column is out of range.
type Standing struct {
	r       *Rule
	members []bool
	size    int
	near    []int32 // for each column, how many members it may not stand beside
	count   []int   // members of each group
	spent   float64
}

// Standing returns the empty set. It panics on a Rule that NewRule has not made.
func (r *Rule) Standing() *Standing {
	s := &Standing{r: r, members: make([]bool, len(r.diag)), count: make([]int, len(r.limits.Groups))}
	if r.limits.MaxCorrelation != 0 {
		s.near = make([]int32, len(r.diag))
	}
	return s
}

// Add adds columns, permitted or not. It panics if there is no such column.
func (s *Standing) Add(ctx context.Context, columns ...int) error {
	for _, j := range columns {
		if err := s.change(ctx, j, 1); err != nil {
			return err
		}
	}
	return nil
}

// Remove removes member j. It panics if there is no such column.
func (s *Standing) Remove(ctx context.Context, j int) error { return s.change(ctx, j, -1) }

func (s *Standing) change(ctx context.Context, j, by int) error {
	near, err := s.r.conflicts(ctx, j)
	if err != nil {
		return err
	}
	for _, i := range near {
		s.near[i] += int32(by)
	}
	for _, g := range s.groupsOf(j) {
		s.count[g] += by
	}
	s.members[j] = by > 0
	s.size += by
	if s.r.limits.Cost != nil {
		s.spent = 0 // anew, so that it does not depend on the order
		for i, member := range s.members {
			if member {
				s.spent += s.r.limits.Cost[i]
			}
		}
	}
	return nil
}

func (s *Standing) groupsOf(j int) []int32 { return s.r.groupsOf(j) }

// groupsOf returns the groups that column j is in.
func (r *Rule) groupsOf(j int) []int32 {
	if r.groups == nil {
		return nil
	}
	return r.groups[j]
}

// Members returns the members, ascending.
func (s *Standing) Members() []int {
	return lists.Marked(s.members)
}

// Len returns the number of members.
func (s *Standing) Len() int { return s.size }

// Admits reports whether column j may be added: no member may. It panics if
// there is no such column.
func (s *Standing) Admits(j int) bool { return s.AdmitsInstead(-1, j) }

// AdmitsInstead reports whether column j may replace the member out: no member
// may. It panics if there is no such column.
func (s *Standing) AdmitsInstead(out, j int) bool { return !s.members[j] && s.blocked(out, j) == 0 }

// blocked counts the limits that column j would break without member out (−1
// for all members).
func (s *Standing) blocked(out, j int) int {
	broken := 0
	if s.near != nil {
		broken += int(s.near[j])
		if broken > 0 && out >= 0 && slices.Contains(s.r.known(out), int32(j)) {
			broken--
		}
	}
	for _, g := range s.groupsOf(j) {
		n := s.count[g]
		if out >= 0 && slices.Contains(s.groupsOf(out), g) {
			n--
		}
		if n >= s.r.limits.Groups[g].Most {
			broken++
		}
	}
	if cost := s.r.limits.Cost; cost != nil {
		spent := s.spent
		if out >= 0 {
			spent -= cost[out] // first, as the sum of both may be infinite
		}
		if s.r.limits.overspent(spent + cost[j]) {
			broken++
		}
	}
	return broken
}

// known returns the conflicts of a member.
func (r *Rule) known(j int) []int32 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.near[j]
}

// Permits reports whether the columns of support may be chosen together. It
// panics if an index is out of range.
func (r *Rule) Permits(ctx context.Context, support []int) (bool, error) {
	s := r.Standing()
	for _, j := range support {
		if !s.Admits(j) {
			return false, nil
		}
		if err := s.Add(ctx, j); err != nil {
			return false, err
		}
	}
	return true, nil
}
