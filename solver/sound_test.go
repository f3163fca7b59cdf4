package solver

import (
	"context"
	"flag"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/internal/oracle"
	"github.com/fspca/fspca/internal/subspace"
)

// problems is the number of random problems of TestSound. A long run:
// go test ./solver -run TestSound -sound 100000 -timeout 2h
var soundProblems = flag.Int("sound", 1000, "random problems of TestSound")

// families make covariances that have been hard for a bound, a tolerance or a
// rule of pruning: of order d, at a scale near 1.
var families = []struct {
	name string
	make func(rng *rand.Rand, d int) *mat.SymDense
}{
	{"scatter", func(rng *rand.Rand, d int) *mat.SymDense { return gaussianCorrelation(rng, d) }},
	{"any spectrum", func(rng *rand.Rand, d int) *mat.SymDense { return randomCovariance(rng, d) }},
	{"low rank and noise", func(rng *rand.Rand, d int) *mat.SymDense {
		a := lowRank(rng, d, 1+rng.IntN(3))
		addDiagonal(a, math.Pow(10, -float64(rng.IntN(12))))
		return a
	}},
	{"low rank", func(rng *rand.Rand, d int) *mat.SymDense { return lowRank(rng, d, 1+rng.IntN(d)) }},
	{"graded", func(rng *rand.Rand, d int) *mat.SymDense {
		a := gaussianCorrelation(rng, d)
		scaleSym(a, func(i int) float64 { return math.Pow(10, -float64(i)*rng.Float64()*2) })
		return a
	}},
	{"equicorrelated", func(rng *rand.Rand, d int) *mat.SymDense {
		r := rng.Float64()
		return symmetricOf(d, func(i, j int) float64 { return r })
	}},
	{"blocks", func(rng *rand.Rand, d int) *mat.SymDense {
		r, size := rng.Float64(), 1+rng.IntN(4)
		return symmetricOf(d, func(i, j int) float64 {
			if i/size == j/size {
				return r
			}
			return 0
		})
	}},
	{"different blocks", func(rng *rand.Rand, d int) *mat.SymDense {
		a, cut := gaussianCorrelation(rng, d), 1+rng.IntN(d)
		for i := range cut {
			for j := cut; j < d; j++ {
				a.SetSym(i, j, 0)
			}
		}
		return a
	}},
	{"planted", func(rng *rand.Rand, d int) *mat.SymDense {
		v := make([]float64, d)
		for _, i := range rng.Perm(d)[:1+rng.IntN(d)] {
			v[i] = 1 + 0.1*rng.NormFloat64()
		}
		a := symmetricOf(d, func(i, j int) float64 { return v[i] * v[j] })
		for i := range d {
			a.SetSym(i, i, v[i]*v[i]+1+0.1*rng.Float64())
		}
		return a
	}},
	{"near copies", func(rng *rand.Rand, d int) *mat.SymDense {
		return copies(rng, d, math.Pow(10, -float64(4+rng.IntN(10))))
	}},
	{"copies", func(rng *rand.Rand, d int) *mat.SymDense { return copies(rng, d, 0) }},
	{"near identity", func(rng *rand.Rand, d int) *mat.SymDense {
		e := math.Pow(10, -float64(8+rng.IntN(7)))
		return symmetricOf(d, func(i, j int) float64 { return e * rng.NormFloat64() / float64(d) })
	}},
	{"identity", func(rng *rand.Rand, d int) *mat.SymDense { return symmetricOf(d, func(i, j int) float64 { return 0 }) }},
	{"small integers", func(rng *rand.Rand, d int) *mat.SymDense {
		x := mat.NewDense(d, d, nil)
		for i := range d {
			for j := range d {
				x.Set(i, j, float64(rng.IntN(3)-1))
			}
		}
		a := mat.NewSymDense(d, nil)
		a.SymOuterK(1, x)
		addDiagonal(a, 1)
		return a
	}},
	{"nearly spiked", func(rng *rand.Rand, d int) *mat.SymDense {
		values := make([]float64, d)
		for i := range values {
			values[i] = 1
			if i < 1+d/4 {
				values[i] += 3 * rng.Float64()
			}
			values[i] += math.Pow(10, -float64(9+rng.IntN(5))) * rng.Float64()
		}
		slices.SortFunc(values, func(a, b float64) int { return int(math.Copysign(1, b-a)) })
		return withSpectrum(rng, values)
	}},
	{"Toeplitz", func(rng *rand.Rand, d int) *mat.SymDense {
		r := 2*rng.Float64() - 1
		return symmetricOf(d, func(i, j int) float64 { return math.Pow(r, float64(j-i)) })
	}},
	{"alternating signs", func(rng *rand.Rand, d int) *mat.SymDense {
		r := rng.Float64() / float64(d)
		return symmetricOf(d, func(i, j int) float64 { return r * float64(1-2*((i+j)%2)) })
	}},
}

