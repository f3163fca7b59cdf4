package solver

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/internal/oracle"
)

// This file is what the tests measure against: full decompositions and
// exhaustive search, sharing no code with the algorithms.

// bruteForce returns the optimum and its support (the first of equals).
func bruteForce(a mat.Symmetric, k, m int) (float64, []int) {
	best, support := math.Inf(-1), []int(nil)
	oracle.EachSubset(a.SymmetricDim(), k, func(s []int) {
		if f := oracle.Objective(a, s, m); f > best {
			best, support = f, slices.Clone(s)
		}
	})
	return best, support
}

// withSpectrum returns Q·diag(values)·Qᵀ for a random orthogonal Q.
func withSpectrum(rng *rand.Rand, values []float64) *mat.SymDense {
	d := len(values)
	g := mat.NewDense(d, d, nil)
	for i := range d {
		for j := range d {
			g.Set(i, j, rng.NormFloat64())
		}
	}
	var qr mat.QR
	qr.Factorize(g)
	var q, scaled mat.Dense
	qr.QTo(&q)
	scaled.Mul(&q, mat.NewDiagDense(d, values))
	scaled.Mul(&scaled, q.T())
	a := mat.NewSymDense(d, nil)
	for i := range d {
		for j := i; j < d; j++ {
			a.SetSym(i, j, (scaled.At(i, j)+scaled.At(j, i))/2)
		}
	}
	return a
}

// randomRows returns n×d uniform or Gaussian data with columns of different
// scale and offset.
func randomRows(rng *rand.Rand, n, d int) *mat.Dense {
	x := mat.NewDense(n, d, nil)
	for j := range d {
		scale, offset := 0.5+rng.Float64(), 10*rng.NormFloat64()
		for i := range n {
			x.Set(i, j, offset+scale*rng.NormFloat64())
		}
	}
	mix := mat.NewDense(d, d, nil)
	for i := range d {
		for j := range d {
			mix.Set(i, j, 0.3*rng.NormFloat64())
		}
		mix.Set(i, i, 1)
	}
	var out mat.Dense
	out.Mul(x, mix)
	return &out
}

func mustMatrix(t *testing.T, a mat.Symmetric) Covariance {
	t.Helper()
	return must.Get(NewMatrix(a))(t)
}

func mustSolve(t *testing.T, a Covariance, p Params) *Solution {
	t.Helper()
	return must.Get(Solve(context.Background(), a, p))(t)
}

// checkSolution fails unless s is a feasible point with an honest objective.
func checkSolution(t *testing.T, a mat.Symmetric, s *Solution, k, m int) {
	t.Helper()
	d := a.SymmetricDim()
	if len(s.Support) != k || !slices.IsSorted(s.Support) || len(slices.Compact(slices.Clone(s.Support))) != k {
		t.Fatalf("support %v is not %d ascending indices", s.Support, k)
	}
	w := s.W(d)
	var g, aw, wtw mat.Dense
	wtw.Mul(w.T(), w)
	for i := range m {
		for j := range m {
			want := 0.0
			if i == j {
				want = 1
			}
			if math.Abs(wtw.At(i, j)-want) > 1e-10 {
				t.Fatalf("WᵀW is not I: %v", mat.Formatted(&wtw))
			}
		}
	}
	aw.Mul(a, w)
	g.Mul(w.T(), &aw)
	tol := 1e-10 * math.Max(math.Abs(s.Objective), 1e-300)
	if diff := math.Abs(mat.Trace(&g) - s.Objective); diff > tol {
		t.Errorf("objective %v, but Tr(WᵀAW) = %v", s.Objective, mat.Trace(&g))
	}
	for j := range m {
		if math.Abs(g.At(j, j)-s.Values[j]) > tol {
			t.Errorf("component %d explains %v, not %v", j, g.At(j, j), s.Values[j])
		}
		col := mat.Col(nil, j, w)
		peak := slices.MaxFunc(col, func(x, y float64) int {
			switch {
			case math.Abs(x) < math.Abs(y):
				return -1
			case math.Abs(x) > math.Abs(y):
				return 1
			}
			return 0
		})
		if peak < 0 {
			t.Errorf("largest entry of component %d is %v", j, peak)
		}
	}
	for i := 1; i < len(s.Trace); i++ {
		if s.Trace[i] < s.Trace[i-1]*(1-1e-12) {
			t.Errorf("the objective fell: %v", s.Trace)
		}
	}
	if last := s.Trace[len(s.Trace)-1]; last != s.Objective {
		t.Errorf("the trace ends at %v, the objective is %v", last, s.Objective)
	}
	if s.UpperBound < s.Objective*(1-1e-12) {
		t.Errorf("upper bound %v below the objective %v", s.UpperBound, s.Objective)
	}
}
