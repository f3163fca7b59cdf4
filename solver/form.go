package solver

import (
	"math"
	"slices"

	"github.com/fspca/fspca/internal/kernel"
)

// form is a quadratic form in the indicator of a support,
//
//	constant + Σ_{i∈S} α_i + Σ_{i≠j∈S} M_ij.
//
// At a node with I chosen its largest value is at most that on I plus the q
// largest of α_j + Σ_{i∈I} (M_ij + M_ji) + (the q − 1 largest M_jl) over the free j.
type form struct {
	m        kernel.Matrix // the diagonal is not read
	alpha    []float64
	constant float64
	slack    float64   // the rounding error of any value or bound of it
	tops     []float64 // n×k: the sum of the r + 1 largest M_jl, l ≠ j
	k        int
}

// newForm prepares a form for supports of k indices.
func newForm(m kernel.Matrix, alpha []float64, constant float64, k int) *form {
	n := m.Rows
	f := &form{m: m, alpha: alpha, constant: constant, tops: make([]float64, n*k), k: k}
	row, size := make([]float64, 0, n), make([]float64, n)
	for j := range n {
		row = append(row[:0], m.Row(j)...)
		row = slices.Delete(row, j, j+1)
		slices.SortFunc(row, func(a, b float64) int {
			switch {
			case a > b:
				return -1
			case a < b:
				return 1
			}
			return 0
		})
		var sum float64
		for r := 0; r < k && r < len(row); r++ {
			sum += row[r]
			f.tops[j*k+r] = sum
		}
		for p, v := range row {
			row[p] = math.Abs(v)
		}
		size[j] = math.Abs(alpha[j]) + diagSum(row, 0, min(k-1, len(row)))
	}
	// A value has at most k² terms, and each is in some row or column of M.
	f.slack = sumError(k*k, 2*diagSum(size, 0, min(k, n))+math.Abs(constant))
	return f
}

// top returns the sum of the r largest entries of row j but for the diagonal.
func (f *form) top(j, r int) float64 {
	return f.tops[j*f.k+min(r, len(f.alpha)-1)-1]
}

// pair returns M_ij + M_ji.
func (f *form) pair(i, j int32) float64 { return f.m.Row(int(i))[j] + f.m.Row(int(j))[i] }