// symmetricOf returns the matrix with a unit diagonal and the entries of off
// beside it, i < j.
func symmetricOf(d int, off func(i, j int) float64) *mat.SymDense {
	a := mat.NewSymDense(d, nil)
	for i := range d {
		a.SetSym(i, i, 1)
		for j := i + 1; j < d; j++ {
			a.SetSym(i, j, off(i, j))
		}
	}
	return a
}

func lowRank(rng *rand.Rand, d, r int) *mat.SymDense {
	x := mat.NewDense(d, r, nil)
	for i := range d {
		for j := range r {
			x.Set(i, j, rng.NormFloat64())
		}
	}
	a := mat.NewSymDense(d, nil)
	a.SymOuterK(1, x)
	return a
}

func addDiagonal(a *mat.SymDense, v float64) {
	for i := range a.SymmetricDim() {
		a.SetSym(i, i, a.At(i, i)+v)
	}
}

func scaleSym(a *mat.SymDense, by func(i int) float64) {
	f := make([]float64, a.SymmetricDim())
	for i := range f {
		f[i] = by(i)
	}
	for i := range f {
		for j := i; j < len(f); j++ {
			a.SetSym(i, j, a.At(i, j)*f[i]*f[j])
		}
	}
}

// copies returns the covariance of columns of which some are copies of others
// plus noise.
func copies(rng *rand.Rand, d int, noise float64) *mat.SymDense {
	x := mat.NewDense(d, d+1, nil)
	for i := range d {
		from := -1
		if i > 0 && rng.IntN(2) == 0 {
			from = rng.IntN(i)
		}
		for j := range d + 1 {
			v := rng.NormFloat64()
			if from >= 0 {
				v = x.At(from, j) + noise*v
			}
			x.Set(i, j, v)
		}
	}
	a := mat.NewSymDense(d, nil)
	a.SymOuterK(1, x)
	return a
}

// soundProblem is a problem with its optimum.
type soundProblem struct {
	seed         uint64
	family       string
	a            *mat.SymDense
	p            Params
	best         float64
	worst        []int
	worstValue   float64
	giantColumns int
}

func newSoundProblem(seed uint64) *soundProblem {
	rng := rand.New(rand.NewPCG(seed, 99))
	f := families[int(seed)%len(families)]
	d := 4 + rng.IntN(5)
	if rng.IntN(8) == 0 { // a deeper search
		d = 11 + rng.IntN(2)
	}
	s := &soundProblem{seed: seed, family: f.name, a: f.make(rng, d)}
	k := 1 + rng.IntN(d)
	m := 1 + rng.IntN(k)
	if rng.IntN(2) == 0 {
		s.p.Include, s.p.Exclude = randomLists(rng, d, k)
	}
	if rng.IntN(3) == 0 { // what is excluded dwarfs the rest
		giant := math.Pow(10, float64(rng.IntN(12)))
		for _, i := range s.p.Exclude {
			s.a.SetSym(i, i, s.a.At(i, i)+giant)
			s.giantColumns++
		}
	}
	s.p.Features, s.p.Components = k, m
	s.best, s.worstValue = math.Inf(-1), math.Inf(1)
	oracle.EachSubset(d, k, func(at []int) {
		for _, i := range s.p.Include {
			if !slices.Contains(at, i) {
				return
			}
		}
		for _, i := range s.p.Exclude {
			if slices.Contains(at, i) {
				return
			}
		}
		v := oracle.Objective(s.a, at, m)
		s.best = math.Max(s.best, v)
		if v < s.worstValue {
			s.worst, s.worstValue = slices.Clone(at), v
		}
	})
	return s
}

// holds reports a solution that claims too much.
func (s *soundProblem) holds(t *testing.T, what string, sol *Solution) {
	t.Helper()
	fails := func(why string) {
		t.Errorf("seed %d (%s, %d excluded giants) k=%d m=%d include %v exclude %v, %s: %s: objective %v, bound %v (%s), gap %v, optimum %v",
			s.seed, s.family, s.giantColumns, s.p.Features, s.p.Components, s.p.Include, s.p.Exclude, what, why, sol.Objective, sol.UpperBound, sol.BoundSource, sol.Gap, s.best)
	}
	if sol.UpperBound < s.best {
		fails("bound below the optimum")
	}
	if sol.Proved != (sol.Gap <= ProvedGap) || sol.Proved != (sol.Status == Proved) || sol.Gap != subspace.Gap(sol.UpperBound, sol.Objective) {
		fails("proof, status and gap disagree")
	}
	if sol.Proved && s.best-sol.Objective > 1.0001*ProvedGap*sol.Objective {
		fails("false proof")
	}
	if sol.Objective > s.best*(1+1e-13) {
		fails("objective above the optimum")
	}
}

