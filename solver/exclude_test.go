package solver

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/internal/subspace"
	"gonum.org/v1/gonum/mat"
)

// excludedCase is a problem with excluded columns, and the same without them.
type excludedCase struct {
	with, without Covariance
	index         []int // of the columns that are left
	p             Params
	exact         bool // the operators are the same bit for bit
	forced        bool // onto a route that the other may not take
}

// randomExcluded makes a case from a seed: rows of any shape in which some
// columns, those that are excluded, have variances up to 10²⁰ times the
// others', on any route.
func randomExcluded(t *testing.T, seed uint64, form string) excludedCase {
	rng := rand.New(rand.NewPCG(seed, 71))
	d := 4 + rng.IntN(9)
	n := 3 + rng.IntN(40)
	out := 1 + rng.IntN(d-3)
	left := d - out
	k := 1 + rng.IntN(left)
	m := 1 + rng.IntN(k)
	x := randomRows(rng, n, d)
	perm := rng.Perm(d)
	exclude := perm[:out]
	giant := math.Pow(10, float64(rng.IntN(11)))
	for i := range n {
		for _, j := range exclude {
			x.Set(i, j, giant*(x.At(i, j)+float64(rng.IntN(2))*x.At(i, perm[d-1])))
		}
	}
	var include []int
	if rng.IntN(2) == 0 {
		include = perm[out : out+rng.IntN(k+1)]
	}
	c := excludedCase{index: rest(d, exclude), p: Params{Features: k, Components: m, Include: include, Exclude: exclude}}
	c.p.Exclude = append(slices.Clone(exclude), exclude[0]) // repeats count once
	opt := DataOptions{Uncentered: rng.IntN(4) == 0}
	narrow := mat.NewDense(n, left, nil)
	for i := range n {
		for p, j := range c.index {
			narrow.Set(i, p, x.At(i, j))
		}
	}
	if rng.IntN(3) == 0 {
		opt.Scale = make([]float64, d)
		for j := range d {
			opt.Scale[j] = 0.5 + rng.Float64()
		}
	}
	narrowOpt := opt
	if opt.Scale != nil {
		narrowOpt.Scale = lists.At(opt.Scale, c.index)
	}
	switch form {
	case "matrix":
		c.with, c.without, c.exact = mustMatrix(t, entriesOf(t, x, opt)), mustMatrix(t, entriesOf(t, narrow, narrowOpt)), false
		block := must.Get(c.with.Block(t.Context(), c.index))(t)
		c.without, c.exact = mustMatrix(t, block), true
	case "sparse":
		c.with = must.Get(NewSparse(csrOf(x), opt))(t)
		c.without = must.Get(NewSparse(csrOf(narrow), narrowOpt))(t)
	default:
		for p, v := range []struct {
			x   *mat.Dense
			opt DataOptions
		}{{x, opt}, {narrow, narrowOpt}} {
			data := must.Get(NewData(v.x, v.opt))(t)
			if form != "rows" {
				data.route, c.forced = Route(form), true
			}
			if p == 0 {
				c.with = data
			} else {
				c.without = data
			}
		}
	}
	return c
}

func entriesOf(t *testing.T, x *mat.Dense, opt DataOptions) *mat.SymDense {
	data := must.Get(NewData(x, opt))(t)
	return must.Get(data.Entries(t.Context()))(t)
}

func csrOf(x *mat.Dense) *CSR {
	n, d := x.Dims()
	s := &CSR{Rows: n, Cols: d, Offsets: make([]int64, 1, n+1)}
	for i := range n {
		for j, v := range x.RawRowView(i) {
			if v != 0 {
				s.Indices, s.Values = append(s.Indices, int32(j)), append(s.Values, v)
			}
		}
		s.Offsets = append(s.Offsets, int64(len(s.Indices)))
	}
	return s
}

// dropped is p for the operator without the excluded columns.
func (c excludedCase) dropped(p Params) Params {
	p.Exclude = nil
	p.Include = nil
	for _, j := range c.p.Include {
		p.Include = append(p.Include, slices.Index(c.index, j))
	}
	return p
}

// checkSame compares a solution with columns excluded to one without them.
func (c excludedCase) checkSame(t *testing.T, what string, got, want *Solution) {
	t.Helper()
	tolerance := 1e-12
	if c.exact {
		tolerance = 0
	}
	near := func(a, b float64) bool {
		return math.Abs(a-b) <= tolerance*math.Max(math.Abs(b), want.TotalVariance) || a == b
	}
	if !slices.Equal(got.Support, lists.At(c.index, want.Support)) {
		if c.exact || !near(got.Objective, want.Objective) {
			t.Errorf("%s: support %v (%v), dropped %v (%v)", what, got.Support, got.Objective, lists.At(c.index, want.Support), want.Objective)
		}
		return // a tie
	}
	for _, v := range []struct {
		name string
		a, b float64
	}{
		{"objective", got.Objective, want.Objective}, {"bound", got.UpperBound, want.UpperBound}, {"leading", got.LeadingVariance, want.LeadingVariance},
		{"total", got.TotalVariance, want.TotalVariance},
	} {
		if !near(v.a, v.b) {
			t.Errorf("%s: %s %v, dropped %v", what, v.name, v.a, v.b)
		}
	}
	if got.Proved != want.Proved || got.Status != want.Status || got.Route != want.Route && !c.forced || c.exact && (got.Gap != want.Gap || got.BoundSource != want.BoundSource || !slices.Equal(got.Trace, want.Trace) || !mat.Equal(got.Loadings, want.Loadings)) {
		t.Errorf("%s: %+v, dropped %+v", what, got, want)
	}
}

