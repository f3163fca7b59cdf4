package solver

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/fspca/fspca/internal/kernel"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/subspace"
	"github.com/fspca/fspca/solver/spectral"
)

// relaxation is the semidefinite relaxation of a subproblem,
//
//	max ⟨A, X⟩,  0 ≼ X ≼ Diag(z),  tr X = m,  0 ≤ z ≤ 1,  Σz = k,  z_i = 1 on the first in,
//
// solved by ADMM on two copies of X. Its dual is the least of
// topk(diag B) + K_m(A − B) over the semidefinite B; topk takes the
// first in and the largest of the others. Any such B, so any iteration, gives
// an upper bound.
type relaxation struct {
	n, in, k, m int
	a           kernel.Matrix
	rho         float64

	u, d1, d2  kernel.Matrix
	x, p, work kernel.Matrix // scratch
	z          []float64

	rank1, rank2, rank3 int // eigenpairs that the last projections took

	bound float64   // the best so far
	diag  []float64 // diag B of that bound
	rest  float64   // K_m(A − B) of that bound
}

// newRelaxation starts from X = (m/n)I, z = k/n. lambda is about λ₁.
func newRelaxation(a kernel.Matrix, in, k, m int, lambda float64) *relaxation {
	n := a.Rows
	r := &relaxation{n: n, in: in, k: k, m: m, a: a, rho: lambda / 2, z: make([]float64, n), bound: math.Inf(1)}
	for _, v := range []*kernel.Matrix{&r.u, &r.d1, &r.d2, &r.x, &r.p, &r.work} {
		*v = kernel.NewMatrix(n, n)
	}
	for i := range n {
		r.u.Row(i)[i] = float64(m) / float64(n)
		r.z[i] = float64(k) / float64(n)
	}
	r.rank1, r.rank2, r.rank3 = 2*m, 3*m, 3*m
	return r
}

// step is one iteration.
func (r *relaxation) step() error {
	// X ← projection of U − D₁ + A/ρ on {0 ≼ X ≼ I, tr X = m}.
	combine(r.work, 1, r.u, -1, r.d1)
	combine(r.work, 1, r.work, 1/r.rho, r.a)
	if err := r.projectFantope(); err != nil {
		return err
	}
	// P ← (Diag(z) − U − D₂)₊
	combine(r.work, -1, r.u, -1, r.d2)
	for i, v := range r.z {
		r.work.Row(i)[i] += v
	}
	if err := r.projectSemidefinite(); err != nil {
		return err
	}
	v := lists.Make(r.n, func(i int) float64 { return r.x.Row(i)[i] + r.d1.Row(i)[i] + r.p.Row(i)[i] + r.d2.Row(i)[i] })
	projectCapped(r.z, v, r.in, r.k)
	for i := range r.n {
		x, p, u, d1, d2 := r.x.Row(i), r.p.Row(i), r.u.Row(i), r.d1.Row(i), r.d2.Row(i)
		for j := range u {
			u[j] = (x[j] + d1[j] - p[j] - d2[j]) / 2
			if i == j {
				u[j] += r.z[i] / 2
			}
			d1[j] += x[j] - u[j]
			d2[j] += p[j] + u[j]
		}
		d2[i] -= r.z[i]
	}
	return nil
}

// projectFantope stores the projection of work in x: the eigenvalues γ become
// min(1, (γ − θ)₊) with the θ that makes their sum m.
func (r *relaxation) projectFantope() error {
	for {
		p, err := spectral.Leading(symmetric(r.work), min(r.rank1, r.n))
		if err != nil {
			return err
		}
		gamma := p.Values
		theta := subspace.FantopeShift(gamma, r.m)
		if len(gamma) < r.n && theta < gamma[len(gamma)-1] {
			r.rank1 *= 2
			continue
		}
		weights := make([]float64, 0, len(gamma))
		for _, g := range gamma {
			if g <= theta {
				break
			}
			weights = append(weights, min(1, g-theta))
		}
		r.rank1 = max(r.m, len(weights)+len(weights)/4+2)
		r.x.Zero()
		addOuter(r.x, p.Vectors, weights)
		return nil
	}
}

