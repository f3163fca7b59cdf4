package spectral

import (
	"math"

	"github.com/fspca/fspca/internal/kernel"
)

// reduction is the similarity A = Q·T·Qᵀ with a tridiagonal T and
// Q = H_0·H_1·…·H_{n−3}, H_j = I − tau_j·v_j·v_jᵀ.
type reduction struct {
	tridiagonal

	// v holds v_j in row j from column j+1 on, v_j[j+1] = 1.
	v   kernel.Matrix
	tau []float64
}

// panelWidth is how many reflections are gathered before the trailing matrix
// is updated. Wider panels cost more in corrections, narrower ones read the
// trailing matrix more often.
const panelWidth = 32

// fusedOrder is the order of the trailing matrix below which it stays in the
// cache, so that updating it after every reflection in the pass that
// multiplies it is cheaper than gathering a panel.
const fusedOrder = 320

// reduce brings the symmetric matrix whose upper triangle is in a to
// tridiagonal form by Householder reflections (Golub and Van Loan, Matrix
// Computations, 8.3.1; panels after Dongarra, Sorensen and Hammarling, 1989).
// It overwrites a.
func reduce(a kernel.Matrix) *reduction {
	n := a.Rows
	r := &reduction{
		tridiagonal: tridiagonal{d: make([]float64, n), e: make([]float64, max(0, n-1))},
		v:           a,
		tau:         make([]float64, max(0, n-1)),
	}
	j := 0
	if n > fusedOrder {
		p := newPanel(n)
		for n-j > fusedOrder {
			r.reducePanel(p, j, min(panelWidth, n-fusedOrder))
			j += p.width
		}
	}
	r.reduceFused(j)
	return r
}

// reflect overwrites x with v, v[0] = 1, such that (I − tau·v·vᵀ)·x is beta
// times the first unit vector. Entries whose squares would be lost to
// underflow are dropped: they are below 10⁻¹⁴⁰ times the matrix.
func reflect(x []float64) (beta, tau float64) {
	alpha := x[0]
	tail := x[1:]
	s := kernel.Dot(tail, tail)
	x[0] = 1
	if s < 1e-280 {
		clear(tail)
		return alpha, 0
	}
	beta = -math.Copysign(math.Sqrt(alpha*alpha+s), alpha)
	f := 1 / (alpha - beta)
	for i := range tail {
		tail[i] *= f
	}
	return beta, (beta - alpha) / beta
}

// finish turns w = A·v into tau·w − ½·tau²·(wᵀv)·v, so that
// H·A·H = A − v·wᵀ − w·vᵀ.
func finish(w, v []float64, tau float64) {
	s := -0.5 * tau * tau * kernel.Dot(w, v)
	for i := range w {
		w[i] = tau*w[i] + s*v[i]
	}
}

// reduceFused reduces the trailing matrix from row j0 on. The update by one
// reflection and the product for the next are one pass over the matrix.
func (r *reduction) reduceFused(j0 int) {
	n := r.v.Rows
	w, next := make([]float64, n), make([]float64, n)
	var v []float64 // of the reflection that is not yet applied
	for j := j0; j < n-1; j++ {
		row := r.v.Row(j)[j:]
		if v != nil {
			kernel.Axpy(-v[0], w[j:], row)
			kernel.Axpy(-w[j], v, row)
		}
		r.d[j] = row[0]
		x := row[1:]
		if len(x) == 1 {
			r.e[j] = x[0]
			last := &r.v.Data[(n-1)*r.v.Stride+n-1]
			if v != nil {
				*last -= 2 * v[1] * w[n-1]
			}
			x[0] = 1
			break
		}
		r.e[j], r.tau[j] = reflect(x)
		trailing := r.v.Slice(j+1, n, j+1, n)
		if v != nil {
			rank2Symv(next[j+1:], trailing, x, v[1:], w[j+1:])
		} else {
			kernel.Symv(next[j+1:], trailing, x)
		}
		finish(next[j+1:], x, r.tau[j])
		w, next, v = next, w, x
	}
	r.d[n-1] = r.v.Data[(n-1)*r.v.Stride+n-1]
}

// panel gathers reflections: rows v_0, w_0, v_1, w_1, … and the same with v
// and w exchanged.
type panel struct {
	width      int
	vw, wv     kernel.Matrix
	coef, work []float64
}

func newPanel(n int) *panel {
	return &panel{
		vw:   kernel.NewMatrix(2*panelWidth, n),
		wv:   kernel.NewMatrix(2*panelWidth, n),
		coef: make([]float64, 2*panelWidth),
		work: make([]float64, n),
	}
}

// reducePanel makes the width reflections of rows j0, j0+1, … and applies them
// to the trailing matrix.
func (r *reduction) reducePanel(p *panel, j0, width int) {
	n := r.v.Rows
	p.width = width
	for i := range width {
		j := j0 + i
		row := r.v.Row(j)[j:]
		p.correct(row, i, j, func(l int) float64 { return p.vw.Data[l*p.vw.Stride+j] })
		r.d[j] = row[0]
		x := row[1:]
		r.e[j], r.tau[j] = reflect(x)
		w := p.work[j+1:]
		kernel.Symv(w, r.v.Slice(j+1, n, j+1, n), x)
		p.correctProduct(w, x, i, j+1)
		finish(w, x, r.tau[j])
		for _, at := range [2][]float64{p.vw.Row(2 * i), p.wv.Row(2*i + 1)} {
			clear(at[:j+1])
			copy(at[j+1:], x)
		}
		for _, at := range [2][]float64{p.vw.Row(2*i + 1), p.wv.Row(2 * i)} {
			clear(at[:j+1])
			copy(at[j+1:], w)
		}
	}
	r.update(p, j0+width)
}

// correct subtracts from row, which starts at column j, what the first i
// reflections of the panel would have changed there.
func (p *panel) correct(row []float64, i, j int, coef func(l int) float64) {
	n := p.wv.Cols
	for l := range 2 * i {
		kernel.Axpy(-coef(l), p.wv.Row(l)[j:n], row)
	}
}

// correctProduct subtracts from w, which is the product of the trailing matrix
// as it was before the panel with x, the product of what the first i
// reflections change.
func (p *panel) correctProduct(w, x []float64, i, j int) {
	n := p.wv.Cols
	for l := range 2 * i {
		p.coef[l] = kernel.Dot(p.vw.Row(l)[j:n], x)
	}
	p.correct(w, i, j, func(l int) float64 { return p.coef[l] })
}

// update applies the panel to the rows from j on: A −= V·Wᵀ + W·Vᵀ, upper
// triangle.
func (r *reduction) update(p *panel, j int) {
	const rows = 64
	n, k := r.v.Rows, 2*p.width
	blocks := (n - j + rows - 1) / rows
	kernel.Parallel(blocks, func(_, b int) {
		i0 := j + b*rows
		i1 := min(i0+rows, n)
		kernel.Gemm(true, false, -1, p.vw.Slice(0, k, i0, i1), p.wv.Slice(0, k, i0, n), 1, r.v.Slice(i0, i1, i0, n))
	})
}
