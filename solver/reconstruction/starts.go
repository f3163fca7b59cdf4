package reconstruction

import (
	"context"
	"math/rand/v2"
	"slices"

	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/subspace"
	"github.com/fspca/fspca/solver"
)

// Numbers of random starts and of shakes without success. Work is d·k², which
// the time of an exchange grows with.
const (
	randomStarts   = 20
	thoroughStarts = 40
	shakes         = 60

	startWork    = 2 << 20  // of all random starts of the default search together
	singleWork   = 1 << 20  // of one start from which on the default search has just one
	thoroughWork = 64 << 20 // and of those and the shakes of a thorough one
)

// starts returns what supports are built from besides the caller's, in the order of
// the search: each is a list of columns that is completed greedily.
func (r *problem) starts(ctx context.Context, vectors [][]float64) ([][]int, error) {
	begin := [][]int{nil}
	if r.single() {
		return begin, nil
	}
	begin = append(begin, r.pivots(vectors))
	p := solver.Params{Features: r.k, Components: r.m, Include: r.p.Include, Exclude: lists.Places(r.op.d, func(j int) bool { return !r.may[j] })}
	variance, err := solver.Solve(ctx, r.op.a, p)
	if err != nil {
		return nil, err
	}
	begin = append(begin, variance.Support)
	for i := range r.restarts() {
		begin = append(begin, r.shuffled(uint64(i)))
	}
	return begin, nil
}

func (r *problem) thorough() bool {
	return r.p.Effort == solver.EffortThorough || r.p.Effort == solver.EffortExact
}

// work is about the cost of an exchange.
func (r *problem) work() int { return r.op.d * r.k * r.k }

// single reports whether the search starts from the greedy support alone.
func (r *problem) single() bool {
	return !r.thorough() && r.p.Restarts == 0 && r.work() >= singleWork
}

// restarts returns the number of random starts.
func (r *problem) restarts() int {
	switch {
	case r.p.Restarts > 0:
		return r.p.Restarts
	case r.thorough():
		return max(randomStarts, min(thoroughStarts, thoroughWork/r.work()))
	}
	return min(randomStarts, startWork/r.work())
}

// shuffled returns the free columns in a random order. It depends on the seed and
// on what each column explains alone, not on the order of the table.
func (r *problem) shuffled(index uint64) []int {
	rng := rand.New(rand.NewPCG(r.p.Seed, index))
	return lists.At(r.rank, rng.Perm(len(r.rank)))
}

// pivots returns the first columns that a QR factorisation with pivoting of the
// leading eigenvectors' rows takes, those that may be chosen.
func (r *problem) pivots(vectors [][]float64) []int {
	if len(vectors) == 0 {
		return nil
	}
	columns := slices.Concat(r.must, r.free)
	slices.Sort(columns)
	rows := lists.Map(columns, func(j int) []float64 { return slices.Clone(vectors[j]) })
	var order []int
	for range min(r.k, len(vectors[0])) {
		best, most := longest(rows)
		if best < 0 {
			break
		}
		pivot := rows[best]
		rows[best] = nil
		order = append(order, columns[best])
		project(rows, pivot, most)
	}
	return order
}

// longest returns the first of the longest rows, and its squared length; −1 where all are short.
func longest(rows [][]float64) (best int, most float64) {
	best, most = -1, 1e-12
	for p, row := range rows {
		if row == nil {
			continue
		}
		norm := lists.Sum(lists.Map(row, func(v float64) float64 { return v * v }))
		if norm > most*(1+subspace.Tie) {
			best, most = p, norm
		}
	}
	return best, most
}

// project takes the part along a vector, of that squared length, off each row.
func project(rows [][]float64, pivot []float64, squared float64) {
	for _, row := range rows {
		if row == nil {
			continue
		}
		var dot float64
		for i, v := range row {
			dot += v * pivot[i]
		}
		dot /= squared
		for i, v := range pivot {
			row[i] -= dot * v
		}
	}
}

// shake keeps a random part of the best support, adds a random column, completes
// and improves that, and takes what is better.
func (r *problem) shake(ctx context.Context, best candidate, tell func(candidate)) (candidate, error) {
	if len(r.free) == 0 || len(best.support) <= len(r.must)+1 {
		return best, nil
	}
	failures, limit := 0, max(shakes/4, min(shakes, thoroughWork/r.work()))
	for i := uint64(0); failures < limit; i++ {
		if ctx.Err() != nil {
			return best, ctx.Err()
		}
		c, err := r.build(ctx, r.shaken(best.support, i))
		if err == nil {
			c, err = r.improve(ctx, c)
		}
		if err != nil {
			return best, err
		}
		failures++
		if len(c.support) == len(best.support) && r.better(c, best) {
			best, failures = c, 0
			tell(best)
		}
	}
	return best, nil
}

// shaken returns what shake number i keeps of a support, and a random column.
func (r *problem) shaken(support []int, i uint64) []int {
	rng := rand.New(rand.NewPCG(r.p.Seed^0x9e3779b97f4a7c15, i))
	kept := lists.Where(r.rank, func(j int) bool { return slices.Contains(support, j) }) // in an order that is not that of the table
	leave := min(len(kept), 2+rng.IntN(max(1, len(kept)/2-1)))
	rng.Shuffle(len(kept), func(a, b int) { kept[a], kept[b] = kept[b], kept[a] })
	return append(kept[leave:], r.rank[rng.IntN(len(r.rank))])
}
