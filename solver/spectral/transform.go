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
	each := (z.Rows + 3) / 4 // rows that share what is read of a reflection
	shared((z.Rows+each-1)/each, r.n*r.n*z.Rows, func(task int) {
		rows := z.Slice(task*each, min(z.Rows, (task+1)*each), 0, z.Cols)
		for j := r.n - 3; j >= 0; j-- {
			v := r.v.Row(j)[j+1 : r.n]
			for i := range rows.Rows {
				at := rows.Row(i)[j+1:]
				kernel.Axpy(-r.tau[j]*kernel.Dot(v, at), v, at)
			}
		}
	})
}

// transformPanels applies panels of reflections at a time,
// H_j·H_{j+1}·… = I − Vᵀ·S·V with an upper triangular S; the last panel first
// (Schreiber and Van Loan, 1989).
func (r *reduction) transformPanels(z kernel.Matrix) {
	panels := (r.n - 2 + backPanel - 1) / backPanel
	s := kernel.NewMatrix(panels*backPanel, backPanel)
	triangle := func(p int) kernel.Matrix { return s.Slice(p*backPanel, (p+1)*backPanel, 0, backPanel) }
	shared(panels, r.n*r.n*backPanel/4, func(p int) { r.triangle(triangle(p), r.panel(p), p*backPanel) })
	x, y := kernel.NewMatrix(z.Rows, backPanel), kernel.NewMatrix(z.Rows, backPanel)
	for p := panels - 1; p >= 0; p-- {
		panel := r.panel(p)
		k := panel.Rows
		at := z.Slice(0, z.Rows, p*backPanel+1, r.n)
		xs, ys := x.Slice(0, z.Rows, 0, k), y.Slice(0, z.Rows, 0, k)
		kernel.Gemm(false, true, 1, at, panel, 0, xs)
		kernel.Gemm(false, true, 1, xs, triangle(p).Slice(0, k, 0, k), 0, ys)
		kernel.Gemm(false, false, -1, ys, panel, 1, at)
	}
}

// panel returns the reflections of the p-th panel as rows of V, once triangle has set
// what is left of them to 0.
func (r *reduction) panel(p int) kernel.Matrix {
	j0 := p * backPanel
	return r.v.Slice(j0, min(j0+backPanel, r.n-2), j0+1, r.n)
}

// triangle sets s to S of the reflections j0 and on.
func (r *reduction) triangle(s, panel kernel.Matrix, j0 int) {
	for i := range panel.Rows {
		clear(panel.Row(i)[:i])
	}
	var room [backPanel * backPanel]float64
	products := kernel.Matrix{Rows: panel.Rows, Cols: panel.Rows, Stride: backPanel, Data: room[:]}
	kernel.Gemm(false, true, 1, panel, panel, 0, products)
	for i := range panel.Rows {
		// Column i of S is −tau_i·S·(V·v_i) above the diagonal.
		dots, tau := products.Row(i), r.tau[j0+i]
		for l := range i {
			s.Row(l)[i] = -tau * kernel.Dot(s.Row(l)[l:i], dots[l:i])
		}
		s.Row(i)[i] = tau
	}
}
