package reconstruction

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/kernel"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/subspace"
)

// cholesky is A_SS = LLᵀ of the columns S that no others span, the one with the
// largest share of its variance left first.
type cholesky struct {
	order []int // of the support
	l     kernel.Matrix
}

// factored decomposes the rows of A_·S (d×k) that are in support.
func (o *operator) factored(columns *mat.Dense, support []int) *cholesky {
	room := kernel.Borrow()
	defer room.Release()
	block := room.Matrix(len(support), len(support))
	for p, j := range support {
		copy(block.Row(p), columns.RawRowView(j))
	}
	return o.factoredBlock(block, support)
}

// factoredBlock decomposes A_SS (k×k), whose upper triangle counts. Of what the steps leave of it the diagonal is
// kept, and the row of the next column is computed when its turn comes.
func (o *operator) factoredBlock(block kernel.Matrix, support []int) *cholesky {
	k := len(support)
	left := lists.Make(k, func(p int) float64 { return o.scale * block.Row(p)[p] })
	c := &cholesky{}
	room := kernel.Borrow()
	defer room.Release()
	steps := room.Matrix(k, k) // row t: the step ω on the support
	done := make([]bool, k)
	for t := range k {
		best := o.pivot(left, support, done)
		if best < 0 {
			break
		}
		done[best] = true
		c.order = append(c.order, best)
		w := steps.Row(t)
		for p := range w {
			w[p] = o.scale * block.Row(min(p, best))[max(p, best)]
		}
		for s := range t {
			kernel.Axpy(-steps.Row(s)[best], steps.Row(s), w)
		}
		floats.Scale(1/math.Sqrt(left[best]), w)
		for p, v := range w {
			left[p] -= v * v
		}
	}
	c.l = factorOf(steps, c.order)
	return c
}

// pivot returns the column with the largest share of its variance left, the first of equal ones; −1 where all are
// spanned.
func (o *operator) pivot(left []float64, support []int, done []bool) int {
	best, share := -1, spanTolerance
	for p, j := range support {
		if !done[p] && o.diag[j] > 0 {
			if v := left[p] / o.diag[j]; v > share*(1+subspace.Tie) {
				best, share = p, v
			}
		}
	}
	return best
}

// factorOf returns the triangular factor of the steps in their order.
func factorOf(steps kernel.Matrix, order []int) kernel.Matrix {
	l := kernel.NewMatrix(len(order), len(order))
	for t, p := range order {
		for s := range t + 1 {
			l.Row(t)[s] = steps.Row(s)[p]
		}
	}
	return l
}

// arranged stores in room, and returns, rows of A_·S from row start on. The columns
// are in c's order, and 0 if a column does not vary or is masked.
func (o *operator) arranged(room *kernel.Buffer, c *cholesky, start int, part *mat.Dense) kernel.Matrix {
	n, _ := part.Dims()
	r := len(c.order)
	y := kernel.Matrix{Rows: n, Cols: r, Stride: r, Data: room.Floats(n * r)}
	eachColumn(n, func(j int) {
		from, to := part.RawRowView(j), y.Row(j)
		if o.diag[start+j] == 0 {
			clear(to)
			return
		}
		for t, p := range c.order {
			to[t] = o.scale * from[p]
		}
	})
	return y
}

// eachColumn calls do for 0 to d − 1, some at a time on each processor.
func eachColumn(d int, do func(j int)) {
	const most = 256
	kernel.Parallel((d+most-1)/most, func(_, task int) {
		for j := task * most; j < min(d, (task+1)*most); j++ {
			do(j)
		}
	})
}

// solveBlock is the number of columns that solve takes in one product.
const solveBlock = 32

// solve replaces the rows of y by Y·L⁻ᵀ, by substitution of some columns at a
// time: only the small triangles on the diagonal are inverted.
func (c *cholesky) solve(y kernel.Matrix) {
	n := len(c.order)
	room := kernel.Borrow()
	defer room.Release()
	for from := 0; from < n; from += solveBlock {
		to := min(n, from+solveBlock)
		part := y.Slice(0, y.Rows, from, to)
		if from > 0 {
			kernel.Gemm(false, true, -1, y.Slice(0, y.Rows, 0, from), c.l.Slice(from, to, 0, from), 1, part)
		}
		inverse := inverseOf(c.l.Slice(from, to, from, to))
		solved := kernel.Matrix{Rows: y.Rows, Cols: to - from, Stride: to - from, Data: room.Floats(y.Rows * (to - from))}
		kernel.Gemm(false, true, 1, part, inverse, 0, solved)
		eachColumn(y.Rows, func(j int) { copy(part.Row(j), solved.Row(j)) })
	}
}

// solved returns L⁻ᵀU; l(q, p) is the entry of the lower triangle L in row q.
func solved(u *mat.Dense, l func(q, p int) float64) kernel.Matrix {
	n, r := u.Dims()
	y := kernel.NewMatrix(n, r)
	for p := n - 1; p >= 0; p-- {
		row := y.Row(p)
		copy(row, u.RawRowView(p))
		for q := p + 1; q < n; q++ {
			kernel.Axpy(-l(q, p), y.Row(q), row)
		}
		for i := range row {
			row[i] /= l(p, p)
		}
	}
	return y
}

// inverseOf inverts a lower triangle.
func inverseOf(l kernel.Matrix) kernel.Matrix {
	n := l.Rows
	x := kernel.NewMatrix(n, n)
	for t := range n {
		row := x.Row(t)
		row[t] = 1
		for s := range t {
			kernel.Axpy(-l.Row(t)[s], x.Row(s), row)
		}
		for s := range t + 1 {
			row[s] /= l.Row(t)[t]
		}
	}
	return x
}

// rebuilt returns the variance of all columns that those in support explain by
// least squares, Tr(L⁻¹BL⁻ᵀ), without solving for each column. The columns of A
// that it gets are those of the support.
func (o *operator) rebuilt(columns *mat.Dense, support []int) float64 {
	inner := o.inner(o.factored(columns, support), columns)
	return lists.Sum(lists.Make(inner.Rows, func(t int) float64 { return inner.Row(t)[t] }))
}

// inner returns L⁻¹BL⁻ᵀ, B being the products of the columns of A.
func (o *operator) inner(c *cholesky, columns *mat.Dense) kernel.Matrix {
	room := kernel.Borrow()
	defer room.Release()
	y := o.arranged(room, c, 0, columns)
	n := len(c.order)
	b := kernel.NewMatrix(n, n)
	kernel.Gemm(true, false, 1, y, y, 0, b)
	c.solve(b) // BL⁻ᵀ
	half := kernel.NewMatrix(n, n)
	for t := range n {
		for s := range n {
			half.Row(t)[s] = b.Row(s)[t]
		}
	}
	c.solve(half) // (BL⁻ᵀ)ᵀL⁻ᵀ
	return half
}
