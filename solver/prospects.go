package solver

import (
	"cmp"
	"math"
	"slices"

	"github.com/fspca/fspca/internal/subspace"
)

// prospects are what the exchanges of a support promise.
type prospects struct {
	of       *embedding
	leaving  []int // that the support loses least by
	losses   []float64
	entering []int // those with the largest scores
	gains    []float64
}

// prospects returns what is promised by the scores, and by rows of Z, which is AW with unit columns in the sense
// of run.scores. Of the columns outside, so many with the largest scores are considered; what is gained is worked
// out for the wanted ones that promise most.
func (t *task) prospects(e *embedding, scores []float64, z picked, considered, wanted int) *prospects {
	p := &prospects{of: e}
	p.leaving, p.losses = t.cheapest(e)
	p.entering, p.gains = t.dearest(e, slices.Clone(t.c.masked(scores)), z, considered, wanted)
	return p
}

// best returns the places of the most promising columns that may enter.
func (p *prospects) best(count int) []int { return subspace.TopK(p.gains, min(count, len(p.gains))) }

// supports returns the supports after the few most promising exchanges.
func (p *prospects) supports() (supports [][]int) {
	var pairs []pair
	for o, out := range p.leaving {
		for _, q := range p.best(quickPairs) {
			pairs = append(pairs, pair{out, p.entering[q], p.gains[q] - p.losses[o]})
		}
	}
	pairs = foremost(pairs, quickPairs)
	for _, x := range pairs[:min(quickPairs, len(pairs))] {
		support := slices.DeleteFunc(slices.Clone(p.of.support), func(i int) bool { return i == x.out })
		at, _ := slices.BinarySearch(support, x.in)
		supports = append(supports, slices.Insert(support, at, x.in))
	}
	return supports
}

// foresee returns the covariances that the most promising exchanges need.
func (p *prospects) foresee(c *Data) *crossed {
	var entering []int
	for _, q := range p.best(foretoldEntering) {
		entering = append(entering, p.entering[q])
	}
	rows, others := distinct(slices.Concat(p.of.support, entering)), distinct(slices.Concat(p.leaving, entering))
	return &crossed{rows, others, c.cross(rows, others)}
}

// aloneRest is what is left of a unit column's square of which so much lies in the span
// of V that rounding decides the rest.
const aloneRest = 1e-8

// cheapest returns the free columns of a support that it loses least by.
func (t *task) cheapest(e *embedding) (columns []int, losses []float64) {
	diag := t.a.Diag()
	var all []float64
	var free []int
	for p, i := range e.support {
		if !t.c.free(i) {
			continue
		}
		var explained, norm float64
		for c, v := range e.vectors.RawRowView(p) {
			explained, norm = explained+e.values[c]*v*v, norm+v*v
		}
		loss := explained // of a column that is a direction by itself, but for rounding
		if rest := 1 - norm; rest > aloneRest {
			loss = (explained - diag[i]*norm) / rest
		}
		free, all = append(free, i), append(all, -loss)
	}
	for _, p := range subspace.TopK(all, min(quickPairs, len(all))) {
		columns, losses = append(columns, free[p]), append(losses, -all[p])
	}
	return columns, losses
}

// dearest returns so many columns outside, those with the largest scores, and what a support
// gains by each: −∞ for one that is clearly not among the wanted that it gains most by.
func (t *task) dearest(e *embedding, scores []float64, z picked, count, wanted int) (some []int, gains []float64) {
	diag := t.a.Diag()
	outside := len(scores) - len(t.c.never)
	for _, i := range e.support {
		scores[i] = math.Inf(-1)
		outside--
	}
	some = subspace.TopK(scores, min(count, outside))
	gains = make([]float64, len(some))
	var w arrow
	var most []float64 // the largest gains so far, descending
	values, b := make([]float64, t.m), make([]float64, t.m)
	if len(some) == 0 {
		return some, gains
	}
	rows := z(some)
	for q, j := range some {
		for c, v := range rows.RawRowView(q) {
			at := t.m - 1 - c // ascending
			values[at], b[at] = e.values[c], v*math.Sqrt(max(0, e.values[c]))
		}
		if len(most) == wanted && gainsLess(values, b, diag[j], most[wanted-1]) {
			gains[q] = math.Inf(-1)
			continue
		}
		w.set(values, b, diag[j])
		gains[q] = diag[j] - w.least() // what the trace gains, but for the smallest eigenvalue
		at, _ := slices.BinarySearchFunc(most, gains[q], func(v, gain float64) int { return cmp.Compare(gain, v) })
		most = slices.Insert(most, at, gains[q])[:min(wanted, len(most)+1)]
	}
	return some, gains
}