// check holds every effort, and the search from the worst support, to the
// optimum.
func (s *soundProblem) check(t *testing.T) {
	t.Helper()
	a, err := NewMatrix(s.a)
	if err != nil {
		t.Fatalf("seed %d (%s): %v", s.seed, s.family, err)
	}
	for _, p := range []Params{{}, {Effort: EffortIPU}, {Bound: BoundTight}, {Method: MethodGo, SDPIterations: 20}, {Effort: EffortThorough}, {Effort: EffortExact}} {
		p.Features, p.Components, p.Include, p.Exclude = s.p.Features, s.p.Components, s.p.Include, s.p.Exclude
		sol := mustSolve(t, a, p)
		s.holds(t, string(p.Method)+string(p.Effort), sol)
		if p.Effort == EffortExact && !sol.Proved {
			t.Errorf("seed %d (%s): exact search ended with gap %v", s.seed, s.family, sol.Gap)
		}
	}
	if s.worstValue == s.best { // there may be no other
		return
	}
	few := steps{0, 10, 10}
	for _, c := range []struct {
		after int
		work  searchWork
	}{
		{relaxAfter, fullWork},
		{relaxAfter, searchWork{first: 2e8}}, // enumerated at once
		{relaxAfter, searchWork{before: 20 * 8 * 8 * 8, first: 2e8}},
		{relaxAfter, searchWork{}}, // best first alone
		{1, searchWork{root: few, joint: few}},
		{1, searchWork{root: few, joint: few, form: 1e9}},
		{1, searchWork{root: few, joint: few, node: 300}},
	} {
		s.holds(t, "search from the worst", s.searchFromWorst(t, a, c.after, c.work))
	}
}

// searchFromWorst runs branch and bound with the worst support as its
// incumbent, and the joint dual after so many nodes.
func (s *soundProblem) searchFromWorst(t *testing.T, a Covariance, after int, work searchWork) *Solution {
	t.Helper()
	ctx := context.Background()
	p := s.p
	p.Effort = EffortExact
	f := must.Get(newFrame(ctx, a, p))(t)
	task := must.Get(newTask(ctx, f.a, f.p))(t)
	at := ascenderOf(f.a)
	e := must.Get(at.embed(ctx, f.places(s.worst), task.m, nil))(t)
	r := newRun(f.a, at, task.c, task.m, IPUParams{})
	r.best, r.trace = e, []float64{e.objective}
	search, fits := must.Two(newSearch(ctx, task, r))(t)
	if !fits {
		t.Fatal("no memory")
	}
	search.relaxAfter, search.work = after, work
	status := must.Get(search.run(ctx))(t)
	sol := must.Get(search.solution(ctx, status))(t)
	return must.Get(f.restore(sol))(t)
}

// TestSound: no bound is below the optimum, and what is called proved is
// optimal, whatever the covariance, what is excluded from it, and where the
// search begins.
func TestSound(t *testing.T) {
	for seed := range uint64(shortened(*soundProblems)) {
		if newSoundProblem(seed).check(t); t.Failed() {
			return
		}
	}
}

// TestCeilingCoversWhatIsCutOff: the relaxation of the root speaks of what is
// open, not of what was cut off before.
func TestCeilingCoversWhatIsCutOff(t *testing.T) {
	ctx := t.Context()
	task := must.Get(newTask(ctx, mustMatrix(t, gaussianScatter(1, 16)), Params{Features: 6, Components: 2, Effort: EffortExact}))(t)
	best := must.Get(task.searchThoroughly(ctx))(t)
	s, _ := must.Two(newSearch(ctx, task, best))(t)
	s.tree.Closed = 0.999 * s.ceiling
	must.OK(t, s.reach(ctx))
	if s.upper() < 0.999*s.sub.root.bound {
		t.Errorf("bound %v, below that of what was cut off, %v", s.upper(), s.tree.Closed)
	}
}

// shortened is the number of a test's problems, a third of it under -short: the race detector takes ten
// times as long.
func shortened(problems int) int {
	if testing.Short() {
		return raced((problems + 2) / 3)
	}
	return raced(problems)
}

// raced is the number of problems under the race detector: a fifth of those that prove numbers. All of
// them run the same code on as many threads.
func raced(problems int) int {
	if raceDetector {
		return (problems + 4) / 5
	}
	return problems
}

// FuzzSound is TestSound for any seed.
func FuzzSound(f *testing.F) {
	f.Add(uint64(1))
	f.Fuzz(func(t *testing.T, seed uint64) { newSoundProblem(seed).check(t) })
}
