package solver

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/countdown"
	"github.com/fspca/fspca/internal/must"
)

// provedBy evaluates multipliers by the formula of docs/algorithms.md, with gonum.
func provedBy(a *mat.SymDense, x *Multipliers, k, m int) float64 {
	n := a.SymmetricDim()
	var b, moments mat.Dense
	b.Mul(x.L, x.L.T())
	moments.Mul(x.H, x.H.T())
	rest := mat.NewSymDense(n, nil)
	s := make([]float64, n)
	for i := range n {
		var row []float64
		for j := range n {
			if j >= i {
				rest.SetSym(i, j, a.At(i, j)-b.At(i, j)-(x.Y.At(i, j)+x.Y.At(j, i))/2)
			}
			if j == i {
				continue
			}
			g := x.G.At(min(i, j), max(i, j))
			if j < i {
				g = -g
			}
			row = append(row, x.Y.At(i, j)*x.Y.At(i, j)/(4*x.C[i])+g+moments.At(i+1, j+1))
		}
		y := x.Y.At(i, i)
		s[i] = b.At(i, i) + y/2 + x.C[i]/4 + y*y/(4*x.C[i]) + 2*moments.At(0, i+1) + moments.At(i+1, i+1) + largestOf(row, k-1)
	}
	var e mat.EigenSym
	e.Factorize(rest, false)
	return largestOf(e.Values(nil), m) + moments.At(0, 0) + largestOf(s, k)
}

func largestOf(v []float64, q int) (sum float64) {
	v = slices.Clone(v)
	slices.Sort(v)
	for _, e := range v[len(v)-q:] {
		sum += e
	}
	return sum
}

// TestMultipliers: what is found proves a bound that is near the optimum and never
// below it; with nothing to gain, and where ctx has ended, too.
func TestMultipliers(t *testing.T) {
	sum := 0.0
	problems := shortened(40)
	for seed := range uint64(problems) {
		rng := rand.New(rand.NewPCG(seed, 77))
		d := 5 + rng.IntN(6)
		x := mat.NewDense(2*d, d, nil)
		for i := range x.RawMatrix().Data {
			x.RawMatrix().Data[i] = rng.NormFloat64()
		}
		var a mat.SymDense
		a.SymOuterK(1, x.T())
		k := 2 + rng.IntN(d-2)
		m := 1 + rng.IntN(k)
		s := mustSolve(t, mustMatrix(t, &a), Params{Features: k, Components: m, Effort: EffortExact})
		for _, ends := range []bool{false, true} {
			ctx := t.Context()
			if ends {
				ctx = countdown.New(1) // once it has begun
			}
			found := must.Get(FindMultipliers(ctx, &a, 0, k, m, s.Objective, 0))(t)
			bound := provedBy(&a, found, k, m)
			if bound < s.Objective*(1-1e-9) {
				t.Fatalf("seed %d: bound %v below the optimum %v", seed, bound, s.Objective)
			}
			if !ends {
				sum += bound/s.Objective - 1
			}
		}
	}
	if mean := sum / float64(problems); mean > .03 {
		t.Errorf("the bounds are %.3f above the optima, want .03", mean)
	}
	a := mat.NewSymDense(3, []float64{2, 0, 0, 0, 2, 0, 0, 0, 1})
	for name, try := range map[string]func() (*Multipliers, error){
		"no matrix":  func() (*Multipliers, error) { return FindMultipliers(t.Context(), nil, 0, 1, 1, 1, 0) },
		"k above d":  func() (*Multipliers, error) { return FindMultipliers(t.Context(), a, 0, 4, 1, 1, 0) },
		"m above k":  func() (*Multipliers, error) { return FindMultipliers(t.Context(), a, 0, 1, 2, 1, 0) },
		"in above k": func() (*Multipliers, error) { return FindMultipliers(t.Context(), a, 2, 1, 1, 1, 0) },
		"objective":  func() (*Multipliers, error) { return FindMultipliers(t.Context(), a, 0, 1, 1, math.NaN(), 0) },
		"order of 601": func() (*Multipliers, error) {
			return FindMultipliers(t.Context(), mat.NewSymDense(601, nil), 0, 1, 1, 1, 0)
		},
	} {
		if _, err := try(); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
