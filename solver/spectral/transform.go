package spectral

import "github.com/fspca/fspca/internal/kernel"

const (
	// backPanel is how many reflections are applied at a time.
	backPanel = 32

	// fewRows is the number of vectors up to which reflections are applied one
	// by one: the triangles of panels would cost as much as the vectors.
	fewRows = 24

	// sharedWork is the number of multiply-adds from which work on separate
	// rows is worth the start of a second goroutine.
	sharedWork = 1 << 18
)

// transform overwrites every row z of z (m×n) with Q·z.
func (r *reduction) transform(z kernel.Matrix) {
	if z.Rows > fewRows {
		r.transformPanels(z)
		return
	}
	row := func(_, i int) {
		at := z.Row(i)
		for j := r.n - 3; j >= 0; j-- {
			v := r.v.Row(j)[j+1 : r.n]
			kernel.Axpy(-r.tau[j]*kernel.Dot(v, at[j+1:]), v, at[j+1:])
		}
	}
	if r.n*r.n*z.Rows > sharedWork {
		kernel.Parallel(z.Rows, row)
		return
	}
	for i := range z.Rows {
		row(0, i)
	}
}

// transformPanels applies panels of reflections at a time,
// H_j·H_{j+1}·… = I − Vᵀ·S·V with an upper triangular S; the last panel first
// (Schreiber and Van Loan, 1989).
func (r *reduction) transformPanels(z kernel.Matrix) {
	n, count := r.n, r.n-2
	v := kernel.NewMatrix(backPanel, n)
	s := kernel.NewMatrix(backPanel, backPanel)
	x, y := kernel.NewMatrix(z.Rows, backPanel), kernel.NewMatrix(z.Rows, backPanel)
	for j0 := (count - 1) / backPanel * backPanel; j0 >= 0; j0 -= backPanel {
		k := min(backPanel, count-j0)
		panel, triangle := v.Slice(0, k, j0+1, n), s.Slice(0, k, 0, k)
		r.gather(panel, triangle, j0)
		at := z.Slice(0, z.Rows, j0+1, n)
		xs, ys := x.Slice(0, z.Rows, 0, k), y.Slice(0, z.Rows, 0, k)
		kernel.Gemm(false, true, 1, at, panel, 0, xs)
		kernel.Gemm(false, true, 1, xs, triangle, 0, ys)
		kernel.Gemm(false, false, -1, ys, panel, 1, at)
	}
}

// gather copies reflections j0 and on to the rows of panel, with their zeros,
// and sets s to the triangle that belongs to them.
func (r *reduction) gather(panel, s kernel.Matrix, j0 int) {
	k := panel.Rows
	for i := range k {
		row := panel.Row(i)
		clear(row[:i])
		copy(row[i:], r.v.Row(j0 + i)[j0+i+1:r.n])
	}
	s.Zero()
	for i := range k {
		// Column i of S is −tau_i·S·(V·v_i) above the diagonal.
		var dots [backPanel]float64
		tau := r.tau[j0+i]
		for l := range i {
			dots[l] = kernel.Dot(panel.Row(l)[i:], panel.Row(i)[i:])
		}
		for l := range i {
			s.Row(l)[i] = -tau * kernel.Dot(s.Row(l)[l:i], dots[l:i])
		}
		s.Row(i)[i] = tau
	}
}
