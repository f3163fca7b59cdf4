package solver

import (
	"math"
	"slices"

	"github.com/fspca/fspca/internal/kernel"
)

// extremes looks for columns whose sum of squares leaves the range in which
// nothing that matters underflows or overflows. It returns the binary exponents
// of their largest entries, and 0 for the other columns; nil if there are none.
// An extreme scale may also show as a sum of exactly 0.
func extremes(x kernel.Sparse, squares []float64) []int {
	suspect := false
	for _, v := range squares {
		suspect = suspect || !(v >= leastSquares && v <= mostSquares)
	}
	if !suspect {
		return nil
	}
	peak := make([]float64, x.Cols)
	for p, j := range x.Indices[:x.Entries()] {
		peak[j] = max(peak[j], math.Abs(x.Values[p]))
	}
	var exponents []int
	for j, v := range squares {
		_, e := math.Frexp(peak[j])
		if v >= leastSquares && v <= mostSquares || peak[j] == 0 || e > -300 && e < 300 {
			continue
		}
		if exponents == nil {
			exponents = make([]int, x.Cols)
		}
		exponents[j] = e
	}
	return exponents
}

// offsetLimit is mean/sd above which a column is shifted: subtracting n·mean²
// from a sum of squares then costs more than four digits.
const offsetLimit = 100

// shifts returns what is to be taken from each column before anything else: the
// mean of those that offsetLimit names, and of constant columns whose value
// would drown the others in rounding errors; nil if there are none. Such a
// column has entries in all rows but one in 10⁴ at most.
func (s *Sparse) shifts(squares []float64) []float64 {
	n := float64(s.x.Rows)
	peak := slices.Max(s.diag)
	var shift []float64
	for j, m := range s.mean {
		deviation := math.Sqrt(squares[j] / n)
		if s.diag[j] == 0 {
			deviation = math.Sqrt(peak)
			if s.factor != nil {
				m *= s.factor[j]
			}
		}
		if !(math.Abs(m) > offsetLimit*deviation) {
			continue
		}
		if shift == nil {
			shift = make([]float64, len(s.mean))
		}
		shift[j] = s.mean[j]
	}
	return shift
}

// shifted returns a copy of x with shift taken from its columns.
func shifted(x kernel.Sparse, shift []float64) kernel.Sparse {
	var columns []int32 // that are shifted
	for j, v := range shift {
		if v != 0 {
			columns = append(columns, int32(j))
		}
	}
	to := kernel.Sparse{Rows: x.Rows, Cols: x.Cols, Offsets: make([]int64, 1, x.Rows+1)}
	room := x.Entries() + x.Entries()/1024
	to.Indices, to.Values = make([]int32, 0, room), make([]float64, 0, room)
	add := func(j int32, v float64) {
		if v != 0 {
			to.Indices, to.Values = append(to.Indices, j), append(to.Values, v)
		}
	}
	for i := range x.Rows {
		next := 0
		for p := x.Offsets[i]; p < x.Offsets[i+1]; p++ {
			j := x.Indices[p]
			for ; next < len(columns) && columns[next] < j; next++ {
				add(columns[next], -shift[columns[next]])
			}
			if next < len(columns) && columns[next] == j {
				next++
			}
			add(j, x.Values[p]-shift[j])
		}
		for ; next < len(columns); next++ {
			add(columns[next], -shift[columns[next]])
		}
		to.Offsets = append(to.Offsets, int64(len(to.Indices)))
	}
	return to
}
