package spectral

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/fspca/fspca/internal/must"
)

// perturbed returns columns lo to hi of v plus noise of the given size.
func perturbed(v *mat.Dense, lo, hi int, noise float64, seed uint64) *mat.Dense {
	rng := rand.New(rand.NewPCG(seed, 7))
	n, _ := v.Dims()
	s := mat.DenseCopyOf(v.Slice(0, n, lo, hi))
	s.Apply(func(_, _ int, x float64) float64 { return x + noise*rng.NormFloat64()/math.Sqrt(float64(n)) }, s)
	return s
}

func TestRefine(t *testing.T) {
	const n, m = 260, 10
	for name, values := range spectra(n) {
		a := symmetric(values, 11)
		want, norm := oracle(t, a)
		exact := must.Get(Leading(a, n))(t)
		for _, noise := range []float64{0, 1e-8, 0.1, 10} {
			for _, certify := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s/%g/%v", name, noise, certify), func(t *testing.T) {
					p := must.Get(refine(t.Context(), a, m, Settings{Start: perturbed(exact.Vectors, 0, m, noise, 1), Certify: certify}))(t)
					if !p.Converged || certify && !p.Certified {
						t.Errorf("converged %v, certified %v", p.Converged, p.Certified)
					}
					checkPairs(t, a, p, want, norm, 2e-10)
				})
			}
		}
	}
}

// A start without the leading vector, and a caller who is content after one
// pass: the proof must fail, and asking for it must find the vector.
func TestRefineMissing(t *testing.T) {
	const n, m = 260, 10
	values := make([]float64, n)
	for i := range values {
		values[i] = 0.01 / float64(i+1)
		if i < 12 {
			values[i] = 10 - float64(i)/2
		}
	}
	a := symmetric(values, 4)
	exact := must.Get(Full(a))(t)
	content := func(*Pairs) bool { return true }
	for lacking := range m {
		start := mat.NewDense(n, m, nil)
		for j := range m {
			from := j
			if j >= lacking {
				from++
			}
			start.Slice(0, n, j, j+1).(*mat.Dense).Copy(exact.Vectors.Slice(0, n, from, from+1))
		}
		p := must.Get(refine(t.Context(), a, m, Settings{Start: start, Converged: content}))(t)
		if p.Values[lacking] > values[lacking]-0.1 {
			t.Fatalf("vector %d was found in one pass: the test shows nothing", lacking)
		}
		if p.Certified {
			t.Errorf("certified without vector %d: %v", lacking, p.Values)
		}
		for _, s := range []Settings{{Start: start}, {Start: start, Converged: content, Certify: true}} {
			p = must.Get(refine(t.Context(), a, m, s))(t)
			if !p.Certified {
				t.Errorf("not certified though the rest is small")
			}
			checkPairs(t, a, p, values, 10, 1e-9)
		}
	}
}

// A flat rest of the spectrum, whose Frobenius norm hides what is there: only
// the factorisation can tell.
func TestRefineFlat(t *testing.T) {
	const n, m = 300, 5
	values := make([]float64, n)
	for i := range values {
		values[i] = 1
		if i < 5 {
			values[i] = 3 - float64(i)/10
		}
	}
	a := symmetric(values, 4)
	exact := must.Get(Full(a))(t)
	s := Settings{Start: perturbed(exact.Vectors, 0, m, 0.01, 2)}
	p, err := refine(t.Context(), a, m, s)
	if err != nil || p.Certified {
		t.Fatalf("certified %v by the cheap test, error %v", p.Certified, err)
	}
	s.Certify = true
	p, err = refine(t.Context(), a, m, s)
	if err != nil || !p.Certified || p.Passes == 0 {
		t.Fatalf("certified %v after %d passes, error %v", p.Certified, p.Passes, err)
	}
	checkPairs(t, a, p, values, 3, 1e-9)
}

