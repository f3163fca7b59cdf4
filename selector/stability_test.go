package selector_test

import (
	"context"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/selector"
	"github.com/fspca/fspca/solver"
)

// drawn returns the rows of replicate b.
func drawn(x *mat.Dense, seed, b uint64) *mat.Dense {
	n, d := x.Dims()
	rng := rand.New(rand.NewPCG(seed, b))
	y := mat.NewDense(n, d, nil)
	for i := range n {
		y.SetRow(i, x.RawRowView(rng.IntN(n)))
	}
	return y
}

// TestStability: the counts are those of fits of the rows drawn as documented, one after another.
func TestStability(t *testing.T) {
	const draws = 40
	for _, opt := range []selector.Options{
		{Features: 4, Components: 2, Seed: 9},
		{Features: 4, Components: 2, Standardize: true},
		{Features: 3, Components: 3, Uncentered: true, Seed: 1, Include: []string{"gene011"}},
		{Features: 3, Components: 2, Method: "soap", Seed: 2},
		{Features: 3, Components: 2, Effort: "thorough"},
	} {
		x := sample(5, 25, 12)
		want := make([]int, 12)
		for b := range uint64(draws) {
			for _, j := range fit(t, drawn(x, opt.Seed, b), opt).Support() {
				want[j]++
			}
		}
		opt.Bootstrap = draws
		m := fit(t, x, opt)
		s := m.Stability()
		if s.Replicates != draws {
			t.Fatalf("%d replicates, want %d", s.Replicates, draws)
		}
		told := 0
		for i, c := range s.Columns {
			chosen := slices.Contains(m.Support(), c.Column)
			if c.Times != want[c.Column] || c.Name != names(12)[c.Column] || c.Chosen != chosen || c.Frequency != float64(c.Times)/draws {
				t.Errorf("%+v: got %+v, want %d times, chosen %v", opt, c, want[c.Column], chosen)
			}
			if i > 0 && c.Times > s.Columns[i-1].Times {
				t.Errorf("%v is not sorted", s.Columns)
			}
			told += c.Times
		}
		for j, times := range want {
			listed := slices.ContainsFunc(s.Columns, func(c selector.Frequency) bool { return c.Column == j })
			if listed != (times >= draws/10 || slices.Contains(m.Support(), j)) {
				t.Errorf("column %d, chosen %d times in %d: listed %v", j, times, draws, listed)
			}
		}
		if told == 0 {
			t.Error("nothing was ever chosen")
		}
	}
}

// TestStabilityOfExact: a proof is not sought again for each replicate.
func TestStabilityOfExact(t *testing.T) {
	x := sample(5, 25, 12)
	opt := selector.Options{Features: 4, Components: 2, Bootstrap: 10, Effort: "thorough"}
	want := fit(t, x, opt).Stability()
	opt.Effort, opt.MemoryLimit = "exact", 1<<20
	m := fit(t, x, opt)
	if diff := cmp.Diff(want, m.Stability()); diff != "" || !m.Bound().Proved {
		t.Errorf("proved %v, stability (-thorough +exact):\n%s", m.Bound().Proved, diff)
	}
}

// TestStabilityIsDeterministic: the number of processors changes nothing, nor does sparse storage.
func TestStabilityIsDeterministic(t *testing.T) {
	x := sample(7, 40, 30)
	x.Apply(func(i, j int, v float64) float64 {
		if (i+j)%3 == 0 {
			return 0
		}
		return v
	}, x)
	opt := selector.Options{Features: 6, Components: 3, Bootstrap: 30, Seed: 3}
	want := fit(t, x, opt).Stability()
	for _, processors := range []int{1, 2, 5} {
		before := runtime.GOMAXPROCS(processors)
		got := fit(t, x, opt).Stability()
		runtime.GOMAXPROCS(before)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("on %d processors (-want +got):\n%s", processors, diff)
		}
	}
	table := sparseOf(t, x)
	s := selector.New(opt)
	must.OK(t, s.FitSparse(context.Background(), table))
	if diff := cmp.Diff(want, s.Model().Stability()); diff != "" {
		t.Errorf("of sparse rows (-dense +sparse):\n%s", diff)
	}
}

// sparseOf stores the cells of x that are not 0.
func sparseOf(t *testing.T, x *mat.Dense) *dataset.Sparse {
	t.Helper()
	n, d := x.Dims()
	offsets := []int64{0}
	var indices []int32
	var values []float64
	for i := range n {
		for j, v := range x.RawRowView(i) {
			if v != 0 {
				indices, values = append(indices, int32(j)), append(values, v)
			}
		}
		offsets = append(offsets, int64(len(indices)))
	}
	return must.Get(dataset.NewSparse(n, d, offsets, indices, values, names(d)))(t)
}

// TestStabilityCutOff: when the context ends between replicates, those that were done count.
func TestStabilityCutOff(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	seen := 0
	s := selector.New(selector.Options{Features: 4, Components: 2, Bootstrap: 1000, Progress: func(p solver.Progress) {
		if p.Stage != selector.StageBootstrap {
			return
		}
		if p.Start != seen || p.Starts != 1000 || !(p.Objective > 0) {
			t.Errorf("progress %+v after %d", p, seen)
		}
		if seen++; seen == 7 {
			cancel()
		}
	}})
	must.OK(t, s.FitMatrix(ctx, sample(1, 30, 12), nil))
	got := s.Model().Stability()
	if got.Replicates < 7 || got.Replicates > 7+runtime.GOMAXPROCS(0) || got.Replicates != seen {
		t.Errorf("%d replicates, %d seen, cancelled after 7", got.Replicates, seen)
	}
	if s.Model().Status() == solver.Cancelled {
		t.Error("the choice itself was not cut off")
	}
}

// TestStabilityOfFewRows: draws in which nothing varies are drawn again.
func TestStabilityOfFewRows(t *testing.T) {
	x := mat.NewDense(2, 3, []float64{1, 2, 3, 2, 5, 3})
	m := fit(t, x, selector.Options{Features: 2, Components: 1, Bootstrap: 50})
	if s := m.Stability(); s.Replicates != 50 || s.Columns[0].Frequency != 1 {
		t.Errorf("of two rows: %+v", s)
	}
}

func TestStabilityErrors(t *testing.T) {
	s := selector.New(selector.Options{Features: 2, Components: 1, Bootstrap: -1})
	wantError(t, s.FitMatrix(context.Background(), sample(1, 9, 4), nil), "bootstrap is -1")
	s.Bootstrap = 5
	wantError(t, s.FitCovariance(context.Background(), moment(sample(1, 9, 4), selector.Options{}), nil), "bootstrap", "rows")
	if fit(t, sample(1, 9, 4), selector.Options{Features: 2, Components: 1}).Stability() != nil {
		t.Error("there is a stability that was not asked for")
	}
}
