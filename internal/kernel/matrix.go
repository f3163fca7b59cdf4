package kernel

import "fmt"

// Matrix is a row-major matrix: element (i, j) is Data[i*Stride+j]. Its fields
// are those of gonum's blas64.General in the same order, so that
// Matrix(dense.RawMatrix()) converts without a copy and without an import.
//
// A Matrix without rows or columns may have no Data. Data past the last
// element of the last row need not exist.
type Matrix struct {
	Rows, Cols int
	Data       []float64
	Stride     int
}

// size is that of a float64: the kernels in assembly take strides in bytes.
const size = 8

// NewMatrix returns a zero r×c matrix with stride c.
func NewMatrix(r, c int) Matrix {
	return Matrix{Rows: r, Cols: c, Data: make([]float64, r*c), Stride: c}
}

// Row returns row i, length Cols, shared with m.
func (m Matrix) Row(i int) []float64 {
	if m.Cols == 0 {
		return nil
	}
	return m.Data[i*m.Stride : i*m.Stride+m.Cols : i*m.Stride+m.Cols]
}

// Slice returns the block of rows i0 ≤ i < i1 and columns j0 ≤ j < j1, shared
// with m.
func (m Matrix) Slice(i0, i1, j0, j1 int) Matrix {
	if i0 < 0 || i1 < i0 || m.Rows < i1 || j0 < 0 || j1 < j0 || m.Cols < j1 {
		panic(fmt.Sprintf("kernel: block [%d:%d, %d:%d] of a %d×%d matrix", i0, i1, j0, j1, m.Rows, m.Cols))
	}
	s := Matrix{Rows: i1 - i0, Cols: j1 - j0, Stride: m.Stride}
	if s.Rows > 0 && s.Cols > 0 {
		s.Data = m.Data[i0*m.Stride+j0 : (i1-1)*m.Stride+j1]
	}
	return s
}

// Zero sets every element of m to 0.
func (m Matrix) Zero() {
	for i := range m.Rows {
		clear(m.Row(i))
	}
}

// Copy sets m to src, which has the same shape.
func (m Matrix) Copy(src Matrix) {
	m.mustBe("destination", src.Rows, src.Cols)
	for i := range m.Rows {
		copy(m.Row(i), src.Row(i))
	}
}

// empty reports whether m has no elements.
func (m Matrix) empty() bool { return m.Rows == 0 || m.Cols == 0 }

// check panics where the fields of m contradict each other: the kernels in
// assembly trust them.
func (m Matrix) check(name string) {
	if m.Rows < 0 || m.Cols < 0 || m.Stride < m.Cols {
		panic(fmt.Sprintf("kernel: %s is %d×%d with stride %d", name, m.Rows, m.Cols, m.Stride))
	}
	if !m.empty() && len(m.Data) < (m.Rows-1)*m.Stride+m.Cols {
		panic(fmt.Sprintf("kernel: %s is %d×%d with stride %d but holds %d numbers", name, m.Rows, m.Cols, m.Stride, len(m.Data)))
	}
}

// mustBe checks m and its shape.
func (m Matrix) mustBe(name string, rows, cols int) {
	m.check(name)
	if m.Rows != rows || m.Cols != cols {
		panic(fmt.Sprintf("kernel: %s is %d×%d, want %d×%d", name, m.Rows, m.Cols, rows, cols))
	}
}

// mustLen panics unless x has n elements.
func mustLen(name string, x []float64, n int) {
	if len(x) != n {
		panic(fmt.Sprintf("kernel: %s has length %d, want %d", name, len(x), n))
	}
}
