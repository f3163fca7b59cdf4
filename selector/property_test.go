package selector_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
	"pgregory.net/rapid"

	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/selector"
)

// drawOptions draws sizes that fit d columns, and the options that change what is computed.
func drawOptions(t *rapid.T, d int) selector.Options {
	k := rapid.IntRange(1, d).Draw(t, "k")
	return selector.Options{
		Features:    k,
		Components:  rapid.IntRange(1, min(k, 4)).Draw(t, "m"),
		Method:      rapid.SampledFrom([]string{"", "go", "ipu"}).Draw(t, "method"),
		Standardize: rapid.Bool().Draw(t, "standardize"),
		Uncentered:  rapid.Bool().Draw(t, "uncentered"),
	}
}

func drawSample(t *rapid.T) *mat.Dense {
	return sample(rapid.Uint64().Draw(t, "seed"), rapid.IntRange(8, 40).Draw(t, "n"), rapid.IntRange(2, 14).Draw(t, "d"))
}

// TestPermutation: the same columns are chosen, by name, in whatever order they stand.
func TestPermutation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := drawSample(t)
		n, d := x.Dims()
		opt := drawOptions(t, d)
		untie(&opt, d)
		order := rapid.Permutation(lists.Upto[int](d)).Draw(t, "order")
		moved := mat.NewDense(n, d, nil)
		movedNames := make([]string, d)
		for to, from := range order {
			moved.SetCol(to, mat.Col(nil, from, x))
			movedNames[to] = names(d)[from]
		}
		a := fit(t, x, opt)
		s := selector.New(opt)
		must.OK(t, s.FitMatrix(context.Background(), moved, movedNames))
		b := s.Model()
		if math.Abs(a.Objective()-b.Objective()) > 1e-10*a.Objective() {
			t.Fatalf("objective %v, permuted %v", a.Objective(), b.Objective())
		}
		if got, want := slices.Sorted(slices.Values(b.Features())), a.Features(); !slices.Equal(got, want) {
			t.Fatalf("permuted, it chooses %v, want %v", got, want)
		}
		for i, j := range b.Support() {
			if b.Features()[i] != movedNames[j] {
				t.Fatalf("support %v and features %v do not belong together", b.Support(), b.Features())
			}
		}
	})
}

// TestOrderOfTies: of 8 standardized rows the low-rank scores end at a diagonal of ones, which is no
// start. Otherwise the order of the columns would decide between two choices.
func TestOrderOfTies(t *testing.T) {
	x := sample(0x8a, 8, 14)
	moved := mat.DenseCopyOf(x)
	moved.SetCol(4, mat.Col(nil, 13, x))
	moved.SetCol(13, mat.Col(nil, 4, x))
	opt := selector.Options{Features: 8, Components: 3, Standardize: true}
	a, b := fit(t, x, opt), fit(t, moved, opt)
	if math.Abs(a.Objective()-b.Objective()) > 1e-10*a.Objective() {
		t.Errorf("objective %v, with two columns exchanged %v", a.Objective(), b.Objective())
	}
}

// untie leaves the columns as they are where a correlation matrix has ties, which go to the lower
// index and, within rounding, to either. Selection by diag(A) is optimal for m = k and for a spiked
// A, and the diagonal is all ties. With m = k − 1 every column of a support leaves at the same cost,
// a_ii − λ_min(A_SS).
func untie(opt *selector.Options, d int) {
	if opt.Components >= opt.Features-1 || opt.Components >= d-1 {
		opt.Standardize = false
	}
}

// TestScaling: another unit of measure changes nothing but the unit.
func TestScaling(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := drawSample(t)
		_, d := x.Dims()
		opt := drawOptions(t, d)
		unit := math.Ldexp(1, rapid.IntRange(-400, 400).Draw(t, "exponent"))
		var scaled mat.Dense
		scaled.Scale(unit, x)
		a, b := fit(t, x, opt), fit(t, &scaled, opt)
		if !slices.Equal(a.Support(), b.Support()) {
			t.Fatalf("support %v, times %g %v", a.Support(), unit, b.Support())
		}
		if !near(b.Loadings(), a.Loadings(), 1e-9) {
			t.Fatalf("loadings differ after scaling by %g", unit)
		}
	})
}

// moment returns A as a textbook has it.
func moment(x *mat.Dense, opt selector.Options) *mat.SymDense {
	n, d := x.Dims()
	y := mat.DenseCopyOf(x)
	for j := range d {
		column := mat.Col(nil, j, x)
		if !opt.Uncentered {
			mean := stat.Mean(column, nil)
			for i := range n {
				y.Set(i, j, column[i]-mean)
			}
		}
	}
	a := mat.NewSymDense(d, nil)
	a.SymOuterK(1/float64(n-1), y.T())
	if opt.Standardize {
		r := mat.NewSymDense(d, nil)
		for i := range d {
			for j := i; j < d; j++ {
				r.SetSym(i, j, a.At(i, j)/math.Sqrt(a.At(i, i)*a.At(j, j)))
			}
		}
		return r
	}
	return a
}

