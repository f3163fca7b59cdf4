package reconstruction

import (
	"context"
	"math"
	"slices"

	"github.com/fspca/fspca/internal/kernel"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/subspace"
	"github.com/fspca/fspca/solver"
)

// gainTolerance is the relative gain of an exchange that counts as one.
const gainTolerance = 1e-10

// position is a support whose exchanges can be valued. Rows p of the k×d
// matrices belong to column order[p] of the factor: M = A_SS⁻¹A_S· and N = ME,
// E being the residual covariance. Without that column E becomes E +
// uuᵀ with u = M_p/√h_p, and Eu = N_p/√h_p.
type position struct {
	c        *factor
	support  []int // ascending, spanned columns among them
	standing *solver.Standing
	value    float64
	m, n     kernel.Matrix
	h, loss  []float64 // diagonal of A_SS⁻¹, ‖u‖²
}

// at computes what exchanges need at a support.
func (r *problem) at(ctx context.Context, support []int) (*position, error) {
	s := &position{c: newFactor(r.t, len(support)), support: support, standing: r.rule.Standing()}
	if err := s.standing.Add(ctx, support...); err != nil {
		return nil, err
	}
	if err := s.c.addAll(ctx, support); err != nil {
		return nil, err
	}
	s.c.refresh()
	var err error
	if s.value, err = s.c.value(r.m); err != nil {
		return nil, err
	}
	s.prepare()
	return s, nil
}

// prepare solves for M and N. With A_SS = LLᵀ, L_pr = Ω_r's entry at order[p],
// M = L⁻ᵀΩ and MA = L⁻ᵀΩA by back substitution.
func (s *position) prepare() {
	c, n, d := s.c, len(s.c.order), s.c.t.op.d
	s.m, s.n = kernel.NewMatrix(n, d), kernel.NewMatrix(n, d)
	s.h, s.loss = make([]float64, n), make([]float64, n)
	inverse := kernel.NewMatrix(n, n) // L⁻ᵀ
	for p := range n {
		inverse.Row(p)[p] = 1
	}
	for p := n - 1; p >= 0; p-- {
		row := inverse.Row(p)
		for q := p + 1; q < n; q++ {
			kernel.Axpy(-c.omega.Row(p)[c.order[q]], inverse.Row(q), row)
		}
		scale := 1 / c.omega.Row(p)[c.order[p]]
		for i := range row {
			row[i] *= scale
			s.h[p] += row[i] * row[i]
		}
	}
	omega, theta := c.omega.Slice(0, n, 0, d), c.theta.Slice(0, n, 0, d)
	kernel.Gemm(false, false, 1, inverse, omega, 0, s.m)
	kernel.Gemm(false, false, 1, inverse, theta, 0, s.n)
	inner := kernel.NewMatrix(n, n) // MΩᵀ
	kernel.Gemm(false, true, 1, s.m, omega, 0, inner)
	kernel.Gemm(false, false, -1, inner, omega, 1, s.n)
	for p := range n {
		s.loss[p] = kernel.Dot(s.m.Row(p), s.m.Row(p)) / s.h[p]
	}
}

// leaving returns the positions whose columns may leave.
func (s *position) leaving(r *problem) []int {
	return lists.Places(len(s.c.order), func(p int) bool { return !slices.Contains(r.must, s.c.order[p]) })
}

// residual stores ‖E′_·j‖² and E′_jj of all columns in f and g, E′ being the
// residual without position p.
func (s *position) residual(p int, f, g []float64) {
	m, n := s.m.Row(p), s.n.Row(p)
	inv := 1 / s.h[p]
	for j, v := range m {
		f[j] = s.c.f[j] + (2*v*n[j]+s.loss[p]*v*v)*inv
		g[j] = s.c.g[j] + v*v*inv
	}
}

