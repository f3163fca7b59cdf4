package solver

import (
	"math"
	"slices"

	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/param"
	"github.com/fspca/fspca/internal/subspace"
)

// choice says which supports are permitted: k of d indices, with those that
// must be kept and without those that never may be.
type choice struct {
	k     int
	must  []int  // ascending
	never []int  // ascending
	fixed []int8 // length d: +1 must, −1 never, 0 free; nil where all are free
}

// newChoice checks the lists against each other and against k and d. The
// error names every offender. An index may repeat within a list.
func newChoice(d, k int, include, exclude []int) (*choice, error) {
	c := &choice{k: k}
	if len(include) == 0 && len(exclude) == 0 {
		return c, nil
	}
	var err error
	if c.fixed, err = param.Lists(d, include, exclude); err != nil {
		return nil, err
	}
	c.must = lists.Places(d, func(i int) bool { return c.fixed[i] > 0 })
	c.never = lists.Places(d, func(i int) bool { return c.fixed[i] < 0 })
	return c, param.Room(k, d, len(c.must), d-len(c.never), "exclude")
}

// distinct returns the indices in ascending order, each once.
func distinct(indices []int) []int {
	once := slices.Clone(indices)
	slices.Sort(once)
	return slices.Compact(once)
}

// free reports whether index i is neither in must nor in never.
func (c *choice) free(i int) bool { return c.fixed == nil || c.fixed[i] == 0 }

// banned reports whether index i may not be chosen.
func (c *choice) banned(i int) bool { return c.fixed != nil && c.fixed[i] < 0 }

// only reports whether just one support is permitted in d indices.
func (c *choice) only(d int) bool {
	return c.k == d-len(c.never) || c.k == len(c.must)
}

// masked returns the scores with +∞ for must and −∞ for never.
func (c *choice) masked(scores []float64) []float64 {
	if c.fixed == nil {
		return scores
	}
	s := slices.Clone(scores)
	for _, i := range c.must {
		s[i] = math.Inf(1)
	}
	for _, i := range c.never {
		s[i] = math.Inf(-1)
	}
	return s
}

// top returns the permitted support of largest total score, ascending; of
// equal scores the lower index is taken.
func (c *choice) top(scores []float64) []int { return subspace.TopK(c.masked(scores), c.k) }

// topSum returns the largest total score of a permitted support. That of
// top(scores), where scores count as equal within a tolerance, may be a little
// less.
func (c *choice) topSum(scores []float64) float64 {
	if c.fixed == nil {
		return subspace.TopKSum(scores, c.k)
	}
	index := c.candidates(len(scores))
	return diagSum(lists.At(scores, index), len(c.must), c.k)
}

// fill returns support (at most k indices, none of never) with must added, and then
// the indices of largest score until there are k. The caller sees to it that must
// fits.
func (c *choice) fill(support []int, scores []float64) []int {
	raised := slices.Clone(c.masked(scores))
	for _, i := range support {
		raised[i] = math.Inf(1)
	}
	return subspace.TopK(raised, c.k)
}

// trim returns the k indices of support with the largest scores (given per
// member of support), must always among them.
func (c *choice) trim(support []int, scores []float64) []int {
	raised := slices.Clone(scores)
	for p, i := range support {
		if c.fixed != nil && c.fixed[i] > 0 {
			raised[p] = math.Inf(1)
		}
	}
	return lists.At(support, subspace.TopK(raised, c.k))
}

// permits reports whether support is permitted when it is filled up: at most
// k with must added, none of never.
func (c *choice) permits(support []int) bool {
	n := len(support)
	for _, i := range c.must {
		if _, found := slices.BinarySearch(support, i); !found {
			n++
		}
	}
	return n <= c.k && !slices.ContainsFunc(support, c.banned)
}

// without returns the choice that never takes index i of d, which is free.
func (c *choice) without(i, d int) *choice {
	r := *c
	r.fixed = make([]int8, d)
	copy(r.fixed, c.fixed)
	r.fixed[i] = -1
	at, _ := slices.BinarySearch(c.never, i)
	r.never = slices.Insert(slices.Clone(c.never), at, i)
	return &r
}
