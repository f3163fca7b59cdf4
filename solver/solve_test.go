package solver

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
	"pgregory.net/rapid"

	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/internal/oracle"
)

func randomSizes(rng *rand.Rand) (d, k, m int) {
	d = 4 + rng.IntN(9)
	k = 2 + rng.IntN(d-2)
	m = 1 + rng.IntN(k)
	return d, k, m
}

// TestLowRankIsOptimal: Theorem 1 of the paper, and its remark on A + σI.
func TestLowRankIsOptimal(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 1))
		d, k, m := randomSizes(rng)
		sigma := 0.0
		if seed%2 == 1 {
			sigma = 5 * rng.Float64()
		}
		values := make([]float64, d)
		for i := range values {
			values[i] = sigma
			if i < m {
				values[i] += 1 + 10*rng.Float64()
			}
		}
		a := withSpectrum(rng, values)
		best, _ := bruteForce(a, k, m)
		for _, method := range []Method{MethodGo, MethodIPU} {
			s := mustSolve(t, mustMatrix(t, a), Params{Features: k, Components: m, Method: method})
			checkSolution(t, a, s, k, m)
			if s.Status != Proved || math.Abs(s.Objective-best) > 1e-9*best {
				t.Errorf("seed %d d=%d k=%d m=%d σ=%.2f %s: %v (%s), optimum %v", seed, d, k, m, sigma, method, s.Objective, s.Status, best)
			}
		}
	}
}

// TestAgainstBruteForce: on general matrices nothing beats the optimum, IPU
// is no worse than its start, and from 20 random starts it nearly always gets
// there.
func TestAgainstBruteForce(t *testing.T) {
	hits := 0
	const instances = 200
	for seed := range uint64(instances) {
		rng := rand.New(rand.NewPCG(seed, 2))
		d, k, m := randomSizes(rng)
		values := make([]float64, d)
		for i := range values {
			values[i] = math.Exp(3 * rng.NormFloat64())
		}
		a := withSpectrum(rng, values)
		c := mustMatrix(t, a)
		best, _ := bruteForce(a, k, m)
		start := mustSolve(t, c, Params{Features: k, Components: m, Method: MethodGo})
		checkSolution(t, a, start, k, m)
		fromGo := mustSolve(t, c, Params{Features: k, Components: m})
		checkSolution(t, a, fromGo, k, m)
		if fromGo.Objective < start.Objective*(1-1e-12) {
			t.Errorf("seed %d: IPU %v below its start %v", seed, fromGo.Objective, start.Objective)
		}
		random := mustSolve(t, c, Params{Features: k, Components: m, Start: StartRandom, Seed: seed})
		checkSolution(t, a, random, k, m)
		for _, s := range []*Solution{start, fromGo, random} {
			if s.Objective > best*(1+1e-10) {
				t.Errorf("seed %d: %v above the optimum %v", seed, s.Objective, best)
			}
			if s.UpperBound < best*(1-1e-10) {
				t.Errorf("seed %d: upper bound %v below the optimum %v", seed, s.UpperBound, best)
			}
			if s.Status == Proved && s.Objective < best*(1-1e-10) {
				t.Errorf("seed %d: %v called proved, optimum %v", seed, s.Objective, best)
			}
		}
		if random.Objective > best*(1-1e-3) {
			hits++
		}
	}
	if hits < instances*9/10 {
		t.Errorf("20 random starts came within 1e-3 of the optimum in %d of %d cases", hits, instances)
	}
}

// TestAllColumns: with k = d the problem is PCA.
func TestAllColumns(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	x := randomRows(rng, 40, 9)
	c := must.Get(NewData(x, DataOptions{}))(t)
	a := must.Get(c.Entries(t.Context()))(t)
	for m := 1; m <= 9; m++ {
		s := mustSolve(t, c, Params{Features: 9, Components: m})
		checkSolution(t, a, s, 9, m)
		if want := oracle.KyFan(a, m); math.Abs(s.Objective-want) > 1e-10*want || s.Status != Proved {
			t.Errorf("m=%d: %v (%s), PCA %v", m, s.Objective, s.Status, want)
		}
	}
}

