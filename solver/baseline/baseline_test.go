package baseline

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/internal/oracle"
	"github.com/fspca/fspca/solver"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// randomCovariance returns XᵀX for n Gaussian rows with mixed columns.
func randomCovariance(rng *rand.Rand, n, d int) *mat.SymDense {
	x, mix := mat.NewDense(n, d, nil), mat.NewDense(d, d, nil)
	for i := range n {
		for j := range d {
			x.Set(i, j, rng.NormFloat64())
		}
	}
	for i := range d {
		for j := range d {
			mix.Set(i, j, 0.4*rng.NormFloat64())
		}
		mix.Set(i, i, 0.5+rng.Float64())
	}
	x.Mul(x, mix)
	a := mat.NewSymDense(d, nil)
	a.SymOuterK(1, x.T())
	return a
}

func mustMatrix(t must.T, a mat.Symmetric) solver.Covariance {
	return must.Get(solver.NewMatrix(a))(t)
}

// checkSolution fails unless s is a feasible point with an honest objective.
func checkSolution(t *rapid.T, a mat.Symmetric, s *solver.Solution, k, m int) {
	if len(s.Support) != k || !slices.IsSorted(s.Support) || len(slices.Compact(slices.Clone(s.Support))) != k {
		t.Fatalf("support %v is not %d ascending indices", s.Support, k)
	}
	w := s.W(a.SymmetricDim())
	var wtw, aw, g mat.Dense
	wtw.Mul(w.T(), w)
	aw.Mul(a, w)
	g.Mul(w.T(), &aw)
	eye := mat.NewDense(m, m, nil)
	for j := range m {
		eye.Set(j, j, 1)
		if math.Abs(g.At(j, j)-s.Values[j]) > 1e-10*s.Objective {
			t.Fatalf("component %d explains %v, not %v", j, g.At(j, j), s.Values[j])
		}
	}
	if !mat.EqualApprox(&wtw, eye, 1e-10) {
		t.Fatalf("WᵀW is not I: %v", mat.Formatted(&wtw))
	}
	if want := oracle.Objective(a, s.Support, m); math.Abs(want-s.Objective) > 1e-10*want {
		t.Fatalf("objective %v, but the support allows %v", s.Objective, want)
	}
	if last := s.Trace[len(s.Trace)-1]; last > s.Objective*(1+1e-12) {
		t.Fatalf("the trace ends at %v, above the objective %v", last, s.Objective)
	}
	if s.UpperBound < s.Objective*(1-1e-12) || s.LeadingVariance < s.Objective*(1-1e-12) {
		t.Fatalf("bound %v or dense variance %v below the objective %v", s.UpperBound, s.LeadingVariance, s.Objective)
	}
}

// TestEveryMethodIsFeasibleAndEquivariant: what each returns is feasible, does
// not depend on the unit of A, and follows a permutation of the columns.
func TestEveryMethodIsFeasibleAndEquivariant(t *testing.T) {
	ctx := context.Background()
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.IntRange(2, 10).Draw(t, "d")
		k := rapid.IntRange(1, d).Draw(t, "k")
		m := rapid.IntRange(1, k).Draw(t, "m")
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		a := randomCovariance(rng, d+3, d)
		order := rng.Perm(d)
		permuted, scaled := mat.NewSymDense(d, nil), mat.NewSymDense(d, nil)
		for i := range d {
			for j := i; j < d; j++ {
				permuted.SetSym(i, j, a.At(order[i], order[j]))
				scaled.SetSym(i, j, 1e6*a.At(i, j))
			}
		}
		optimum := must.Get(BruteForce(ctx, mustMatrix(t, a), k, m, nil))(t)
		for _, method := range Methods() {
			p := solver.Params{Features: k, Components: m, Method: method}
			s, err := Solve(ctx, mustMatrix(t, a), p)
			if err != nil {
				t.Fatalf("%s: %v", method, err)
			}
			checkSolution(t, a, s, k, m)
			if s.Objective > optimum.Objective*(1+1e-10) {
				t.Fatalf("%s finds %v, above the optimum %v", method, s.Objective, optimum.Objective)
			}
			big := must.Get(Solve(ctx, mustMatrix(t, scaled), p))(t)
			if !slices.Equal(big.Support, s.Support) {
				t.Fatalf("%s: 10⁶·A has support %v, A has %v", method, big.Support, s.Support)
			}
			if method == MethodConvexRelaxation && tied(t, mustMatrix(t, a), k, m) {
				continue // equal scores are common at large λ, and go by index
			}
			moved := must.Get(Solve(ctx, mustMatrix(t, permuted), p))(t)
			var back []int
			for _, i := range moved.Support {
				back = append(back, order[i])
			}
			slices.Sort(back)
			if !slices.Equal(back, s.Support) {
				t.Fatalf("%s: permuted support %v, want %v", method, back, s.Support)
			}
		}
	})
}

