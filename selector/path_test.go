package selector_test

import (
	"bytes"
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/selector"
	"github.com/fspca/fspca/solver"
)

func pathOf(t *testing.T, x *mat.Dense, opt selector.Options, points selector.Points) []*selector.Model {
	t.Helper()
	_, d := x.Dims()
	f := must.Get(dataset.New(names(d), x))(t)
	return must.Get(selector.New(opt).Path(context.Background(), f, points))(t)
}

// TestPath: a model of every k, whose objective never falls, whose bound holds against every choice
// there is, and which works as a model of its own.
func TestPath(t *testing.T) {
	x := sample(4, 30, 11)
	models := pathOf(t, x, selector.Options{Components: 2, Include: []string{"gene003"}}, selector.Points{Max: 11})
	if len(models) != 10 {
		t.Fatalf("%d models, want k from 2 to 11", len(models))
	}
	for i, m := range models {
		k := i + 2
		if len(m.Support()) != k || m.Options().Features != k || !slices.Contains(m.Features(), "gene003") {
			t.Errorf("model %d chooses %v", i, m.Features())
		}
		if i > 0 && m.Objective() < models[i-1].Objective()*(1-1e-12) {
			t.Errorf("k = %d explains %v, less than k = %d", k, m.Objective(), k-1)
		}
		if best := bestOf(t, x, k, 2, []int{3}, nil); m.Bound().Upper < best*(1-1e-12) || m.Objective() > best*(1+1e-12) {
			t.Errorf("k = %d: %v ≤ best %v ≤ bound %v does not hold", k, m.Objective(), best, m.Bound().Upper)
		}
		if single := fit(t, x, selector.Options{Features: k, Components: 2, Include: []string{"gene003"}}); m.Objective() < single.Objective()*(1-1e-12) {
			t.Errorf("k = %d: the path explains %v, a fit by itself %v", k, m.Objective(), single.Objective())
		}
		if _, err := m.Project(x); err != nil {
			t.Error(err)
		}
		var b bytes.Buffer
		if _, err := m.WriteTo(&b); err != nil {
			t.Error(err)
		}
		if _, err := selector.ReadModel(&b); err != nil {
			t.Errorf("k = %d: %v", k, err)
		}
	}
	if got := pathOf(t, x, selector.Options{Components: 2}, selector.Points{Features: []int{7, 3}}); len(got) != 2 || len(got[0].Support()) != 3 || len(got[1].Support()) != 7 {
		t.Errorf("k of 7 and 3 give %d models", len(got))
	}
}

// TestPathKinds: the same path from rows, their covariance and sparse storage.
func TestPathKinds(t *testing.T) {
	x := sample(4, 30, 11)
	points := selector.Points{Features: []int{3, 5, 8}}
	s := selector.New(selector.Options{Components: 2})
	want := pathOf(t, x, s.Options, points)
	cov := must.Get(s.PathCovariance(context.Background(), moment(x, selector.Options{}), names(11), points))(t)
	sparse := must.Get(s.PathSparse(context.Background(), sparseOf(t, x), points))(t)
	for i := range want {
		if !slices.Equal(cov[i].Support(), want[i].Support()) || !slices.Equal(sparse[i].Support(), want[i].Support()) {
			t.Errorf("point %d: rows choose %v, their covariance %v, sparse %v", i, want[i].Support(), cov[i].Support(), sparse[i].Support())
		}
	}
	if s.Model() != nil {
		t.Error("a path leaves a model in the selector")
	}
}

