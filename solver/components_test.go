package solver

import (
	"context"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/kernel"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/must"
)

func TestComponentsForTarget(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 71))
	values := []float64{50, 20, 10, 10, 5, 3, 1, 1}
	c := mustMatrix(t, withSpectrum(rng, values))
	for _, test := range []struct {
		share float64
		want  int
	}{{0.01, 1}, {0.5, 1}, {0.501, 2}, {0.7, 2}, {0.9, 4}, {0.95, 5}, {1, 8}} {
		if got, err := ComponentsForTarget(context.Background(), c, test.share); got != test.want || err != nil {
			t.Errorf("share %v: %d, %v, want %d", test.share, got, err, test.want)
		}
	}
	low := mustMatrix(t, withSpectrum(rng, []float64{3, 2, 1, 0, 0, 0}))
	if got, err := ComponentsForTarget(context.Background(), low, 1); got != 3 || err != nil {
		t.Errorf("all of rank 3: %d, %v", got, err)
	}
}

// factorData returns n rows of d columns that f factors move, plus noise.
func factorData(seed uint64, n, d, f int) *mat.Dense {
	rng := rand.New(rand.NewPCG(seed, 72))
	x, loadings := mat.NewDense(n, d, nil), mat.NewDense(f+1, d, nil)
	for i := range f {
		for j := range d {
			loadings.Set(i, j, rng.NormFloat64())
		}
	}
	for i := range n {
		for j := range d {
			x.Set(i, j, 100+rng.NormFloat64())
		}
		for p := range f {
			z := rng.NormFloat64()
			for j := range d {
				x.Set(i, j, x.At(i, j)+z*loadings.At(p, j))
			}
		}
	}
	return x
}

// TestParallelAnalysis finds the number of factors in the data, and 1 in
// noise; its result is a function of the seed.
func TestParallelAnalysis(t *testing.T) {
	for _, factors := range []int{0, 1, 2, 3} {
		x := factorData(uint64(factors), 150, 20, factors)
		before := mat.DenseCopyOf(x)
		plain := must.Get(NewData(x, DataOptions{}))(t)
		opt := DataOptions{Scale: make([]float64, 20)}
		for j, v := range plain.Diag() {
			opt.Scale[j] = math.Sqrt(v)
		}
		first := must.Get(ParallelAnalysis(context.Background(), x, opt, ParallelParams{Seed: 3, Replicates: 20}))(t)
		if want := max(1, factors); first.Components != want {
			t.Errorf("%d factors: %d components, eigenvalues %v, threshold %v", factors, first.Components, first.Observed, first.Threshold)
		}
		if !mat.Equal(x, before) {
			t.Error("the data have changed")
		}
		second, err := ParallelAnalysis(context.Background(), x, opt, ParallelParams{Seed: 3, Replicates: 20})
		if err != nil || !slices.Equal(first.Threshold, second.Threshold) {
			t.Errorf("the same seed gives another threshold: %v", err)
		}
		other, err := ParallelAnalysis(context.Background(), x, opt, ParallelParams{Seed: 4, Replicates: 20})
		if err != nil || slices.Equal(first.Threshold, other.Threshold) {
			t.Errorf("another seed gives the same threshold: %v", err)
		}
	}
	if _, err := ParallelAnalysis(context.Background(), mat.NewDense(3, 2, []float64{1, 2, 3, 4, 5, 7}), DataOptions{}, ParallelParams{Quantile: 1, Replicates: -1, MaxComponents: -1}); err == nil {
		t.Error("no error for a quantile of 1")
	}
}