// improve exchanges one column for another as long as that gains more than 1e-10 of
// the value. It returns the best support reached, also with an error.
func (r *problem) improve(ctx context.Context, c candidate) (candidate, error) {
	if len(c.support) == len(r.must) || len(c.support) == len(r.must)+len(r.free) {
		return c, nil
	}
	s, err := r.at(ctx, c.support)
	if err != nil {
		return c, err
	}
	for {
		if err := ctx.Err(); err != nil {
			return candidate{s.support, s.value}, err
		}
		out, in, err := r.exchange(s)
		if err != nil || out < 0 {
			return candidate{s.support, s.value}, err
		}
		support := append(without(s.support, out), in)
		slices.Sort(support)
		next, err := r.at(ctx, support)
		if err != nil {
			return candidate{s.support, s.value}, err
		}
		if !(next.value > s.value*(1+gainTolerance)) { // the estimate was rounding
			return candidate{s.support, s.value}, nil
		}
		s = next
	}
}

// exchange returns a column to take out and one to put in, −1 for none that
// gains.
func (r *problem) exchange(s *position) (out, in int, err error) {
	if r.m >= len(s.c.order) {
		out, in = r.exchangeByTrace(s)
		return out, in, nil
	}
	return r.exchangeByRank(s)
}

// exchangeByTrace returns the best of all exchanges for f_k, of equals that of
// the lowest column in.
func (r *problem) exchangeByTrace(s *position) (out, in int) {
	d := r.op.d
	f, g := make([]float64, d), make([]float64, d)
	out, in = -1, -1
	most := gainTolerance * s.value
	tie := subspace.Tie * s.value
	leaving := s.leaving(r)
	slices.SortFunc(leaving, func(p, q int) int { return s.c.order[q] - s.c.order[p] })
	for _, p := range leaving {
		s.residual(p, f, g)
		gone := s.c.order[p]
		for _, j := range r.free {
			if !(g[j] > spanTolerance*r.op.diag[j]) {
				continue
			}
			change := f[j]/g[j] - s.loss[p]
			if change < most-tie || change <= most+tie && (in < 0 || j >= in) {
				continue
			}
			if s.standing.AdmitsInstead(gone, j) {
				out, in, most = gone, j, max(most, change)
			}
		}
	}
	return out, in
}

// exchangeByRank returns the best column in for the first column out, of those
// whose loss is least, that has one.
func (r *problem) exchangeByRank(s *position) (out, in int, err error) {
	b, err := newBasis(s.c)
	if err != nil {
		return -1, -1, err
	}
	leaving := s.leaving(r)
	s.sortByLoss(leaving, b, r.m)
	f, g := make([]float64, r.op.d), make([]float64, r.op.d)
	for _, p := range leaving {
		s.residual(p, f, g)
		v, err := b.vantage(s.scaled(s.m.Row(p), p), s.scaled(s.n.Row(p), p), r.m)
		if err != nil {
			return -1, -1, err
		}
		w := &addition{v: v, c: s.c, f: f, g: g}
		gone := s.c.order[p]
		admits := func(j int) bool { return s.standing.AdmitsInstead(gone, j) }
		if j, _ := w.best(r.free, admits, s.value*(1+gainTolerance)); j >= 0 {
			return gone, j, nil
		}
	}
	return -1, -1, nil
}

// scaled is row p of m or n, divided by the length of the column.
func (s *position) scaled(row []float64, p int) []float64 {
	u := slices.Clone(row)
	for j := range u {
		u[j] /= math.Sqrt(s.h[p])
	}
	return u
}

// sortByLoss sorts the columns that may leave by an upper bound of the loss of f_m, the least first.
func (s *position) sortByLoss(leaving []int, b *basis, m int) {
	loss := make([]float64, len(s.c.order))
	for _, p := range leaving {
		for _, w := range b.coordinates(s.scaled(s.m.Row(p), p))[:min(m, len(b.values))] {
			loss[p] -= w * w
		}
	}
	slices.SortFunc(leaving, func(p, q int) int { return s.c.order[p] - s.c.order[q] })
	slices.SortStableFunc(leaving, func(p, q int) int { return compareDown(s.value+loss[p], s.value+loss[q]) })
}
