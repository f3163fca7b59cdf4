package spectral

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/must"
)

// symmetric returns Q·diag(values)·Qᵀ with a random orthogonal Q.
func symmetric(values []float64, seed uint64) *mat.SymDense {
	n := len(values)
	g := mat.NewDense(n, n, gaussianNumbers(n*n, seed))
	var qr mat.QR
	qr.Factorize(g)
	var q, t, p mat.Dense
	qr.QTo(&q)
	t.Apply(func(_, j int, v float64) float64 { return v * values[j] }, &q)
	p.Mul(&t, q.T())
	a := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			a.SetSym(i, j, (p.At(i, j)+p.At(j, i))/2)
		}
	}
	return a
}

func gaussianNumbers(count int, seed uint64) []float64 {
	rng := rand.New(rand.NewPCG(seed, 1))
	x := make([]float64, count)
	for i := range x {
		x[i] = rng.NormFloat64()
	}
	return x
}

// gaussian returns a random symmetric matrix.
func gaussian(n int, seed uint64) *mat.SymDense {
	rng := rand.New(rand.NewPCG(seed, 2))
	a := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			a.SetSym(i, j, rng.NormFloat64())
		}
	}
	return a
}

// cases are the matrices that the solvers are held to.
func cases() map[string]*mat.SymDense {
	c := map[string]*mat.SymDense{
		"one":         mat.NewSymDense(1, []float64{-3}),
		"zero":        mat.NewSymDense(7, nil),
		"wilkinson21": wilkinson(21),
		"wilkinson65": wilkinson(65),
		"laplacian":   laplacian(80),
		"ones":        ones(40),
		"hilbert":     hilbert(30),
	}
	for _, n := range []int{2, 3, 5, 17, 33, 40, 64, 100, 150} {
		c[fmt.Sprint("gaussian", n)] = gaussian(n, uint64(n))
	}
	for name, f := range map[string]func(i int) float64{
		"graded":    func(i int) float64 { return math.Pow(10, -float64(i)/4) },
		"repeated":  func(i int) float64 { return float64(10 - i/12) },
		"clustered": func(i int) float64 { return 1 + float64(i)*1e-14 },
		"deficient": func(i int) float64 { return max(0, 5-float64(i)) },
		"spiked":    func(i int) float64 { return max(1, 8-float64(i)) },
		"signed":    func(i int) float64 { return math.Pow(-0.9, float64(i)) },
		"pairs":     func(i int) float64 { return 1/float64(1+i/2) + 1e-13*float64(i%2) },
		"onebig":    func(i int) float64 { return map[bool]float64{true: 1e8, false: 1}[i == 0] },
		"identity":  func(int) float64 { return 1 },
	} {
		for _, n := range []int{6, 50, 90} {
			values := make([]float64, n)
			for i := range values {
				values[i] = f(i)
			}
			c[fmt.Sprint(name, n)] = symmetric(values, uint64(n))
		}
	}
	for _, e := range []float64{1e200, 1e-200, 1e-310, 1e306} {
		a := mat.NewSymDense(60, nil)
		a.ScaleSym(e, c["gaussian64"].SliceSym(0, 60))
		c[fmt.Sprintf("scale%.0e", e)] = a
	}
	return c
}

func wilkinson(n int) *mat.SymDense {
	a := mat.NewSymDense(n, nil)
	for i := range n {
		a.SetSym(i, i, math.Abs(float64(i-n/2)))
		if i > 0 {
			a.SetSym(i, i-1, 1)
		}
	}
	return a
}

func laplacian(n int) *mat.SymDense {
	a := mat.NewSymDense(n, nil)
	for i := range n {
		a.SetSym(i, i, 2)
		if i > 0 {
			a.SetSym(i, i-1, -1)
		}
	}
	return a
}

func ones(n int) *mat.SymDense {
	a := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			a.SetSym(i, j, 1)
		}
	}
	return a
}

func hilbert(n int) *mat.SymDense {
	a := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			a.SetSym(i, j, 1/float64(i+j+1))
		}
	}
	return a
}

// reporter is what *testing.T and *rapid.T have in common.
type reporter interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
	Fatal(args ...any)
}

