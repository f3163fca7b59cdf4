package kernel

import "fmt"

// Sparse is a matrix in compressed sparse rows: the non-zeros of row i are
// Values[p] in column Indices[p] for Offsets[i] ≤ p < Offsets[i+1].
type Sparse struct {
	Rows, Cols int
	Offsets    []int64 // length Rows+1
	Indices    []int32
	Values     []float64
}

// Entries returns the number of stored entries.
func (s Sparse) Entries() int { return int(s.Offsets[s.Rows]) }

// Check returns an error where the fields contradict each other. The kernels
// trust a matrix that has passed it.
func (s Sparse) Check() error {
	if s.Rows < 0 || s.Cols < 0 || len(s.Offsets) != s.Rows+1 || s.Offsets[0] != 0 {
		return fmt.Errorf("sparse matrix of %d×%d: want %d offsets that start at 0", s.Rows, s.Cols, s.Rows+1)
	}
	for i := range s.Rows {
		if s.Offsets[i] > s.Offsets[i+1] {
			return fmt.Errorf("sparse matrix: row %d ends before it starts", i)
		}
	}
	nnz := s.Offsets[s.Rows]
	if int64(len(s.Indices)) < nnz || int64(len(s.Values)) < nnz {
		return fmt.Errorf("sparse matrix: %d indices and %d values, want %d", len(s.Indices), len(s.Values), nnz)
	}
	for p, c := range s.Indices[:nnz] {
		if c < 0 || int(c) >= s.Cols {
			return fmt.Errorf("sparse matrix: entry %d is in column %d of %d", p, c, s.Cols)
		}
	}
	return nil
}

// plainSparseRight sets rows lo ≤ i < hi of T (the first of them at t[0], width
// wide) to start + X·Q: the even entries of a row are one chain, the odd ones
// another, which is added.
func plainSparseRight(s Sparse, lo, hi int, q, start, t []float64, width int) {
	for i := lo; i < hi; i++ {
		even := t[(i-lo)*width : (i-lo+1)*width]
		copy(even, start)
		var odd [16]float64
		for e := s.Offsets[i]; e < s.Offsets[i+1]; e++ {
			row := q[int(s.Indices[e])*width:][:width]
			sum := even
			if (e-s.Offsets[i])%2 == 1 {
				sum = odd[:width]
			}
			plainAxpy(s.Values[e], row, sum)
		}
		for j, v := range odd[:width] {
			even[j] += v
		}
	}
}

// plainSparseLeft adds Xᵀ·T over rows lo ≤ i < hi to Y; T starts with row lo.
func plainSparseLeft(s Sparse, lo, hi int, t, y []float64, width int) {
	for i := lo; i < hi; i++ {
		row := t[(i-lo)*width : (i-lo+1)*width]
		for e := s.Offsets[i]; e < s.Offsets[i+1]; e++ {
			plainAxpy(s.Values[e], row, y[int(s.Indices[e])*width:][:width])
		}
	}
}
