package solver

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/must"
)

// scaledBy returns the columns or the entries times 2^e.
func scaledBy(x *mat.Dense, e int) *mat.Dense {
	y := mat.DenseCopyOf(x)
	y.Apply(func(_, _ int, v float64) float64 { return math.Ldexp(v, e) }, y)
	return y
}

// TestScale: covariances of entries from 1e-300 to 1e300, and rows from 1e-150
// to 1e150, give the same supports and proofs, and the same objectives times a
// power of two, bit for bit.
func TestScale(t *testing.T) {
	for seed := range uint64(shortened(20)) {
		rng := rand.New(rand.NewPCG(seed, 72))
		d, n := 5+rng.IntN(5), 12
		x := randomRows(rng, n, d)
		k := 2 + rng.IntN(d-2)
		m := 1 + rng.IntN(k-1)
		forms := map[string]func(e int) (Covariance, error){
			"matrix": func(e int) (Covariance, error) {
				a := mat.NewSymDense(d, nil)
				given := entriesOf(t, x, DataOptions{})
				for i := range d {
					for j := i; j < d; j++ {
						a.SetSym(i, j, math.Ldexp(given.At(i, j), 2*e))
					}
				}
				return NewMatrix(a)
			},
			"rows":       func(e int) (Covariance, error) { return NewData(scaledBy(x, e), DataOptions{}) },
			"uncentered": func(e int) (Covariance, error) { return NewData(scaledBy(x, e), DataOptions{Uncentered: true}) },
			"implicit": func(e int) (Covariance, error) {
				data, err := NewData(scaledBy(x, e), DataOptions{})
				if err == nil {
					data.route = RouteImplicit
				}
				return data, err
			},
			"sparse": func(e int) (Covariance, error) { return NewSparse(csrOf(scaledBy(x, e)), DataOptions{}) },
			"outside": func(e int) (Covariance, error) {
				data, err := NewData(scaledBy(x, e), DataOptions{})
				return &foreign{data}, err
			},
		}
		for form, make := range forms {
			usual := must.Get(make(0))(t)
			for _, e := range []int{-497, -300, -51, 51, 300, 497} { // 2e-150 to 4e149
				a, err := make(e)
				if err != nil {
					t.Fatalf("seed %d, %s times 2^%d: %v", seed, form, e, err)
				}
				checkScaled(t, form, usual, a, k, m, e)
				if t.Failed() {
					t.Fatalf("seed %d, %s times 2^%d", seed, form, e)
				}
			}
		}
	}
}

// foreign is an operator from outside of the package.
type foreign struct{ Covariance }

func checkScaled(t *testing.T, form string, usual, scaled Covariance, k, m, e int) {
	t.Helper()
	unit := math.Ldexp(1, 2*e)
	same := func(what string, got, want *Solution) {
		if !slices.Equal(got.Support, want.Support) || got.Status != want.Status || got.Objective != want.Objective*unit || got.UpperBound != want.UpperBound*unit ||
			got.Gap != want.Gap || got.LeadingVariance != want.LeadingVariance*unit || !mat.Equal(got.Loadings, want.Loadings) {
			t.Errorf("%s: %+v, unscaled %+v", what, got, want)
		}
	}
	for _, p := range []Params{{}, {Method: MethodGo}, {Effort: EffortThorough}, {Effort: EffortExact}, {SDPIterations: 10}, {Exclude: []int{0}, Effort: EffortExact}} {
		p.Features, p.Components = min(k, usual.Order()-1), m
		same(string(p.Method)+string(p.Effort), mustSolve(t, scaled, p), mustSolve(t, usual, p))
	}
	p := Params{Components: m}
	got, want := mustPath(t, scaled, p, []int{m, k}), mustPath(t, usual, p, []int{m, k})
	for i := range got {
		same("path", got[i], want[i])
	}
	entries := must.Get(Ledger(t.Context(), scaled, got[1], nil))(t)
	of := must.Get(Ledger(t.Context(), usual, want[1], nil))(t)
	for j, entry := range entries {
		if entry.Rank != of[j].Rank || entry.Score != of[j].Score*unit || entry.Nearest != of[j].Nearest {
			t.Errorf("ledger: %+v, unscaled %+v", entry, of[j])
		}
	}
	if form != "outside" {
		m1, err1 := ComponentsForTarget(t.Context(), scaled, 0.9)
		m2, err2 := ComponentsForTarget(t.Context(), usual, 0.9)
		if m1 != m2 || err1 != nil || err2 != nil {
			t.Errorf("%d components (%v), unscaled %d (%v)", m1, err1, m2, err2)
		}
	}
}

// TestScaleOutOfRange: what float64 cannot hold is refused, and by what name.
func TestScaleOutOfRange(t *testing.T) {
	x := randomRows(rand.New(rand.NewPCG(1, 73)), 9, 4)
	for _, e := range []int{-560, 530, -1030} {
		large := e > 0
		for _, err := range []error{
			errorOf(NewData(scaledBy(x, e), DataOptions{})),
			errorOf(NewSparse(csrOf(scaledBy(x, e)), DataOptions{})),
		} {
			var scale *ScaleError
			if !errors.As(err, &scale) || scale.Large != large {
				t.Errorf("rows times 2^%d: %v", e, err)
			}
		}
	}
	for v, large := range map[float64]bool{1e-310: false, 1e308: true} {
		a := mat.NewSymDense(3, []float64{v, 0, 0, 0, v, 0, 0, 0, v})
		var scale *ScaleError
		if _, err := NewMatrix(a); !errors.As(err, &scale) || scale.Large != large {
			t.Errorf("variances of %g: %v", v, err)
		}
	}
	narrow := scaledBy(x, -560)
	for i := range 9 {
		narrow.Set(i, 3, x.At(i, 3))
	}
	if _, err := NewData(narrow, DataOptions{}); err != nil { // beside column 3 the others are nothing
		t.Error(err)
	}
	var scale *ScaleError
	if _, err := NewData(narrow, DataOptions{Scale: []float64{1e-169, 1e-169, 1e-169, 1}}); !errors.As(err, &scale) || scale.Column != 0 {
		t.Errorf("divided by a deviation that float64 cannot hold the square of: %v", err)
	}
}

func errorOf[T any](_ T, err error) error { return err }
