package solver

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/internal/subspace"
)

// TestBoundFromInexactPairs: a bound made from Ritz pairs that are off by far
// more than any iteration leaves them holds all the same.
func TestBoundFromInexactPairs(t *testing.T) {
	for seed := range uint64(500) {
		rng := rand.New(rand.NewPCG(seed, 50))
		d, k, m := randomSizes(rng)
		values := make([]float64, d)
		for i := range m + int(seed%4) { // what is left is small or nothing
			values[min(i, d-1)] = 1 + rng.Float64()
		}
		a := withSpectrum(rng, values)
		c := mustMatrix(t, a)
		_, u := must.Two(c.Leading(t.Context(), min(m+3, d)))(t)
		off := math.Pow(10, -3*rng.Float64())
		u.Apply(func(_, _ int, v float64) float64 { return v + off*rng.NormFloat64() }, u)
		subspace.Orthonormalise(u)
		s := ritzOf(a, u)
		for _, v := range s.values[:m] {
			s.leading += v
		}
		f := newSoft(s, c.Diag(), (&choice{k: k}).candidates(d), 0, k, m)
		bound, _ := f.minimise(math.Inf(-1))
		best, _ := bruteForce(a, k, m)
		if bound < best*(1-1e-12) {
			t.Errorf("seed %d: bound %v below the optimum %v", seed, bound, best)
		}
		if f.below < s.looseness() || s.looseness() == 0 {
			t.Fatalf("seed %d: the residuals %v are not accounted for", seed, s.residuals)
		}
	}
}

// ritzOf returns the Ritz pairs of a in the span of u, with their residuals.
func ritzOf(a *mat.SymDense, u *mat.Dense) *spectrum {
	d, r := u.Dims()
	var au, h mat.Dense
	au.Mul(a, u)
	h.Mul(u.T(), &au)
	sym := mat.NewSymDense(r, nil)
	for i := range r {
		for j := i; j < r; j++ {
			sym.SetSym(i, j, h.At(i, j))
		}
	}
	values, q, err := leadingPairs(sym, r)
	if err != nil {
		panic(err)
	}
	s := &spectrum{values: values, found: mat.NewDense(d, r, nil), total: mat.Trace(a)}
	s.found.Mul(u, q)
	au.Mul(a, s.found)
	for j := range r {
		var square float64
		for i := range d {
			e := au.At(i, j) - values[j]*s.found.At(i, j)
			square += e * e
		}
		s.residuals = append(s.residuals, math.Sqrt(square))
	}
	return s
}
