package solver

import (
	"context"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/internal/oracle"
)

// TestExchangeIsLocallyOptimal: no single permitted exchange improves the
// result, by plain enumeration, and the objective only rises on the way.
func TestExchangeIsLocallyOptimal(t *testing.T) {
	for seed := range uint64(150) {
		rng := rand.New(rand.NewPCG(seed, 41))
		d, k, m := randomSizes(rng)
		if seed%3 == 0 {
			d, k = d+14, k+6 // more pairs than the estimate's foremost
		}
		a := randomCovariance(rng, d)
		include, exclude := randomLists(rng, d, k)
		ch := must.Get(newChoice(d, k, include, exclude))(t)
		scores := make([]float64, d)
		for i := range scores {
			scores[i] = rng.Float64()
		}
		start := ch.top(scores)
		s := must.Get(Exchange(context.Background(), mustMatrix(t, a), start, m, ExchangeParams{Include: include, Exclude: exclude}))(t)
		checkSolution(t, a, s, k, m)
		checkLists(t, s, include, exclude)
		if want := oracle.Objective(a, start, m); math.Abs(s.Trace[0]-want) > 1e-9*want {
			t.Errorf("seed %d: the trace begins at %v, the start is %v", seed, s.Trace[0], want)
		}
		for _, out := range s.Support {
			for in := range d {
				if slices.Contains(s.Support, in) || !ch.free(out) || !ch.free(in) {
					continue
				}
				other := slices.Clone(s.Support)
				other[slices.Index(other, out)] = in
				slices.Sort(other)
				if f := oracle.Objective(a, other, m); f > s.Objective*(1+1e-10)+1e-13*oracle.KyFan(a, 1) {
					t.Errorf("seed %d: %d for %d gains %v", seed, in, out, f-s.Objective)
				}
			}
		}
	}
}

// TestExchangeEvaluatesAll: correlations of a few Gaussian rows on which the
// estimates mislead: the pairs that they put first gain nothing and one of the
// others does.
func TestExchangeEvaluatesAll(t *testing.T) {
	for _, seed := range []uint64{56, 114, 180, 214, 232} {
		rng := rand.New(rand.NewPCG(seed, 5))
		d := 16 + rng.IntN(24)
		k := 4 + rng.IntN(d/2)
		m := 1 + rng.IntN(min(k, 8))
		a := gaussianCorrelation(rng, d)
		operator, start := mustMatrix(t, a), rng.Perm(d)[:k]
		s := must.Get(Exchange(t.Context(), operator, start, m, ExchangeParams{}))(t)
		if few := exchangeForemost(t, operator, start, m); few >= s.Objective*(1-1e-6) {
			t.Errorf("seed %d: the foremost pairs suffice for %v: choose another problem", seed, few)
		}
		for p, out := range s.Support {
			for in := range d {
				if slices.Contains(s.Support, in) {
					continue
				}
				other := slices.Clone(s.Support)
				other[p] = in
				slices.Sort(other)
				if f := oracle.Objective(a, other, m); f > s.Objective*(1+1e-10) {
					t.Errorf("seed %d: %d for %d gains %v", seed, in, out, f-s.Objective)
				}
			}
		}
	}
}

// exchangeForemost is where a search ends that evaluates the foremost pairs only.
func exchangeForemost(t *testing.T, a Covariance, start []int, m int) float64 {
	t.Helper()
	sorted := distinct(start)
	task := must.Get(newTask(t.Context(), a, Params{Features: len(start), Components: m}))(t)
	at := ascenderOf(a)
	e := must.Get(at.embed(t.Context(), sorted, m, nil))(t)
	whole := must.Get(task.whole(t.Context()))(t)
	x := task.exchange(at, whole, nil)
	x.every = false
	e = must.Get(x.improve(t.Context(), e))(t)
	return e.objective
}