// TestVariances: W is orthonormal with k rows, and what is said of it holds on A.
func TestVariances(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := drawSample(t)
		_, d := x.Dims()
		opt := drawOptions(t, d)
		m := fit(t, x, opt)
		a, w := moment(x, opt), m.Components()
		var g, aw, waw mat.Dense
		g.Mul(w.T(), w)
		if !near(&g, eye(opt.Components), 1e-12) {
			t.Fatalf("WᵀW is\n%v", mat.Formatted(&g))
		}
		aw.Mul(a, w)
		waw.Mul(w.T(), &aw)
		total := mat.Trace(a)
		for i, v := range m.ExplainedVariance() {
			if math.Abs(waw.At(i, i)-v) > 1e-11*total {
				t.Fatalf("component %d explains %v, want %v", i+1, v, waw.At(i, i))
			}
			if math.Abs(m.ExplainedVarianceRatios()[i]-waw.At(i, i)/total) > 1e-11 {
				t.Fatalf("component %d: ratio %v", i+1, m.ExplainedVarianceRatios()[i])
			}
		}
		if math.Abs(m.ExplainedVarianceRatio()-mat.Trace(&waw)/total) > 1e-11 {
			t.Fatalf("ratio %v, want %v", m.ExplainedVarianceRatio(), mat.Trace(&waw)/total)
		}
		if math.Abs(mat.Trace(&waw)-m.Objective()) > 1e-11*total || math.Abs(m.TotalVariance()-total) > 1e-11*total {
			t.Fatalf("objective %v, want %v; total %v, want %v", m.Objective(), mat.Trace(&waw), m.TotalVariance(), total)
		}
		if r := m.NormalizedExplainedVariance(); r > 1+1e-12 || r <= 0 || math.Abs(r*m.LeadingVariance()-m.Objective()) > 1e-11*total {
			t.Fatalf("normalised explained variance %v", r)
		}
		if m.Bound().Upper < m.Objective() {
			t.Fatalf("bound %v below the objective %v", m.Bound().Upper, m.Objective())
		}
		trace := m.Trace()
		if len(trace) == 0 || !slices.IsSorted(trace) || trace[len(trace)-1] != m.Objective() {
			t.Fatalf("trace %v, objective %v", trace, m.Objective())
		}
	})
}

func eye(m int) *mat.DiagDense {
	return mat.NewDiagDense(m, slices.Repeat([]float64{1}, m))
}

// TestAllColumns: with k = d the model is PCA, checked against gonum.
func TestAllColumns(t *testing.T) {
	for _, size := range []struct{ n, d, m int }{{40, 9, 3}, {12, 12, 2}, {15, 30, 4}} {
		x := sample(uint64(size.d), size.n, size.d)
		m := fit(t, x, selector.Options{Features: size.d, Components: size.m})
		var pc stat.PC
		if !pc.PrincipalComponents(x, nil) {
			t.Fatal("gonum's PCA failed")
		}
		var vectors mat.Dense
		pc.VectorsTo(&vectors)
		for i, want := range pc.VarsTo(nil)[:size.m] {
			if got := m.ExplainedVariance()[i]; math.Abs(got-want) > 1e-10*want {
				t.Errorf("%v: component %d explains %v, want %v", size, i+1, got, want)
			}
			sign := mat.Dot(vectors.ColView(i), m.Components().ColView(i))
			if math.Abs(math.Abs(sign)-1) > 1e-9 {
				t.Errorf("%v: component %d and gonum's have the scalar product %v", size, i+1, sign)
			}
		}
		if r := m.NormalizedExplainedVariance(); math.Abs(r-1) > 1e-12 {
			t.Errorf("%v: normalised explained variance %v, want 1", size, r)
		}
	}
}

// TestCovarianceAgrees: the covariance of the rows gives what the rows give.
func TestCovarianceAgrees(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := drawSample(t)
		_, d := x.Dims()
		opt := drawOptions(t, d)
		untie(&opt, d)
		want := fit(t, x, opt)
		plain := opt
		plain.Standardize = false
		s := selector.New(opt)
		must.OK(t, s.FitCovariance(context.Background(), moment(x, plain), names(d)))
		got := s.Model()
		if math.Abs(got.Objective()-want.Objective()) > 1e-9*want.Objective() {
			t.Fatalf("objective %v, want %v", got.Objective(), want.Objective())
		}
		if slices.Equal(got.Support(), want.Support()) && opt.Standardize &&
			!near(mat.NewVecDense(opt.Features, got.Scale()), mat.NewVecDense(opt.Features, want.Scale()), 1e-12) {
			t.Fatalf("scale %v, want %v", got.Scale(), want.Scale())
		}
		if got.Mean() != nil || got.Rows() != 0 {
			t.Fatalf("a covariance has no mean and no rows: got %v and %d", got.Mean(), got.Rows())
		}
	})
}
