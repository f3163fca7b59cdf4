package selector_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/selector"
)

// noise returns rows of independent columns, each times a scale.
func noise(n int, scales ...float64) *mat.Dense {
	r := rand.New(rand.NewPCG(1, 2))
	x := mat.NewDense(n, len(scales), nil)
	for i := range n {
		for j, s := range scales {
			x.Set(i, j, s*r.NormFloat64())
		}
	}
	return x
}

// TestMistakes tries every rule where it must speak, and beside it where it must not.
func TestMistakes(t *testing.T) {
	flat := noise(20, 1, 1, 1)
	for i := range 20 { // rank 2
		flat.Set(i, 2, flat.At(i, 0)+flat.At(i, 1))
	}
	for _, c := range []struct {
		name string
		x    *mat.Dense
		opt  selector.Options
		want string // the code, "" for none
	}{
		{"one unit", noise(30, 1, 2, 3), selector.Options{Features: 2, Components: 1}, ""},
		{"one large column", noise(30, 1, 100, 3), selector.Options{Features: 2, Components: 1}, "W106"},
		{"one large column, standardised", noise(30, 1, 100, 3), selector.Options{Features: 2, Components: 1, Standardize: true}, ""},
		{"one rather large column", noise(30, 1, 6, 3), selector.Options{Features: 2, Components: 1}, ""},
		{"one column that varies", noise(30, 1, 0, 0), selector.Options{Features: 1, Components: 1}, ""},
		{"more components than rank", flat, selector.Options{Features: 3, Components: 3}, "W108"},
		{"as many components as rank", flat, selector.Options{Features: 3, Components: 2}, ""},
		{"as many components as rows allow", noise(3, 1, 2, 3, 4), selector.Options{Features: 3, Components: 3}, "W108"},
		{"all tied", noise(30, 1, 2, 3), selector.Options{Features: 2, Components: 2, Standardize: true}, "W110"},
		{"one standardised column", noise(30, 1, 2, 3), selector.Options{Features: 1, Components: 1, Standardize: true}, "W110"},
		{"k = m of other variances", noise(30, 1, 2, 3), selector.Options{Features: 2, Components: 2}, ""},
		{"k = m = d", noise(30, 1, 2, 3), selector.Options{Features: 3, Components: 3, Standardize: true}, ""},
		{"m below k", noise(30, 1, 2, 3), selector.Options{Features: 2, Components: 1, Standardize: true}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := selector.New(c.opt)
			must.OK(t, s.FitMatrix(context.Background(), c.x, nil))
			got := s.Model().Mistakes()
			if c.want == "" && len(got) > 0 || c.want != "" && (len(got) != 1 || got[0].Code != c.want) {
				t.Errorf("got %v, want %q", got, c.want)
			}
		})
	}
}

// A model that was fitted on a covariance warns of rows that are not centred, and of no others.
func TestMistakesOnRows(t *testing.T) {
	x := noise(200, 1, 2, 3)
	cov := mat.NewSymDense(3, []float64{1, 0.2, 0.1, 0.2, 4, 0.3, 0.1, 0.3, 9})
	ofCovariance := selector.New(selector.Options{Features: 2, Components: 1})
	must.OK(t, ofCovariance.FitCovariance(context.Background(), cov, nil))
	ofRows := selector.New(selector.Options{Features: 2, Components: 1})
	must.OK(t, ofRows.FitMatrix(context.Background(), x, nil))
	var moved mat.Dense
	moved.Apply(func(_, _ int, v float64) float64 { return v + 5 }, x)
	for _, c := range []struct {
		name string
		s    *selector.FSPCA
		x    *mat.Dense
		want int
	}{
		{"centred", ofCovariance, x, 0},
		{"moved", ofCovariance, &moved, 1},
		{"one row", ofCovariance, moved.Slice(0, 1, 0, 3).(*mat.Dense), 0},
		{"moved, with means", ofRows, &moved, 0},
	} {
		f := must.Get(dataset.New(nil, c.x))(t)
		if got := c.s.Model().MistakesOn(f); len(got) != c.want || c.want > 0 && got[0].Code != "W109" {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}