// gaussianCorrelation is XᵀX for 2 to d+1 rows of normal numbers, with a unit
// diagonal.
func gaussianCorrelation(rng *rand.Rand, d int) *mat.SymDense {
	rows := 2 + rng.IntN(d)
	x := mat.NewDense(rows, d, nil)
	for i := range rows {
		for j := range d {
			x.Set(i, j, rng.NormFloat64())
		}
	}
	var a mat.SymDense
	a.SymOuterK(1, x.T())
	scale := make([]float64, d)
	for i := range scale {
		scale[i] = 1 / math.Sqrt(a.At(i, i))
	}
	for i := range d {
		for j := i; j < d; j++ {
			a.SetSym(i, j, a.At(i, j)*scale[i]*scale[j])
		}
	}
	return &a
}

// TestExchangeAmongMany takes the way for more than 5000 pairs, on rows and on
// their covariance, with the same end, which is no worse than IPU's.
func TestExchangeAmongMany(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 42))
	x := randomRows(rng, 90, 700)
	rows := must.Get(NewData(x, DataOptions{}))(t)
	entries := must.Get(rows.Entries(t.Context()))(t)
	ipu := mustSolve(t, rows, Params{Features: 20, Components: 3})
	for _, c := range []Covariance{rows, mustMatrix(t, entries)} {
		s := must.Get(Exchange(context.Background(), c, ipu.Support, 3, ExchangeParams{}))(t)
		checkSolution(t, entries, s, 20, 3)
		if s.Objective < ipu.Objective*(1-1e-12) {
			t.Errorf("%s: exchange %v below IPU %v", s.Route, s.Objective, ipu.Objective)
		}
		if s.Iterations == 0 {
			t.Errorf("%s: nothing exchanged: a poor test", s.Route)
		}
	}
}

// TestExchangeOfManyChosen: with k > 256 the estimate from the leading pairs
// still finds the way up from a poor support.
func TestExchangeOfManyChosen(t *testing.T) {
	const d, k, m = 420, 300, 3
	rng := rand.New(rand.NewPCG(1, 47))
	x := randomRows(rng, 60, d)
	rows := must.Get(NewData(x, DataOptions{}))(t)
	entries := must.Get(rows.Entries(t.Context()))(t)
	c := mustMatrix(t, entries)
	ipu := mustSolve(t, c, Params{Features: k, Components: m})
	poor := slices.Clone(ipu.Support)
	for i := range d {
		if q := i / 20; i%20 == 0 && !slices.Contains(poor, i) && q < k {
			poor[q*10%k] = i // some of the chosen give way
		}
	}
	slices.Sort(poor)
	start := oracle.Objective(entries, poor, m)
	s := must.Get(Exchange(context.Background(), c, poor, m, ExchangeParams{}))(t)
	checkSolution(t, entries, s, k, m)
	if regained := (s.Objective - start) / (ipu.Objective - start); s.Iterations < 3 || regained < 0.99 {
		t.Errorf("%d exchanges regained %.3f of what was lost", s.Iterations, regained)
	}
}

// TestThoroughFindsOptima: 150 problems of the size of the paper's.
func TestThoroughFindsOptima(t *testing.T) {
	missed, ipu, quick := 0, 0, 0
	for seed := range uint64(150) {
		rng := rand.New(rand.NewPCG(seed, 43))
		d, k, m := 12, 5, 2
		a := randomCovariance(rng, d)
		c := mustMatrix(t, a)
		best, _ := bruteForce(a, k, m)
		s := mustSolve(t, c, Params{Features: k, Components: m, Effort: EffortThorough})
		checkSolution(t, a, s, k, m)
		if s.Objective < best*(1-1e-9) {
			missed++
		}
		if mustSolve(t, c, Params{Features: k, Components: m, Effort: EffortIPU}).Objective < best*(1-1e-9) {
			ipu++
		}
		if mustSolve(t, c, Params{Features: k, Components: m}).Objective < best*(1-1e-9) {
			quick++
		}
	}
	if missed > 1 || quick > 3 || ipu < 20 {
		t.Errorf("thorough missed %d of 150, quick %d, IPU alone %d", missed, quick, ipu)
	}
}