// TestLedger: scores, ranks, margins and correlations by their definitions,
// from rows and from their covariance.
func TestLedger(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 73))
	x := randomRows(rng, 200, 90)
	for i := range 200 {
		x.Set(i, 5, 3) // a column that does not vary
	}
	rows := must.Get(NewData(x, DataOptions{}))(t)
	a := must.Get(rows.Entries(t.Context()))(t)
	s := mustSolve(t, rows, Params{Features: 80, Components: 4})
	ledger := must.Get(Ledger(t.Context(), rows, s, nil))(t)
	w := s.W(90)
	var aw, g, inverse, z, p mat.Dense
	aw.Mul(a, w)
	g.Mul(w.T(), &aw)
	must.OK(t, inverse.Inverse(&g))
	z.Mul(&aw, &inverse)
	p.Mul(&z, aw.T())
	inside, outside := math.Inf(1), math.Inf(-1)
	for j, e := range ledger {
		if e.Chosen {
			inside = min(inside, e.Score)
		} else {
			outside = max(outside, e.Score)
		}
		if math.Abs(e.Score-p.At(j, j)) > 1e-9*p.At(j, j)+1e-12 {
			t.Errorf("column %d: score %v, the proxy has %v", j, e.Score, p.At(j, j))
		}
	}
	for j, e := range ledger {
		above := lists.Count(ledger, func(other Entry) bool { return other.Score > e.Score })
		margin, nearest, correlation := e.Score-outside, -1, 0.0
		if !e.Chosen {
			margin = e.Score - inside
			for _, i := range s.Support {
				if r := a.At(i, j) / math.Sqrt(a.At(i, i)*a.At(j, j)); math.Abs(r) > math.Abs(correlation) {
					nearest, correlation = i, r
				}
			}
		}
		if e.Column != j || e.Chosen != slices.Contains(s.Support, j) || e.Rank != above+1 || math.Abs(e.Margin-margin) > 1e-12*math.Abs(margin) ||
			e.Nearest != nearest || math.Abs(e.Correlation-correlation) > 1e-9 {
			t.Errorf("column %d: %+v, want rank %d, margin %v, nearest %d with %v", j, e, above+1, margin, nearest, correlation)
		}
	}
	if e := ledger[5]; e.Chosen || e.Nearest != -1 {
		t.Errorf("the constant column: %+v", e)
	}
	if _, err := Ledger(t.Context(), mustMatrix(t, withSpectrum(rng, []float64{2, 1})), s, nil); err == nil {
		t.Error("a ledger of another covariance")
	}
}

// TestPermutationIsOfRows: the eigenvalues of a permutation are those of a table
// whose columns rand permutes, on every route and in any unit.
func TestPermutationIsOfRows(t *testing.T) {
	for _, shape := range [][2]int{{300, 12}, {20, 90}, {600, 500}} {
		for _, unit := range []float64{1, 0x1p-120, 0x1p120} {
			n, d := shape[0], shape[1]
			x := streamTable(n, d, 8)
			x.Scale(unit, x)
			permuted := mat.NewDense(n, d, nil)
			for j := range d {
				for i, from := range rand.New(rand.NewPCG(3, 7<<32+uint64(j))).Perm(n) {
					permuted.Set(i, j, x.At(from, j))
				}
			}
			a := must.Get(NewData(x, DataOptions{}))(t)
			b := must.Get(NewData(permuted, DataOptions{}))(t)
			want, _ := must.Two(b.Leading(context.Background(), 4))(t)
			got := must.Get(newPermutation(a, 3, 1).leading(context.Background(), 7, 4))(t)
			for i, v := range want {
				if math.Abs(got[i]-v) > 1e-9*v {
					t.Errorf("%d×%d times %v: eigenvalue %d is %v, want %v", n, d, unit, i, got[i], v)
				}
			}
		}
	}
}

