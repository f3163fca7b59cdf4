package spectral

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/kernel"
	"github.com/fspca/fspca/internal/lists"
)

// scaled is a symmetric matrix 2^exponent·a of order n. Only the upper triangle
// of a is set. Its norm is moderate: squares and products
// of its entries neither overflow nor lose the large ones.
type scaled struct {
	n        int
	room     *kernel.Buffer // of a, until release
	a        kernel.Matrix  // padded with zeros
	exponent int
	zero     bool // all entries are 0
}

// load copies the upper triangle of a and, unless its norm is moderate, scales it by a power of two: the largest entry
// then lies in [½, 1). That is exact except for entries some 10³⁰⁷ times smaller than the largest.
func load(a mat.Symmetric) (*scaled, error) {
	n := a.SymmetricDim()
	s := &scaled{n: n, room: kernel.Borrow()}
	s.a = s.room.Matrix(padded(n), padded(n))
	if squares := s.take(a); squares >= 1/moderate && squares <= moderate {
		return s, nil
	}
	largest, err := s.largest()
	if err != nil {
		s.release()
		return nil, err
	}
	if largest == 0 {
		s.zero = true
		return s, nil
	}
	_, s.exponent = math.Frexp(largest)
	if s.exponent != 0 {
		s.scale(-s.exponent)
	}
	return s, nil
}

// release gives the room of the matrix back.
func (s *scaled) release() {
	s.room.Release()
	s.room, s.a = nil, kernel.Matrix{}
}

// moderate bounds the sum of squares of an upper triangle that is not scaled, and its reciprocal: products of four
// entries have it too.
const moderate = 0x1p300

// take copies the upper triangle of a and returns the sum of its squares. What is left of the diagonal and the
// padding are 0.
func (s *scaled) take(a mat.Symmetric) float64 {
	squares := make([]float64, (s.a.Rows+loadRows-1)/loadRows)
	s.each(func(block, i0, i1 int) {
		for i := i0; i < i1; i++ {
			row := s.a.Row(i)
			if i >= s.n {
				clear(row)
				continue
			}
			clear(row[:i])
			clear(row[s.n:])
			row = row[:s.n]
			copyRow(row, a, i)
			squares[block] += kernel.Dot(row[i:], row[i:])
		}
	})
	return lists.Sum(squares)
}

// largest returns the largest magnitude, or an error for an entry that is not finite: of those in a row the first NaN,
// else the first infinity.
func (s *scaled) largest() (largest float64, err error) {
	for i := range s.n {
		row := s.a.Row(i)[i:s.n]
		j := slices.IndexFunc(row, func(v float64) bool { return v != v })
		if j < 0 {
			j = slices.IndexFunc(row, func(v float64) bool { return math.IsInf(v, 0) })
		}
		if j >= 0 {
			return 0, checkFinite(i, i+j, row[j])
		}
		for _, v := range row {
			largest = max(largest, math.Abs(v))
		}
	}
	return largest, nil
}

// loadRows is the number of rows that are copied at a time.
const loadRows = 32

// each calls body for blocks of rows of the matrix, on several threads where it is large.
func (s *scaled) each(body func(block, i0, i1 int)) {
	shared((s.a.Rows+loadRows-1)/loadRows, s.n*s.n, func(block int) {
		body(block, block*loadRows, min(s.a.Rows, (block+1)*loadRows))
	})
}

// shared calls body for every task, on several threads if the work is at least
// sharedWork multiply-adds.
func shared(tasks, work int, body func(task int)) {
	if work < sharedWork {
		for task := range tasks {
			body(task)
		}
		return
	}
	kernel.Parallel(tasks, func(_, task int) { body(task) })
}

// rawUpper returns the storage of a if it is that of an upper triangle.
func rawUpper(a mat.Symmetric) (kernel.Matrix, bool) {
	r, ok := a.(mat.RawSymmetricer)
	if !ok {
		return kernel.Matrix{}, false
	}
	raw := r.RawSymmetric()
	return kernel.Matrix{Rows: raw.N, Cols: raw.N, Stride: raw.Stride, Data: raw.Data}, raw.Uplo == blas.Upper
}

// copyRow sets dst[i:] to the entries of row i from the diagonal on.
func copyRow(dst []float64, a mat.Symmetric, i int) {
	if raw, ok := rawUpper(a); ok {
		copy(dst[i:], raw.Row(i)[i:])
		return
	}
	for j := i; j < len(dst); j++ {
		dst[j] = a.At(i, j)
	}
}

// scale multiplies the upper triangle by 2^exponent, in two steps because one
// factor may lie outside of the range of float64.
func (s *scaled) scale(exponent int) {
	f, g := math.Ldexp(1, exponent/2), math.Ldexp(1, exponent-exponent/2)
	s.each(func(_, i0, i1 int) {
		for i := i0; i < min(i1, s.n); i++ {
			row := s.a.Row(i)[i:s.n]
			for j := range row {
				row[j] = row[j] * f * g
			}
		}
	})
}

// unscale overwrites values with 2^exponent·v, or returns an error where that
// is not a float64.
func (s *scaled) unscale(values []float64) ([]float64, error) {
	for i, v := range values {
		values[i] = math.Ldexp(v, s.exponent)
		if math.IsInf(values[i], 0) {
			return nil, errors.New(errOverflow)
		}
	}
	return values, nil
}

// unscaleBounds does the same with upper bounds: what is too small for a
// float64 is rounded up.
func (s *scaled) unscaleBounds(bounds []float64) {
	for i, v := range bounds {
		bounds[i] = math.Ldexp(v, s.exponent) + math.SmallestNonzeroFloat64
	}
}

const errOverflow = "spectral: an eigenvalue is larger than the largest float64; divide the matrix by its order first"

// epsilon is the distance from 1 to the next float64.
const epsilon = 0x1p-52

// checkFinite returns an error for an entry that is not finite.
func checkFinite(row, col int, v float64) error {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return fmt.Errorf("spectral: entry in row %d, column %d (counted from 0) is %v, want a finite number", row, col, v)
	}
	return nil
}