func TestThoroughStarts(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 44))
	a := randomCovariance(rng, 14)
	c := mustMatrix(t, a)
	starts := map[Stage]int{}
	p := Params{Features: 5, Components: 2, Effort: EffortThorough, Progress: func(p Progress) {
		if p.Stage == StageIPU {
			starts[p.Stage] = p.Starts
		}
		if p.Features != 5 {
			t.Errorf("progress of k = %d", p.Features)
		}
	}}
	mustSolve(t, c, p)
	alone := starts[StageIPU]
	p.Restarts = 7
	mustSolve(t, c, p)
	if starts[StageIPU] != alone+7 {
		t.Errorf("%d starts with 7 random ones, %d without", starts[StageIPU], alone)
	}
	p.Restarts, p.Start = 0, StartRandom
	mustSolve(t, c, p)
	if starts[StageIPU] != alone+DefaultRestarts {
		t.Errorf("%d starts with random start, want %d", starts[StageIPU], alone+DefaultRestarts)
	}
}

// TestThreadsDoNotMatter: the same bytes from one thread and from several.
func TestThreadsDoNotMatter(t *testing.T) {
	for seed := range uint64(6) {
		rng := rand.New(rand.NewPCG(seed, 45))
		d, efforts := 20, []Effort{EffortThorough, EffortExact}
		if seed == 5 { // exchanges on several threads
			d, efforts = 170, efforts[:1]
		}
		values := make([]float64, d)
		for i := range values {
			values[i] = rng.ExpFloat64()
		}
		c := mustMatrix(t, withSpectrum(rng, values))
		for _, effort := range efforts {
			p := Params{Features: 6, Components: 2, Effort: effort, Restarts: 3, SDPIterations: 20}
			var first *Solution
			for _, threads := range []int{1, 2, 5} {
				before := runtime.GOMAXPROCS(threads)
				s := mustSolve(t, c, p)
				runtime.GOMAXPROCS(before)
				if first == nil {
					first = s
				}
				same := slices.Equal(s.Support, first.Support) && s.Objective == first.Objective && s.UpperBound == first.UpperBound &&
					s.Nodes == first.Nodes && slices.Equal(s.Trace, first.Trace) && slices.Equal(s.Loadings.RawMatrix().Data, first.Loadings.RawMatrix().Data)
				if !same {
					t.Errorf("seed %d %s: %d threads differ: %+v, %+v", seed, effort, threads, s, first)
				}
			}
		}
	}
}

func TestExchangeErrors(t *testing.T) {
	c := mustMatrix(t, withSpectrum(rand.New(rand.NewPCG(1, 46)), []float64{4, 3, 2, 1, 0.5}))
	for _, test := range []struct {
		support []int
		m       int
		p       ExchangeParams
		want    string
	}{
		{[]int{0, 0, 1}, 2, ExchangeParams{}, "repeats"},
		{[]int{0, 5}, 2, ExchangeParams{}, "column 5"},
		{[]int{0, 1}, 3, ExchangeParams{}, "m = 3"},
		{[]int{0, 1}, 1, ExchangeParams{Include: []int{2}}, "lacks"},
		{[]int{0, 1}, 1, ExchangeParams{Exclude: []int{1}}, "exclude"},
		{[]int{0, 1}, 1, ExchangeParams{Include: []int{1}, Exclude: []int{1}}, "column 1"},
	} {
		_, err := Exchange(context.Background(), c, test.support, test.m, test.p)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v m=%d %+v: error %v does not say %q", test.support, test.m, test.p, err, test.want)
		}
	}
	s, err := Exchange(context.Background(), c, []int{4, 3}, 1, ExchangeParams{MaxExchanges: 1})
	if err != nil || s.Status != IterationLimit && s.Iterations > 0 && !s.Proved {
		t.Errorf("limit 1: %v, %+v", err, s)
	}
}

// TestExchangeOfOneColumn: of single columns the one with the largest variance is
// the best.
func TestExchangeOfOneColumn(t *testing.T) {
	a := must.Get(NewMatrix(mat.NewDiagDense(4, []float64{1, 4, 3, 2})))(t)
	for j := range 4 {
		s, err := Exchange(context.Background(), a, []int{j}, 1, ExchangeParams{})
		if err != nil || s.Support[0] != 1 {
			t.Errorf("from column %d: got %v, %v, want column 1", j, s, err)
		}
	}
}
