package reconstruction

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/internal/oracle"
	"github.com/fspca/fspca/internal/parallel"
	"github.com/fspca/fspca/solver"
)

func mustSolve(t testing.TB, a solver.Covariance, p Params) *solver.Solution {
	t.Helper()
	return must.Get(Solve(context.Background(), a, p))(t)
}

// Before the last direction every column gains the same, all that is left. So as many columns as span the
// others do not depend on how A was summed.
func TestSpanDoesNotFollowRounding(t *testing.T) {
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 3))
		n := 5 + rng.IntN(10)
		d := n + 6 + rng.IntN(20)
		k := n - 1 + rng.IntN(6)
		x := mat.NewDense(n, d, nil)
		x.Apply(func(_, j int, _ float64) float64 { return rng.NormFloat64() * math.Pow(10, float64(j%3)) }, x)
		var want []int
		for range 6 {
			y := mat.NewDense(n, d, nil)
			for to, from := range rng.Perm(n) {
				y.SetRow(to, x.RawRowView(from))
			}
			m := k
			if seed%2 == 0 {
				m = 2
			}
			s := mustSolve(t, dataOf(t, y, false), Params{Features: k, Components: m})
			if want == nil {
				want = s.Support
			}
			if !slices.Equal(s.Support, want) {
				t.Errorf("seed %d (%d×%d, k %d, m %d): support %v, and with the rows in another order %v", seed, n, d, k, m, want, s.Support)
			}
		}
	}
}

// times returns c·x with its columns in the given order.
func times(x *mat.Dense, c float64, order []int) *mat.Dense {
	n, d := x.Dims()
	y := mat.NewDense(n, d, nil)
	for q, j := range order {
		for i := range n {
			y.Set(i, q, c*x.At(i, j))
		}
	}
	return y
}

// TestInvariance: a permutation of the columns permutes the support, and a
// factor of the rows changes nothing but the units.
func TestInvariance(t *testing.T) {
	problems := 100
	if testing.Short() {
		problems = 20
	}
	for i := range problems {
		rng := rand.New(rand.NewPCG(21, uint64(i)))
		d := 10 + rng.IntN(10)
		x := randomRows(rng, 3*d, d, i%5)
		k := 3 + rng.IntN(4)
		p := Params{Features: k, Components: []int{k, max(1, k/2)}[i%2]}
		s := mustSolve(t, dataOf(t, x, false), p)
		order := rng.Perm(d)
		moved := mustSolve(t, dataOf(t, times(x, 1, order), false), p)
		var back []int
		for _, q := range moved.Support {
			back = append(back, order[q])
		}
		slices.Sort(back)
		if !slices.Equal(back, s.Support) {
			t.Errorf("problem %d: %v (%v), with columns permuted %v (%v)", i, s.Support, s.Objective, back, moved.Objective)
		}
		for _, c := range []float64{0x1p300, 0x1p-300, 1e100, 1e-100} {
			scaled := mustSolve(t, dataOf(t, times(x, c, lists.Upto[int](d)), false), p)
			if !slices.Equal(scaled.Support, s.Support) || !close(scaled.Objective, c*s.Objective*c, 1e-12) || !close(scaled.UpperBound, c*s.UpperBound*c, 1e-9) {
				t.Errorf("problem %d: %v with %v, times %v %v with %v", i, s.Support, s.Objective, c, scaled.Support, scaled.Objective)
			}
		}
	}
}

// TestMonotone: f_m never falls in S and in m, and K_m(A_SS) ≤ f_m(S) ≤ K_m(A).
func TestMonotone(t *testing.T) {
	ctx := context.Background()
	for i := range 200 {
		rng := rand.New(rand.NewPCG(22, uint64(i)))
		d := 6 + rng.IntN(10)
		a := covarianceOf(randomRows(rng, 3*d, d, i%5))
		r := must.Get(newProblem(ctx, operatorOf(t, a), Params{Features: d, Components: 1}))(t)
		order := rng.Perm(d)
		value := func(n, m int) float64 {
			c := newFactor(r.t, d)
			must.OK(t, c.addAll(ctx, order[:n]))
			v := must.Get(c.value(m))(t)
			return v / r.op.scale
		}
		for n := 1; n <= d; n++ {
			block := mat.NewSymDense(n, nil)
			for p := range n {
				for q := range p + 1 {
					block.SetSym(p, q, a.At(order[p], order[q]))
				}
			}
			for m := 1; m <= n; m++ {
				f := value(n, m)
				slack := 1e-11 * mat.Trace(a)
				if low, high := oracle.KyFan(block, m), oracle.KyFan(a, m); f < low-slack || f > high+slack {
					t.Errorf("f = %v is not between %v and %v", f, low, high)
				}
				if n < d && value(n+1, m) < f-slack || m < n && value(n, m+1) < f-slack {
					t.Errorf("f falls from n = %d, m = %d", n, m)
				}
			}
		}
	}
}

