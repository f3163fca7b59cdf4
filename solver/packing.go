package solver

import (
	"cmp"
	"context"
	"slices"

	"github.com/fspca/fspca/internal/lists"
)

// Steps of a packing: of the default search, and of a thorough or exact one.
const (
	packingSteps = 1 << 13
	packingGreat = 1 << 17
)

// PackingSteps is how long a search of that effort looks for a permitted set of
// columns (Rule.Pack).
func PackingSteps(e Effort) int {
	if e == EffortThorough || e == EffortExact {
		return packingGreat
	}
	return packingSteps
}

// Pack returns columns that the limits permit together, ascending: all of must,
// which they permit, and others of free. They are need in all where that many are
// found, else the most that are. It takes the cheapest columns first, or without
// costs those that the fewest others may not stand beside; of equals, the first in
// free. Where that ends too early it takes columns back, for so many steps. Whole
// reports whether no larger set exists, or need are found. It panics if a column
// is out of range.
func (r *Rule) Pack(ctx context.Context, must, free []int, need, steps int) (set []int, whole bool, err error) {
	p := &packer{standing: r.Standing(), need: need, steps: steps}
	if err := p.standing.Add(ctx, must...); err != nil {
		return nil, false, err
	}
	order := slices.Clone(free)
	hindrance := make([]float64, len(r.diag))
	for _, j := range order {
		near, err := r.conflicts(ctx, j)
		if err != nil {
			return nil, false, err
		}
		hindrance[j] = float64(len(near) + len(r.groupsOf(j)))
	}
	slices.SortStableFunc(order, func(i, j int) int {
		if r.limits.Cost != nil {
			return cmp.Or(cmp.Compare(r.limits.Cost[i], r.limits.Cost[j]), cmp.Compare(hindrance[i], hindrance[j]))
		}
		return cmp.Compare(hindrance[i], hindrance[j])
	})
	_, err = p.search(ctx, order)
	return p.best, !p.cut, err
}

// packer is a search, depth first, for the largest set that the limits permit.
type packer struct {
	standing *Standing
	need     int
	steps    int
	best     []int
	cut      bool // by the number of steps
}

// search adds columns of rest. It reports whether the search is over.
func (p *packer) search(ctx context.Context, rest []int) (over bool, err error) {
	s := p.standing
	for {
		if s.Len() > len(p.best) {
			p.best = s.Members()
		}
		rest = lists.Where(rest, s.Admits)
		if len(p.best) >= p.need {
			return true, nil
		}
		if s.Len()+s.most(rest) <= len(p.best) {
			return false, nil
		}
		if p.steps--; p.steps < 0 {
			p.cut = true
			return true, nil
		}
		first := rest[0]
		if err := cmp.Or(ctx.Err(), s.Add(ctx, first)); err != nil {
			return true, err
		}
		if over, err := p.search(ctx, rest[1:]); over || err != nil {
			return true, err
		}
		if err := s.Remove(ctx, first); err != nil {
			return true, err
		}
		rest = rest[1:]
	}
}

// most bounds how many of the candidates, each of which is admitted, can be added: by the budget, and by
// the room in the first group of each.
func (s *Standing) most(candidates []int) int {
	n := s.r.limits.Most(s.Members(), candidates, len(candidates))
	if len(s.count) == 0 {
		return n
	}
	room := lists.Make(len(s.count), func(g int) int { return s.r.limits.Groups[g].Most - s.count[g] })
	placed := 0
	for _, j := range candidates {
		groups := s.groupsOf(j)
		if len(groups) == 0 {
			placed++
		} else if room[groups[0]] > 0 {
			room[groups[0]]--
			placed++
		}
	}
	return min(n, placed)
}
