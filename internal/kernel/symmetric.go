package kernel

import "fmt"

//go:generate go -C gen run . -kernels symmetric-avx512 -out ../symmetric_avx512_amd64.s -stubs ../symmetric_avx512_amd64.go -pkg kernel
//go:generate go -C gen run . -kernels symmetric-avx2 -out ../symmetric_avx2_amd64.s -stubs ../symmetric_avx2_amd64.go -pkg kernel

// rowUnit and columnUnit are what the limits of a sweep over a symmetric matrix
// and its order are multiples of.
const (
	rowUnit    = 4
	columnUnit = 8
)

// SymvRows adds to y what rows i0 ≤ i < i1 of the upper triangle of the symmetric
// matrix A contribute to A·x. An element right of the diagonal also counts for its
// mirror image. All rows together add A·x; parts of them with a y each can be swept
// at the same time.
//
// The order of A is a multiple of 8 and the length of x and y (pad with
// zeros); i0 and i1 are multiples of 4. Elements below the diagonal are read
// but count for nothing: they must not be NaN or infinite.
//
// Every element of y is one chain of fused multiply-adds in the order of the
// rows. A row's own product has eight interleaved sums, and is added when its
// turn comes.
func SymvRows(y []float64, a Matrix, x []float64, i0, i1 int) {
	a.mustBeTriangle(i0, i1, x, y)
	if i0 < i1 {
		symvRows(y, a, x, i0, i1)
	}
}

// Rank2SymvRows subtracts v·wᵀ + w·vᵀ from rows i0 ≤ i < i1 of the upper
// triangle of the symmetric matrix A. Then it does what SymvRows does, while
// the rows are at hand: one reading and one writing of A. Elements below the
// diagonal may be changed.
func Rank2SymvRows(y []float64, a Matrix, x, v, w []float64, i0, i1 int) {
	a.mustBeTriangle(i0, i1, x, y)
	mustLen("v", v, len(x))
	mustLen("w", w, len(x))
	if i0 < i1 {
		rank2SymvRows(y, a, x, v, w, i0, i1)
	}
}

func (m Matrix) mustBeTriangle(i0, i1 int, x, y []float64) {
	m.mustBe("A", len(x), len(x))
	mustLen("y", y, len(x))
	if len(x)%columnUnit != 0 || i0 < 0 || i1 < i0 || i1 > len(x) || i0%rowUnit != 0 || i1%rowUnit != 0 {
		panic(fmt.Sprintf("kernel: rows %d to %d of a triangle of order %d, want multiples of %d, and of %d", i0, i1, len(x), rowUnit, columnUnit))
	}
}

func plainSymvRows(y []float64, a Matrix, x []float64, i0, i1 int) {
	for i := i0; i < i1; i++ {
		plainTriangleRow(y, a.Row(i), x, i)
	}
}

func plainRank2SymvRows(y []float64, a Matrix, x, v, w []float64, i0, i1 int) {
	for i := i0; i < i1; i++ {
		row, vi, wi := a.Row(i), -v[i], -w[i]
		for j := i; j < len(row); j++ {
			row[j] = fma(wi, v[j], fma(vi, w[j], row[j]))
		}
		plainTriangleRow(y, row, x, i)
	}
}

// plainTriangleRow adds what row i contributes.
func plainTriangleRow(y, row, x []float64, i int) {
	var s [columnUnit]float64
	s[i%columnUnit] = row[i] * x[i]
	xi := x[i]
	for j := i + 1; j < len(row); j++ {
		s[j%columnUnit] = fma(row[j], x[j], s[j%columnUnit])
		y[j] = fma(xi, row[j], y[j])
	}
	y[i] += sumEight(&s)
}
