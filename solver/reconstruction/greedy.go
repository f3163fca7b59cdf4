package reconstruction

import (
	"context"
	"slices"

	"github.com/fspca/fspca/solver"
)

// partial is a support under construction.
type partial struct {
	c        *factor
	standing *solver.Standing
}

// begin returns the columns that must be chosen together with those given, as
// many as there is room for.
func (r *problem) begin(ctx context.Context, with []int) (*partial, error) {
	s := &partial{c: newFactor(r.t, r.k), standing: r.rule.Standing()}
	if err := s.c.addAll(ctx, r.must); err != nil {
		return nil, err
	}
	if err := s.standing.Add(ctx, r.must...); err != nil {
		return nil, err
	}
	for _, j := range with {
		if s.standing.Len() == r.k || !r.may[j] || !s.standing.Admits(j) || !s.c.independent(j) {
			continue
		}
		if err := s.take(ctx, j); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// take adds column j.
func (s *partial) take(ctx context.Context, j int) error {
	if err := s.c.add(ctx, j); err != nil {
		return err
	}
	return s.standing.Add(ctx, j)
}

// fill adds the permitted column that gains most, again and again, until there
// are k or none is permitted. With perCost the gain is divided by the cost.
func (r *problem) fill(ctx context.Context, s *partial, perCost bool) error {
	for s.standing.Len() < r.k {
		if err := ctx.Err(); err != nil {
			return err
		}
		best, err := r.foremost(s, perCost)
		if err != nil || best < 0 {
			return err
		}
		if err := s.take(ctx, best); err != nil {
			return err
		}
	}
	return nil
}

// foremost returns the permitted column that gains most, −1 for none. Columns
// that gain nothing come after the others, those that vary first, in the order
// of their indices.
func (r *problem) foremost(s *partial, perCost bool) (int, error) {
	admits := s.standing.Admits
	if n := len(s.c.order); r.m < r.k && n >= r.m && !perCost {
		b, err := newBasis(s.c)
		if err != nil {
			return -1, err
		}
		v, err := b.vantage(nil, nil, r.m)
		if err != nil {
			return -1, err
		}
		w := &addition{v: v, c: s.c, f: s.c.f, g: s.c.g}
		if j, _ := w.best(r.free, admits, 0); j >= 0 {
			return j, nil
		}
		return r.filler(admits), nil
	}
	least, most := make([]float64, len(r.free)), make([]float64, len(r.free))
	for p, j := range r.free {
		gain := s.c.gain(j)
		if gain == 0 || !admits(j) {
			continue
		}
		if perCost {
			gain /= max(r.p.Limits.Cost[j], 1e-300)
		}
		e := s.c.doubt(j, s.c.f[j], s.c.g[j])
		least[p], most[p] = gain*(1-e), gain*(1+e)
	}
	if p := first(least, most); p >= 0 {
		return r.free[p], nil
	}
	return r.filler(admits), nil
}

// filler returns the column that a support takes where none gains.
func (r *problem) filler(admits func(int) bool) int {
	still := -1
	for _, j := range r.free {
		switch {
		case !admits(j):
		case r.op.diag[j] > 0:
			return j
		case still < 0:
			still = j
		}
	}
	return still
}

// candidate is a finished support with its value.
type candidate struct {
	support []int // ascending
	value   float64
}

// finish values a support.
func (s *partial) finish(m int) (candidate, error) {
	value, err := s.c.value(m)
	return candidate{s.standing.Members(), value}, err
}

// better reports whether a is the better candidate: it has the m columns that the other lacks, or
// the greater value.
func (r *problem) better(a, b candidate) bool {
	if b.support == nil {
		return true
	}
	if few := len(a.support) < r.m; few != (len(b.support) < r.m) {
		return !few
	}
	return a.value > b.value*(1+gainTolerance)
}

// build completes the given columns greedily. With costs it also divides gains by them.
func (r *problem) build(ctx context.Context, with []int) (candidate, error) {
	best, err := r.greedy(ctx, with, false)
	if err != nil || r.p.Limits.Cost == nil {
		return best, err
	}
	c, err := r.greedy(ctx, with, true)
	if err == nil && r.better(c, best) {
		best = c
	}
	return best, err
}

// packed looks for as many columns as are needed, whatever they explain, that the limits permit: those of
// with, which they permit, and others of free. It completes them. Whole is false if there may be more than were found.
func (r *problem) packed(ctx context.Context, with, free []int) (c candidate, whole bool, err error) {
	set, whole, err := r.rule.Pack(ctx, with, free, r.needed(), solver.PackingSteps(r.p.Effort))
	if err != nil {
		return c, whole, err
	}
	s, err := r.begin(ctx, nil)
	if err != nil {
		return c, whole, err
	}
	for _, j := range set {
		if _, must := slices.BinarySearch(r.must, j); must {
			continue
		}
		if err := s.take(ctx, j); err != nil {
			return c, whole, err
		}
	}
	if err := r.fill(ctx, s, false); err != nil {
		return c, whole, err
	}
	c, err = s.finish(r.m)
	return c, whole, err
}

// needed is the number of columns that a support must have: k or, with costs, m.
func (r *problem) needed() int {
	if r.p.Limits.Cost != nil {
		return r.m
	}
	return r.k
}

// greedy completes the given columns; with perCost the gains are divided by the costs.
func (r *problem) greedy(ctx context.Context, with []int, perCost bool) (candidate, error) {
	s, err := r.begin(ctx, with)
	if err != nil {
		return candidate{}, err
	}
	if err := r.fill(ctx, s, perCost); err != nil {
		return candidate{}, err
	}
	return s.finish(r.m)
}

// without returns s less the element j.
func without(s []int, j int) []int {
	return slices.DeleteFunc(slices.Clone(s), func(i int) bool { return i == j })
}
