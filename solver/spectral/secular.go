package spectral

import (
	"math"
	"slices"

	"github.com/fspca/fspca/internal/kernel"
)

// secular is the equation f(λ) = 1 + ρ·Σ z_j²/(d_j − λ) = 0; ρ > 0, d_0 < d_1 <
// …, and the K roots interlace with d. They are the eigenvalues of
// diag(d) + ρ·z·zᵀ.
type secular struct {
	d, square []float64 // square holds ρ·z_j²
	total     float64   // Σ square: the largest root is below d_{K−1} + total
}

// newSecular prepares the equation for d, z and rho.
func newSecular(d, z []float64, rho float64) *secular {
	s := &secular{d: d, square: make([]float64, len(z))}
	for j, v := range z {
		s.square[j] = rho * v * v
		s.total += s.square[j]
	}
	return s
}

// sample is the value of f at a point with its parts: psi and phi are the sums
// over the poles to the left and to the right of the root, with derivatives.
type sample struct {
	f, psi, phi, dpsi, dphi float64
}

// at evaluates f at origin + tau, where delta holds d_j − origin and the first
// left poles are to the left of the root.
func (s *secular) at(delta []float64, left int, tau float64) sample {
	var v sample
	v.psi, v.dpsi = kernel.Poles(s.square[:left], delta[:left], tau)
	v.phi, v.dphi = kernel.Poles(s.square[left:], delta[left:], tau)
	v.f = 1 + v.psi + v.phi
	return v
}

// root finds root i and sets delta to d_j − λ_i, which is accurate relative to
// itself, entry by entry. It returns λ_i.
//
// The root is sought from the nearer pole as origin by Li's middle way
// (LAPACK working note 89, 1993): each of ψ and φ is replaced by the
// constant plus one pole that agrees with it to first order. The iteration is
// kept inside of a bracket and falls back to bisection.
func (s *secular) root(i int, delta []float64) float64 {
	k := len(s.d)
	if k == 1 {
		delta[0] = -s.total
		return s.d[0] + s.total
	}
	origin, lo, hi, tau := s.bracket(i, delta)
	left := i + 1
	p, q := i, i+1 // the poles of the interpolation
	if i == k-1 {
		p, q, left = k-2, k-1, k-1
	}
	const limit = 200
	for range limit {
		v := s.at(delta, left, tau)
		rounding := 4*(math.Abs(v.phi)-v.psi) + 1 + math.Abs(tau)*(v.dpsi+v.dphi)
		if math.Abs(v.f) <= epsilon*rounding {
			break
		}
		if v.f < 0 {
			lo = tau
		} else {
			hi = tau
		}
		next := tau + step(v, delta[p]-tau, delta[q]-tau, i == k-1)
		if !(next > lo && next < hi) {
			next = between(lo, hi)
		}
		if next == tau || next <= lo || next >= hi {
			break
		}
		tau = next
	}
	for j := range delta {
		delta[j] -= tau
	}
	return origin + tau
}

// bracket chooses the origin of root i, sets delta to d_j − origin and returns
// the limits of tau and a first guess.
func (s *secular) bracket(i int, delta []float64) (origin, lo, hi, guess float64) {
	k := len(s.d)
	if i == k-1 {
		s.shift(delta, s.d[i])
		return s.d[i], 0, s.total * (1 + 4*epsilon), s.total / 2
	}
	gap := s.d[i+1] - s.d[i]
	s.shift(delta, s.d[i])
	v := s.at(delta, i+1, gap/2)
	if v.f >= 0 {
		// The two nearest poles, and the rest as it is in the middle, give
		// c + a/(0 − τ) + b/(gap − τ) = 0.
		return s.d[i], 0, gap / 2, nearRoot(s, v, i, gap, true)
	}
	s.shift(delta, s.d[i+1])
	return s.d[i+1], -gap / 2, 0, nearRoot(s, v, i, gap, false)
}

func (s *secular) shift(delta []float64, origin float64) {
	for j, v := range s.d {
		delta[j] = v - origin
	}
}

// nearRoot solves the secular equation with exact terms for the two poles around
// the root. The other terms are taken as in the middle of the gap. The answer is
// relative to the left pole or to the right one.
func nearRoot(s *secular, mid sample, i int, gap float64, fromLeft bool) float64 {
	a, b := s.square[i], s.square[i+1]
	c := mid.f + a/(gap/2) - b/(gap/2)
	// c·τ·(gap−τ) − a·(gap−τ) + b·τ = 0 from the left pole;
	// from the right pole with τ = gap + σ: −c·(gap+σ)·σ + a·σ + b·(gap+σ) = 0.
	if fromLeft {
		return rootBetween(c, c*gap+a+b, a*gap, 0, gap/2)
	}
	return rootBetween(c, -c*gap+a+b, -b*gap, -gap/2, 0)
}

// rootBetween returns the root of c·x² − p·x + q = 0 that lies between lo and
// hi, or the middle where none does.
func rootBetween(c, p, q, lo, hi float64) float64 {
	disc := math.Sqrt(max(0, p*p-4*c*q))
	half := (p + math.Copysign(disc, p)) / 2
	for _, x := range [2]float64{q / half, half / c} {
		if x > lo && x < hi {
			return x
		}
	}
	return lo + (hi-lo)/2
}

// step returns the correction of tau that the middle way proposes; dp and dq
// are the distances of the two poles from tau. For the last root both poles
// are to the left.
func step(v sample, dp, dq float64, last bool) float64 {
	c := v.f - dp*v.dpsi - dq*v.dphi
	a := (dp+dq)*v.f - dp*dq*(v.dpsi+v.dphi)
	b := dp * dq * v.f
	disc := math.Sqrt(max(0, a*a-4*b*c))
	if last {
		if a >= 0 {
			return (a + disc) / (2 * c)
		}
		return 2 * b / (a - disc)
	}
	if a <= 0 {
		return (a - disc) / (2 * c)
	}
	return 2 * b / (a + disc)
}

// between halves an interval; where it spans magnitudes, geometrically.
func between(lo, hi float64) float64 {
	if lo > 0 && hi > 4*lo {
		return math.Sqrt(lo) * math.Sqrt(hi)
	}
	if hi < 0 && lo < 4*hi {
		return -math.Sqrt(-lo) * math.Sqrt(-hi)
	}
	return lo + (hi-lo)/2
}

// weights overwrites z, keeping its signs, with the vector for which the
// computed roots are exact (Gu and Eisenstat, 1994): this is what makes the
// eigenvectors orthogonal however close the roots are. delta(i) is row i of
// d_j − λ_i.
func (s *secular) weights(z []float64, delta func(i int) []float64) {
	product := slices.Repeat([]float64{1}, len(z))
	for i := range z {
		row := delta(i)
		di := s.d[i]
		for j, v := range row {
			if j != i {
				product[j] *= v / (s.d[j] - di)
			} else {
				product[j] *= -v
			}
		}
	}
	for j, p := range product {
		z[j] = math.Copysign(math.Sqrt(math.Abs(p)), z[j])
	}
}