// TestAsManyComponentsAsFeatures: with m = k the objective is Tr(A_SS).
func TestAsManyComponentsAsFeatures(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	a := withSpectrum(rng, []float64{9, 7, 6, 5, 3, 2, 1, 0.5})
	best, support := bruteForce(a, 3, 3)
	s := mustSolve(t, mustMatrix(t, a), Params{Features: 3, Components: 3})
	if s.Status != Proved || math.Abs(s.Objective-best) > 1e-12*best || !slices.Equal(s.Support, support) {
		t.Errorf("got %v %v %s, want %v %v", s.Objective, s.Support, s.Status, best, support)
	}
}

// TestEquivariance: permuting columns permutes the support, scaling A keeps
// it and scales the objective.
func TestEquivariance(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 5))
		d, k, m := randomSizes(rng)
		values := make([]float64, d)
		for i := range values {
			values[i] = math.Exp(2 * rng.NormFloat64())
		}
		a := withSpectrum(rng, values)
		p := Params{Features: k, Components: m, Method: rapid.SampledFrom([]Method{MethodGo, MethodIPU}).Draw(t, "method")}
		base := solveSym(t, a, p)

		perm := rng.Perm(d)
		moved := mat.NewSymDense(d, nil)
		for i := range d {
			for j := i; j < d; j++ {
				moved.SetSym(i, j, a.At(perm[i], perm[j]))
			}
		}
		got := solveSym(t, moved, p)
		back := make([]int, k)
		for i, j := range got.Support {
			back[i] = perm[j]
		}
		slices.Sort(back)
		if !slices.Equal(back, base.Support) {
			t.Fatalf("permuted: %v, want %v", back, base.Support)
		}

		for _, c := range []float64{1e6, 1e-6, 1e100, 1e-100} {
			scaled := mat.NewSymDense(d, nil)
			scaled.ScaleSym(c, a)
			got := solveSym(t, scaled, p)
			if !slices.Equal(got.Support, base.Support) {
				t.Fatalf("A×%g: %v, want %v", c, got.Support, base.Support)
			}
			if math.Abs(got.Objective-c*base.Objective) > 1e-10*c*base.Objective {
				t.Fatalf("A×%g: objective %v, want %v", c, got.Objective, c*base.Objective)
			}
		}
	})
}

func solveSym(t *rapid.T, a *mat.SymDense, p Params) *Solution {
	c := must.Get(NewMatrix(a))(t)
	return must.Get(Solve(context.Background(), c, p))(t)
}

// TestRankBelowComponents: with rank(A_SS) < m the inverse of WᵀAW does not
// exist; the scores are those of the pseudo-inverse and the objective rises.
func TestRankBelowComponents(t *testing.T) {
	for seed := range uint64(100) {
		rng := rand.New(rand.NewPCG(seed, 6))
		// Two groups of columns without correlation, each of rank 2: a
		// support inside one group has rank 2 < m = 3.
		a := mat.NewSymDense(10, nil)
		for g := range 2 {
			b := withSpectrum(rng, []float64{5 + rng.Float64(), 2 + rng.Float64(), 0, 0, 0})
			for i := range 5 {
				for j := i; j < 5; j++ {
					a.SetSym(5*g+i, 5*g+j, b.At(i, j)*(1+0.2*float64(g)))
				}
			}
		}
		w0 := mat.NewDense(10, 3, nil)
		for i := range 3 {
			w0.Set(i, i, 1)
		}
		s := must.Get(IPU(context.Background(), mustMatrix(t, a), 5, w0, IPUParams{}))(t)
		checkSolution(t, a, s, 5, 3)
		if best, _ := bruteForce(a, 5, 3); s.Objective > best*(1+1e-10) {
			t.Errorf("seed %d: above the optimum", seed)
		}
	}
}