// TestRoutes: the same choice from a matrix, from rows on every route and from
// sparse rows; excluded columns are as if dropped.
func TestRoutes(t *testing.T) {
	ctx := context.Background()
	for i, shape := range [][2]int{{40, 15}, {12, 30}, {700, 460}, {60, 1200}} {
		rng := rand.New(rand.NewPCG(23, uint64(i)))
		n, d := shape[0], shape[1]
		x := randomRows(rng, n, d, i)
		for _, m := range []int{2, 5} {
			p := Params{Features: 5, Components: m}
			s := mustSolve(t, dataOf(t, x, false), p)
			for name, c := range map[string]solver.Covariance{"matrix": operatorOf(t, covarianceOf(x)), "sparse": sparseOf(t, x), "other": plain{dataOf(t, x, false)}} {
				if got := mustSolve(t, c, p); !slices.Equal(got.Support, s.Support) || !close(got.Objective, s.Objective, 1e-9) || !close(got.UpperBound, s.UpperBound, 1e-6) {
					t.Errorf("%d×%d, %s: %v with %v ≤ %v, from rows %v with %v ≤ %v", n, d, name, got.Support, got.Objective, got.UpperBound, s.Support, s.Objective, s.UpperBound)
				}
			}
			p.Exclude = []int{s.Support[0], s.Support[2]}
			without := mustSolve(t, dataOf(t, x, false), p)
			var kept []int
			for j := range d {
				if !slices.Contains(p.Exclude, j) {
					kept = append(kept, j)
				}
			}
			dropped := mustSolve(t, dataOf(t, pickColumns(x, kept), false), Params{Features: 5, Components: m})
			var back []int
			for _, q := range dropped.Support {
				back = append(back, kept[q])
			}
			if !slices.Equal(back, without.Support) || !close(dropped.Objective, without.Objective, 1e-9) ||
				!close(dropped.TotalVariance, without.TotalVariance, 1e-12) || !close(dropped.LeadingVariance, without.LeadingVariance, 1e-9) || !close(dropped.UpperBound, without.UpperBound, 1e-6) {
				t.Errorf("%d×%d m = %d: excluded %v with %v of %v, dropped %v with %v of %v", n, d, m, without.Support, without.Objective, without.TotalVariance, back, dropped.Objective, dropped.TotalVariance)
			}
			f := must.Get(Describe(ctx, dataOf(t, x, false), without.Support, without.Loadings, Question{Rows: float64(n), Exclude: p.Exclude, Columns: true, PCA: true}))(t)
			if !close(f.R2Components, without.Objective/without.TotalVariance, 1e-9) || !math.IsNaN(f.Columns[p.Exclude[0]].R2) {
				t.Errorf("figures of excluded columns: %+v", f)
			}
		}
	}
}

func pickColumns(x *mat.Dense, columns []int) *mat.Dense {
	n, _ := x.Dims()
	y := mat.NewDense(n, len(columns), nil)
	for q, j := range columns {
		y.SetCol(q, mat.Col(nil, j, x))
	}
	return y
}

// plain hides what our operators offer beyond the interface.
type plain struct{ solver.Covariance }

func sparseOf(t testing.TB, x *mat.Dense) solver.Covariance {
	t.Helper()
	n, d := x.Dims()
	c := &solver.CSR{Rows: n, Cols: d, Offsets: []int64{0}}
	for i := range n {
		for j, v := range x.RawRowView(i) {
			c.Indices, c.Values = append(c.Indices, int32(j)), append(c.Values, v)
		}
		c.Offsets = append(c.Offsets, int64(len(c.Values)))
	}
	return must.Get(solver.NewSparse(c, solver.DataOptions{}))(t)
}