// TestPooledPermutation: a permuted table of the pool is a table of which each column is
// permuted by itself, in any unit; another takes other copies.
func TestPooledPermutation(t *testing.T) {
	for _, c := range []struct {
		n    int
		unit float64
	}{{300, 1}, {300, 0x1p-120}, {2300, 1}} {
		n, d := c.n, 70
		x := streamTable(n, d, 8)
		x.Scale(c.unit, x)
		a := must.Get(NewData(x, DataOptions{}))(t)
		p := newPermutation(a, 3, 50)
		copies, limits := p.copied()
		for _, index := range []uint64{0, 7} {
			permuted := mat.NewDense(n, d, nil)
			counts := make([]int, p.copies)
			for piece, at := range p.chosen(index) {
				for j, from := range at {
					if from%d != j {
						t.Fatalf("column %d takes a copy of column %d", j, from%d)
					}
					counts[from/d]++
					for i := limits[piece]; i < limits[piece+1]; i++ {
						permuted.Set(i, j, copies.Row(from)[i])
					}
				}
			}
			if slices.Min(counts) < len(p.pool)*d/p.copies/2 {
				t.Errorf("the copies are taken %v times", counts)
			}
			checkPermuted(t, p, permuted)
			b := must.Get(NewData(permuted, DataOptions{Uncentered: true}))(t)
			want, _ := must.Two(b.Leading(t.Context(), 4))(t)
			got, err := p.leading(t.Context(), index, 4)
			for i, v := range want {
				if v *= p.unit; err != nil || math.Abs(got[i]-v) > 1e-9*v {
					t.Errorf("permutation %d of %v: eigenvalue %d is %v, want %v (%v)", index, c, i, got[i], v, err)
				}
			}
		}
	}
}

// checkPermuted: each column holds the centred numbers of that column.
func checkPermuted(t *testing.T, p *permutation, permuted *mat.Dense) {
	t.Helper()
	n, d := permuted.Dims()
	columns := kernel.NewMatrix(d, n)
	transpose(columns, p.a.x)
	p.prepare(columns)
	for j := range d {
		got := mat.Col(nil, j, permuted)
		if slices.Equal(got, columns.Row(j)) && p.a.diag[j] > 0 {
			t.Errorf("column %d is as it was", j)
		}
		slices.Sort(got)
		slices.Sort(columns.Row(j))
		if !slices.Equal(got, columns.Row(j)) {
			t.Errorf("column %d does not hold its own numbers", j)
		}
	}
}

// TestPoolIsTheNull: the thresholds of the pool are those of independent permutations,
// and vary as little.
func TestPoolIsTheNull(t *testing.T) {
	for _, n := range []int{300, 1300} {
		if raceDetector && n > 300 {
			continue // more rows on the same threads
		}
		testNull(t, n)
	}
}

func testNull(t *testing.T, n int) {
	t.Helper()
	rng := rand.New(rand.NewPCG(8, 3))
	d, seeds := 80, 24
	if testing.Short() {
		seeds = 16
	}
	x := mat.NewDense(n, d, nil)
	for i := range n {
		f := rng.NormFloat64()
		for j := range d {
			x.Set(i, j, rng.NormFloat64()+f*float64(j%3))
		}
	}
	a := must.Get(NewData(x, DataOptions{}))(t)
	quantiles := func(replicates int) (mean, deviation float64) {
		var all []float64
		for seed := range seeds {
			p, values := newPermutation(a, uint64(seed), replicates), []float64(nil)
			for b := range 50 {
				v := must.Get(p.leading(t.Context(), uint64(b), 1))(t)
				values = append(values, v[0])
			}
			slices.Sort(values)
			all = append(all, values[47])
		}
		for _, v := range all {
			mean += v / float64(seeds)
		}
		for _, v := range all {
			deviation += (v - mean) * (v - mean) / float64(seeds-1)
		}
		return mean, math.Sqrt(deviation)
	}
	apart, spread := quantiles(1)
	pooled, wide := quantiles(50)
	t.Logf("independent %.4f ± %.4f, pooled %.4f ± %.4f", apart, spread, pooled, wide)
	if math.Abs(pooled-apart) > 2*spread || wide > 2.5*spread {
		t.Errorf("thresholds %v ± %v, independent %v ± %v", pooled, wide, apart, spread)
	}
}

// TestParallelAnalysisFormsNoMatrix: of wide tables it takes memory for the rows, never for d² numbers.
func TestParallelAnalysisFormsNoMatrix(t *testing.T) {
	const n, d = 12, 4000
	x := streamTable(n, d, 8)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	must.Get(ParallelAnalysis(t.Context(), x, DataOptions{}, ParallelParams{Replicates: 4}))(t)
	runtime.ReadMemStats(&after)
	if got := after.TotalAlloc - before.TotalAlloc; got > 8*d*d/2 {
		t.Errorf("%d bytes for %d × %d rows; a matrix of all columns has %d", got, n, d, 8*d*d)
	}
}
