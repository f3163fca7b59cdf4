package solver

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/fspca/fspca/internal/kernel"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/subspace"
	"github.com/fspca/fspca/solver/spectral"
)

// jointBound is what multipliers prove, rounding included.
type jointBound struct {
	value  float64
	rest   float64   // K_m(A − B − (Y+Yᵀ)/2) + N_00 + rounding
	scores []float64 // s
	form   *form     // the same as a quadratic form
}

// evaluate returns the bound of the present multipliers.
func (j *joint) evaluate() (*jointBound, error) {
	x := j.x
	h := j.h(x)
	j.reduced(x)
	values, err := spectral.Values(symmetric(j.c), j.m)
	if err != nil {
		return nil, err
	}
	rest, first := lists.Sum(values), 0.0
	b := &jointBound{scores: make([]float64, j.n)}
	alpha, size, m := make([]float64, j.n), make([]float64, j.n), kernel.NewMatrix(j.n, j.n)
	if j.full {
		below := h.Slice(1, j.n+1, 0, j.moments)
		kernel.Gemm(false, true, 1, below, below, 0, j.nn)
		first = kernel.Dot(h.Row(0), h.Row(0))
	}
	terms := make([]float64, j.n)
	for i := range j.n {
		alpha[i], size[i] = j.formRow(i, m.Row(i), terms)
	}
	b.rest = j.scale * (rest + first + j.rounding(x, rest, first, size))
	scaleAll(m, j.scale)
	floats.Scale(j.scale, alpha)
	floats.Scale(j.scale, size)
	j.sum(b, alpha, m)
	b.value = b.rest + diagSum(b.scores, j.in, j.k)
	b.form = newForm(m, alpha, b.rest, j.k)
	// Its entries are sums themselves.
	b.form.slack = max(b.form.slack, sumError(j.k*j.k, 2*subspace.TopKSum(size, j.k)+math.Abs(b.rest)))
	return b, nil
}

// formRow stores M_i·, and returns α_i and the magnitude of the terms of s_i. Terms is
// scratch: the magnitudes of those of the row.
func (j *joint) formRow(i int, row, terms []float64) (alpha, size float64) {
	x := j.x
	li, yi, h := j.l(x).Row(i), j.y(x).Row(i), j.h(x)
	c, d, b := j.weight(i), yi[i], kernel.Dot(li, li)
	for q, v := range yi {
		row[q] = v * v / (4 * c)
	}
	alpha = b + d/2 + c/4 + row[i]
	size = b + math.Abs(d) + c/4 + row[i]
	row[i] = 0
	copy(terms, row)
	if j.full {
		first, cross, own := kernel.Dot(h.Row(0), h.Row(0)), kernel.Dot(h.Row(0), h.Row(i+1)), j.nn.Row(i)[i]
		alpha += 2*cross + own
		size += 2*math.Sqrt(first*own) + own
		for q := range row {
			if q != i {
				g, moment := antisymmetric(j.g(x), i, q), j.nn.Row(i)[q]
				row[q] += g + moment
				terms[q] += math.Abs(g) + math.Abs(moment)
			}
		}
	}
	return alpha, size + subspace.TopKSum(terms, min(j.k-1, j.n-1))
}

// weight is c_i: its multiplier, or the best for Y, but not too small.
func (j *joint) weight(i int) float64 {
	if j.full {
		return math.Exp(j.u(j.x)[i])
	}
	row := j.y(j.x).Row(i)
	sum := besides(squared(row), i, j.in, j.k)
	return max(math.Sqrt(row[i]*row[i]+sum), 1e-3*j.unit)
}

// sum adds the largest of each row to the scores.
func (j *joint) sum(b *jointBound, alpha []float64, m kernel.Matrix) {
	for i := range j.n {
		b.scores[i] = alpha[i] + besides(m.Row(i), i, j.in, j.k)
	}
}

// besides is the largest sum of k − 1 entries of row i without its own; those of the first in indices are in it.
func besides(row []float64, i, in, k int) float64 {
	if i < in {
		in--
	}
	return diagSum(slices.Concat(row[:i], row[i+1:]), in, min(k-1, len(row)-1))
}

// squared returns the squares of the entries.
func squared(row []float64) []float64 {
	return lists.Map(row, func(v float64) float64 { return v * v })
}

// rounding bounds the error of all that the bound adds up.
func (j *joint) rounding(x []float64, rest, first float64, size []float64) float64 {
	l, y := j.l(x), j.y(x)
	subtracted := frobeniusNorm(j.a) + frobeniusNorm(y)
	mass := kernel.Dot(l.Data, l.Data)
	off := decompositionError(j.n, frobeniusNorm(j.c)) + sumError(j.rank, mass) + sumError(0, subtracted+mass)
	total := float64(j.m) * off
	if j.full { // N is HHᵀ but for so much in each of (k + 1)² entries
		total += sumError(j.moments, float64(j.k+1)*kernel.Dot(j.h(x).Data, j.h(x).Data))
	}
	magnitude := math.Abs(rest) + first + subspace.TopKSum(size, j.k)
	return total + sumError(j.k*j.k+j.m+j.rank+16, magnitude)
}

// complete makes G, N and c multipliers of their own, from what is now best.
func (j *joint) complete() {
	u, h := j.u(j.x), j.h(j.x)
	for i := range u {
		u[i] = math.Log(max(j.weight(i), .01*j.unit))
	}
	noise := subspace.Random(j.n+1, min(j.moments, j.n+1), 1, 0)
	for i := range h.Rows {
		for r, v := range noise.RawRowView(i) {
			h.Row(i)[r] = v * .1 * math.Sqrt(j.unit)
		}
	}
	j.full = true
}

// start returns the multipliers alone.
func (j *joint) start() *joint {
	s := *j
	s.a, s.c, s.nn, s.w = kernel.Matrix{}, kernel.Matrix{}, kernel.Matrix{}, kernel.Matrix{}
	s.s, s.z, s.slope = nil, nil, nil
	return &s
}

// restrict returns the multipliers on the indices kept, where the block is a, of
// which the first in are in every support.
func (j *joint) restrict(a kernel.Matrix, kept []int, in int) *joint {
	r := &joint{n: len(kept), in: in, k: j.k, m: j.m, a: j.scaled(a), rank: j.rank, moments: j.moments, full: j.full, scale: j.scale, unit: j.unit, mu: j.mu, pairs: j.pairs}
	r.x = make([]float64, r.size())
	for p, i := range kept {
		copy(r.l(r.x).Row(p), j.l(j.x).Row(i))
		r.u(r.x)[p] = j.u(j.x)[i]
		copy(r.h(r.x).Row(p+1), j.h(j.x).Row(i+1))
		for q, o := range kept {
			r.y(r.x).Row(p)[q] = j.y(j.x).Row(i)[o]
			if p < q {
				r.g(r.x).Row(p)[q] = antisymmetric(j.g(j.x), i, o)
			}
		}
	}
	copy(r.h(r.x).Row(0), j.h(j.x).Row(0))
	r.allocate()
	return r
}