// TestDegenerate: exact copies are never chosen together while another column
// gains, the lower index first; more columns than the rank are filled up; a
// component beyond the rank is zero.
func TestDegenerate(t *testing.T) {
	rng := rand.New(rand.NewPCG(24, 0))
	base := randomRows(rng, 30, 6, 0)
	x := mat.NewDense(30, 14, nil)
	for j := range 12 {
		x.SetCol(j, mat.Col(nil, j%6, base))
	}
	for i := range 30 { // column 12 is constant, 13 a sum
		x.Set(i, 12, 3)
		x.Set(i, 13, base.At(i, 0)-2*base.At(i, 1))
	}
	for _, effort := range []solver.Effort{"", solver.EffortThorough, solver.EffortExact} {
		for k := 1; k <= 14; k++ {
			for _, m := range []int{1, min(k, 3), k} {
				s := mustSolve(t, dataOf(t, x, false), Params{Features: k, Components: m, Effort: effort})
				if len(s.Support) != k {
					t.Fatalf("k = %d: %v", k, s.Support)
				}
				for _, j := range s.Support {
					if j >= 6 && j < 12 && !slices.Contains(s.Support, j-6) {
						t.Errorf("k = %d, m = %d: %v has copy %d without its lower twin", k, m, s.Support, j)
					}
					if k <= 6 && j >= 6 && j < 12 && slices.Contains(s.Support, j-6) {
						t.Errorf("k = %d, m = %d: %v has both copies of %d", k, m, s.Support, j-6)
					}
				}
				if k < 14 && slices.Contains(s.Support, 12) {
					t.Errorf("k = %d: %v has the constant column", k, s.Support)
				}
				if k >= 6 && m == k && !close(s.Objective, s.TotalVariance, 1e-12) {
					t.Errorf("k = %d: %v of %v", k, s.Objective, s.TotalVariance)
				}
				for i, v := range s.Values {
					if (i >= 6) != (v == 0) && i >= 6 {
						t.Errorf("k = %d: values %v beyond the rank", k, s.Values)
					}
				}
			}
		}
	}
	if _, err := Solve(context.Background(), dataOf(t, x, false), Params{Features: 3, Components: 2, Exclude: []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13}}); err == nil {
		t.Error("no error where all that vary are excluded")
	}
}

// TestThreads: the same bytes whatever GOMAXPROCS.
func TestThreads(t *testing.T) {
	rng := rand.New(rand.NewPCG(25, 0))
	wide, high := randomRows(rng, 80, 300, 0), randomRows(rng, 400, 24, 0)
	solve := func() []*solver.Solution {
		return []*solver.Solution{
			mustSolve(t, dataOf(t, wide, true), Params{Features: 12, Components: 4}),
			mustSolve(t, dataOf(t, wide, true), Params{Features: 12, Components: 12}),
			mustSolve(t, dataOf(t, high, true), Params{Features: 6, Components: 6, Effort: solver.EffortExact}),
		}
	}
	want := solve()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for q, got := range solve() {
		if !slices.Equal(got.Support, want[q].Support) || got.Objective != want[q].Objective || got.UpperBound != want[q].UpperBound ||
			got.Nodes != want[q].Nodes || !mat.Equal(got.Loadings, want[q].Loadings) {
			t.Errorf("run %d depends on the number of threads: %v and %v", q, got.Objective, want[q].Objective)
		}
	}
}

// TestBounds: no bound is below the optimum in many small problems, be it of the root
// or of a search, which begins with a poor choice here so that it meets many nodes.
func TestBounds(t *testing.T) {
	tables, wide := 5000, 500 // some 10,000 problems: a k with every m
	if testing.Short() {
		tables, wide = 300, 30
	}
	var problems, nodes atomic.Int64
	must.OK(t, parallel.Each(t.Context(), tables, 0, func(i int) error {
		rng := rand.New(rand.NewPCG(26, uint64(i)))
		d := 3 + rng.IntN(3)
		if i < wide {
			d = 6 + rng.IntN(3)
		}
		k := 1 + rng.IntN(d-1)
		a := covarianceOf(randomRows(rng, 2*d, d, i%5))
		best := bruteForces(a, k)
		c := operatorOf(t, a)
		for m := 1; m <= k; m++ {
			problems.Add(1)
			visited, err := boundsHold(t, c, k, m, best[m])
			if err != nil {
				return err
			}
			nodes.Add(int64(visited))
			ceilingHolds(t, rng, a, m)
			if i%10 > 0 {
				continue
			}
			s, err := Solve(t.Context(), c, Params{Features: k, Components: m, Effort: solver.EffortExact})
			if err != nil {
				return err
			}
			if !s.Proved || s.UpperBound < best[m]*(1-1e-11) || s.Objective < best[m]*(1-2e-10) {
				t.Errorf("table %d, k = %d, m = %d: %s, %v ≤ %v, but the optimum is %v", i, k, m, s.Status, s.Objective, s.UpperBound, best[m])
			}
		}
		return nil
	}))
	if want := int64(2 * tables); problems.Load() < want || nodes.Load() < want {
		t.Errorf("%d problems with %d nodes, want %d", problems.Load(), nodes.Load(), want)
	}
}

