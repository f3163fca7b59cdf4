package baseline

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/solver"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

func TestFantopeProjectionIsTheNearestPoint(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.IntRange(1, 20).Draw(t, "d")
		m := rapid.IntRange(1, d).Draw(t, "m")
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		scale := math.Pow(10, rapid.Float64Range(-3, 3).Draw(t, "scale"))
		b := mat.NewSymDense(d, nil)
		eachUpper(d, func(i, j int, _ float64) { b.SetSym(i, j, scale*rng.NormFloat64()) })
		x := must.Get(projectFantope(b, m))(t)
		var eig mat.EigenSym
		if !eig.Factorize(x, false) {
			t.Fatal("no eigenvalues")
		}
		for _, v := range eig.Values(nil) {
			if v < -1e-9 || v > 1+1e-9 {
				t.Fatalf("eigenvalue %v outside [0, 1]", v)
			}
		}
		if tr := mat.Trace(x); math.Abs(tr-float64(m)) > 1e-9*float64(m) {
			t.Fatalf("trace %v, want %d", tr, m)
		}
		// The projection P of B is the point with ⟨B − P, Y − P⟩ ≤ 0 for every
		// Y of the convex set; its extreme points are the projections of rank m.
		residual := mat.NewSymDense(d, nil)
		eachUpper(d, func(i, j int, _ float64) { residual.SetSym(i, j, b.At(i, j)-x.At(i, j)) })
		if !eig.Factorize(residual, false) {
			t.Fatal("no eigenvalues")
		}
		values := eig.Values(nil)
		best := lists.Sum(values[d-m:])
		if here := inner(residual, x); best-here > 1e-8*max(1, scale)*float64(d) {
			t.Fatalf("another point is nearer: %v > %v", best, here)
		}
	})
}

func TestFPSWithoutPenaltyIsPCA(t *testing.T) {
	a := mustMatrix(t, randomCovariance(rand.New(rand.NewPCG(2, 2)), 60, 15))
	r := must.Get(FPS(context.Background(), a, 3, 0, FPSParams{MaxIterations: 5000, Tolerance: 1e-9}))(t)
	_, u := must.Two(a.Leading(context.Background(), 3))(t)
	var projection mat.Dense
	projection.Mul(u, u.T())
	if r.Status != solver.Converged || !mat.EqualApprox(&projection, r.Z, 1e-6) {
		t.Errorf("%s: Z is not the projection on the leading eigenvectors", r.Status)
	}
}

// A block of correlated variables is what the relaxation must find.
func TestConvexRelaxationFindsAPlantedBlock(t *testing.T) {
	const d, k = 30, 6
	rng := rand.New(rand.NewPCG(3, 3))
	place := rng.Perm(d)[:k]
	slices.Sort(place)
	a := mat.NewSymDense(d, nil)
	for i := range d {
		a.SetSym(i, i, 1+rng.Float64()) // larger than some of the block's
	}
	for p, i := range place {
		for _, j := range place[p:] {
			v := 2.0
			if i == j {
				v = 2.2
			}
			a.SetSym(i, j, v)
		}
	}
	s := must.Get(ConvexRelaxation(context.Background(), mustMatrix(t, a), k, 1, FPSParams{}))(t)
	if !slices.Equal(s.Support, place) {
		t.Errorf("support %v, want %v", s.Support, place)
	}
}

func TestFPSPathStopsAtKVariables(t *testing.T) {
	a := mustMatrix(t, randomCovariance(rand.New(rand.NewPCG(4, 4)), 90, 25))
	last := math.Inf(1)
	for _, k := range []int{2, 5, 12, 25} {
		r := must.Get(FPSPath(context.Background(), a, k, 2, FPSParams{}))(t)
		n := lists.Count(r.Scores(), func(v float64) bool { return v > 0 })
		if n < k || r.Lambda > last {
			t.Errorf("k = %d: %d variables at λ = %v (before: %v)", k, n, r.Lambda, last)
		}
		last = r.Lambda
		w := must.Get(r.Start(2))(t)
		var wtw mat.Dense
		wtw.Mul(w.T(), w)
		if !mat.EqualApprox(&wtw, mat.NewDense(2, 2, []float64{1, 0, 0, 1}), 1e-10) {
			t.Errorf("k = %d: the start is not orthonormal", k)
		}
	}
}

func TestFPSMistakes(t *testing.T) {
	a := mustMatrix(t, randomCovariance(rand.New(rand.NewPCG(4, 4)), 9, 5))
	for _, lambda := range []float64{-1, math.NaN(), math.Inf(1)} {
		if _, err := FPS(context.Background(), a, 2, lambda, FPSParams{}); err == nil {
			t.Errorf("λ = %v: want an error", lambda)
		}
	}
	for _, m := range []int{0, 6} {
		if _, err := FPS(context.Background(), a, m, 0, FPSParams{}); err == nil {
			t.Errorf("m = %d: want an error", m)
		}
	}
}

func TestDiagonalMatrixHasNoPath(t *testing.T) {
	a := mat.NewSymDense(5, nil)
	for i, v := range []float64{1, 5, 2, 4, 3} {
		a.SetSym(i, i, v)
	}
	s := must.Get(ConvexRelaxation(context.Background(), mustMatrix(t, a), 3, 2, FPSParams{}))(t)
	if !slices.Equal(s.Support, []int{1, 3, 4}) {
		t.Errorf("support %v, want the three largest diagonal entries", s.Support)
	}
}
