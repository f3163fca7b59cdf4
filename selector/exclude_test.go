package selector_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/selector"
)

// TestExcludeIsDrop: every figure of a model is that of the table without the excluded columns, also
// where one of these dwarfs the rest.
func TestExcludeIsDrop(t *testing.T) {
	const n, d = 40, 9
	x := sample(3, n, d)
	for i := range n {
		x.Set(i, 2, 1e9+1e7*float64(i)) // a time
		x.Set(i, 6, 3e5*x.At(i, 6))
	}
	all := names(d)
	out := []string{all[2], all[6], all[2]}
	var left []string
	narrow := mat.NewDense(n, d-2, nil)
	for j, name := range all {
		if !slices.Contains(out, name) {
			narrow.SetCol(len(left), mat.Col(nil, j, x))
			left = append(left, name)
		}
	}
	for what, opt := range map[string]selector.Options{
		"ipu":               {Features: 3, Components: 2},
		"go":                {Features: 3, Components: 2, Method: "go"},
		"thorough":          {Features: 3, Components: 2, Effort: "thorough"},
		"exact":             {Features: 3, Components: 2, Effort: "exact"},
		"standardized":      {Features: 4, Components: 2, Standardize: true, Effort: "exact"},
		"uncentered":        {Features: 4, Components: 2, Uncentered: true},
		"random":            {Features: 3, Components: 2, Init: "random", Restarts: 3, Seed: 4},
		"convex_relaxation": {Features: 3, Components: 2, Init: "convex_relaxation"},
		"sdp":               {Features: 3, Components: 2, SDPIterations: 20},
		"bootstrap":         {Features: 3, Components: 2, Bootstrap: 10, Standardize: true},
		"components target": {Features: 5, ComponentsTarget: 0.7},
		"parallel analysis": {Features: 5, ParallelAnalysis: true, Seed: 2},
		"features target":   {Components: 2, FeaturesTarget: 0.8, Ledger: true},
		"included":          {Features: 4, Components: 2, Include: []string{all[1]}},
		"figures":           {Features: 4, Components: 2, Reconstruction: true, Standardize: true},
		"reconstruction":    {Features: 4, Components: 3, Reconstruction: true, Criterion: "reconstruction", Standardize: true},
	} {
		fit := func(x *mat.Dense, names, exclude []string) *selector.Model {
			opt.Exclude = exclude
			s := selector.New(opt)
			if err := s.FitMatrix(context.Background(), x, names); err != nil {
				t.Fatalf("%s: %v", what, err)
			}
			return s.Model()
		}
		got, want := fit(x, all, out).Summary(), fit(narrow, left, nil).Summary()
		if !slices.Equal(got.Features, want.Features) || got.Proved != want.Proved || got.Status != want.Status || got.Route != want.Route {
			t.Errorf("%s: %v (%s, %s), dropped %v (%s, %s)", what, got.Features, got.Status, got.Route, want.Features, want.Status, want.Route)
		}
		for i, v := range [][2]float64{
			{got.Objective, want.Objective}, {got.LeadingVariance, want.LeadingVariance}, {got.TotalVariance, want.TotalVariance}, {got.UpperBound, want.UpperBound},
			{got.ExplainedVarianceRatio, want.ExplainedVarianceRatio}, {got.NormalizedExplainedVariance, want.NormalizedExplainedVariance},
		} {
			if math.Abs(v[0]-v[1]) > 1e-11*math.Abs(v[1]) {
				t.Errorf("%s: number %d is %v, dropped %v", what, i, v[0], v[1])
			}
		}
		if !slices.Equal(got.Warnings, want.Warnings) || opt.Reconstruction && len(want.Warnings) == 0 {
			t.Errorf("%s: notes %q, dropped %q", what, got.Warnings, want.Warnings)
		}
		if opt.Bootstrap > 0 {
			for i, f := range want.Stability.Columns {
				if g := got.Stability.Columns[i]; g.Name != f.Name || g.Times != f.Times {
					t.Errorf("%s: %+v, dropped %+v", what, g, f)
				}
			}
		}
		for _, e := range got.Ledger {
			at := slices.Index(left, e.Name)
			if e.Excluded != (at < 0) || e.Excluded && e.Rank != 0 || !e.Excluded && (e.Rank != want.Ledger[at].Rank || e.Nearest != want.Ledger[at].Nearest) {
				t.Errorf("%s: ledger entry %+v", what, e)
			}
		}
	}
}