var excludedForms = []string{"matrix", "rows", string(RouteCovariance), string(RouteGram), string(RouteImplicit), "sparse"}

// TestExcludeIsDrop: what is excluded has no influence on anything.
func TestExcludeIsDrop(t *testing.T) {
	seeds := uint64(25)
	if !testing.Short() {
		seeds = 400
	}
	for _, form := range excludedForms {
		for seed := range seeds {
			c := randomExcluded(t, seed, form)
			checkExcluded(t, seed, form, c)
			if t.Failed() {
				return
			}
		}
	}
}

func checkExcluded(t *testing.T, seed uint64, form string, c excludedCase) {
	t.Helper()
	w0 := subspace.Random(c.with.Order(), c.p.Components, seed, 1)
	for _, p := range []Params{{}, {Method: MethodGo}, {Effort: EffortThorough}, {Effort: EffortExact}, {Start: StartRandom, Restarts: 2}, {W0: w0}, {SDPIterations: 20}} {
		p.Features, p.Components, p.Include, p.Exclude = c.p.Features, c.p.Components, c.p.Include, c.p.Exclude
		q := c.dropped(p)
		if p.W0 != nil {
			q.W0 = mat.NewDense(len(c.index), p.Components, nil)
			for i, j := range c.index {
				q.W0.SetRow(i, w0.RawRowView(j))
			}
		}
		what := form + " " + string(p.Method) + string(p.Effort) + string(p.Start)
		got, want := mustSolve(t, c.with, p), mustSolve(t, c.without, q)
		c.checkSame(t, what, got, want)
		c.checkLedger(t, what, got, want)
		if t.Failed() {
			t.Fatalf("%s, seed %d: %+v", form, seed, p)
		}
	}
	c.checkPaths(t, form)
	if t.Failed() {
		t.Fatalf("%s, seed %d", form, seed)
	}
}

// checkPaths compares paths, sizes for targets, and exchanges.
func (c excludedCase) checkPaths(t *testing.T, form string) {
	t.Helper()
	lo := max(c.p.Components, len(c.p.Include))
	sizes := []int{lo}
	if lo < len(c.index) {
		sizes = append(sizes, len(c.index))
	}
	got, want := mustPath(t, c.with, c.p, sizes), mustPath(t, c.without, c.dropped(c.p), sizes)
	for i := range got {
		c.checkSame(t, form+" path", got[i], want[i])
	}
	k1, all1, err1 := FeaturesForTarget(t.Context(), c.with, c.p, 0.9, 0)
	k2, all2, err2 := FeaturesForTarget(t.Context(), c.without, c.dropped(c.p), 0.9, 0)
	if k1 != k2 || len(all1) != len(all2) || err1 != nil || err2 != nil {
		t.Errorf("%s target: %d (%v), dropped %d (%v)", form, k1, err1, k2, err2)
	}
	narrowed := must.Get(Without(t.Context(), c.with, c.p.Exclude))(t)
	m1, err1 := ComponentsForTarget(t.Context(), narrowed, 0.8)
	m2, err2 := ComponentsForTarget(t.Context(), c.without, 0.8)
	if m1 != m2 || err1 != nil || err2 != nil {
		t.Errorf("%s components: %d (%v), dropped %d (%v)", form, m1, err1, m2, err2)
	}
	if c.p.Include == nil {
		support := lists.Upto[int](c.p.Features)
		x1, err1 := Exchange(t.Context(), c.with, lists.At(c.index, support), c.p.Components, ExchangeParams{Exclude: c.p.Exclude})
		x2, err2 := Exchange(t.Context(), c.without, support, c.p.Components, ExchangeParams{})
		must.OK(t, err1)
		must.OK(t, err2)
		c.checkSame(t, form+" exchange", x1, x2)
	}
}

// checkLedger compares the entries of the columns that are left.
func (c excludedCase) checkLedger(t *testing.T, what string, got, want *Solution) {
	t.Helper()
	if !slices.Equal(got.Support, lists.At(c.index, want.Support)) {
		return // a tie
	}
	all := must.Get(Ledger(t.Context(), c.with, got, c.p.Exclude))(t)
	entries := must.Get(Ledger(t.Context(), c.without, want, nil))(t)
	tolerance := 1e-11 * want.TotalVariance
	if c.exact {
		tolerance = 0
	}
	for p, j := range c.index {
		a, b := all[j], entries[p]
		if b.Nearest >= 0 {
			b.Nearest = c.index[b.Nearest]
		}
		if a.Column != j || a.Excluded || a.Chosen != b.Chosen || math.Abs(a.Score-b.Score) > tolerance || c.exact && (a.Rank != b.Rank || a.Nearest != b.Nearest || a.Correlation != b.Correlation) {
			t.Errorf("%s: entry %+v, dropped %+v", what, a, b)
		}
	}
	for _, j := range c.p.Exclude {
		if e := all[j]; !e.Excluded || e.Chosen || e.Rank != 0 || e.Score != 0 || e.Nearest != -1 {
			t.Errorf("%s: excluded entry %+v", what, e)
		}
	}
}

// FuzzExclude looks for a problem that an excluded column changes.
func FuzzExclude(f *testing.F) {
	f.Add(uint64(1), uint8(0))
	f.Fuzz(func(t *testing.T, seed uint64, form uint8) {
		of := excludedForms[int(form)%len(excludedForms)]
		checkExcluded(t, seed, of, randomExcluded(t, seed, of))
	})
}