func TestGivenStart(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	a := withSpectrum(rng, []float64{8, 6, 5, 4, 3, 2, 1, 1})
	c := mustMatrix(t, a)
	w0 := mat.NewDense(8, 2, nil)
	w0.Set(3, 0, 2)
	w0.Set(5, 1, -1)
	w0.Set(5, 0, 1)
	s := mustSolve(t, c, Params{Features: 4, Components: 2, W0: w0})
	checkSolution(t, a, s, 4, 2)
	if want := oracle.Objective(a, []int{3, 5}, 2); math.Abs(s.Trace[0]-want) > 1e-12*want {
		t.Errorf("a feasible start begins the trace: got %v, want %v", s.Trace[0], want)
	}
	if s.Iterations != len(s.Trace)-1 {
		t.Errorf("%d iterations, trace %v", s.Iterations, s.Trace)
	}
}

func TestTiesGoToTheLowerIndex(t *testing.T) {
	a := mat.NewSymDense(6, nil)
	for i := range 6 {
		a.SetSym(i, i, 2)
	}
	for _, method := range []Method{MethodGo, MethodIPU} {
		s := mustSolve(t, mustMatrix(t, a), Params{Features: 3, Components: 2, Method: method})
		if !slices.Equal(s.Support, []int{0, 1, 2}) {
			t.Errorf("%s: %v", method, s.Support)
		}
	}
}

// TestCopiesOfAColumn: of exact copies, whose scores differ by rounding, the
// first ones are chosen.
func TestCopiesOfAColumn(t *testing.T) {
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 12))
		x := randomRows(rng, 40, 12)
		for i := range 40 {
			for j := range 4 { // columns 8 to 11 are columns 0 to 3 again
				x.Set(i, 8+j, x.At(i, j))
			}
		}
		c := must.Get(NewData(x, DataOptions{}))(t)
		for _, k := range []int{3, 5} {
			s := mustSolve(t, c, Params{Features: k, Components: 2, Method: []Method{MethodGo, MethodIPU}[seed%2]})
			for j := range 4 {
				if slices.Contains(s.Support, 8+j) && !slices.Contains(s.Support, j) {
					t.Errorf("seed %d, k=%d: %v has column %d without its copy %d", seed, k, s.Support, 8+j, j)
				}
			}
		}
	}
}

// TestRoundingDoesNotChoose: where many choices explain the same, rows in another order, whose sums are rounded
// otherwise, give the same choice. One in a thousand does not: exchanges are tried in the order of rounded values.
func TestRoundingDoesNotChoose(t *testing.T) {
	const problems, most = 400, 4
	var other []string
	for seed := range uint64(problems) {
		rng := rand.New(rand.NewPCG(seed, 13))
		n, half := 60+rng.IntN(200), 3+rng.IntN(6)
		x := randomRows(rng, n, 2*half)
		shuffled := mat.NewDense(n, 2*half, nil)
		for i := range n {
			for j := range half { // each column, and its negative
				x.Set(i, half+j, -x.At(i, j))
			}
		}
		for at, i := range rng.Perm(n) {
			shuffled.SetRow(at, x.RawRowView(i))
		}
		scales := func(x *mat.Dense) []float64 {
			return lists.Make(2*half, func(j int) float64 { return stat.StdDev(mat.Col(nil, j, x), nil) })
		}
		k := 2 + rng.IntN(half)
		p := Params{Features: k, Components: 1 + rng.IntN(k-1), Restarts: int(seed % 4), Effort: []Effort{EffortIPU, EffortQuick}[seed%2]}
		one := mustSolve(t, must.Get(NewData(x, DataOptions{Scale: scales(x)}))(t), p)
		two := mustSolve(t, must.Get(NewData(shuffled, DataOptions{Scale: scales(shuffled)}))(t), p)
		if !slices.Equal(one.Support, two.Support) {
			other = append(other, fmt.Sprintf("seed %d, k = %d, m = %d: %v of %.17g, and with the rows in another order %v of %.17g", seed, k, p.Components, one.Support, one.Objective, two.Support, two.Objective))
		}
	}
	if len(other) > most {
		t.Errorf("%d of %d choices differ, want at most %d:\n%s", len(other), problems, most, strings.Join(other, "\n"))
	}
}

