package spectral

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/must"
)

// explicit is an operator with entries. It refuses blocks that break the
// contract.
type explicit struct {
	a     *mat.SymDense
	calls int
	after func(calls int)
}

func (e *explicit) Order() int { return e.a.SymmetricDim() }

func (e *explicit) Mul(_ context.Context, dst, x *mat.Dense) error {
	if _, c := x.Dims(); c%16 != 0 {
		panic(fmt.Sprintf("got %d columns, want a multiple of 16", c))
	}
	dst.Mul(e.a, x)
	e.calls++
	if e.after != nil {
		e.after(e.calls)
	}
	return nil
}

// spectra are the eigenvalues that the iterations are held to, order n.
func spectra(n int) map[string][]float64 {
	c := make(map[string][]float64)
	for name, f := range map[string]func(i int) float64{
		"power":     func(i int) float64 { return math.Pow(float64(i+1), -1) },
		"graded":    func(i int) float64 { return math.Pow(10, -float64(i)/8) },
		"repeated":  func(i int) float64 { return float64(20 - i/13) },
		"deficient": func(i int) float64 { return max(0, 5-float64(i)) },
		"spiked":    func(i int) float64 { return max(1, 8-float64(i)) },
		"pairs":     func(i int) float64 { return 1/float64(1+i/2) + 1e-13*float64(i%2) },
		"onebig":    func(i int) float64 { return map[bool]float64{true: 1e7, false: 1}[i == 0] + 1/float64(i+1) },
		"identity":  func(int) float64 { return 1 },
		"manytop":   func(i int) float64 { return map[bool]float64{true: 3, false: 1 / float64(1+i)}[i < 40] },
		"signed":    func(i int) float64 { return float64(i%7) - 5 + 1/float64(1+i) },
		"zero":      func(int) float64 { return 0 },
		"tiny":      func(i int) float64 { return 1e-200 / float64(1+i) },
		"huge":      func(i int) float64 { return 1e200 / float64(1+i) },
	} {
		values := make([]float64, n)
		for i := range values {
			values[i] = f(i)
		}
		c[name] = values
	}
	return c
}

func TestKrylov(t *testing.T) {
	for _, n := range []int{1, 9, 30, 65, 210} {
		for name, values := range spectra(n) {
			a := symmetric(values, uint64(n))
			want, norm := oracle(t, a)
			for _, m := range []int{1, 3, 10, 16, 17, 70} {
				if m > n {
					continue
				}
				t.Run(fmt.Sprintf("%s/n=%d/m=%d", name, n, m), func(t *testing.T) {
					op := &explicit{a: a}
					p := must.Get(Krylov(t.Context(), op, m, Settings{Tolerance: 1e-11}))(t)
					if !p.Converged {
						t.Errorf("not converged after %d passes: %v", p.Passes, p.Residuals)
					}
					if p.Passes != op.calls {
						t.Errorf("reported %d passes of %d", p.Passes, op.calls)
					}
					checkPairs(t, a, p, want, norm, 2e-11)
				})
			}
		}
	}
}

// TestVectorsAreTheCallers: an iteration that follows does not write to the vectors of one that is over, neither
// where it converged nor where its context ended.
func TestVectorsAreTheCallers(t *testing.T) {
	const n, m = 200, 5
	ended, end := context.WithCancel(t.Context())
	for name, c := range map[string]struct {
		ctx   context.Context
		after func(calls int)
	}{
		"converged": {t.Context(), nil},
		"ended": {ended, func(calls int) {
			if calls == 3 {
				end()
			}
		}},
	} {
		p, err := Krylov(c.ctx, &explicit{a: covariance(n), after: c.after}, m, Settings{})
		if (err != nil) != (c.after != nil) || p == nil {
			t.Fatalf("%s: %v, %v", name, p, err)
		}
		before := mat.DenseCopyOf(p.Vectors)
		must.Get(Krylov(t.Context(), &explicit{a: gaussian(n, 3)}, m, Settings{}))(t)
		if !mat.Equal(p.Vectors, before) {
			t.Errorf("%s: the vectors have changed", name)
		}
	}
}

func TestKrylovRestarts(t *testing.T) {
	const n = 300
	a := laplacian(n)
	want, norm := oracle(t, a)
	p := must.Get(Krylov(t.Context(), &explicit{a: a}, 8, Settings{MaxBasis: 40, Tolerance: 1e-9}))(t)
	if p.Passes < 10 {
		t.Errorf("%d passes, want more than the basis holds", p.Passes)
	}
	if !p.Converged {
		t.Errorf("not converged after %d passes", p.Passes)
	}
	checkPairs(t, a, p, want, norm, 1e-9)
}

// Eigenvalues with more copies than a block has columns.
func TestKrylovWideMultiplicity(t *testing.T) {
	const n = 400
	for name, c := range map[string]struct {
		copies int
		rest   func(i int) float64
		m      []int
	}{
		"slow": {90, func(i int) float64 { return 1 / float64(i+1) }, []int{80, 95}},
		// Everything converges at once, without two of the copies.
		"low rank": {66, func(i int) float64 { return map[int]float64{66: 1.9, 67: 1.8}[i] }, []int{66, 67}},
	} {
		values := make([]float64, n)
		for i := range values {
			if values[i] = c.rest(i); i < c.copies {
				values[i] = 2
			}
		}
		a := symmetric(values, 3)
		for _, m := range c.m {
			t.Run(fmt.Sprint(name, m), func(t *testing.T) {
				p := must.Get(Krylov(t.Context(), &explicit{a: a}, m, Settings{}))(t)
				checkPairs(t, a, p, values, 2, 1e-9)
			})
		}
	}
}