// oracle returns the eigenvalues that gonum finds, descending, and ‖A‖₂. The
// matrix is scaled for it: it panics on blocks with entries like 10⁻²⁰⁰.
func oracle(t reporter, a *mat.SymDense) ([]float64, float64) {
	t.Helper()
	n := a.SymmetricDim()
	largest := mat.Max(a)
	largest = max(largest, -mat.Min(a))
	if largest == 0 {
		return make([]float64, n), 0
	}
	_, e := math.Frexp(largest)
	b := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			b.SetSym(i, j, math.Ldexp(a.At(i, j), -e))
		}
	}
	var eig mat.EigenSym
	if !eig.Factorize(b, false) {
		t.Fatal("gonum's EigenSym failed")
	}
	v := eig.Values(nil)
	norm := math.Ldexp(max(math.Abs(v[0]), math.Abs(v[n-1])), e)
	for i, j := 0, n-1; i <= j; i, j = i+1, j-1 {
		v[i], v[j] = math.Ldexp(v[j], e), math.Ldexp(v[i], e)
	}
	return v, norm
}

// checkPairs holds p to the definition of eigenpairs of a and to the oracle.
func checkPairs(t reporter, a *mat.SymDense, p *Pairs, want []float64, norm, tolerance float64) {
	t.Helper()
	n, m := p.Vectors.Dims()
	if m != len(p.Values) || m != len(p.Residuals) || n != a.SymmetricDim() {
		t.Fatalf("got %d values, %d residuals, %d×%d vectors", len(p.Values), len(p.Residuals), n, m)
	}
	for i, v := range p.Values {
		if math.Abs(v-want[i]) > tolerance*norm+2*math.SmallestNonzeroFloat64 {
			t.Errorf("value %d is %.17g, want %.17g (norm %g)", i, v, want[i], norm)
		}
		if i > 0 && v > p.Values[i-1] {
			t.Errorf("value %d exceeds the one before", i)
		}
	}
	checkOrthonormal(t, p.Vectors)
	for i, v := range p.Values {
		r := residual(a, p.Vectors, i, v, norm)
		if r > tolerance+math.SmallestNonzeroFloat64/norm {
			t.Errorf("residual %d is %g·norm, want at most %g", i, r, tolerance)
		}
		if norm > 0 && r > p.Residuals[i]/norm+1e-15 {
			t.Errorf("residual %d is %g·norm, above the bound %g·norm", i, r, p.Residuals[i]/norm)
		}
	}
}

func checkOrthonormal(t reporter, v *mat.Dense) {
	t.Helper()
	_, m := v.Dims()
	var g mat.Dense
	g.Mul(v.T(), v)
	for i := range m {
		g.Set(i, i, g.At(i, i)-1)
	}
	if e := mat.Norm(&g, math.Inf(1)) / math.Sqrt(float64(m)); !(e <= 1e-13) {
		t.Errorf("VᵀV differs from I by %g", e)
	}
}

// residual returns ‖A·v − λ·v‖/norm for column i of v, without overflow.
func residual(a *mat.SymDense, v *mat.Dense, i int, lambda, norm float64) float64 {
	n, _ := v.Dims()
	if norm == 0 {
		return 0
	}
	s := 0.0
	for j := range n {
		r := -(lambda / norm) * v.At(j, i)
		for l := range n {
			r += (a.At(j, l) / norm) * v.At(l, i)
		}
		s += r * r
	}
	return math.Sqrt(s)
}

func TestLeading(t *testing.T) {
	for name, a := range cases() {
		n := a.SymmetricDim()
		want, norm := oracle(t, a)
		for _, m := range []int{1, 2, 3, 10, n / 2, n} {
			if m < 1 || m > n {
				continue
			}
			t.Run(fmt.Sprintf("%s/%d", name, m), func(t *testing.T) {
				before := mat.NewSymDense(n, nil)
				before.CopySym(a)
				p := must.Get(Leading(a, m))(t)
				if !mat.Equal(before, a) {
					t.Error("the matrix was changed")
				}
				checkPairs(t, a, p, want, norm, 1e-12)
			})
		}
	}
}

func TestLeadingPanels(t *testing.T) {
	orders := []int{fusedOrder, fusedOrder + 1, sharedOrder + 90}
	if testing.Short() { // the oracle takes most of the time, with the race detector minutes
		orders = orders[1:2]
	}
	for _, n := range orders {
		a := gaussian(n, uint64(n))
		want, norm := oracle(t, a)
		for _, m := range []int{10, n} {
			p := must.Get(Leading(a, m))(t)
			checkPairs(t, a, p, want, norm, 1e-12)
		}
	}
}
