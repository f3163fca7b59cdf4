package reconstruction

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/kernel"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/subspace"
	"github.com/fspca/fspca/solver/spectral"
)

// rankTolerance is the eigenvalue of M_S, relative to the largest, below which
// a direction is rounding.
const rankTolerance = 1e-13

// basis holds the eigenvectors of M_S = ZᵀΛZ as the rows of Z, and ZA.
type basis struct {
	values []float64 // descending
	z, za  kernel.Matrix
	ze     kernel.Matrix // Λ^{½}ZE, E = A − M_S
	quad   []float64     // the diagonal of E·M_S·E
}

func newBasis(c *factor) (*basis, error) {
	p, err := spectral.Full(c.inner())
	if err != nil {
		return nil, err
	}
	n := len(p.Values)
	for n > 1 && p.Values[n-1] <= rankTolerance*p.Values[0] {
		n--
	}
	rotate := kernel.NewMatrix(len(p.Values), n)
	for i := range rotate.Rows {
		for t := range n {
			rotate.Row(i)[t] = p.Vectors.At(i, t) / math.Sqrt(p.Values[t])
		}
	}
	d := c.t.op.d
	b := &basis{values: p.Values[:n], z: kernel.NewMatrix(n, d), za: kernel.NewMatrix(n, d)}
	kernel.Gemm(true, false, 1, rotate, c.omega.Slice(0, rotate.Rows, 0, d), 0, b.z)
	kernel.Gemm(true, false, 1, rotate, c.theta.Slice(0, rotate.Rows, 0, d), 0, b.za)
	b.ze, b.quad = kernel.NewMatrix(n, d), make([]float64, d)
	for t, value := range b.values {
		root := math.Sqrt(value)
		z, row := b.z.Row(t), b.ze.Row(t)
		for j, v := range b.za.Row(t) {
			x := root * (v - value*z[j])
			row[j] = x
			b.quad[j] += x * x
		}
	}
	return b, nil
}

// vantage is M_R, R being S or S without a column, in the coordinates of a
// basis: Y·diag(values)·Yᵀ, with its leading eigenvectors written out.
type vantage struct {
	b       *basis
	values  []float64
	y       kernel.Matrix // columns are eigenvectors; no rows for the identity
	want, m int           // the number of components, and how many of them R has
	sum     float64       // K_m(M_R)
	z, za   kernel.Matrix // the m leading eigenvectors, and their products with A
	quad    []float64     // the diagonal of E·M_R·E, E = A − M_R
	squares []float64     // scratch, m + 1 long
	ends    []float64     // likewise; the first m are those of values
}

// vantage returns that of M_S − uuᵀ, whose eigenvectors span u, or of M_S for
// nil; eu is Eu.
func (b *basis) vantage(u, eu []float64, m int) (*vantage, error) {
	n, d := len(b.values), b.z.Cols
	v := &vantage{b: b, values: b.values, want: m, m: min(m, n)}
	if u == nil {
		v.z, v.za, v.quad = b.z.Slice(0, v.m, 0, d), b.za.Slice(0, v.m, 0, d), b.quad
	} else {
		v.quad = b.quadWithout(u, eu)
		p, err := spectral.Full(b.reduced(u))
		if err != nil {
			return nil, err
		}
		v.values = lists.Map(p.Values, func(x float64) float64 { return max(0, x) })
		v.y = kernel.Matrix(p.Vectors.RawMatrix())
		lead := v.y.Slice(0, n, 0, v.m)
		v.z, v.za = kernel.NewMatrix(v.m, d), kernel.NewMatrix(v.m, d)
		kernel.Gemm(true, false, 1, lead, b.z, 0, v.z)
		kernel.Gemm(true, false, 1, lead, b.za, 0, v.za)
	}
	v.sum = lists.Sum(v.values[:v.m])
	return v, nil
}

// reduced returns Λ − wwᵀ, w = Zu.
func (b *basis) reduced(u []float64) *mat.SymDense {
	n := len(b.values)
	s := mat.NewSymDense(n, nil)
	w := b.coordinates(u)
	for i := range n {
		for j := i; j < n; j++ {
			s.SetSym(i, j, -w[i]*w[j])
		}
		s.SetSym(i, i, b.values[i]-w[i]*w[i])
	}
	return s
}

func (b *basis) coordinates(u []float64) []float64 {
	return lists.Make(len(b.values), func(i int) float64 { return kernel.Dot(b.z.Row(i), u) })
}

