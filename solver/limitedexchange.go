package solver

import (
	"context"
	"slices"
)

// exchange takes the best permitted exchange while one gains, and with costs
// the best column that still fits.
func (s *limited) exchange(ctx context.Context, e *embedding) (*embedding, error) {
	x := s.t.exchange(s.at, nil, nil)
	for {
		if err := ctx.Err(); err != nil {
			return e, err
		}
		standing := s.rule.Standing()
		if err := standing.Add(ctx, e.support...); err != nil {
			return e, err
		}
		next, err := s.exchanged(ctx, x, e, standing)
		if err != nil {
			return e, err
		}
		if next == nil {
			return e, nil
		}
		e = next
	}
}

// exchanged returns the embedding after the best permitted exchange or addition
// found, nil if none gains.
func (s *limited) exchanged(ctx context.Context, x *exchange, e *embedding, standing *Standing) (*embedding, error) {
	in := s.t.a.Order() - len(s.t.c.never) - len(e.support)
	if in == 0 {
		return nil, nil
	}
	index, err := s.near(ctx, x, e, in)
	if err != nil {
		return nil, err
	}
	l, err := newLocal(ctx, s.t.a, index)
	if err != nil {
		return nil, err
	}
	next, err := s.grown(ctx, e, l, standing)
	if next != nil || err != nil {
		return next, err
	}
	inside := l.positions(e.support)
	leaving, entering := l.sides(e.support, s.t.c)
	pairs, err := s.pairs(l, inside, leaving, entering, e.objective)
	if err != nil {
		return nil, err
	}
	pairs = slices.DeleteFunc(pairs, func(p pair) bool { return !standing.AdmitsInstead(l.index[p.out], l.index[p.in]) })
	return s.gaining(ctx, x, l, e, pairs)
}

// near returns the columns to be exchanged: all, or of many those of the support and those that gain most.
func (s *limited) near(ctx context.Context, x *exchange, e *embedding, in int) ([]int, error) {
	d := s.t.a.Order()
	index := s.t.c.candidates(d)
	if !s.t.few() && d > directOrder {
		outside, err := x.entering(ctx, e, in)
		if err != nil {
			return nil, err
		}
		index = slices.Concat(e.support, outside)
	}
	return index, nil
}

// sides divides the columns of the block that are free into those of a support and the others, as positions.
func (l *local) sides(support []int, c *choice) (leaving, entering []int) {
	for p, i := range l.index {
		if _, chosen := slices.BinarySearch(support, i); !c.free(i) {
			continue
		} else if chosen {
			leaving = append(leaving, p)
		} else {
			entering = append(entering, p)
		}
	}
	return leaving, entering
}

// gaining returns the embedding after the first pair found that gains, nil if none does.
func (s *limited) gaining(ctx context.Context, x *exchange, l *local, e *embedding, pairs []pair) (next *embedding, err error) {
	inside := l.positions(e.support)
	done := 0
	for _, n := range []int{4, 16, 64, len(pairs)} {
		if n = min(n, len(pairs)); n <= done || n > exchangePairs {
			continue
		}
		top := pairs[done]
		if len(inside) > s.t.m {
			if top, err = l.evaluate(inside, pairs[done:n], s.t.m); err != nil {
				return nil, err
			}
		}
		if top.value > e.objective*(1+gainTolerance) {
			if next, err := x.after(ctx, l, e, top); err != nil || next.gains(e) {
				return next, err
			}
		}
		done = n
	}
	return nil, nil
}

// pairs returns all exchanges, the best by their estimates first. With m = k the
// objective is the trace, and the estimates are exact.
func (s *limited) pairs(l *local, inside, leaving, entering []int, value float64) ([]pair, error) {
	n := len(leaving) * len(entering)
	if len(inside) > s.t.m {
		return l.rank(inside, leaving, entering, s.t.m, n)
	}
	pairs := make([]pair, 0, n)
	for _, out := range leaving {
		for _, in := range entering {
			pairs = append(pairs, pair{out, in, value - l.at(out, out) + l.at(in, in)})
		}
	}
	return foremost(pairs, n), nil
}

// grown returns the embedding with the column added that gains most, nil where
// none is permitted or k are chosen.
func (s *limited) grown(ctx context.Context, e *embedding, l *local, standing *Standing) (*embedding, error) {
	if len(e.support) >= s.t.c.k {
		return nil, nil
	}
	var best *embedding
	for _, j := range l.index {
		if _, chosen := slices.BinarySearch(e.support, j); chosen || !s.t.c.free(j) || !standing.Admits(j) {
			continue
		}
		support := append(slices.Clone(e.support), j)
		slices.Sort(support)
		next, err := s.at.embed(ctx, support, s.t.m, nil)
		if err != nil {
			return nil, err
		}
		if best == nil || next.gains(best) {
			best = next
		}
	}
	return best, nil
}
