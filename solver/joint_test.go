package solver

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/kernel"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/internal/oracle"
)

// newJointProblem returns a random problem with the first in indices chosen, its
// multipliers as they begin, and the optimum.
func newJointProblem(t *testing.T, seed uint64) (j *joint, a kernel.Matrix, best float64) {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 77))
	d := 4 + rng.IntN(7)
	sym := families[int(seed)%len(families)].make(rng, d)
	if rng.IntN(4) == 0 { // the bounds hold for any symmetric matrix
		addDiagonal(sym, -rng.Float64())
	}
	k := 2 + rng.IntN(d-2)
	m := 1 + rng.IntN(min(3, k))
	in := rng.IntN(k)
	include := make([]int, in)
	a = kernel.NewMatrix(d, d)
	for i := range d {
		for q := range d {
			a.Row(i)[q] = sym.At(i, q)
		}
		if i < in {
			include[i] = i
		}
	}
	best = bruteForceWithin(sym, k, m, include, nil)
	l, y := kernel.NewMatrix(d, 3), kernel.NewMatrix(d, d)
	for i := range l.Data {
		l.Data[i] = .3 * rng.NormFloat64()
	}
	for i := range y.Data {
		y.Data[i] = a.Data[i] * rng.Float64()
	}
	return newJoint(a, in, k, m, l, y, math.Max(best, .1)), a, best
}

// TestJointDualHolds: no multipliers, as they begin or improved, give a bound
// below the optimum, and neither does their quadratic form on any support.
func TestJointDualHolds(t *testing.T) {
	for seed := range uint64(*soundProblems / 3) {
		j, a, best := newJointProblem(t, seed)
		check := func(what string) {
			b := must.Get(j.evaluate())(t)
			if b.value < best {
				t.Errorf("seed %d, %s: n=%d in=%d k=%d m=%d: bound %v below the optimum %v", seed, what, j.n, j.in, j.k, j.m, b.value, best)
			}
			checkForm(t, seed, j, a, b)
		}
		check("at random")
		j.mu = .03 * j.unit
		must.OK(t, descend(t.Context(), j.x, 15, j.smoothed))
		check("improved")
		j.complete()
		check("completed")
		must.OK(t, descend(t.Context(), j.x, 25, j.smoothed))
		check("improved in all")
		if t.Failed() {
			return
		}
	}
}

// checkForm holds the form to the objective of every support.
func checkForm(t *testing.T, seed uint64, j *joint, a kernel.Matrix, b *jointBound) {
	t.Helper()
	oracle.EachSubset(j.n, j.k, func(at []int) {
		value := b.form.constant + b.form.slack
		for _, p := range at {
			value += b.form.alpha[p]
			for _, q := range at {
				if p != q {
					value += b.form.m.Row(p)[q]
				}
			}
		}
		for p := range j.in {
			if at[p] != p {
				return
			}
		}
		if f := oracle.Objective(symmetric(a), at, j.m); value < f {
			t.Errorf("seed %d: the form gives %v for %v, below %v", seed, value, at, f)
		}
		var sum float64
		for _, p := range at {
			sum += b.scores[p]
		}
		if b.rest+sum < value-1e-9*math.Abs(value) {
			t.Errorf("seed %d: the scores give %v for %v, below the form's %v", seed, b.rest+sum, at, value)
		}
	})
}