// TestTargets: the k found keeps the share and one less does not; m explains its share and one less
// does not; and the model says what was found and asked.
func TestTargets(t *testing.T) {
	for seed := range uint64(5) {
		x := sample(seed, 30, 14)
		for _, share := range []float64{0.3, 0.7, 0.95, 1} {
			m := fit(t, x, selector.Options{FeaturesTarget: share, Components: 2})
			if m.NormalizedExplainedVariance() < share*(1-1e-9) {
				t.Errorf("share %v: %d columns keep %v", share, len(m.Support()), m.NormalizedExplainedVariance())
			}
			if o := m.Options(); o.Features != len(m.Support()) || o.FeaturesTarget != share {
				t.Errorf("the options are %+v", o)
			}
			path := pathOf(t, x, selector.Options{Components: 2}, selector.Points{Target: share})
			if !slices.Equal(path[len(path)-1].Support(), m.Support()) {
				t.Errorf("share %v: the path ends at %v, fit finds %v", share, path[len(path)-1].Support(), m.Support())
			}
			if k := len(m.Support()); k > 2 {
				less := path[len(path)-2]
				if len(less.Support()) != k-1 || less.NormalizedExplainedVariance() >= share {
					t.Errorf("share %v: before k = %d the path has k = %d with %v", share, k, len(less.Support()), less.NormalizedExplainedVariance())
				}
			}
		}
		m := fit(t, x, selector.Options{FeaturesTarget: 0.5, ComponentsTarget: 0.8})
		var sum float64
		all := fit(t, x, selector.Options{Features: 14, Components: 14}).ExplainedVariance()
		found := m.Options().Components
		for i, v := range all[:found] {
			if sum += v; i == found-2 && sum >= 0.8*m.TotalVariance() || i == found-1 && sum < 0.8*m.TotalVariance()*(1-1e-9) {
				t.Errorf("m = %d for 80 %%, but %d explain %v of %v", found, i+1, sum, m.TotalVariance())
			}
		}
	}
}

// TestParallelAnalysis finds the three factors of the sample.
func TestParallelAnalysis(t *testing.T) {
	x := sample(3, 200, 20)
	opt := selector.Options{Features: 8, ParallelAnalysis: true, Seed: 4, Standardize: true}
	m := fit(t, x, opt)
	if got := m.Options().Components; got != 3 {
		t.Errorf("m = %d, want the 3 factors", got)
	}
	if again := fit(t, x, opt); !slices.Equal(again.Support(), m.Support()) {
		t.Error("another choice the second time")
	}
	s := selector.New(selector.Options{Features: 3, ParallelAnalysis: true})
	wantError(t, s.FitCovariance(context.Background(), moment(x, opt), nil), "parallel analysis", "rows")
}

func TestTargetErrors(t *testing.T) {
	x := sample(1, 20, 6)
	f := must.Get(dataset.New(names(6), x))(t)
	for _, c := range []struct {
		opt  selector.Options
		want string
	}{
		{selector.Options{FeaturesTarget: 1.1, Components: 2}, "1.1"},
		{selector.Options{FeaturesTarget: -0.5, Components: 2}, "-0.5"},
		{selector.Options{FeaturesTarget: math.NaN(), Components: 2}, "NaN"},
		{selector.Options{Features: 3, ComponentsTarget: 2}, "target for components is 2"},
		{selector.Options{Features: 3, ComponentsTarget: 0.5, ParallelAnalysis: true}, "want one of them"},
		{selector.Options{Features: 1, ComponentsTarget: 0.999}, "more than features k = 1"},
		{selector.Options{FeaturesTarget: 0.9, Components: 2, Method: "soap"}, `"soap"`},
	} {
		wantError(t, selector.New(c.opt).Fit(f), c.want, "fspca: ")
	}
	for _, c := range []struct {
		points selector.Points
		want   string
	}{
		{selector.Points{}, "needs"},
		{selector.Points{Features: []int{3}, Max: 5}, "one of them"},
		{selector.Points{Target: 1.5}, "1.5"},
		{selector.Points{Max: -1}, "-1"},
		{selector.Points{Max: 1}, "smallest is 2"},
		{selector.Points{Max: 7}, "d = 6"},
		{selector.Points{Features: []int{3, 3}}, "twice"},
		{selector.Points{Features: []int{1, 9}}, "k = 1"},
		{selector.Points{Target: 1, Max: 3}, "out of reach"},
	} {
		_, err := selector.New(selector.Options{Components: 2}).Path(context.Background(), f, c.points)
		wantError(t, err, c.want, "fspca: ")
	}
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := selector.New(selector.Options{Components: 2}).Path(cancelled, f, selector.Points{Max: 5}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled before it began: %v", err)
	}
}

