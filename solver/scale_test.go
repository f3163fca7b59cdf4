package solver

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/fspca/fspca/internal/must"
)

// TestScaleBySquares: what is chosen by the rows' scalar products does not depend on the unit of a column.
func TestScaleBySquares(t *testing.T) {
	const n, d = 40, 200
	for _, effort := range []Effort{EffortIPU, EffortQuick} {
		var want *Solution
		for _, e := range []int{0, -500, -420, 500, 700} {
			x, scale := factorRows(rand.New(rand.NewPCG(1, 1)), n, d), make([]float64, d)
			for j := range scale {
				scale[j] = math.Ldexp(1, e*(j%2))
			}
			x.Apply(func(_, j int, v float64) float64 { return v * scale[j] }, x)
			got := mustSolve(t, must.Get(NewData(x, DataOptions{Scale: scale}))(t), Params{Features: 12, Components: 3, Effort: effort})
			if want == nil {
				want = got
			}
			if !slices.Equal(got.Support, want.Support) || math.Abs(got.Objective-want.Objective) > 1e-12*want.Objective || math.Abs(got.Told-want.Told) > 1e-12*want.Told {
				t.Errorf("columns in units of 2^%d: %v of %v told %v, want %v of %v told %v", e, got.Support, got.Objective, got.Told, want.Support, want.Objective, want.Told)
			}
		}
	}
}

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
		data := must.Get(NewData(x, DataOptions{Uncentered: uncentered, Scale: first}))(t)
		got := must.Get(data.Scaled(second))(t)
		want := must.Get(NewData(x, DataOptions{Uncentered: uncentered, Scale: both}))(t)
		if !slices.Equal(got.Diag(), want.Diag()) || got.Passes() != 1 {
			t.Errorf("variances %v in %d passes, want %v", got.Diag(), got.Passes(), want.Diag())
		}
		p := Params{Features: 7, Components: 2}
		a, b := mustSolve(t, got, p), mustSolve(t, want, p)
		if !slices.Equal(a.Support, b.Support) || a.Objective != b.Objective {
			t.Errorf("%v with %v, want %v with %v", a.Support, a.Objective, b.Support, b.Objective)
		}
	}
	data := must.Get(NewData(factorRows(rng, 9, 3), DataOptions{}))(t)
	for _, scale := range [][]float64{nil, {1, 2}, {1, 0, 1}, {1, math.NaN(), 1}, {1e-200, 1, 1}} {
		if _, err := data.Scaled(scale); err == nil {
			t.Errorf("no error for the scale %v", scale)
		}
	}
}

// TestScaleOfAnySize: a scale whose square leaves the range of float64 is one like
// any other where the variances stay in it.
func TestScaleOfAnySize(t *testing.T) {
	rng := rand.New(rand.NewPCG(61, 8))
	x := factorRows(rng, 40, 12)
	for _, e := range []int{-441, 420} {
		small, scale, usual := factorRows(rng, 40, 12), make([]float64, 12), make([]float64, 12)
		for i := range 40 {
			for j := range 12 {
				small.Set(i, j, math.Ldexp(x.At(i, j), e))
			}
		}
		step := 75
		if e > 0 {
			step = -100
		}
		for j := range scale {
			scale[j], usual[j] = math.Ldexp(1, e-step), math.Ldexp(1, -step)
		}
		want := must.Get(NewData(x, DataOptions{Scale: usual}))(t)
		got, err := NewData(small, DataOptions{Scale: scale})
		if err != nil {
			t.Fatalf("2^%d divided by 2^%d: %v", e, e-step, err)
		}
		stream := must.Get(NewStream(t.Context(), &storedRows{x: small}, StreamOptions{}))(t)
		stream = must.Get(stream.Scaled(scale))(t)
		for j, v := range want.Diag() {
			if g := got.Diag()[j]; g != v {
				t.Errorf("2^%d: variance %v, want %v", e, g, v)
			}
			if g := stream.Diag()[j]; math.Abs(g-v) > 1e-12*v {
				t.Errorf("2^%d in blocks: variance %v, want %v", e, g, v)
			}
		}
		p := Params{Features: 4, Components: 2}
		if a, b := mustSolve(t, got, p), mustSolve(t, want, p); !slices.Equal(a.Support, b.Support) || a.Objective != b.Objective {
			t.Errorf("2^%d: %v with %v, want %v with %v", e, a.Support, a.Objective, b.Support, b.Objective)
		}
	}
}
