package solver

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/must"
)

// TestUnmeasuredIsExcluded: columns that may not be chosen change neither the choice nor its bound, whatever the
// effort, the route and the limits. They count in the variances that dense PCA and all columns have.
func TestUnmeasuredIsExcluded(t *testing.T) {
	ctx := context.Background()
	for i := range raced(100) {
		rng := rand.New(rand.NewPCG(81, uint64(i)))
		n, d := 15+rng.IntN(80), 10+rng.IntN(40)
		x := mat.NewDense(n, d, nil)
		x.Apply(func(_, c int, _ float64) float64 { return rng.NormFloat64() * float64(1+c%4) }, x)
		for c := 3; c < d; c += 3 {
			for r := range n {
				x.Set(r, c, x.At(r, c)/3+x.At(r, c-1))
			}
		}
		a := must.Get(NewData(x, DataOptions{}))(t)
		out := rng.Perm(d)[:1+rng.IntN(d/3)]
		k := 2 + rng.IntN(5)
		p := Params{Features: k, Components: 1 + rng.IntN(min(k, 3)), Effort: []Effort{EffortIPU, EffortQuick, EffortThorough, EffortExact}[i%4], Exclude: out[:len(out)/2]}
		if i%4 == 3 {
			p.Features, p.Components = 3, 2 // soon proved
		}
		if i%5 == 0 {
			p.Limits.MaxCorrelation = 0.9
		}
		if i%7 == 0 && i%4 < 2 {
			p.Method, p.Effort, p.Limits = MethodGo, "", Limits{}
		}
		plain := p
		plain.Limits = Limits{}
		whole := mustSolve(t, a, plain)
		excluded := p
		excluded.Exclude = out
		p.Limits.Unmeasured = out[len(out)/2:]
		want, got := mustSolve(t, a, excluded), mustSolve(t, a, p)
		if !slices.Equal(got.Support, want.Support) || !mat.Equal(got.Loadings, want.Loadings) || got.Objective != want.Objective ||
			got.UpperBound != want.UpperBound || got.BoundSource != want.BoundSource || got.Status != want.Status {
			t.Errorf("problem %d, %+v: %v, %v, bound %v (%s), want those without the columns: %v, %v, bound %v (%s)", i, p,
				got.Support, got.Objective, got.UpperBound, got.BoundSource, want.Support, want.Objective, want.UpperBound, want.BoundSource)
		}
		if near := 1e-9 * whole.TotalVariance; math.Abs(got.LeadingVariance-whole.LeadingVariance) > near || math.Abs(got.TotalVariance-whole.TotalVariance) > near {
			t.Errorf("problem %d: variances %v and %v, want %v and %v", i, got.LeadingVariance, got.TotalVariance, whole.LeadingVariance, whole.TotalVariance)
		}
		sizes := []int{max(2, p.Components), 5}
		if path, err := Path(ctx, a, p, sizes); err != nil {
			if p.Method == "" {
				t.Error(err)
			}
		} else if without, err := Path(ctx, a, excluded, sizes); err != nil || path[1].UpperBound != without[1].UpperBound || !slices.Equal(path[1].Support, without[1].Support) {
			t.Errorf("problem %d: a path to %+v, want %+v (%v)", i, path[1], without[1], err)
		}
	}
}

// TestTargetOfUnmeasured: a target is a share of what dense PCA explains of all columns that count.
func TestTargetOfUnmeasured(t *testing.T) {
	ctx := context.Background()
	a := must.Get(NewMatrix(mat.NewSymDense(4, []float64{4, 0, 0, 0, 0, 3, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1})))(t)
	p := Params{Components: 1, Limits: Limits{Unmeasured: []int{0}}}
	if k, _, err := FeaturesForTarget(ctx, a, p, 0.75, 0); k != 1 || err != nil {
		t.Errorf("3 of 4: k = %d (%v), want 1", k, err)
	}
	if _, _, err := FeaturesForTarget(ctx, a, p, 0.76, 0); err == nil {
		t.Error("more than 3 of 4 is reached without the first column")
	}
}