func TestRefineSound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(130, 220).Draw(t, "n")
		m := rapid.IntRange(1, 12).Draw(t, "m")
		decay := rapid.Float64Range(0, 3).Draw(t, "decay")
		seed := rapid.Uint64().Draw(t, "seed")
		values := make([]float64, n)
		for i := range values {
			values[i] = math.Pow(float64(i+1), -decay)
		}
		a := symmetric(values, seed)
		lo := rapid.IntRange(0, 2).Draw(t, "lo")
		exact := must.Get(Full(a))(t)
		stop := rapid.IntRange(1, 5).Draw(t, "stop")
		p := must.Get(refine(context.Background(), a, m, Settings{
			Start:     perturbed(exact.Vectors, lo, lo+m, rapid.SampledFrom([]float64{0, 1e-6, 1e-2, 1}).Draw(t, "noise"), seed),
			Converged: func(p *Pairs) bool { return p.Passes >= stop },
			Certify:   rapid.Bool().Draw(t, "certify"),
		}))(t)
		for i, v := range p.Values {
			if v > values[i]+1e-12 {
				t.Errorf("value %d is %g, above the eigenvalue %g", i, v, values[i])
			}
			if p.Certified && v < values[i]-2e-10 {
				t.Errorf("certified, but value %d is %g, the eigenvalue %g", i, v, values[i])
			}
			if r := residual(a, p.Vectors, i, v, 1); r > p.Residuals[i]+1e-15 {
				t.Errorf("residual %d is %g, above the bound %g", i, r, p.Residuals[i])
			}
		}
	})
}

// Where the iteration has no time, or no advantage, Refine is Leading.
func TestRefineFallsBack(t *testing.T) {
	const n, m = refineOrder + 20, 5
	values := spectra(n)["power"]
	a := symmetric(values, 6)
	start := mat.NewDense(n, m, gaussianNumbers(n*m, 1))
	p := must.Get(Refine(t.Context(), a, m, Settings{Start: start, MaxPasses: 1}))(t)
	if p.Passes != 0 || !p.Certified || !p.Converged {
		t.Errorf("one pass: %d passes, certified %v, converged %v", p.Passes, p.Certified, p.Converged)
	}
	checkPairs(t, a, p, values, 1, 1e-12)
	p = must.Get(Refine(t.Context(), entries{a}, m, Settings{Start: start}))(t)
	if p.Passes == 0 {
		t.Error("no iteration without raw storage")
	}
	checkPairs(t, a, p, values, 1, 1e-9)
}

// Without a start the columns are random.
func TestRefineWithoutStart(t *testing.T) {
	const n, m = refineOrder + 20, 5
	for name, values := range spectra(n) {
		a := symmetric(values, 6)
		want, norm := oracle(t, a)
		p := must.Get(Refine(t.Context(), a, m, Settings{}))(t)
		t.Logf("%s: %d passes, certified %v", name, p.Passes, p.Certified)
		checkPairs(t, a, p, want, norm, 2e-10)
	}
}

func TestRefineErrors(t *testing.T) {
	const n = refineOrder + 50
	a, bad := laplacian(n), laplacian(n)
	bad.SetSym(7, 9, math.Inf(1))
	start := mat.NewDense(n, 3, nil)
	start.Set(0, 0, 1)
	if p, err := Refine(t.Context(), bad, 3, Settings{Start: start}); p != nil || err == nil {
		t.Errorf("infinite entry: got %v, %v", p, err)
	} else {
		t.Log(err)
	}
	if p, err := Refine(t.Context(), a, 3, Settings{Start: mat.NewDense(3, 3, nil)}); p != nil || err == nil {
		t.Errorf("start of another order: got %v, %v", p, err)
	} else {
		t.Log(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if p, err := Refine(ctx, a, 3, Settings{Start: start}); p != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: got %v, %v", p, err)
	}
}

func TestCholesky(t *testing.T) {
	for _, n := range []int{1, 5, 64, 65, 200} {
		values := make([]float64, n)
		for i := range values {
			values[i] = 1 + float64(i)
		}
		for _, least := range []float64{1e-6, -1e-6} {
			values[n-1] = least
			a := symmetric(values, uint64(n))
			s := must.Get(load(a))(t)
			if got := cholesky(s.a.Slice(0, n, 0, n)); got != (least > 0) {
				t.Errorf("order %d, least eigenvalue %g: %v", n, least, got)
			}
		}
	}
}