// boundsHold compares the bound of the root, and the end of a search from the first
// choice at hand, with the optimum.
func boundsHold(t *testing.T, c solver.Covariance, k, m int, best float64) (nodes int, err error) {
	t.Helper()
	r, err := newProblem(t.Context(), c, Params{Features: k, Components: m, Effort: solver.EffortExact})
	if err != nil {
		return 0, err
	}
	if _, err := r.decompose(t.Context()); err != nil {
		return 0, err
	}
	first, err := r.build(t.Context(), lists.Upto[int](r.op.d)[r.op.d-k:])
	if err != nil {
		return 0, err
	}
	s := &search{r: r, status: solver.Converged}
	s.note(first)
	bound, err := s.branch(t.Context())
	if err != nil {
		return 0, err
	}
	for what, upper := range map[string]float64{"root": r.ceiling, "search": bound} {
		if upper/r.op.scale < best*(1-1e-11) {
			t.Errorf("k = %d, m = %d: bound %v of the %s below the optimum %v", k, m, upper/r.op.scale, what, best)
		}
	}
	if s.best.value/r.op.scale < best*(1-2e-10) {
		t.Errorf("k = %d, m = %d: the search ended with %v, but %v is possible", k, m, s.best.value/r.op.scale, best)
	}
	return s.nodes, nil
}

// ceilingHolds: what some Ritz values, the trace and the norm prove of K_m(A).
func ceilingHolds(t *testing.T, rng *rand.Rand, a *mat.SymDense, m int) {
	t.Helper()
	d := a.SymmetricDim()
	frobenius, ritz := 0.0, make([]float64, 0, d)
	var eig mat.EigenSym
	eig.Factorize(a, false)
	values := eig.Values(nil)
	slices.Reverse(values)
	for p, v := range values {
		frobenius += v * v
		if p < rng.IntN(d) {
			ritz = append(ritz, v*(1-0.1*rng.Float64()))
		}
	}
	slices.SortFunc(ritz, func(a, b float64) int { return compareDown(a, b) })
	if m > len(ritz) {
		return
	}
	if top := kyFanCeiling(values[:len(ritz)], mat.Trace(a), frobenius, d, m); top < oracle.KyFan(a, m)*(1-1e-12) {
		t.Errorf("order %d, m = %d: ceiling %v below %v", d, m, top, oracle.KyFan(a, m))
	}
}

// TestSecular: both sums of eigenvalues against a full decomposition.
func TestSecular(t *testing.T) {
	for i := range 2000 {
		rng := rand.New(rand.NewPCG(27, uint64(i)))
		n := 1 + rng.IntN(8)
		poles, v := make([]float64, n), make([]float64, n)
		for p := range n {
			poles[p], v[p] = math.Exp(4*rng.NormFloat64()), math.Exp(3*rng.NormFloat64())
			if rng.IntN(5) == 0 {
				v[p] = 0
			}
			if p > 0 && rng.IntN(5) == 0 {
				poles[p] = poles[p-1]
			}
		}
		slices.Sort(poles)
		slices.Reverse(poles)
		squares := make([]float64, n)
		s := mat.NewSymDense(n, nil)
		for p := range n {
			squares[p] = v[p] * v[p]
			for q := range p + 1 {
				s.SetSym(p, q, v[p]*v[q])
			}
			s.SetSym(p, p, poles[p]+squares[p])
		}
		trace := mat.Trace(s)
		for m := 1; m <= n; m++ {
			if got, want := rankOneSum(poles, squares, m), oracle.KyFan(s, m); math.Abs(got-want) > 1e-12*trace {
				t.Errorf("case %d: %d largest of %v + %v: %v, want %v", i, m, poles, squares, got, want)
			}
		}
		if got, want := trace-smallest(poles, squares), oracle.KyFan(s, n-1); math.Abs(got-want) > 1e-12*trace {
			t.Errorf("case %d: all but the smallest %v, want %v", i, got, want)
		}
	}
}

