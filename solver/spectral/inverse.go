package spectral

import (
	"math"
	"math/rand/v2"
	"sync"

	"github.com/fspca/fspca/internal/kernel"
)

// inverse computes eigenvectors of a tridiagonal matrix by inverse iteration
// (Wilkinson, 1958; Ipsen, Computing an eigenvector with inverse iteration,
// 1997). Vectors of one block are kept orthogonal to each other explicitly;
// those of different blocks are so by their zeros.
type inverse struct {
	t    tridiagonal
	norm float64
	rng  *rand.Rand
	todo []wanted
}

// wanted is a vector to find: z, of so much of the matrix, for value.
type wanted struct {
	z            []float64
	t            tridiagonal
	block        int
	value, shift float64
	started      bool // z is a start, and solved for once
}

// vectors sets the rows of z (len(places)×n) to eigenvectors, and residuals to
// ‖T·z − λ·z‖₂. It returns false when some vector did not come out to working
// precision.
func (t tridiagonal) vectors(z kernel.Matrix, places []place, limits []int, norm float64, residuals []float64) bool {
	v := inverse{t: t, norm: norm, rng: rand.New(rand.NewPCG(0x5eed, 0x1237)), todo: make([]wanted, len(places))}
	v.plan(z, places, limits)
	v.start()
	rows := make([][][]float64, len(limits))
	lu := borrowShifted()
	defer factors.Put(lu)
	for i, w := range v.todo {
		if !v.vector(lu, w, rows[w.block], &residuals[i]) {
			return false
		}
		rows[w.block] = append(rows[w.block], w.z)
	}
	return true
}

// plan says what is wanted, with a start for each.
func (v *inverse) plan(z kernel.Matrix, places []place, limits []int) {
	last := make([]int, len(limits)) // index + 1 of the block's last vector
	for i, p := range places {
		lo, hi := limits[p.block], limits[p.block+1]
		clear(z.Row(i))
		w := wanted{z: z.Row(i)[lo:hi], t: v.t.block(lo, hi), block: p.block, value: p.value, shift: p.value}
		if l := last[p.block]; l > 0 {
			// Equal shifts would give the same vector again.
			w.shift = min(p.value, v.todo[l-1].shift-2*epsilon*v.norm)
		}
		last[p.block] = i + 1
		if len(w.z) > 1 {
			for j := range w.z {
				w.z[j] = v.rng.Float64() - 0.5
			}
		}
		v.todo[i] = w
	}
}

// start solves once for each vector: these do not depend on each other.
func (v *inverse) start() {
	const each = 4
	shared((len(v.todo)+each-1)/each, solveWork*len(v.t.d)*len(v.todo), func(task int) {
		lu := borrowShifted()
		defer factors.Put(lu)
		for i := task * each; i < min(len(v.todo), (task+1)*each); i++ {
			if w := &v.todo[i]; len(w.z) > 1 && unit(w.z) {
				lu.factor(w.t, w.shift, epsilon*v.norm)
				lu.solve(w.z)
				w.started = true
			}
		}
	})
}

// solveWork is about as long as a factorisation and a solution take for each row, in
// multiply-adds of vectors.
const solveWork = 512

// vector makes the start w.z the unit eigenvector orthogonal to earlier.
func (v *inverse) vector(lu *shifted, w wanted, earlier [][]float64, residual *float64) bool {
	if len(w.z) == 1 {
		w.z[0], *residual = 1, 0
		return true
	}
	if !w.started {
		return false
	}
	const attempts = 6
	for attempt := range attempts {
		if attempt == 1 {
			lu.factor(w.t, w.shift, epsilon*v.norm)
		}
		if attempt > 0 {
			if !unit(w.z) {
				return false
			}
			lu.solve(w.z)
		}
		if !orthogonalise(w.z, earlier) {
			return false
		}
		*residual = w.t.residual(w.z, w.value)
		if *residual <= 8*epsilon*v.norm {
			return true
		}
	}
	return *residual <= 64*epsilon*v.norm
}

