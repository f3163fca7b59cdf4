package spectral

import (
	"math"

	"github.com/fspca/fspca/internal/kernel"
	"github.com/fspca/fspca/internal/lists"
)

// A certificate proves λ_i(A) ≤ θ_i + δ for the m Ritz values θ_i, that is
// that no leading eigenpair was missed. Let V be the Ritz vectors, and D = A
// − V·diag(θ_i − θ_m)·Vᵀ, where the pairs found are lowered to θ_m. If (θ_m +
// δ)·I − D is positive semidefinite, then A ≤ (θ_m + δ)·I + V·diag(θ_i −
// θ_m)·Vᵀ. The eigenvalues of that are θ_i + δ and below them θ_m + δ.
// Eigenvalues grow with the matrix (Horn and Johnson, Matrix Analysis, 4.3).

// certified tries the cheap proof. In the basis Q that the iteration has built
// and its orthogonal complement, A is [H Bᵀ; B C] with a known Frobenius norm,
// so that ‖C‖² ≤ γ² = ‖A‖_F² − ‖H‖_F² − 2·‖B‖_F². Let μ = θ_m + δ > γ. The
// matrix μ·I − D is positive semidefinite if its Schur complement μ·I − H +
// S·diag(θ_i − θ_m)·Sᵀ − BᵀB/(μ − γ) is. It has the order of the basis; S
// holds the Ritz vectors in the basis. Only the last block of B is not zero:
// BᵀB = RᵀR.
func (l *lanczos) certified(u *upper) bool {
	m, n := l.m, l.size
	theta := l.ritz.values
	h := l.h.Slice(0, n, 0, n)
	a2 := u.squaredNorm(l.exponent)
	g2 := a2*(1+float64(l.n)*epsilon) - squares(h) - 2*squares(l.r)
	gamma := math.Sqrt(max(0, g2) + 8*epsilon*a2)
	mu := theta[m-1] + l.settings.tolerance(l.n)*l.norm
	if !(gamma < mu) || l.dropped > 0 {
		return false
	}
	s := kernel.NewMatrix(n, n)
	for i := range n {
		row := s.Row(i)
		for j, v := range h.Row(i) {
			row[j] = -v
		}
		row[i] += mu
	}
	z := kernel.NewMatrix(m, n)
	for i := range m {
		copy(z.Row(i), l.ritz.z.Row(i))
		scale(z.Row(i), math.Sqrt(max(0, theta[i]-theta[m-1])))
	}
	kernel.Gemm(true, false, 1, z, z, 1, s)
	end := s.Slice(n-l.width, n, n-l.width, n)
	kernel.Gemm(true, false, -1/(mu-gamma), l.r, l.r, 1, end)
	return cholesky(s)
}

// squares returns the sum of the squares of all elements.
func squares(m kernel.Matrix) float64 {
	return lists.Sum(lists.Make(m.Rows, func(i int) float64 { return kernel.Dot(m.Row(i), m.Row(i)) }))
}

// squaredNorm returns ‖2^−exponent·A‖_F².
func (u *upper) squaredNorm(exponent int) float64 {
	f := math.Ldexp(1, -exponent)
	n := u.a.Rows
	work := make([]float64, n)
	off, diagonal := 0.0, 0.0
	for i := range n {
		row := work[:n-i]
		for j, v := range u.a.Row(i)[i:] {
			row[j] = v * f
		}
		diagonal += row[0] * row[0]
		off += kernel.Dot(row[1:], row[1:])
	}
	return diagonal + 2*off
}

// dominates tries the proof by a Cholesky factorisation of μ·I − D. tolerance
// is relative to the largest value.
func (u *upper) dominates(p *Pairs, tolerance float64) bool {
	n, m := u.a.Rows, len(p.Values)
	top := max(math.Abs(p.Values[0]), math.Abs(p.Values[m-1]))
	f := math.Ldexp(1, -exponentOf(top))
	d := kernel.NewMatrix(n, n)
	mu := p.Values[m-1]*f + tolerance*top*f
	for i := range n {
		row := d.Row(i)
		for j := i; j < n; j++ {
			row[j] = -f * u.a.Row(i)[j]
		}
		row[i] += mu
	}
	v := kernel.NewMatrix(m, n)
	transpose(v, kernel.Matrix(p.Vectors.RawMatrix()))
	for i := range m {
		scale(v.Row(i), math.Sqrt((p.Values[i]-p.Values[m-1])*f))
	}
	addGram(d, v)
	return cholesky(d)
}

// addGram adds vᵀ·v to the upper triangle of d.
func addGram(d, v kernel.Matrix) {
	const rows = 128
	for i0 := 0; i0 < d.Rows; i0 += rows {
		i1 := min(d.Rows, i0+rows)
		kernel.Gemm(true, false, 1, v.Slice(0, v.Rows, i0, i1), v.Slice(0, v.Rows, i0, d.Rows), 1, d.Slice(i0, i1, i0, d.Rows))
	}
}

// cholesky overwrites the upper triangle of d with U, D = UᵀU, or returns
// false when D is not positive definite. In floating point success means that
// no eigenvalue is below −c·n·ε·‖D‖ with a small c (Higham, Accuracy and
// Stability of Numerical Algorithms, theorem 10.7).
func cholesky(d kernel.Matrix) bool {
	const width = 64
	n := d.Rows
	for j0 := 0; j0 < n; j0 += width {
		j1 := min(n, j0+width)
		for j := j0; j < j1; j++ {
			row := d.Row(j)[j:]
			if !(row[0] > 0) {
				return false
			}
			scale(row, 1/math.Sqrt(row[0]))
			for i := j + 1; i < j1; i++ {
				kernel.Axpy(-row[i-j], row[i-j:], d.Row(i)[i:])
			}
		}
		if j1 == n {
			break
		}
		panel := d.Slice(j0, j1, j1, n)
		const rows = 128
		for i0 := j1; i0 < n; i0 += rows {
			i1 := min(n, i0+rows)
			kernel.Gemm(true, false, -1, panel.Slice(0, j1-j0, i0-j1, i1-j1), panel.Slice(0, j1-j0, i0-j1, n-j1), 1, d.Slice(i0, i1, i0, n))
		}
	}
	return true
}