// quadWithout returns the diagonal of E′(M_S − uuᵀ)E′, E′ = E + uuᵀ.
func (b *basis) quadWithout(u, eu []float64) []float64 {
	w := b.coordinates(u)
	var norm, inner float64 // ‖u‖², uᵀM_Su
	for i, x := range w {
		norm += x * x
		inner += b.values[i] * x * x
	}
	cross := make([]float64, len(u)) // uᵀM_SE
	for i, x := range w {
		kernel.Axpy(x*math.Sqrt(b.values[i]), b.ze.Row(i), cross)
	}
	quad := make([]float64, len(u))
	for j, v := range u {
		part := eu[j] + v*norm
		quad[j] = b.quad[j] + 2*v*cross[j] + v*v*inner - part*part
	}
	return quad
}

// addition looks for the best column to add to R, whose residual covariance
// has E_jj = g and ‖E_·j‖² = f. M_{R+j} = M_R + ωωᵀ, ω = E_·j/√g_j, ‖ω‖² =
// f_j/g_j.
type addition struct {
	v    *vantage
	c    *factor
	f, g []float64
}

// gain is ‖ω‖², 0 for a column that R spans.
func (w *addition) gain(j int) float64 {
	if !(w.g[j] > spanTolerance*w.c.t.op.diag[j]) {
		return 0
	}
	return max(0, w.f[j]/w.g[j])
}

// doubt bounds the error of a sum of eigenvalues that column j's gain brought to that value.
func (w *addition) doubt(j int, value float64) float64 {
	return subspace.Tie*value + (value-w.v.sum)*w.c.doubt(j, w.f[j], w.g[j])
}

// estimate returns K_m of M_{R+j} compressed to the m leading eigenvectors and
// what ω has beside them. It is a lower bound and misses some thousandths of
// the increase.
func (w *addition) estimate(j int, gain float64) float64 {
	v := w.v
	if v.m < v.want {
		return v.sum + gain
	}
	root := 1 / math.Sqrt(w.g[j])
	tail, quad := gain, v.quad[j]*root*root
	for i := range v.m {
		x := (v.za.Row(i)[j] - v.values[i]*v.z.Row(i)[j]) * root
		v.squares[i] = x * x
		tail -= x * x
		quad -= v.values[i] * x * x
	}
	tail = max(0, tail)
	v.squares[v.m] = tail
	next := 0.0
	if v.m < len(v.values) && tail > 0 {
		next = min(v.values[v.m], max(0, quad/tail))
	}
	v.ends[v.m] = next
	return v.sum + next + gain - smallest(v.ends, v.squares)
}

// poles returns a scratch copy of the values with room for one more.
func (v *vantage) poles() []float64 {
	return append(make([]float64, 0, len(v.values)+1), v.values...)
}

// exact returns K_m(M_{R+j}).
func (w *addition) exact(j int, gain float64) float64 {
	v, n := w.v, len(w.v.values)
	root := 1 / math.Sqrt(w.g[j])
	squares, rest := make([]float64, n+1), gain
	for i := range n {
		var x float64
		if v.y.Rows == 0 {
			x = v.b.za.Row(i)[j] - v.values[i]*v.b.z.Row(i)[j]
		} else {
			for r := range n {
				x += v.y.Row(r)[i] * (v.b.za.Row(r)[j] - v.values[i]*v.b.z.Row(r)[j])
			}
		}
		x *= root
		squares[i] = x * x
		rest -= squares[i]
	}
	squares[n] = max(0, rest)
	return rankOneSum(append(v.poles(), 0), squares, v.want)
}

const (
	// verified is how many columns, the best by their estimates, are valued
	// exactly.
	verified = 4

	// estimateError is the share of the increase that an estimate may miss.
	estimateError = 0.02
)

// best returns the column of those in free that admits permits with the
// largest K_m(M_{R+j}), of equals the first, and that value; −1 where none of
// those that are valued exceeds least.
func (w *addition) best(free []int, admits func(int) bool, least float64) (int, float64) {
	v := w.v
	v.squares, v.ends = make([]float64, v.m+1), append(slices.Clone(v.values[:v.m]), 0)
	lows, highs := make([]float64, len(free)), make([]float64, len(free))
	for q, j := range free {
		gain := w.gain(j)
		if gain == 0 || v.sum+gain <= least || !admits(j) {
			continue
		}
		e := w.estimate(j, gain)
		lows[q], highs[q] = e-w.doubt(j, e), e+w.doubt(j, e)
	}
	best, most := -1, least
	for range verified {
		q := first(lows, highs)
		if q < 0 || v.sum+(highs[q]-v.sum)*(1+estimateError) <= most {
			break
		}
		lows[q], highs[q] = 0, 0
		j := free[q]
		value := w.exact(j, w.gain(j))
		switch e := w.doubt(j, value); {
		case value-e > most || best < 0 && value > most:
			best, most = j, value
		case best >= 0 && j < best && value+e >= most:
			best, most = j, max(value, most)
		}
	}
	return best, most
}
