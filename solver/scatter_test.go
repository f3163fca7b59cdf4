package solver

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/must"
)

// TestScatterIsTheForm: A that comes with the moments is A formed from the rows, with any
// scale and among columns of any size, which take a second reading for their units. Rows in
// an order in which it would lose digits are read for the moments, and for A. Every reading counts.
func TestScatterIsTheForm(t *testing.T) {
	const n, d = 3000, 40
	rng := rand.New(rand.NewPCG(31, 7))
	scale := make([]float64, d)
	for j := range scale {
		scale[j] = math.Exp(rng.NormFloat64())
	}
	for _, c := range []struct {
		name   string
		change func(i, j int, v float64) float64
		passes int
	}{
		{"as it is", func(_, _ int, v float64) float64 { return v }, 1},
		{"far from 0", func(_, _ int, v float64) float64 { return v + 1e7 }, 1},
		{"tiny and huge", func(_, j int, v float64) float64 { return math.Ldexp(v, []int{0, 480, -505}[j%3]) }, 2},
		{"a constant", func(_, j int, v float64) float64 {
			if j == 3 {
				return 1e9 / 3
			}
			return v
		}, 1},
		{"an outlier in the sample", func(i, j int, v float64) float64 {
			if i == 0 && j == 5 {
				return 1e9
			}
			return v
		}, 3},
	} {
		x := factorRows(rng, n, d)
		x.Apply(c.change, x)
		for _, opt := range []DataOptions{{}, {Scale: scale}} {
			data := must.Get(NewData(x, opt))(t)
			got := must.Get(data.Entries(t.Context()))(t)
			if data.Passes() != c.passes {
				t.Errorf("%s: %d passes, want %d", c.name, data.Passes(), c.passes)
			}
			again := &Data{rows: data.rows, route: data.route}
			again.scatter = nil
			want := must.Get(again.Entries(t.Context()))(t)
			mustBeNearMatrix(t, c.name, got, want)
		}
	}
}

// mustBeNearMatrix compares entries with the roots of those on the diagonal.
func mustBeNearMatrix(t *testing.T, name string, got, want *mat.SymDense) {
	t.Helper()
	for i := range want.SymmetricDim() {
		for j := range i + 1 {
			size := math.Sqrt(want.At(i, i)) * math.Sqrt(want.At(j, j))
			if e := math.Abs(got.At(i, j) - want.At(i, j)); !(e <= 1e-13*size) || got.At(i, j) != got.At(j, i) {
				t.Fatalf("%s: entry (%d, %d) is %v, its mirror image %v, want %v", name, i, j, got.At(i, j), got.At(j, i), want.At(i, j))
			}
		}
	}
}

// TestGramComesWithMoments: in one reading, where nothing is scaled or put off, and with the
// same bytes.
func TestGramComesWithMoments(t *testing.T) {
	const n, d = 70, 1500
	x, p := factorRows(rand.New(rand.NewPCG(31, 8)), n, d), Params{Features: 20, Components: 3}
	data, deferred := must.Get(NewData(x, DataOptions{}))(t), must.Get(NewData(x, DataOptions{Deferred: true}))(t)
	if data.gram == nil || deferred.gram != nil {
		t.Fatalf("Gram matrices %v and %v, want one and none", data.gram, deferred.gram)
	}
	got, want := mustSolve(t, data, p), mustSolve(t, deferred, p)
	if !slices.Equal(got.Support, want.Support) || got.Objective != want.Objective || !mat.Equal(got.Loadings, want.Loadings) {
		t.Errorf("%v with %v, want %v with %v", got.Support, got.Objective, want.Support, want.Objective)
	}
	if data.Passes() != deferred.Passes()-1 {
		t.Errorf("%d passes, and %d", data.Passes(), deferred.Passes())
	}
}

// TestScatterOfSomeColumns: what is left out takes its rows and columns along.
func TestScatterOfSomeColumns(t *testing.T) {
	x := factorRows(rand.New(rand.NewPCG(31, 9)), 300, 30)
	some := must.Get(must.Get(NewData(x, DataOptions{}))(t).only([]int{1, 4, 5, 20, 29}))(t)
	got := must.Get(some.Entries(t.Context()))(t)
	again := &Data{rows: some.rows, route: some.route}
	again.scatter = nil
	mustBeNearMatrix(t, "some columns", got, must.Get(again.Entries(t.Context()))(t))
	if some.Passes() != 2 {
		t.Errorf("%d passes, want those of the moments and of the comparison", some.Passes())
	}
}
