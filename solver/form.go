package solver

import (
	"cmp"
	"math"
	"slices"

	"github.com/fspca/fspca/internal/kernel"
)

// form is a quadratic form in the indicator of a support,
//
//	constant + Σ_{i∈S} α_i + Σ_{i≠j∈S} M_ij.
//
// At a node with I chosen its largest value is at most that on I plus the q largest
// s_j of the free j. Here s_j = α_j + Σ_{i∈I} (M_ij + M_ji) + (the q − 1 largest
// M_jl).
type form struct {
	m        kernel.Matrix // the diagonal is not read
	alpha    []float64
	constant float64
	slack    float64   // the rounding error of any value or bound of it
	tops     []float64 // n×k: the sum of the r + 1 largest M_jl, l ≠ j
	ranked   []entry   // n×reach: the largest M_jl, l ≠ j, in descending order
	reach    int
	k        int
}

// entry is one of a row.
type entry struct {
	at    int32
	value float64
}

// rankedReach is the number of entries of a row, by k, that are kept in order.
const rankedReach = 8

// newForm prepares a form for supports of k indices.
func newForm(m kernel.Matrix, alpha []float64, constant float64, k int) *form {
	n := m.Rows
	f := &form{m: m, alpha: alpha, constant: constant, tops: make([]float64, n*k), k: k}
	f.reach = min(n-1, rankedReach*k)
	f.ranked = make([]entry, 0, n*f.reach)
	row, magnitude, size := make([]entry, 0, n), make([]float64, 0, n), make([]float64, n)
	for j := range n {
		row, magnitude = row[:0], magnitude[:0]
		for l, v := range m.Row(j) {
			if l != j {
				row, magnitude = append(row, entry{int32(l), v}), append(magnitude, math.Abs(v))
			}
		}
		slices.SortFunc(row, func(a, b entry) int { return cmp.Or(cmp.Compare(b.value, a.value), cmp.Compare(a.at, b.at)) })
		var sum float64
		for r := 0; r < k && r < len(row); r++ {
			sum += row[r].value
			f.tops[j*k+r] = sum
		}
		f.ranked = append(f.ranked, row[:f.reach]...)
		size[j] = math.Abs(alpha[j]) + diagSum(magnitude, 0, min(k-1, len(row)))
	}
	// A value has at most k² terms, and each is in some row or column of M.
	f.slack = sumError(k*k, 2*diagSum(size, 0, min(k, n))+math.Abs(constant))
	return f
}

// top returns the sum of the r largest entries of row j but for the diagonal.
func (f *form) top(j, r int) float64 {
	return f.tops[j*f.k+min(r, len(f.alpha)-1)-1]
}

// topOf returns the sum of the r largest M_jl over the l ≠ j with mark[l] = stamp, and
// how many entries it looked at. It reports false where the ranked ones are
// too few.
func (f *form) topOf(j, r int, mark []int32, stamp int32) (sum float64, steps int, ok bool) {
	ranked := f.ranked[j*f.reach : (j+1)*f.reach]
	for steps, e := range ranked {
		if mark[e.at] != stamp {
			continue
		}
		sum += e.value
		if r--; r == 0 {
			return sum, steps + 1, true
		}
	}
	return 0, len(ranked), false
}

// pair returns M_ij + M_ji.
func (f *form) pair(i, j int32) float64 { return f.m.Row(int(i))[j] + f.m.Row(int(j))[i] }
