package solver

import (
	"context"
	"flag"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/kernel"
	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/internal/oracle"
	"github.com/fspca/fspca/internal/subspace"
)

// randomCovariance returns a matrix of order d from one of several families:
// smooth, graded, clustered, low-rank, block-diagonal and data of few rows.
func randomCovariance(rng *rand.Rand, d int) *mat.SymDense {
	values := make([]float64, d)
	for i := range values {
		switch rng.IntN(4) {
		case 0:
			values[i] = rng.ExpFloat64()
		case 1:
			values[i] = math.Exp(3 * rng.NormFloat64())
		case 2:
			values[i] = float64(rng.IntN(3))
		case 3:
			values[i] = 1
		}
	}
	values[0] += 0.1
	a := withSpectrum(rng, values)
	switch rng.IntN(4) {
	case 0: // two uncorrelated groups
		for i := range d / 2 {
			for j := d / 2; j < d; j++ {
				a.SetSym(i, j, 0)
			}
		}
	case 1:
		x := randomRows(rng, 2+rng.IntN(d), d)
		c, err := NewData(x, DataOptions{Uncentered: rng.IntN(2) == 0})
		if err != nil {
			panic(err)
		}
		e, err := c.Entries(context.Background())
		if err != nil {
			panic(err)
		}
		a.CopySym(e)
	}
	a.ScaleSym(math.Pow(10, float64(rng.IntN(13)-6)), a)
	return a
}

// randomLists returns must-keep and never-keep lists that leave a choice.
func randomLists(rng *rand.Rand, d, k int) (include, exclude []int) {
	perm := rng.Perm(d)
	in, out := rng.IntN(k+1), rng.IntN(d-k+1)
	return perm[:in], perm[d-out:]
}

// bruteForceWithin is bruteForce over the permitted supports.
func bruteForceWithin(a mat.Symmetric, k, m int, include, exclude []int) float64 {
	best := math.Inf(-1)
	oracle.EachSubset(a.SymmetricDim(), k, func(s []int) {
		for _, i := range include {
			if !slices.Contains(s, i) {
				return
			}
		}
		for _, i := range exclude {
			if slices.Contains(s, i) {
				return
			}
		}
		best = math.Max(best, oracle.Objective(a, s, m))
	})
	return best
}

// checkBounds holds every bound that the package can give for one random
// problem against brute force.
func checkBounds(t *testing.T, seed uint64) {
	t.Helper()
	ctx := context.Background()
	rng := rand.New(rand.NewPCG(seed, 31))
	d := 3 + rng.IntN(7)
	k := 1 + rng.IntN(d)
	m := 1 + rng.IntN(k)
	a := randomCovariance(rng, d)
	var include, exclude []int
	if rng.IntN(2) == 0 {
		include, exclude = randomLists(rng, d, k)
	}
	best := bruteForceWithin(a, k, m, include, exclude)
	c := mustMatrix(t, a)
	fails := func(what string, bound float64) {
		if bound < best {
			t.Errorf("seed %d d=%d k=%d m=%d include %v exclude %v: %s bound %v below the optimum %v", seed, d, k, m, include, exclude, what, bound, best)
		}
	}
	ch := must.Get(newChoice(d, k, include, exclude))(t)
	for r := min(m+1, d); r <= d; r++ { // as much of the spectrum as a route may know
		s := must.Get(readSpectrum(ctx, c, nil, m, r))(t)
		fails("cheap", cheapBound(c, s, ch, m).value)
		f := newSoft(s, c.Diag(), ch.candidates(d), len(ch.must), k, m)
		for range 5 {
			sigma := s.values[0] * rng.Float64()
			value, _ := f.at(sigma)
			fails("soft", value)
		}
		s.exact = false // Ritz pairs: the diagonal is what remains
		fails("inexact", cheapBound(c, s, ch, m).value)
	}
	entries, _ := c.Entries(t.Context())
	const rounding = 1e-14
	fails("trace", traceBound(entries, ch.candidates(d), len(ch.must), k, m, 0))

	index := ch.candidates(d)
	block := kernel.NewMatrix(len(index), len(index))
	for p, i := range index {
		for q, j := range index {
			block.Row(p)[q] = a.At(i, j)
		}
	}
	relaxed := newRelaxation(block, len(ch.must), k, m, oracle.KyFan(a, 1))
	for range 12 { // valid at any iteration
		must.OK(t, relaxed.step())
		must.OK(t, relaxed.certify())
		fails("sdp", relaxed.bound)
	}
	for _, p := range []Params{{}, {Effort: EffortThorough}, {Effort: EffortExact}, {Method: MethodGo, SDPIterations: 30}} {
		p.Features, p.Components, p.Include, p.Exclude = k, m, include, exclude
		s := mustSolve(t, c, p)
		fails(string(p.Effort)+" "+string(s.BoundSource), s.UpperBound)
		if s.Objective > best*(1+rounding*float64(d)) {
			t.Errorf("seed %d %s: %v above the optimum %v", seed, p.Effort, s.Objective, best)
		}
		if s.Proved != (s.Status == Proved) || s.Proved != (s.Gap <= ProvedGap) {
			t.Errorf("seed %d %s: proved %v, status %s", seed, p.Effort, s.Proved, s.Status)
		}
		if s.Proved && s.Objective < best*(1-1.1*ProvedGap) {
			t.Errorf("seed %d %s: %v called proved, optimum %v", seed, p.Effort, s.Objective, best)
		}
		if p.Effort == EffortExact && !s.Proved {
			t.Errorf("seed %d: exact search ended with %s, gap %v", seed, s.Status, s.Gap)
		}
		if want := subspace.Gap(s.UpperBound, s.Objective); s.Gap != want && s.Objective > 0 {
			t.Errorf("seed %d: gap %v, want %v", seed, s.Gap, want)
		}
		checkLists(t, s, include, exclude)
	}
}