// projectSemidefinite stores the semidefinite part of work in p, by way of
// the negative part, which has the lower rank.
func (r *relaxation) projectSemidefinite() error {
	for i := range r.n {
		row, to := r.work.Row(i), r.p.Row(i)
		copy(to, row)
		for j := range row {
			row[j] = -row[j]
		}
	}
	rank, err := addPositivePart(r.p, r.work, r.rank2)
	r.rank2 = rank
	return err
}

// certify takes the bound of the current multiplier, B = (ρD₂)₊, if it is the
// least so far.
func (r *relaxation) certify() error {
	b := r.work
	b.Zero()
	rank, err := addPositivePart(b, r.d2, r.rank3)
	if err != nil {
		return err
	}
	r.rank3 = rank
	diag := lists.Make(r.n, func(i int) float64 { return r.rho * b.Row(i)[i] })
	combine(b, -r.rho, b, 1, r.a)
	norm := frobeniusNorm(b)
	values, err := spectral.Values(symmetric(b), r.m)
	if err != nil {
		return err
	}
	rest := lists.Sum(values)
	// A sum of w·v·vᵀ is off by little of √(b_ii·b_jj) in each entry, and A by an
	// ulp; that is little of the traces in the norm.
	off := decompositionError(r.n, norm) + sumError(rank, floats.Sum(diag)+diagonalSum(r.a))
	rest += float64(r.m)*off + sumError(r.m, rest)
	chosen := diagSum(diag, r.in, r.k)
	if total := rest + chosen + sumError(r.k+rank, chosen+math.Abs(rest)); total < r.bound {
		r.bound, r.diag, r.rest = total, diag, rest
	}
	return nil
}

// frobeniusNorm returns √Σ m_ij².
func frobeniusNorm(m kernel.Matrix) float64 {
	return math.Sqrt(lists.Sum(lists.Make(m.Rows, func(i int) float64 { return kernel.Dot(m.Row(i), m.Row(i)) })))
}

// diagonalSum returns Σ|m_ii|.
func diagonalSum(m kernel.Matrix) float64 {
	return lists.Sum(lists.Make(m.Rows, func(i int) float64 { return math.Abs(m.Row(i)[i]) }))
}

// certifyEvery is the number of iterations between bounds.
const certifyEvery = 10

// run iterates until done, called after each bound, returns true, the
// iterations are made, or ctx ends.
func (r *relaxation) run(ctx context.Context, iterations int, done func(iteration int) (bool, error)) error {
	for i := 1; i <= iterations && ctx.Err() == nil; i++ {
		if err := r.step(); err != nil {
			return err
		}
		if i%certifyEvery != 0 && i != iterations {
			continue
		}
		if err := r.certify(); err != nil {
			return err
		}
		if end, err := done(i); end || err != nil {
			return err
		}
	}
	return nil
}

// restrict continues on the rows kept, of which the first in are in every
// support.
func (r *relaxation) restrict(kept []int, in int) {
	for _, m := range []*kernel.Matrix{&r.a, &r.u, &r.d1, &r.d2} {
		*m = submatrix(*m, kept)
	}
	n := len(kept)
	for _, m := range []*kernel.Matrix{&r.x, &r.p, &r.work} {
		*m = kernel.NewMatrix(n, n)
	}
	r.z, r.diag = lists.At(r.z, kept), lists.At(r.diag, kept)
	r.n, r.in = n, in
}

// submatrix returns the rows and columns of m in index.
func submatrix(m kernel.Matrix, index []int) kernel.Matrix {
	s := kernel.NewMatrix(len(index), len(index))
	for p, i := range index {
		row, from := s.Row(p), m.Row(i)
		for q, j := range index {
			row[q] = from[j]
		}
	}
	return s
}