func TestKrylovStart(t *testing.T) {
	const n, m = 250, 10
	values := spectra(n)["power"]
	a := symmetric(values, 5)
	exact := must.Get(Leading(a, n))(t)
	wrong := mat.DenseCopyOf(exact.Vectors.Slice(0, n, 100, 110))
	blind := mat.DenseCopyOf(exact.Vectors.Slice(0, n, 1, 11))
	for name, start := range map[string]*mat.Dense{
		"exact":     mat.DenseCopyOf(exact.Vectors.Slice(0, n, 0, m)),
		"wrong":     wrong,
		"blind":     blind,
		"zero":      mat.NewDense(n, m, nil),
		"dependent": mat.DenseCopyOf(ones(n).SliceSym(0, n)),
		"narrow":    mat.NewDense(n, 1, blind.RawMatrix().Data[:n]),
	} {
		t.Run(name, func(t *testing.T) {
			p := must.Get(Krylov(t.Context(), &explicit{a: a}, m, Settings{Start: start}))(t)
			if name == "exact" && p.Passes > 3 {
				t.Errorf("%d passes from the exact vectors", p.Passes)
			}
			checkPairs(t, a, p, values, 1, 1e-9)
		})
	}
}

// A sketch that is near, one that lacks the leading vector, and useless ones.
func TestKrylovSketch(t *testing.T) {
	const n, m = 250, 10
	values := spectra(n)["graded"]
	a := symmetric(values, 5)
	exact := must.Get(Leading(a, n))(t)
	deflated := mat.NewSymDense(n, nil)
	deflated.SymRankOne(a, -values[0], exact.Vectors.ColView(0))
	plain := must.Get(Krylov(t.Context(), &explicit{a: a}, m, Settings{}))(t)
	broken := laplacian(n)
	broken.SetSym(3, 4, math.NaN())
	for name, sketch := range map[string]*mat.SymDense{
		"near": a, "blind": deflated, "zero": mat.NewSymDense(n, nil), "broken": broken,
	} {
		p := must.Get(Krylov(t.Context(), &explicit{a: a}, m, Settings{Sketch: &explicit{a: sketch}}))(t)
		if name == "near" && p.Passes >= plain.Passes {
			t.Errorf("%d passes with a sketch, %d without", p.Passes, plain.Passes)
		}
		checkPairs(t, a, p, values, 1, 1e-9)
	}
	if _, err := Krylov(t.Context(), &explicit{a: a}, m, Settings{Sketch: &explicit{a: laplacian(9)}}); err == nil {
		t.Error("no error for a sketch of another order")
	}
}

func TestKrylovZero(t *testing.T) {
	p := must.Get(Krylov(t.Context(), &explicit{a: mat.NewSymDense(400, nil)}, 80, Settings{}))(t)
	checkPairs(t, mat.NewSymDense(400, nil), p, make([]float64, 400), 0, 0)
}

func TestKrylovStops(t *testing.T) {
	const n, m = 200, 6
	a := symmetric(spectra(n)["power"], 5)
	t.Run("hook", func(t *testing.T) {
		var seen []int
		p, err := Krylov(t.Context(), &explicit{a: a}, m, Settings{Converged: func(p *Pairs) bool {
			seen = append(seen, p.Passes)
			return p.Passes == 2
		}})
		if err != nil || p.Passes != 2 || !p.Converged || fmt.Sprint(seen) != "[1 2]" {
			t.Errorf("got %v after %v, error %v", p, seen, err)
		}
	})
	t.Run("limit", func(t *testing.T) {
		p, err := Krylov(t.Context(), &explicit{a: a}, m, Settings{MaxPasses: 2})
		if err != nil || p.Passes != 2 || p.Converged {
			t.Fatalf("got %v, error %v", p, err)
		}
		checkOrthonormal(t, p.Vectors)
		for i, v := range p.Values {
			if r := residual(a, p.Vectors, i, v, 1); math.Abs(r-p.Residuals[i]) > 1e-12 || r < 1e-6 {
				t.Errorf("residual %d is %g, reported %g", i, r, p.Residuals[i])
			}
		}
	})
	t.Run("cancel", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		op := &explicit{a: a, after: func(calls int) {
			if calls == 3 {
				cancel()
			}
		}}
		p, err := Krylov(ctx, op, m, Settings{Tolerance: 1e-12})
		if !errors.Is(err, context.Canceled) || p == nil || p.Passes != 3 || p.Converged {
			t.Errorf("got %v, error %v", p, err)
		}
		p, err = Krylov(ctx, op, m, Settings{})
		if !errors.Is(err, context.Canceled) || p != nil {
			t.Errorf("before the start: got %v, error %v", p, err)
		}
	})
}

func TestKrylovErrors(t *testing.T) {
	a := laplacian(100)
	bad := laplacian(100)
	bad.SetSym(3, 7, math.NaN())
	start := mat.NewDense(99, 3, nil)
	infinite := mat.NewDense(100, 1, nil)
	infinite.Set(5, 0, math.Inf(1))
	for name, c := range map[string]struct {
		a *mat.SymDense
		m int
		s Settings
	}{
		"none":      {a, 0, Settings{}},
		"too many":  {a, 101, Settings{}},
		"nan":       {bad, 3, Settings{}},
		"start":     {a, 3, Settings{Start: start}},
		"infinite":  {a, 3, Settings{Start: infinite}},
		"tolerance": {a, 3, Settings{Tolerance: -1}},
		"aim":       {a, 3, Settings{Aim: math.NaN()}},
	} {
		p, err := Krylov(t.Context(), &explicit{a: c.a}, c.m, c.s)
		if p != nil || err == nil {
			t.Errorf("%s: got %v, %v", name, p, err)
		} else {
			t.Logf("%s: %v", name, err)
		}
	}
}