func checkLists(t *testing.T, s *Solution, include, exclude []int) {
	t.Helper()
	for _, i := range include {
		if !slices.Contains(s.Support, i) {
			t.Errorf("support %v lacks %d of include %v", s.Support, i, include)
		}
	}
	for _, i := range exclude {
		if slices.Contains(s.Support, i) {
			t.Errorf("support %v has %d of exclude %v", s.Support, i, exclude)
		}
	}
}

var problems = flag.Uint64("problems", 400, "number of random problems that TestBoundsHold holds against brute force")

// TestSourcesAreTold: docs/model-format.md names every source of a bound.
func TestSourcesAreTold(t *testing.T) {
	told := must.Get(os.ReadFile("../docs/model-format.md"))(t)
	for _, source := range constantsOf(t, "bound.go", "BoundSource") {
		if !strings.Contains(string(told), "`"+source+"`") {
			t.Errorf("docs/model-format.md does not name the source %s", source)
		}
	}
}

// TestBoundsHold: no bound lies below the optimum by brute force.
func TestBoundsHold(t *testing.T) {
	for seed := range uint64(raced(int(*problems))) {
		checkBounds(t, seed)
	}
}

// TestSoftFamily: the minimum of the soft bounds is no worse than K_m(A), the
// diagonal, and the bound of the paper's proof for every rank, and the more of
// the spectrum is known the better.
func TestSoftFamily(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 32))
		d, k, m := randomSizes(rng)
		a := randomCovariance(rng, d)
		c := mustMatrix(t, a)
		ch, _ := newChoice(d, k, nil, nil)
		last := math.Inf(1)
		for r := min(m+1, d); r <= d; r++ {
			s := must.Get(readSpectrum(context.Background(), c, nil, m, r))(t)
			tol := 1e-8 * s.values[0] * float64(d)
			f := newSoft(s, c.Diag(), ch.candidates(d), 0, k, m)
			got, _ := f.minimise(math.Inf(-1))
			if got > last+tol {
				t.Errorf("seed %d: %v with %d pairs, %v with fewer", seed, got, r, last)
			}
			last = got
			if diag := subspace.TopKSum(c.Diag(), k); got > diag+tol {
				t.Errorf("seed %d: %v above the diagonal's %v", seed, got, diag)
			}
			if r < d {
				continue
			}
			if got > s.leading+tol {
				t.Errorf("seed %d: %v above K_m(A) = %v", seed, got, s.leading)
			}
			for rank := range d {
				proof := subspace.TopKSum(s.lowRankScores(rank, 0), k)
				for _, v := range s.values[rank:min(rank+m, d)] {
					proof += v
				}
				if got > proof+tol {
					t.Errorf("seed %d: %v above the bound %v of rank %d", seed, got, proof, rank)
				}
			}
		}
	}
}

// TestRisesFromDiagonal: where that says so no bound of the family is below the diagonal's, however much of the
// spectrum is known and however it is found; elsewhere one is, mostly.
func TestRisesFromDiagonal(t *testing.T) {
	rises, falls := 0, 0
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 57))
		d, k, m := randomSizes(rng)
		c := mustMatrix(t, randomCovariance(rng, d))
		if seed%2 == 0 { // fewer rows than columns
			d = 40 + rng.IntN(60)
			c = must.Get(NewData(factorRows(rng, 20+rng.IntN(15), d), DataOptions{}))(t)
			m = 1 + rng.IntN(6)
			k = m + rng.IntN(d-m)
		}
		var include, exclude []int
		if seed%3 == 0 {
			include, exclude = randomLists(rng, d, k)
		}
		ch := must.Get(newChoice(d, k, include, exclude))(t)
		for r := m + 1; r < min(d, m+9); r++ {
			s := must.Get(readSpectrum(t.Context(), c, nil, m, r))(t)
			f := newSoft(s, c.Diag(), ch.candidates(d), len(ch.must), k, m)
			least, _ := f.minimise(math.Inf(-1))
			diagonal := diagonalBound(c, s, ch, m).value
			switch s.risesFromDiagonal(c.Diag(), ch, m) {
			case true:
				rises++
				if least < diagonal*(1-1e-9) {
					t.Errorf("seed %d: the bounds rise from the diagonal's %v, but one is %v", seed, diagonal, least)
				}
			default:
				if least < diagonal {
					falls++
				}
			}
		}
	}
	if rises < 100 || falls < 100 {
		t.Errorf("%d times the bounds rise and %d times they fall: too few to tell", rises, falls)
	}
}

