package selector_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/selector"
)

// Limits that forbid nothing leave the choice as it is without them, bit for bit: groups of one column, groups of as
// many as are permitted, and budgets that pay for any k columns.
func TestLimitsThatForbidNothing(t *testing.T) {
	for seed := range uint64(60) {
		random := rand.New(rand.NewPCG(seed, 5))
		n, d := 5+random.IntN(20), 6+random.IntN(10)
		x := mat.NewDense(n, d, nil)
		x.Apply(func(_, j int, _ float64) float64 { return random.NormFloat64() * float64(1+j%3) }, x)
		f := must.Get(dataset.New(nil, x))(t)
		o := selector.Options{Features: 2 + random.IntN(4), Components: 1 + random.IntN(2), Standardize: seed%2 == 0, Effort: []string{"ipu", "quick", "thorough", "exact"}[seed%4]}
		if seed%3 == 0 {
			o.Criterion = selector.CriterionReconstruction
		}
		if seed%5 == 0 {
			o.Exclude = []string{"x1"}
		}
		free := selector.New(o)
		must.OK(t, free.Fit(f))
		one, all, each := o, o, o
		one.Groups, all.Groups = map[string]int{}, map[string]int{"*": o.Features, "x1*": 9}
		each.Cost = &selector.Cost{Each: map[string]float64{}, Budget: 0.5 * float64(o.Features)}
		for _, name := range f.Names() {
			one.Groups[name], each.Cost.Each[name] = 1, 0.5
		}
		budget := each
		budget.Features = 0
		dear := o
		dear.Cost = &selector.Cost{Each: map[string]float64{}, Budget: 100}
		for j, name := range f.Names() {
			dear.Cost.Each[name] = float64(j % 5)
		}
		for i, limited := range []selector.Options{one, all, each, budget, dear} {
			s := selector.New(limited)
			must.OK(t, s.Fit(f))
			a, b := free.Model(), s.Model()
			if !slices.Equal(a.Features(), b.Features()) || !mat.Equal(a.Loadings(), b.Loadings()) || a.Bound() != b.Bound() || a.Status() != b.Status() {
				t.Errorf("seed %d, limits %d: %q with the bound %v (%s), and %q with %v (%s) without them", seed, i, b.Features(), b.Bound(), b.Status(), a.Features(), a.Bound(), a.Status())
			}
		}
	}
}

// With another limit a budget stays one: a choice may then have fewer columns than it pays for.
func TestBudgetBesideOtherLimits(t *testing.T) {
	x := mat.NewDense(6, 4, []float64{1, 1.1, 0, 3, 2, 2, 1, 1, 3, 3.1, 0, 2, 4, 3.9, 1, 5, 5, 5, 0, 1, 6, 6.2, 1, 0})
	f := must.Get(dataset.New(nil, x))(t)
	o := selector.Options{Components: 1, MaxCorrelation: 0.5, Cost: &selector.Cost{Each: map[string]float64{"x1": 1, "x2": 1, "x3": 1, "x4": 1}, Budget: 4}}
	s := selector.New(o)
	must.OK(t, s.Fit(f))
	if m := s.Model(); len(m.Features()) >= 4 || m.Status() == "none_found" {
		t.Errorf("%q, %s", m.Features(), m.Status())
	}
}
