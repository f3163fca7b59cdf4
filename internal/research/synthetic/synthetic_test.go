package synthetic

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/must"
)

func mustMatrix(t *testing.T, i Instance) *mat.SymDense {
	t.Helper()
	return must.Get(i.Matrix())(t)
}

func spectrum(t *testing.T, a mat.Symmetric) []float64 {
	t.Helper()
	var eig mat.EigenSym
	if !eig.Factorize(a, false) {
		t.Fatal("no eigenvalues")
	}
	values := eig.Values(nil)
	slices.Reverse(values)
	return values
}

func TestMatrixHasTheSpectrumOfItsScheme(t *testing.T) {
	for _, s := range []Scheme{A, B, C, D} {
		for _, b := range Bases() {
			for _, d := range []int{Order, 50} {
				want := must.Get(s.Eigenvalues(d))(t)
				got := spectrum(t, mustMatrix(t, Instance{Scheme: s, Basis: b, Order: d, Seed: 3}))
				if !floats.EqualApprox(got, want, 1e-11*want[0]) {
					t.Errorf("%s %s d=%d: eigenvalues %v, want %v", s, b, d, got, want)
				}
			}
		}
	}
}

// The mean of an entry of XXᵀ off the diagonal is d/4 for U[0, 1] and 0 for
// N(0, 1); on the diagonal it is d/3 and d.
func TestRandomSchemesHaveTheirMoments(t *testing.T) {
	const runs = 200
	for _, tc := range []struct {
		scheme           Scheme
		diagonal, beside float64
	}{{E, Order / 3.0, Order / 4.0}, {F, Order, 0}} {
		var on, off float64
		for i := range runs {
			a := mustMatrix(t, Instance{Scheme: tc.scheme, Seed: 1, Index: uint64(i)})
			total := mat.Sum(a)
			on += mat.Trace(a) / Order
			off += (total - mat.Trace(a)) / (Order * (Order - 1))
		}
		if on /= runs; math.Abs(on-tc.diagonal) > 0.03*tc.diagonal {
			t.Errorf("scheme %s: mean diagonal %v, want %v", tc.scheme, on, tc.diagonal)
		}
		if off /= runs; math.Abs(off-tc.beside) > 0.15 {
			t.Errorf("scheme %s: mean off the diagonal %v, want %v", tc.scheme, off, tc.beside)
		}
	}
}

func TestBasisIsWhatItSays(t *testing.T) {
	// λ = 300 belongs to a vector near 1/√d in the uniform reading, so that
	// the sum of all entries is near 300·d; it is near Tr(A) in the mean for
	// a Haar basis.
	var haar, uniform, singular float64
	const runs = 100
	for i := range runs {
		haar += mat.Sum(mustMatrix(t, Instance{Scheme: B, Basis: Haar, Index: uint64(i)})) / runs
		uniform += mat.Sum(mustMatrix(t, Instance{Scheme: B, Basis: Uniform, Index: uint64(i)})) / runs
		singular += mat.Sum(mustMatrix(t, Instance{Scheme: B, Basis: Singular, Index: uint64(i)})) / runs
	}
	if trace := 300.0 + 180 + 60 + 17; math.Abs(haar-trace) > 0.3*trace {
		t.Errorf("Haar: mean of 1ᵀA1 is %v, want about %v", haar, trace)
	}
	// A column of U[0, 1] numbers has cosine √¾ with the vector of ones, of
	// which the second column of Q takes some of the rest; the first singular
	// vector, which averages over columns, has nearly 1.
	if ones := 300.0 * Order; uniform < 0.75*ones || uniform > 0.9*ones {
		t.Errorf("uniform: mean of 1ᵀA1 is %v, want between %v and %v", uniform, 0.75*ones, 0.9*ones)
	}
	if want := 300.0 * Order; singular < 0.95*want || singular > want {
		t.Errorf("singular: mean of 1ᵀA1 is %v, want just below %v", singular, want)
	}
}

func TestInstancesAreReproducedAndDiffer(t *testing.T) {
	base := Instance{Scheme: D, Seed: 1, Index: 2}
	a := mustMatrix(t, base)
	if !mat.Equal(a, mustMatrix(t, base)) {
		t.Error("the same instance gave two matrices")
	}
	if !mat.Equal(a, mustMatrix(t, Instance{Scheme: D, Basis: Haar, Order: Order, Seed: 1, Index: 2})) {
		t.Error("the defaults are not Haar and the paper's order")
	}
	if x := (Instance{Scheme: F, Seed: 1}); !mat.Equal(mustMatrix(t, x), mustMatrix(t, Instance{Scheme: F, Basis: Uniform, Seed: 1})) {
		t.Error("scheme F depends on the basis")
	}
	for _, other := range []Instance{{Scheme: D, Seed: 2, Index: 2}, {Scheme: D, Seed: 1, Index: 3}, {Scheme: D, Basis: Uniform, Seed: 1, Index: 2}} {
		if mat.Equal(a, mustMatrix(t, other)) {
			t.Errorf("%+v equals %+v", other, base)
		}
	}
}

func TestMistakesAreErrors(t *testing.T) {
	for _, i := range []Instance{{}, {Scheme: "G"}, {Scheme: D, Order: 7}, {Scheme: A, Basis: "qr"}, {Scheme: E, Order: -1}} {
		if _, err := i.Matrix(); err == nil {
			t.Errorf("%+v: want an error", i)
		}
	}
}

func TestGeneralLeadingIsNotOrthogonalOnARepeatedValue(t *testing.T) {
	skewed := 0
	for i := range 20 {
		p := must.Get(Instance{Scheme: A, Seed: 1, Index: uint64(i)}.Product())(t)
		values, v := must.Two(GeneralLeading(p, 3))(t)
		if !floats.EqualApprox(values, []float64{100, 100, 4}, 1e-9) {
			t.Fatalf("values %v", values)
		}
		for j := range 3 {
			var av mat.VecDense
			av.MulVec(p, v.ColView(j))
			av.AddScaledVec(&av, -values[j], v.ColView(j))
			if r := mat.Norm(&av, 2); r > 1e-9 {
				t.Errorf("instance %d: residual of pair %d is %v", i, j, r)
			}
			if n := mat.Norm(v.ColView(j), 2); math.Abs(n-1) > 1e-12 {
				t.Errorf("instance %d: vector %d has norm %v", i, j, n)
			}
		}
		if math.Abs(mat.Dot(v.ColView(0), v.ColView(1))) > 0.01 {
			skewed++
		}
	}
	if skewed < 5 {
		t.Errorf("only %d of 20 bases are skew: the effect is not imitated", skewed)
	}
}