// TestSoftIsExactForSpikedSpectra: the bound closes where Go is optimal.
func TestSoftIsExactForSpikedSpectra(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 33))
	for range 50 {
		d, k, m := randomSizes(rng)
		values := make([]float64, d)
		for i := range values {
			values[i] = 2
			if i < m {
				values[i] += 5 * rng.Float64()
			}
		}
		a := withSpectrum(rng, values)
		c := mustMatrix(t, a)
		s := must.Get(readSpectrum(context.Background(), c, nil, m, d))(t)
		ch, _ := newChoice(d, k, nil, nil)
		best, _ := bruteForce(a, k, m)
		if got := cheapBound(c, s, ch, m); math.Abs(got.value-best) > 1e-9*best {
			t.Errorf("d=%d k=%d m=%d: bound %v, optimum %v", d, k, m, got.value, best)
		}
	}
}

// TestRelaxationConverges: with few columns the semidefinite bound comes to
// within a tenth of the gap that the cheap bound leaves, and a point of a
// Fantope stays where it is.
func TestRelaxationConverges(t *testing.T) {
	var cheap, relaxed float64
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 34))
		a := mat.NewSymDense(12, nil)
		x := mat.NewDense(12, 12, nil)
		for i := range 12 {
			for j := range 12 {
				x.Set(i, j, rng.NormFloat64())
			}
		}
		a.SymOuterK(1, x)
		best, _ := bruteForce(a, 5, 2)
		c := mustMatrix(t, a)
		cheap += mustSolve(t, c, Params{Features: 5, Components: 2}).UpperBound/best - 1
		relaxed += mustSolve(t, c, Params{Features: 5, Components: 2, SDPIterations: 300}).UpperBound/best - 1
	}
	if relaxed > cheap/2 {
		t.Errorf("mean gaps: cheap %.4f, semidefinite %.4f", cheap/20, relaxed/20)
	}
}

func TestFantopeShift(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 35))
	for range 500 {
		n := 1 + rng.IntN(12)
		m := 1 + rng.IntN(n)
		gamma := make([]float64, n)
		for i := range gamma {
			gamma[i] = 3 * rng.NormFloat64()
			if rng.IntN(3) == 0 {
				gamma[i] = math.Round(gamma[i])
			}
		}
		slices.SortFunc(gamma, func(a, b float64) int { return int(math.Copysign(1, b-a)) })
		theta := subspace.FantopeShift(gamma, m)
		var sum float64
		for _, g := range gamma {
			sum += min(1, max(0, g-theta))
		}
		if math.Abs(sum-float64(m)) > 1e-12*float64(n) {
			t.Errorf("γ %v, m = %d: θ = %v gives %v", gamma, m, theta, sum)
		}
	}
}

// TestProjectCapped: feasible, and v − z is the same wherever 0 < z < 1, at
// most that where z = 0 and at least that where z = 1.
func TestProjectCapped(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 36))
	for range 500 {
		n := 1 + rng.IntN(12)
		k := 1 + rng.IntN(n)
		in := rng.IntN(k + 1)
		v, z := make([]float64, n), make([]float64, n)
		for i := range v {
			v[i] = 2 * rng.NormFloat64()
		}
		projectCapped(z, v, in, k)
		var sum float64
		lowest, highest := math.Inf(-1), math.Inf(1)
		for i, x := range z {
			sum += x
			switch {
			case x < 0 || x > 1 || i < in && x != 1:
				t.Fatalf("z = %v for v = %v, in %d, k %d", z, v, in, k)
			case i < in:
			case x == 0:
				lowest = max(lowest, v[i])
			case x == 1:
				highest = min(highest, v[i]-1)
			default:
				lowest, highest = max(lowest, v[i]-x), min(highest, v[i]-x)
			}
		}
		if math.Abs(sum-float64(k)) > 1e-12*float64(n) || lowest > highest+1e-12 {
			t.Fatalf("z = %v for v = %v, in %d, k %d: sum %v, shifts %v to %v", z, v, in, k, sum, lowest, highest)
		}
	}
}
