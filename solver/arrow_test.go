package solver

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/internal/oracle"
)

// TestArrow holds the secular roots to the full decomposition, with repeated
// poles, vanishing borders and graded entries among the cases.
func TestArrow(t *testing.T) {
	for seed := range uint64(3000) {
		rng := rand.New(rand.NewPCG(seed, 21))
		n := rng.IntN(9)
		mu, b := make([]float64, n), make([]float64, n)
		for i := range mu {
			mu[i] = rng.NormFloat64()
			b[i] = rng.NormFloat64() * math.Pow(10, -float64(rng.IntN(12)))
			switch rng.IntN(5) {
			case 0:
				b[i] = 0
			case 1:
				mu[i] = math.Round(mu[i])
			}
			if seed%7 == 0 {
				mu[i] = 0
			}
			if i > 0 {
				mu[i] = mu[i-1] + math.Abs(mu[i]-math.Floor(mu[i]))
			}
		}
		alpha := 3 * rng.NormFloat64()
		s := mat.NewSymDense(n+1, nil)
		for i := range mu {
			s.SetSym(i, i, mu[i])
			s.SetSym(i, n, b[i])
		}
		s.SetSym(n, n, alpha)
		var w arrow
		w.set(mu, b, alpha)
		for m := 1; m <= n+1; m++ {
			got, want := w.leadingSum(m), oracle.KyFan(s, m)
			if math.Abs(got-want) > 1e-12*w.scale {
				t.Fatalf("seed %d m=%d: %v, want %v (μ %v, b %v, α %v)", seed, m, got, want, mu, b, alpha)
			}
		}
	}
}

// TestGainsLess: a gain that is called less than another one is less as least computes it too, and one that is
// less by a thousandth is called so.
func TestGainsLess(t *testing.T) {
	less := 0
	for seed := range uint64(3000) {
		rng := rand.New(rand.NewPCG(seed, 23))
		mu, b := make([]float64, 1+rng.IntN(9)), make([]float64, 10)
		for i := range mu {
			mu[i] = math.Exp(3 * rng.NormFloat64())
			if b[i] = rng.NormFloat64(); rng.IntN(4) == 0 {
				b[i] = 0
			}
		}
		slices.Sort(mu)
		b = b[:len(mu)]
		alpha := math.Exp(2 * rng.NormFloat64())
		var w arrow
		w.set(mu, b, alpha)
		gain := alpha - w.least()
		for _, f := range []float64{0, 1e-10, 1e-3, 1} {
			for _, sign := range []float64{-1, 1} {
				other := gain + sign*f*(gain+w.scale)
				got := gainsLess(mu, b, alpha, other)
				if got && !(gain < other) || !got && sign > 0 && f >= 1e-3 {
					t.Fatalf("seed %d: %v less than %v: %v (μ %v, b %v, α %v)", seed, gain, other, got, mu, b, alpha)
				}
				if got {
					less++
				}
			}
		}
	}
	if less < 3000 {
		t.Errorf("%d gains are less: the test shows little", less)
	}
}

// TestRemoval does the same for an index taken out.
func TestRemoval(t *testing.T) {
	for seed := range uint64(1000) {
		rng := rand.New(rand.NewPCG(seed, 22))
		n := 2 + rng.IntN(8)
		values := make([]float64, n)
		for i := range values {
			values[i] = math.Exp(4 * rng.NormFloat64())
			if seed%3 == 0 {
				values[i] = float64(rng.IntN(3))
			}
		}
		a := withSpectrum(rng, values)
		if seed%4 == 0 { // an index without correlation
			for j := 1; j < n; j++ {
				a.SetSym(0, j, 0)
			}
		}
		var e eigen
		e.reset(n)
		for i := range n {
			for j := range n {
				e.a[i*n+j] = a.At(i, j)
			}
		}
		must.OK(t, e.solve())
		for out := range n {
			var rest []int
			for i := range n {
				if i != out {
					rest = append(rest, i)
				}
			}
			var w arrow
			w.setRemoval(e.values, e.a[out*n:(out+1)*n])
			for m := 1; m < n; m++ {
				got, want := w.leadingSum(m), oracle.Objective(a, rest, m)
				if math.Abs(got-want) > 1e-12*float64(n)*w.scale {
					t.Fatalf("seed %d without %d, m=%d: %v, want %v", seed, out, m, got, want)
				}
			}
		}
	}
}
