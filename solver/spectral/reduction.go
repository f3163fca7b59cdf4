package spectral

import (
	"math"

	"github.com/fspca/fspca/internal/kernel"
)

// reduction is the similarity A = Q·T·Qᵀ with a tridiagonal T and
// Q = H_0·H_1·…·H_{n−3}, H_j = I − tau_j·v_j·v_jᵀ.
type reduction struct {
	tridiagonal
	n int

	// v is the matrix, padded with zeros to a multiple of 8. As the reduction
	// goes on, row j comes to hold v_j from column j+1 on, v_j[j+1] = 1.
	v   kernel.Matrix
	tau []float64

	x, y   []float64    // padded: the reflection in hand, and A times it
	last   [2][]float64 // padded: room for the reflection before it
	partsY [2][]float64 // y of the parts of a sweep

	room *kernel.Buffer // of all but v, until release
}

const (
	// panelWidth is how many reflections are gathered before the trailing
	// matrix is updated. Wider panels cost more in corrections, narrower ones
	// read the trailing matrix more often.
	panelWidth = 32

	// fusedOrder is the order of the trailing matrix below which it stays in the
	// cache. Updating it after every reflection, in the pass that multiplies it, is
	// then cheaper than gathering a panel.
	fusedOrder = 1000

	// sharedOrder is the order of the trailing matrix from which a pass over it
	// is worth the start of a second goroutine.
	sharedOrder = 320

	// rousedOrder is the order of the trailing matrix that takes about as long as a
	// helper needs to wake up for what follows.
	rousedOrder = 120
)

// padded returns n rounded up to what the sweeps of package kernel take.
func padded(n int) int { return (n + 7) &^ 7 }

// reduce brings the symmetric matrix of order n whose upper triangle is in a,
// padded with zeros, to tridiagonal form by Householder reflections. See
// Golub and Van Loan, Matrix Computations, 8.3.1; panels after Dongarra, Sorensen
// and Hammarling, 1989. It overwrites a.
func reduce(a kernel.Matrix, n int) *reduction {
	r := newReduction(a, n)
	j := 0
	if n > fusedOrder {
		p := newPanel(a.Rows)
		for n-j > fusedOrder {
			r.reducePanel(p, j)
			j += panelWidth
		}
	}
	r.reduceFused(j)
	return r
}

// newReduction returns a reduction with zeros in its own room.
func newReduction(a kernel.Matrix, n int) *reduction {
	r := &reduction{n: n, v: a, room: kernel.Borrow()}
	side := a.Rows
	rest := r.room.Floats(9 * side)
	clear(rest)
	take := func(n int) []float64 {
		x := rest[:n:n]
		rest = rest[side:]
		return x
	}
	r.d, r.e, r.tau = take(n), take(max(0, n-1)), take(max(0, n-1))
	r.x, r.y, r.partsY, r.last = take(side), take(side), [2][]float64{take(side), take(side)}, [2][]float64{take(side), take(side)}
	return r
}

// release gives the room of the reduction back, that of T included.
func (r *reduction) release() { r.room.Release() }

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
	scale(tail, 1/(alpha-beta))
	return beta, (beta - alpha) / beta
}

// take makes the reflection of row j, which is up to date, and sets x to it.
func (r *reduction) take(j int) {
	row := r.v.Row(j)[j:r.n]
	r.d[j] = row[0]
	if j == r.n-2 { // nothing is left to eliminate
		r.e[j], row[1] = row[1], 1
	} else {
		r.e[j], r.tau[j] = reflect(row[1:])
	}
	clear(r.x[:j+1])
	copy(r.x[j+1:], row[1:])
}

// finish turns y = A·x into tau·y − ½·tau²·(yᵀx)·x, so that
// H·A·H = A − x·yᵀ − y·xᵀ, for rows and columns from j+1 on.
func (r *reduction) finish(j int) {
	clear(r.y[:j+1])
	y, x := r.y[j+1:], r.x[j+1:]
	tau := r.tau[j]
	s := -0.5 * tau * tau * kernel.Dot(y, x)
	scale(y, tau)
	kernel.Axpy(s, x, y)
}