// orthogonalise makes z a unit vector orthogonal to the unit vectors in
// earlier; twice is enough. It returns false when nothing finite is left.
func orthogonalise(z []float64, earlier [][]float64) bool {
	for range 2 {
		if !unit(z) {
			return false
		}
		for _, e := range earlier {
			kernel.Axpy(-kernel.Dot(e, z), e, z)
		}
	}
	return unit(z)
}

// unit scales z to length 1, or returns false when that is not possible.
func unit(z []float64) bool {
	if s := kernel.Dot(z, z); s > 1e-190 && s < 1e190 { // no square of a part that matters was lost
		scale(z, 1/math.Sqrt(s))
		return true
	}
	largest := 0.0
	for _, v := range z {
		largest = max(largest, math.Abs(v))
	}
	if !(largest > 0) || math.IsInf(largest, 0) {
		return false
	}
	if largest > 1e100 || largest < 1e-100 {
		scale(z, 1/largest)
	}
	scale(z, 1/math.Sqrt(kernel.Dot(z, z)))
	return true
}

// shifted is the factorisation P·L·U = T − shift·I with partial pivoting: U
// has the diagonals u (as reciprocals), u1 and u2, L the multipliers l; swap
// tells where rows were exchanged.
type shifted struct {
	u, u1, u2, l []float64
	swap         []bool
}

// factors keeps the room of factorisations that are not in use.
var factors sync.Pool

func borrowShifted() *shifted {
	if f, ok := factors.Get().(*shifted); ok {
		return f
	}
	return new(shifted)
}

// factor replaces pivots below tiny by it.
func (f *shifted) factor(t tridiagonal, shift, tiny float64) {
	n := len(t.d)
	if cap(f.u) < n {
		f.u, f.u1, f.u2 = make([]float64, n), make([]float64, n), make([]float64, n)
		f.l, f.swap = make([]float64, n), make([]bool, n)
	}
	f.u, f.u1, f.u2, f.l, f.swap = f.u[:n], f.u1[:n], f.u2[:n], f.l[:n], f.swap[:n]
	p, q := t.d[0]-shift, 0.0 // the row in hand: pivot and next entry
	if n > 1 {
		q = t.e[0]
	}
	for i := range n - 1 {
		below, diag, right := t.e[i], t.d[i+1]-shift, 0.0
		if i+1 < n-1 {
			right = t.e[i+1]
		}
		if f.swap[i] = math.Abs(below) > math.Abs(p); f.swap[i] {
			m := p / below
			f.l[i], f.u[i], f.u1[i], f.u2[i] = m, 1/below, diag, right
			p, q = q-m*diag, -m*right
			continue
		}
		if math.Abs(p) < tiny {
			p = math.Copysign(tiny, p)
		}
		m := below / p
		f.l[i], f.u[i], f.u1[i], f.u2[i] = m, 1/p, q, 0
		p, q = diag-m*q, right
	}
	if math.Abs(p) < tiny {
		p = math.Copysign(tiny, p)
	}
	f.u[n-1] = 1 / p
}

// solve overwrites z with (T − shift·I)⁻¹·z.
func (f *shifted) solve(z []float64) {
	n := len(z)
	for i := range n - 1 {
		if f.swap[i] {
			z[i], z[i+1] = z[i+1], z[i]-f.l[i]*z[i+1]
		} else {
			z[i+1] -= f.l[i] * z[i]
		}
	}
	z[n-1] *= f.u[n-1]
	z[n-2] = (z[n-2] - f.u1[n-2]*z[n-1]) * f.u[n-2]
	for i := n - 3; i >= 0; i-- {
		z[i] = (z[i] - f.u1[i]*z[i+1] - f.u2[i]*z[i+2]) * f.u[i]
	}
}
