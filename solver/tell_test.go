package solver_test

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/solver"
)

// tellingRows returns rows with a few strong directions, some copies of columns, and noise of its own share.
func tellingRows(rng *rand.Rand, n, d int, noise float64) *mat.Dense {
	const factors = 6
	weights := mat.NewDense(factors, d, nil)
	weights.Apply(func(f, _ int, _ float64) float64 { return rng.NormFloat64() / float64(f+1) }, weights)
	scores := mat.NewDense(n, factors, nil)
	scores.Apply(func(int, int, float64) float64 { return rng.NormFloat64() }, scores)
	x := new(mat.Dense)
	x.Mul(scores, weights)
	x.Apply(func(_, _ int, v float64) float64 { return v + noise*rng.NormFloat64() }, x)
	return x
}

// TestTell: to ask for what the components explain changes no bit of the answer and takes no reading of
// the rows. Where the rows themselves are read for it, it mostly is told.
func TestTell(t *testing.T) {
	ctx := context.Background()
	untold, told := 0, 0
	for i := range 24 {
		rng := rand.New(rand.NewPCG(23, uint64(i)))
		n, d := 600+rng.IntN(300), 460+rng.IntN(120)
		x := tellingRows(rng, n, d, 0.1+rng.Float64())
		var options solver.DataOptions
		if i%4 == 3 { // variances that are all equal: copies are looked for
			a := must.Get(solver.NewData(x, options))(t)
			options.Scale = deviations(a)
		}
		p := solver.Params{Features: 10 + rng.IntN(60), Components: 1 + rng.IntN(6)}
		if i%5 == 4 {
			p.Exclude = []int{0, 5, d - 1}
		}
		plain := solved(t, ctx, x, options, p)
		p.Tell = true
		asked := solved(t, ctx, x, options, p)
		a, b := plain.Solution, asked.Solution
		if !slices.Equal(a.Support, b.Support) || !mat.Equal(a.Loadings, b.Loadings) || !slices.Equal(a.Values, b.Values) ||
			!slices.Equal(a.Trace, b.Trace) || a.UpperBound != b.UpperBound || a.Status != b.Status || a.Iterations != b.Iterations {
			t.Errorf("problem %d (n = %d, d = %d, k = %d, m = %d): another answer", i, n, d, p.Features, p.Components)
		}
		if asked.passes > plain.passes {
			t.Errorf("problem %d: %d readings, and %d without", i, asked.passes, plain.passes)
		}
		if a.Route != solver.RouteImplicit || a.Told != 0 {
			continue
		}
		if untold++; b.Told == 0 {
			continue
		}
		told++
		if want := explained(t, ctx, asked.a, b, p.Exclude); math.Abs(b.Told-want) > 1e-10*want {
			t.Errorf("problem %d: told %v, want %v", i, b.Told, want)
		}
	}
	if told < 8 || 4*told < 3*untold {
		t.Errorf("%d of %d problems are told", told, untold)
	}
}

// TestTellOfStream: after exchanges the columns of A that the search holds tell what the components explain,
// and which chosen columns have copies, without a reading.
func TestTellOfStream(t *testing.T) {
	ctx := context.Background()
	exchanged := 0
	for i := range 40 {
		rng := rand.New(rand.NewPCG(29, uint64(i)))
		x := tellingRows(rng, 300, 90, 0.5)
		x.SetCol(3, mat.Col(nil, 40+i, x))
		k := 34 + rng.IntN(10)
		var readings [2]int
		for q, effort := range []solver.Effort{solver.EffortIPU, solver.EffortQuick} {
			a := must.Get(solver.NewStream(ctx, storedTable{x}, solver.StreamOptions{Memory: 1, Block: 100}))(t)
			s := must.Get(solver.Solve(ctx, a, solver.Params{Features: k, Components: 3, Effort: effort}))(t)
			readings[q] = a.Passes()
			if s.Route != solver.RouteImplicit || s.Told == 0 {
				t.Fatalf("problem %d: route %s, told %v", i, s.Route, s.Told)
			}
			if want := explained(t, ctx, a, s, nil); math.Abs(s.Told-want) > 1e-10*want {
				t.Errorf("problem %d: told %v, want %v", i, s.Told, want)
			}
			if n := len(s.Trace); q == 1 && s.Trace[n-1] > s.Trace[n-2] {
				exchanged++
			}
		}
		if readings[1] > readings[0]+1 {
			t.Errorf("problem %d: %d readings, and %d without exchanges", i, readings[1], readings[0])
		}
	}
	if exchanged < 4 {
		t.Errorf("%d problems end with an exchange: the test shows little", exchanged)
	}
}

// storedTable is a table that is read in blocks.
type storedTable struct{ *mat.Dense }

func (s storedTable) Read(_ context.Context, from int, dst *mat.Dense) (int, error) {
	n, d := s.Dims()
	rows, _ := dst.Dims()
	rows = min(rows, n-from)
	dst.Slice(0, rows, 0, d).(*mat.Dense).Copy(s.Slice(from, from+rows, 0, d))
	return rows, nil
}

// fit is a solution, of what, and how often the rows were read for both.
type fit struct {
	*solver.Solution
	a      *solver.Data
	passes int
}

// solved fits rows.
func solved(t *testing.T, ctx context.Context, x *mat.Dense, options solver.DataOptions, p solver.Params) fit {
	t.Helper()
	a := must.Get(solver.NewData(x, options))(t)
	s := must.Get(solver.Solve(ctx, a, p))(t)
	return fit{s, a, a.Passes()}
}

// explained is the trace of AW(WᵀAW)⁻¹WᵀA over the columns that are not excluded.
func explained(t *testing.T, ctx context.Context, a solver.Covariance, s *solver.Solution, exclude []int) float64 {
	t.Helper()
	d := a.Order()
	_, m := s.Loadings.Dims()
	z := mat.NewDense(d, m, nil)
	must.OK(t, a.MulRows(ctx, z, s.Support, s.Loadings))
	var g, inverse, p mat.Dense
	g.Mul(s.W(d).T(), z)
	must.OK(t, inverse.Inverse(&g))
	for _, j := range exclude {
		z.SetRow(j, make([]float64, m))
	}
	p.Product(z, &inverse, z.T())
	return mat.Trace(&p)
}