// TestEnd: a deadline gives the best so far, an ended context an error.
func TestEnd(t *testing.T) {
	x := randomRows(rand.New(rand.NewPCG(28, 0)), 200, 40, 0)
	a := dataOf(t, x, true)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Solve(ctx, a, Params{Features: 5, Components: 5}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want context.Canceled", err)
	}
	ctx, cancel = context.WithCancel(context.Background())
	defer cancel()
	calls := 0
	s := must.Get(Solve(ctx, a, Params{Features: 12, Components: 12, Effort: solver.EffortExact, Progress: func(p solver.Progress) {
		if calls++; p.Stage == solver.StageSearch && p.Nodes > 40 {
			cancel()
		}
	}}))(t)
	if s.Status != solver.Cancelled || s.Proved || s.Gap <= 0 || len(s.Support) != 12 || calls == 0 {
		t.Errorf("status %s, proved %t, gap %v", s.Status, s.Proved, s.Gap)
	}
	ctx, cancel = context.WithDeadline(context.Background(), time.Now().Add(-time.Second))
	defer cancel()
	if _, err := Solve(ctx, a, Params{Features: 5, Components: 5}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v, want context.DeadlineExceeded", err)
	}
	if s := mustSolve(t, a, Params{Features: 12, Components: 12, Effort: solver.EffortExact, MemoryLimit: 20000}); s.Status != solver.MemoryLimit || s.Gap <= 0 {
		t.Errorf("status %s with 20 kB", s.Status)
	}
}

// TestPath: the objective never falls, and each size agrees with a path of it
// alone or is better; a target is met by the smallest size found.
func TestPath(t *testing.T) {
	ctx := context.Background()
	x := randomRows(rand.New(rand.NewPCG(29, 0)), 100, 30, 0)
	a := dataOf(t, x, true)
	for _, m := range []int{2, 4} {
		path := must.Get(Path(ctx, a, Params{Components: m}, []int{8, 4, 6, 10, 5}))(t)
		for i, s := range path {
			if i > 0 && (s.Objective < path[i-1].Objective || s.UpperBound < path[i-1].UpperBound) {
				t.Errorf("m = %d: falls at k = %d", m, len(s.Support))
			}
			if alone := mustSolve(t, a, Params{Features: len(s.Support), Components: m}); alone.Objective > s.Objective*(1+1e-9) {
				t.Errorf("m = %d, k = %d: %v on the path, %v alone", m, len(s.Support), s.Objective, alone.Objective)
			}
		}
		k, tried := must.Two(FeaturesForTarget(ctx, a, Params{Components: m}, .9, 0))(t)
		for _, s := range tried {
			if share := s.Objective / s.LeadingVariance; (share >= .9) != (len(s.Support) >= k) {
				t.Errorf("m = %d: k = %d, but %d columns reach %v", m, k, len(s.Support), share)
			}
		}
		if _, _, err := FeaturesForTarget(ctx, a, Params{Components: m}, .99, 5); !errors.Is(err, solver.ErrTarget) {
			t.Errorf("error %v, want ErrTarget", err)
		}
	}
	if _, err := Path(ctx, a, Params{Components: 3}, []int{4, 4, 2, 99}); err == nil {
		t.Error("no error for sizes that do not fit")
	}
}

// TestWarmNeverWorse: with starts of the caller the result is the one without them or a better one.
func TestWarmNeverWorse(t *testing.T) {
	ctx := context.Background()
	better := 0
	for i := range 100 {
		rng := rand.New(rand.NewPCG(79, uint64(i)))
		d := 8 + rng.IntN(20)
		c := dataOf(t, randomRows(rng, 12+rng.IntN(40), d, i%5), false)
		k := 2 + rng.IntN(d/2)
		p := Params{Features: k, Components: 1 + rng.IntN(k), Effort: []solver.Effort{solver.EffortIPU, solver.EffortQuick, solver.EffortThorough}[i%3], Seed: uint64(i)}
		if i%2 == 0 && i%3 < 2 {
			p.Restarts = 1 // few starts: others help
		}
		cold := must.Get(Solve(ctx, c, p))(t)
		starts := [][]int{rng.Perm(d)[:1+rng.IntN(d)]}
		if p.Effort != solver.EffortThorough {
			good := p
			good.Effort, good.Restarts = solver.EffortThorough, 0
			s := must.Get(Solve(ctx, c, good))(t)
			starts = append(starts, s.Support)
		}
		for _, start := range starts {
			warm := p
			warm.Starts = [][]int{start}
			s := must.Get(Solve(ctx, c, warm))(t)
			if s.Objective < cold.Objective {
				t.Errorf("problem %d, %+v: %v with the start %v and %v without", i, p, s.Objective, warm.Starts[0], cold.Objective)
			}
			if s.Objective > cold.Objective*(1+1e-9) {
				better++
			}
		}
	}
	if better < 1 {
		t.Error("no start helps: the test shows little")
	}
}