// reduceFused reduces the trailing matrix from row j0 on. The update by one
// reflection and the product for the next are one pass over the matrix.
func (r *reduction) reduceFused(j0 int) {
	// The reflection that is not yet applied: v and w; zeros at first.
	v, w := r.last[0], r.last[1]
	for j := j0; j < r.n-1; j++ {
		if r.n-j == rousedOrder {
			kernel.Rouse()
		}
		row := r.v.Row(j)
		kernel.Axpy(-v[j], w[j:], row[j:])
		kernel.Axpy(-w[j], v[j:], row[j:])
		// Row j is done: the pass may touch it but must not change it.
		v[j], w[j] = 0, 0
		r.take(j)
		r.sweep(j+1, v, w)
		r.finish(j)
		r.x, v = v, r.x
		r.y, w = w, r.y
	}
	last := r.n - 1
	r.d[last] = r.v.Row(last)[last]
	if last > 0 {
		r.d[last] -= 2 * v[last] * w[last]
	}
}

// sweep sets y to A·x for the rows and columns of A from j on. If v is not nil, it
// first subtracts v·wᵀ + w·vᵀ from them. Large matrices are cut in two parts of the
// same area, whatever the number of processors.
func (r *reduction) sweep(j int, v, w []float64) {
	order := len(r.x)
	lo := j &^ 3
	if order-lo < sharedOrder {
		r.sweepRows(r.y, lo, order, lo, v, w)
		return
	}
	r.sweepShared(lo, v, w)
}

// sweepRows sets y, from lo on, to what rows i0 to i1 contribute to sweep.
func (r *reduction) sweepRows(y []float64, i0, i1, lo int, v, w []float64) {
	clear(y[lo:])
	if v == nil {
		kernel.SymvRows(y, r.v, r.x, i0, i1)
	} else {
		kernel.Rank2SymvRows(y, r.v, r.x, v, w, i0, i1)
	}
}

// sweepShared is sweep in two parts.
func (r *reduction) sweepShared(lo int, v, w []float64) {
	order := len(r.x)
	mid := (lo + int(float64(order-lo)*(1-math.Sqrt2/2))) &^ 3
	limits := [3]int{lo, mid, order}
	kernel.Parallel(2, func(_, part int) {
		r.sweepRows(r.partsY[part], limits[part], limits[part+1], lo, v, w)
	})
	copy(r.y[lo:], r.partsY[0][lo:])
	kernel.Axpy(1, r.partsY[1][lo:], r.y[lo:])
}

// panel gathers reflections: rows v_0, w_0, v_1, w_1, … and the same with v
// and w exchanged.
type panel struct {
	vw, wv kernel.Matrix
	coef   []float64
}

func newPanel(order int) *panel {
	return &panel{
		vw:   kernel.NewMatrix(2*panelWidth, order),
		wv:   kernel.NewMatrix(2*panelWidth, order),
		coef: make([]float64, 2*panelWidth),
	}
}

// reducePanel makes the reflections of rows j0 to j0 + panelWidth and applies
// them to the trailing matrix.
func (r *reduction) reducePanel(p *panel, j0 int) {
	for i := range panelWidth {
		j := j0 + i
		for l := range 2 * i {
			p.coef[l] = p.vw.Row(l)[j]
		}
		p.correct(r.v.Row(j)[j:], i, j)
		r.take(j)
		r.sweep(j+1, nil, nil)
		// The sweep has seen the matrix as it was before the panel.
		x, y := r.x[j+1:], r.y[j+1:]
		for l := range 2 * i {
			p.coef[l] = kernel.Dot(p.vw.Row(l)[j+1:], x)
		}
		p.correct(y, i, j+1)
		r.finish(j)
		copy(p.vw.Row(2*i), r.x)
		copy(p.vw.Row(2*i+1), r.y)
		copy(p.wv.Row(2*i), r.y)
		copy(p.wv.Row(2*i+1), r.x)
	}
	r.update(p, j0+panelWidth)
}

// correct subtracts from row, which starts at column j, coef times the rows of
// the first i reflections.
func (p *panel) correct(row []float64, i, j int) {
	for l := range 2 * i {
		kernel.Axpy(-p.coef[l], p.wv.Row(l)[j:], row)
	}
}

// update applies the panel to the rows from j on: A −= V·Wᵀ + W·Vᵀ, upper
// triangle.
func (r *reduction) update(p *panel, j int) {
	const rows = 64
	n, k := r.n, 2*panelWidth
	blocks := (n - j + rows - 1) / rows
	kernel.Parallel(blocks, func(_, b int) {
		i0 := j + b*rows
		i1 := min(i0+rows, n)
		kernel.Gemm(true, false, -1, p.vw.Slice(0, k, i0, i1), p.wv.Slice(0, k, i0, n), 1, r.v.Slice(i0, i1, i0, n))
	})
}
