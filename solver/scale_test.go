package solver

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestScaled: the same as a scale given to NewData, in one reading.
func TestScaled(t *testing.T) {
	rng := rand.New(rand.NewPCG(60, 8))
	for _, uncentered := range []bool{false, true} {
		x := factorRows(rng, 60, 40)
		first, second, both := make([]float64, 40), make([]float64, 40), make([]float64, 40)
		for j := range first {
			first[j], second[j] = math.Ldexp(1, rng.IntN(5)), math.Ldexp(1, rng.IntN(5))
			both[j] = first[j] * second[j]
		}
		data, err := NewData(x, DataOptions{Uncentered: uncentered, Scale: first})
		if err != nil {
			t.Fatal(err)
		}
		got, err := data.Scaled(second)
		if err != nil {
			t.Fatal(err)
		}
		want, err := NewData(x, DataOptions{Uncentered: uncentered, Scale: both})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got.Diag(), want.Diag()) || got.Passes() != 1 {
			t.Errorf("variances %v in %d passes, want %v", got.Diag(), got.Passes(), want.Diag())
		}
		p := Params{Features: 7, Components: 2}
		a, b := mustSolve(t, got, p), mustSolve(t, want, p)
		if !slices.Equal(a.Support, b.Support) || a.Objective != b.Objective {
			t.Errorf("%v with %v, want %v with %v", a.Support, a.Objective, b.Support, b.Objective)
		}
	}
	data, err := NewData(factorRows(rng, 9, 3), DataOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, scale := range [][]float64{nil, {1, 2}, {1, 0, 1}, {1, math.NaN(), 1}, {1e-200, 1, 1}} {
		if _, err := data.Scaled(scale); err == nil {
			t.Errorf("no error for the scale %v", scale)
		}
	}
}