// tied reports whether the relaxation's scores leave open which k to take.
func tied(t *rapid.T, a solver.Covariance, k, m int) bool {
	r := must.Get(FPSPath(context.Background(), a, k, m, FPSParams{}))(t)
	scores := r.Scores()
	slices.Sort(scores)
	at := len(scores) - k
	return at > 0 && scores[at]-scores[at-1] < 1e-6
}

func TestSolveRefusesWhatAMethodDoesNotRead(t *testing.T) {
	a := mustMatrix(t, randomCovariance(rand.New(rand.NewPCG(5, 5)), 9, 6))
	for _, tc := range []struct {
		p    solver.Params
		want []string
	}{
		{solver.Params{Method: "soup"}, []string{`unknown method "soup"`, `"soap"`, `"brute_force"`}},
		{solver.Params{Method: "tpower_deflation"}, []string{"no k shared ones"}},
		{solver.Params{Method: MethodCSSP, Restarts: 3, Epsilon: 0.1, Start: "go"}, []string{"Restarts", "Epsilon", "Start"}},
		{solver.Params{Method: MethodSOAP, Epsilon: 0.1}, []string{"Epsilon"}},
		{solver.Params{Method: MethodSRT, Start: "warm"}, []string{`unknown start "warm"`, `"convex_relaxation"`}},
		{solver.Params{Method: MethodSOAP, Features: 9}, []string{"features k = 9"}},
		{solver.Params{Method: MethodSOAP, MaxIterations: -1, Restarts: -2}, []string{"max iterations is -1", "restarts is -2"}},
		{solver.Params{Method: MethodSOAP, Restarts: 1000001}, []string{"restarts is 1000001: want at most 1000000"}},
		{solver.Params{Method: MethodSOAP, Start: solver.StartRandom, W0: RandomStart(6, 2, 1, 1)}, []string{"exclude each other"}},
		{solver.Params{Start: StartConvexRelaxation, W0: RandomStart(6, 2, 1, 1)}, []string{"exclude each other"}},
		{solver.Params{Method: MethodSOAP, W0: RandomStart(5, 2, 1, 1)}, []string{"the start W0 is 5×2: want d×m = 6×2"}},
		{solver.Params{Method: solver.MethodIPU, Start: "warm"}, []string{`unknown start "warm"`}},
	} {
		if tc.p.Features == 0 {
			tc.p.Features, tc.p.Components = 3, 2
		}
		if tc.p.Components == 0 {
			tc.p.Components = 2
		}
		_, err := Solve(context.Background(), a, tc.p)
		for _, want := range tc.want {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%+v: error %v, want %q in it", tc.p, err, want)
			}
		}
	}
}

func TestStartsReachTheCoreMethod(t *testing.T) {
	ctx := context.Background()
	a := mustMatrix(t, randomCovariance(rand.New(rand.NewPCG(8, 1)), 40, 12))
	w0 := must.Get(ConvexRelaxationStart(ctx, a, 5, 2, FPSParams{}))(t)
	want := must.Get(solver.Solve(ctx, a, solver.Params{Features: 5, Components: 2, W0: w0}))(t)
	got := must.Get(Solve(ctx, a, solver.Params{Features: 5, Components: 2, Start: StartConvexRelaxation}))(t)
	if !slices.Equal(got.Trace, want.Trace) {
		t.Errorf("trace %v, want %v", got.Trace, want.Trace)
	}
	one := must.Get(Solve(ctx, a, solver.Params{Features: 5, Components: 2, Method: MethodSOAP}))(t)
	many := must.Get(Solve(ctx, a, solver.Params{Features: 5, Components: 2, Method: MethodSOAP, Restarts: 20, Seed: 4}))(t)
	if many.Objective < one.Objective {
		t.Errorf("with 20 restarts more SOAP finds %v, less than %v", many.Objective, one.Objective)
	}
}
