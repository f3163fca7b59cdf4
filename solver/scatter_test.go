package solver

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/must"
)

// TestScatterIsTheForm: A that comes with the moments is A formed from the rows, with any
// scale and among columns of any size. Rows in an order in which it would lose digits are
// read again.
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
		{"tiny and huge", func(_, j int, v float64) float64 { return math.Ldexp(v, []int{0, 480, -505}[j%3]) }, 1},
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
		}, 2},
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
