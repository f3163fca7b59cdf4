package reconstruction

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/kernel"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/subspace"
	"github.com/fspca/fspca/solver/spectral"
)

const (
	// spanTolerance is the share of a column's variance that is left given the
	// chosen ones, at or below which these are taken to span it: it then adds
	// nothing and is chosen after all others.
	spanTolerance = 1e-8

	// refreshTolerance is the relative error of a running gain from which on all
	// of them are computed anew.
	refreshTolerance = 1e-6
)

// factor is M_S = A_·S·A_SS⁻¹·A_S· = ΩᵀΩ for the columns S added so far, by
// Cholesky steps. Row t of Ω (t×d) is the part of A's column order[t] that the
// columns before it leave, over the root of its residual variance. E = A − ΩᵀΩ
// is the residual covariance, which is nowhere formed.
type factor struct {
	t            *table
	order        []int         // the independent columns, in the order of the steps
	spanned      []int         // added columns that those before them span
	omega, theta kernel.Matrix // Ω and ΩA, len(order) rows in use
	f, g         []float64     // of every column: ‖E_·j‖² and E_jj
	error        float64       // of the gains so far, by rounding; see rounding
}

func newFactor(t *table, rows int) *factor {
	return &factor{
		t: t, omega: kernel.NewMatrix(rows, t.op.d), theta: kernel.NewMatrix(rows, t.op.d),
		f: append([]float64(nil), t.op.squares...), g: append([]float64(nil), t.op.diag...),
	}
}

// independent reports whether column j has a variance of its own.
func (c *factor) independent(j int) bool { return c.g[j] > spanTolerance*c.t.op.diag[j] }

// gain is what f_k rises by when column j is added.
func (c *factor) gain(j int) float64 {
	if !c.independent(j) {
		return 0
	}
	return c.f[j] / c.g[j]
}

// doubt estimates the relative error of a column's gain by rounding: of the steps before, and of the part of the
// column that they took off. It is at most what makes the gains be computed anew.
func (c *factor) doubt(j int, f, g float64) float64 {
	return subspace.Tie + min(64*unit*(c.t.op.squares[j]/f+c.t.op.diag[j]/g)+8*c.error*g/f, refreshTolerance)
}

// first returns the first place whose value may be the largest, given what each is at least and at most; −1 for
// none above 0.
func first(least, most []float64) int {
	bar := 0.0
	for _, v := range least {
		bar = max(bar, v)
	}
	if bar == 0 {
		return -1
	}
	return slices.IndexFunc(most, func(v float64) bool { return v >= bar })
}

// add takes column l in.
func (c *factor) add(ctx context.Context, l int) error {
	if !c.independent(l) {
		c.spanned = append(c.spanned, l)
		return nil
	}
	if err := c.t.fetch(ctx, []int{l}); err != nil {
		return err
	}
	n := len(c.order)
	omega, theta := c.omega.Row(n), c.theta.Row(n)
	copy(omega, c.t.rows[l].once)
	copy(theta, c.t.rows[l].twice)
	for r := range n {
		v := c.omega.Row(r)[l]
		kernel.Axpy(-v, c.omega.Row(r), omega)
		kernel.Axpy(-v, c.theta.Row(r), theta)
	}
	left := omega[l]
	if !(left > spanTolerance*c.t.op.diag[l]) {
		c.g[l] = 0
		c.spanned = append(c.spanned, l)
		return nil
	}
	root := 1 / math.Sqrt(left)
	floats.Scale(root, omega)
	floats.Scale(root, theta)
	expected, gained := c.gain(l), kernel.Dot(omega, omega)
	c.error += stepError(gained, c.t.op.diag[l], left)
	c.order = append(c.order, l)
	c.reduce(omega, theta, gained)
	if math.Abs(expected-gained) > refreshTolerance*gained {
		c.refresh()
	}
	return nil
}

// unit is the relative error of a rounded operation.
const unit = 0x1p-53

// stepError is the error of a step's gain where left of a column's variance is
// left: a relative error of the entries of A is amplified by variance/left.
func stepError(gain, variance, left float64) float64 { return 8 * unit * gain * variance / left }

// rounding bounds, to first order, the error that rounding leaves in value.
func (c *factor) rounding() float64 { return float64(len(c.order)) * c.error }

// reduce takes the step ω, with θ = Aω, out of f and g.
func (c *factor) reduce(omega, theta []float64, norm float64) {
	u := append([]float64(nil), theta...) // Eω, E without this step
	for r := range len(c.order) - 1 {
		kernel.Axpy(-kernel.Dot(c.omega.Row(r), omega), c.omega.Row(r), u)
	}
	for j, w := range omega {
		c.f[j] -= 2*w*u[j] - norm*w*w
		c.g[j] -= w * w
		c.f[j] = max(c.f[j], c.g[j]*c.g[j])
	}
}

// refresh computes f and g anew from Ω.
func (c *factor) refresh() {
	n := len(c.order)
	omega, theta := c.omega.Slice(0, n, 0, c.t.op.d), c.theta.Slice(0, n, 0, c.t.op.d)
	inner := kernel.NewMatrix(n, n)
	kernel.Gram(inner, kernel.View{X: omega})
	product := kernel.NewMatrix(n, c.t.op.d)
	kernel.Gemm(false, false, 1, inner, omega, 0, product)
	copy(c.f, c.t.op.squares)
	copy(c.g, c.t.op.diag)
	for r := range n {
		p, q := product.Row(r), theta.Row(r)
		for j, w := range omega.Row(r) {
			c.f[j] += w * (p[j] - 2*q[j])
			c.g[j] -= w * w
		}
	}
	for j := range c.f {
		c.f[j] = max(c.f[j], c.g[j]*c.g[j])
	}
}

// addAll adds all of support, the column with the largest share of its variance
// left first. This order loses the fewest digits.
func (c *factor) addAll(ctx context.Context, support []int) error {
	if err := c.t.fetch(ctx, support); err != nil {
		return err
	}
	rest := append([]int(nil), support...)
	for len(rest) > 0 {
		best, share := 0, math.Inf(-1)
		for p, j := range rest {
			if v := c.share(j); v > share*(1+subspace.Tie) || v > share && v > 0 && share <= 0 {
				best, share = p, v
			}
		}
		if err := c.add(ctx, rest[best]); err != nil {
			return err
		}
		rest = append(rest[:best], rest[best+1:]...)
	}
	return nil
}

// share is the part of column j's variance that is left.
func (c *factor) share(j int) float64 {
	if c.t.op.diag[j] == 0 {
		return 0
	}
	return c.g[j] / c.t.op.diag[j]
}

// inner returns ΩΩᵀ, which has the eigenvalues of M_S that are not 0.
func (c *factor) inner() *mat.SymDense {
	n := len(c.order)
	g := kernel.NewMatrix(n, n)
	kernel.Gram(g, kernel.View{X: c.omega.Slice(0, n, 0, c.t.op.d)})
	return mat.NewSymDense(n, g.Data)
}

// value returns f_m(S), the sum of the m largest eigenvalues of M_S.
func (c *factor) value(m int) (float64, error) {
	if n := len(c.order); n <= m {
		return lists.Sum(lists.Make(n, func(r int) float64 { return kernel.Dot(c.omega.Row(r), c.omega.Row(r)) })), nil
	}
	values, err := spectral.Values(c.inner(), m)
	return lists.Sum(values), err
}
