package spectral

import (
	"math"
	"math/rand/v2"

	"github.com/fspca/fspca/internal/kernel"
)

// inverse computes eigenvectors of a tridiagonal matrix by inverse iteration
// (Wilkinson, 1958; Ipsen, Computing an eigenvector with inverse iteration,
// 1997). Vectors of one block are kept orthogonal to each other explicitly;
// those of different blocks are so by their zeros.
type inverse struct {
	t    tridiagonal
	norm float64
	lu   shifted
	rng  *rand.Rand
}

// vectors sets the rows of z (len(places)×n) to eigenvectors, and residuals to
// ‖T·z − λ·z‖₂. It returns false when some vector did not come out to working
// precision.
func (t tridiagonal) vectors(z kernel.Matrix, places []place, limits []int, norm float64, residuals []float64) bool {
	v := inverse{t: t, norm: norm, rng: rand.New(rand.NewPCG(0x5eed, 0x1237))}
	last := make([]int, len(limits)) // index + 1 of the block's last vector
	shifts := make([]float64, len(places))
	rows := make([][][]float64, len(limits))
	for i, p := range places {
		lo, hi := limits[p.block], limits[p.block+1]
		clear(z.Row(i))
		at := z.Row(i)[lo:hi]
		shifts[i] = p.value
		if l := last[p.block]; l > 0 {
			// Equal shifts would give the same vector again.
			shifts[i] = min(p.value, shifts[l-1]-2*epsilon*norm)
		}
		if !v.vector(at, t.block(lo, hi), shifts[i], p.value, rows[p.block], &residuals[i]) {
			return false
		}
		last[p.block] = i + 1
		rows[p.block] = append(rows[p.block], at)
	}
	return true
}

// vector finds the unit eigenvector z of t for value, orthogonal to earlier.
func (v *inverse) vector(z []float64, t tridiagonal, shift, value float64, earlier [][]float64, residual *float64) bool {
	if len(z) == 1 {
		z[0], *residual = 1, 0
		return true
	}
	const attempts = 6
	v.lu.factor(t, shift, epsilon*v.norm)
	for i := range z {
		z[i] = v.rng.Float64() - 0.5
	}
	for range attempts {
		if !unit(z) {
			return false
		}
		v.lu.solve(z)
		if !orthogonalise(z, earlier) {
			return false
		}
		*residual = t.residual(z, value)
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