func TestRandomStartsRepeat(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	a := withSpectrum(rng, []float64{8, 6, 5, 4, 3, 2, 1, 1, 1, 0.5})
	p := Params{Features: 4, Components: 2, Start: StartRandom, Restarts: 5, Seed: 9}
	first, second := mustSolve(t, mustMatrix(t, a), p), mustSolve(t, mustMatrix(t, a), p)
	opt := cmp.Comparer(func(x, y mat.Matrix) bool { return mat.Equal(x, y) })
	if diff := cmp.Diff(first, second, opt); diff != "" {
		t.Error(diff)
	}
}

func TestParamsErrors(t *testing.T) {
	c := mustMatrix(t, withSpectrum(rand.New(rand.NewPCG(9, 9)), []float64{4, 3, 2, 1, 0.5}))
	for _, test := range []struct {
		p    Params
		want []string
	}{
		{Params{Features: 6, Components: 2}, []string{"k = 6", "d = 5"}},
		{Params{Features: 2, Components: 3}, []string{"k = 2", "m = 3"}},
		{Params{Features: 2}, []string{"m = 0", "at least 1"}},
		{Params{Features: 2, Components: -1}, []string{"m = -1"}},
		{Params{Features: 3, Components: 2, Method: "magic", Start: "warm"}, []string{`"magic"`, `"warm"`}},
		{Params{Features: 3, Components: 2, Method: MethodGo, Restarts: 3}, []string{"no start"}},
		{Params{Features: 3, Components: 2, Restarts: -1, MaxIterations: -2, Epsilon: math.NaN()}, []string{"restarts is -1", "iterations is -2", "epsilon is NaN"}},
		{Params{Features: 3, Components: 2, Restarts: math.MaxInt}, []string{fmt.Sprintf("restarts is %d: want at most 1000000", math.MaxInt)}},
		{Params{Features: 3, Components: 2, W0: mat.NewDense(5, 1, nil)}, []string{"5×1", "5×2"}},
		{Params{Features: 3, Components: 2, W0: mat.NewDense(5, 2, nil)}, []string{"linearly dependent"}},
		{Params{Features: 3, Components: 2, Start: StartRandom, W0: mat.NewDense(5, 2, nil)}, []string{"exclude"}},
	} {
		_, err := Solve(context.Background(), c, test.p)
		if err == nil {
			t.Errorf("%+v: no error", test.p)
			continue
		}
		for _, want := range test.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%+v: %v does not say %q", test.p, err, want)
			}
		}
	}
}

func TestEndedContext(t *testing.T) {
	rng := rand.New(rand.NewPCG(10, 10))
	a := withSpectrum(rng, []float64{8, 6, 5, 4, 3, 2, 1, 1, 0.7, 0.5})
	c := mustMatrix(t, a)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Solve(ctx, c, Params{Features: 4, Components: 2}); !errors.Is(err, context.Canceled) {
		t.Errorf("before the first solution: %v", err)
	}
	ctx, cancel = context.WithCancel(context.Background())
	defer cancel()
	p := Params{Features: 4, Components: 2, Start: StartRandom, Progress: func(p Progress) {
		if p.Start == 1 {
			cancel()
		}
	}}
	s := must.Get(Solve(ctx, c, p))(t)
	if s.Status != Cancelled || !s.Status.Early() {
		t.Errorf("status %s", s.Status)
	}
	checkSolution(t, a, s, 4, 2)
}

func ExampleSolve() {
	// Columns 0 and 2 vary together and most; column 1 hardly varies.
	x := mat.NewDense(4, 3, []float64{
		1, 0.1, 2,
		2, 0.0, 4,
		3, 0.1, 6,
		4, 0.2, 8,
	})
	a, err := NewData(x, DataOptions{})
	if err != nil {
		panic(err)
	}
	s, err := Solve(context.Background(), a, Params{Features: 2, Components: 1})
	if err != nil {
		panic(err)
	}
	fmt.Println(s.Support, s.Status)
	fmt.Printf("%.3f of %.3f\n", s.Objective, s.TotalVariance)
	// Output:
	// [0 2] proved
	// 8.333 of 8.340
}
