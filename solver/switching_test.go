package solver

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/solver/spectral"
)

// TestSwitching: a flat spectrum and many components form A, others do not; the pairs
// are those of products alone, on any number of processors.
func TestSwitching(t *testing.T) {
	rng := rand.New(rand.NewPCG(0, 70))
	noise := mat.NewDense(2400, 500, nil)
	for i := range 2400 {
		for j := range 500 {
			noise.Set(i, j, rng.NormFloat64())
		}
	}
	falling := factorRows(rng, 2400, 500)
	for _, c := range []struct {
		name   string
		x      *mat.Dense
		m      int
		formed bool
		most   int // passes
	}{
		{"noise", noise, 10, true, 2},                // told by some rows
		{"noise, two components", noise, 2, true, 5}, // by products
		{"factors", falling, 10, false, 9},
		{"many components", falling, 40, true, 2},
	} {
		a := must.Get(NewData(c.x, DataOptions{}))(t)
		p := Params{Features: 50, Components: c.m}
		got := mustSolve(t, a, p)
		if formed := got.Route == RouteCovariance; formed != c.formed || a.Passes() > c.most || a.entries != nil {
			t.Errorf("%s: formed %v in %d passes, want %v in %d at most", c.name, formed, a.Passes(), c.formed, c.most)
		}
		before := runtime.GOMAXPROCS(1)
		b := must.Get(NewData(c.x, DataOptions{}))(t)
		again := mustSolve(t, b, p)
		runtime.GOMAXPROCS(before)
		if !slices.Equal(again.Support, got.Support) || again.Objective != got.Objective || a.Passes() != b.Passes() {
			t.Errorf("%s: on one processor %v with %v, want %v with %v", c.name, again.Support, again.Objective, got.Support, got.Objective)
		}
		want := must.Get(krylov(t.Context(), b, c.m, spectral.Settings{}))(t)
		pairs, err := a.leading(t.Context(), c.m, nil)
		for i, v := range want.Values {
			if err != nil || math.Abs(pairs.Values[i]-v) > 1e-9*want.Values[0] {
				t.Errorf("%s: eigenvalue %d is %v, want %v (%v)", c.name, i, pairs.Values[i], v, err)
			}
		}
	}
}

// TestExcess: some rows tell how far the eigenvalues of Σ are from equal, whatever the means, and that
// outliers have the variance.
func TestExcess(t *testing.T) {
	const n, d = 9600, 300
	for _, c := range []struct {
		name      string
		strong    int     // columns of another standard deviation
		deviation float64 // that
		outliers  int     // rows that are a hundred times larger
		low, high float64
		flat, few bool // for 11 pairs and 5, where forming A costs 5 passes
	}{
		{"equal", 0, 1, 0, -0.03, 0.03, true, true},
		{"twelve stronger", 12, 3, 0, 1.2, 1.6, false, false},
		{"two stronger", 2, 3, 0, 0.3, 0.5, false, false},
		{"outliers between the rows that are looked at", 0, 1, 5, -1, -0.9, false, false},
	} {
		rng := rand.New(rand.NewPCG(3, 8))
		x := mat.NewDense(n, d, nil)
		for i := range n {
			for j := range d {
				v := rng.NormFloat64()
				if j < c.strong {
					v *= c.deviation
				}
				x.Set(i, j, v)
			}
		}
		for i := range c.outliers {
			for j := range d {
				x.Set(32*i+1, j, 100*x.At(32*i+1, j))
			}
		}
		for i := range n {
			for j := range d {
				x.Set(i, j, x.At(i, j)+float64(j))
			}
		}
		a := must.Get(NewData(x, DataOptions{}))(t)
		a.route = RouteImplicit
		if got := a.sketch().(*Data).excess(trace(a)); !(got >= c.low && got <= c.high) {
			t.Errorf("%s: the excess is %v, want %v to %v", c.name, got, c.low, c.high)
		}
		if got := a.flat(11, 5); got != c.flat {
			t.Errorf("%s: flat for 11 pairs is %v", c.name, got)
		}
		if got := a.flat(5, 5); got != c.few {
			t.Errorf("%s: flat for 5 pairs is %v", c.name, got)
		}
	}
}