// TestJointGradient: the gradient is that of the smoothed bound.
func TestJointGradient(t *testing.T) {
	for seed := range uint64(30) {
		j, _, _ := newJointProblem(t, seed)
		rng := rand.New(rand.NewPCG(seed, 78))
		j.mu = .3 * j.unit
		if seed%2 == 1 {
			j.complete()
		}
		grad, spare := make([]float64, len(j.x)), make([]float64, len(j.x))
		must.Get(j.smoothed(j.x, grad))(t)
		direction := make([]float64, len(j.x))
		for i := range direction {
			direction[i] = rng.NormFloat64()
		}
		value := func(h float64) float64 {
			x := make([]float64, len(j.x))
			for i, v := range j.x {
				x[i] = v + h*direction[i]
			}
			return must.Get(j.smoothed(x, spare))(t)
		}
		const h = 1e-6
		want, got := (value(h)-value(-h))/(2*h), kernel.Dot(grad, direction)
		if math.Abs(want-got) > 1e-4*(math.Abs(want)+j.unit) {
			t.Errorf("seed %d full %v: slope %v, by differences %v", seed, j.full, got, want)
		}
	}
}

// TestSmoothTop: q in sum, and within μq/2 below the sum of the largest.
func TestSmoothTop(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 79))
	for range 2000 {
		n := 1 + rng.IntN(12)
		in := rng.IntN(n + 1)
		q := rng.IntN(n - in + 1)
		v, w := make([]float64, n), make([]float64, n)
		for i := range v {
			v[i] = rng.NormFloat64()
			if rng.IntN(3) == 0 {
				v[i] = math.Round(v[i])
			}
		}
		mu := math.Pow(10, -3*rng.Float64())
		got, want := smoothTop(v, in, q, mu, w), diagSum(v, in, in+q)
		sum := lists.Sum(w)
		if math.Abs(sum-float64(in+q)) > 1e-9 || got > want+1e-9 || got < want-mu/2*float64(in+q)-1e-9 {
			t.Errorf("v %v in %d q %d μ %v: %v with Σw = %v, exactly %v", v, in, q, mu, got, sum, want)
		}
	}
}

// TestSearchOnAnyThreads: the answer, the nodes and the bound of a search that needs
// the joint dual do not depend on the number of threads.
func TestSearchOnAnyThreads(t *testing.T) {
	a := mustMatrix(t, gaussianScatter(3, 28))
	p := Params{Features: 10, Components: 3, Effort: EffortExact}
	stages := map[Stage]int{}
	p.Progress = func(now Progress) { stages[now.Stage]++ }
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	want := mustSolve(t, a, p)
	if stages[StageSDP] == 0 {
		t.Error("the joint dual had no turn: a poor test")
	}
	for _, threads := range []int{2, 5} {
		runtime.GOMAXPROCS(threads)
		got := mustSolve(t, a, p)
		if got.Nodes != want.Nodes || got.UpperBound != want.UpperBound || got.Objective != want.Objective || !slices.Equal(got.Support, want.Support) {
			t.Errorf("%d threads: %d nodes, bound %v, objective %v, %v; one: %d, %v, %v, %v", threads,
				got.Nodes, got.UpperBound, got.Objective, got.Support, want.Nodes, want.UpperBound, want.Objective, want.Support)
		}
	}
}

// TestTightBoundAtAnyScale: the joint dual takes the same steps for A times a power of four, so that its bound is
// the same, bit for bit.
func TestTightBoundAtAnyScale(t *testing.T) {
	for seed := range uint64(3) {
		rng := rand.New(rand.NewPCG(seed, 14))
		x := randomRows(rng, 30+rng.IntN(40), 12+rng.IntN(10))
		p := Params{Features: 3 + rng.IntN(5), Components: 1 + rng.IntN(2), Bound: BoundTight}
		want := mustSolve(t, must.Get(NewData(x, DataOptions{}))(t), p)
		for _, e := range []int{-40, -3, 5} {
			far := mat.DenseCopyOf(x)
			far.Scale(math.Ldexp(1, e), far)
			if got := mustSolve(t, must.Get(NewData(far, DataOptions{}))(t), p); got.UpperBound != math.Ldexp(want.UpperBound, 2*e) {
				t.Errorf("seed %d: the bound is %v·2^%d, and %v at scale 1", seed, math.Ldexp(got.UpperBound, -2*e), 2*e, want.UpperBound)
			}
		}
	}
}