// TestLedger: scores, ranks, margins and correlations are those of the definitions, and survive the
// model file.
func TestLedger(t *testing.T) {
	x := sample(6, 40, 12)
	for _, opt := range []selector.Options{
		{Features: 4, Components: 2, Ledger: true},
		{Features: 4, Components: 3, Ledger: true, Standardize: true},
		{Features: 12, Components: 2, Ledger: true},
	} {
		m := fit(t, x, opt)
		a, w := moment(x, opt), m.Components()
		var z, waw, inverse, proxy mat.Dense
		z.Mul(a, w)
		waw.Mul(w.T(), &z)
		must.OK(t, inverse.Inverse(&waw))
		proxy.Product(&z, &inverse, z.T())
		entries := m.Ledger()
		for j, e := range entries {
			if math.Abs(e.Score-proxy.At(j, j)) > 1e-9*a.At(j, j) {
				t.Errorf("column %d: score %v, want %v", j, e.Score, proxy.At(j, j))
			}
			rank := 1
			inside, outside := math.Inf(1), math.Inf(-1)
			for i, other := range entries {
				if other.Score > e.Score || other.Score == e.Score && i < j {
					rank++
				}
				if other.Chosen {
					inside = min(inside, other.Score)
				} else {
					outside = max(outside, other.Score)
				}
			}
			margin := e.Score - inside
			if e.Chosen {
				margin = e.Score - outside
			}
			if math.IsInf(margin, 0) {
				margin = 0
			}
			if e.Rank != rank || e.Margin != margin || e.Column != j || e.Name != names(12)[j] || e.Chosen != slices.Contains(m.Support(), j) {
				t.Errorf("%+v: want rank %d, margin %v", e, rank, margin)
			}
			checkNearest(t, a, m, e)
		}
		var b bytes.Buffer
		must.Get(m.WriteTo(&b))(t)
		loaded := must.Get(selector.ReadModel(&b))(t)
		if diff := cmp.Diff(entries, loaded.Ledger()); diff != "" {
			t.Errorf("the loaded ledger differs:\n%s", diff)
		}
	}
	if fit(t, x, selector.Options{Features: 4, Components: 2}).Ledger() != nil {
		t.Error("there is a ledger that was not asked for")
	}
}

func checkNearest(t *testing.T, a *mat.SymDense, m *selector.Model, e selector.LedgerEntry) {
	t.Helper()
	best, nearest := 0.0, ""
	for i, j := range m.Support() {
		if r := a.At(e.Column, j) / math.Sqrt(a.At(j, j)*a.At(e.Column, e.Column)); math.Abs(r) > math.Abs(best) {
			best, nearest = r, m.Features()[i]
		}
	}
	if e.Chosen {
		best, nearest = 0, ""
	}
	if e.Nearest != nearest || math.Abs(e.Correlation-best) > 0.5001e-4 {
		t.Errorf("%s: nearest %q with %v, want %q with %v", e.Name, e.Nearest, e.Correlation, nearest, best)
	}
}

// TestLedgerDamaged: what does not fit the model is refused.
func TestLedgerDamaged(t *testing.T) {
	var b bytes.Buffer
	must.Get(fit(t, sample(6, 40, 3), selector.Options{Features: 2, Components: 1, Ledger: true}).WriteTo(&b))(t)
	for _, c := range []struct{ old, new, want string }{
		{`"score": [`, `"score": [1, `, `"ledger.score" has 4 elements`},
		{`"names": ["gene000"`, `"names": ["other"`, `"ledger.names[0]"`},
		{`"nearest": [-1`, `"nearest": [7`, `"ledger.nearest[0]" is 7`},
		{`"correlation": [0`, `"correlation": [3`, `"ledger.correlation[0]" is 3`},
		{`"ledger": {`, `"ledger": [], "ledgers": {`, `"ledger" is not an object`},
	} {
		edited := strings.Replace(b.String(), c.old, c.new, 1)
		if edited == b.String() {
			t.Errorf("%s is not in the file:\n%s", c.old, &b)
			continue
		}
		_, err := selector.ReadModel(strings.NewReader(edited))
		wantError(t, err, c.want)
	}
}

// TestPathCutOff: what a cancelled path has found comes back.
func TestPathCutOff(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	s := selector.New(selector.Options{Components: 2, Progress: func(p solver.Progress) {
		if p.Features >= 6 {
			cancel()
		}
	}})
	f := must.Get(dataset.New(names(30), sample(5, 40, 30)))(t)
	models := must.Get(s.Path(ctx, f, selector.Points{Max: 29}))(t)
	if last := models[len(models)-1]; len(models) > 10 || last.Status() != solver.Cancelled {
		t.Errorf("%d models, the last with the status %q", len(models), last.Status())
	}
}
