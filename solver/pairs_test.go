package solver

import (
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/must"
)

// after returns the support after a pair.
func (p pair) after(support []int) []int {
	rest := slices.DeleteFunc(slices.Clone(support), func(j int) bool { return j == p.out })
	return slices.Sorted(slices.Values(append(rest, p.in)))
}

// TestLowerPair: the support after the lower of two pairs comes first.
func TestLowerPair(t *testing.T) {
	support := []int{1, 3, 4, 7}
	var pairs []pair
	for _, out := range support {
		for _, in := range []int{0, 2, 5, 6, 8} {
			pairs = append(pairs, pair{out: out, in: in})
		}
	}
	for _, p := range pairs {
		for _, q := range pairs {
			if got, want := p.lower(q), slices.Compare(p.after(support), q.after(support)) < 0; got != want {
				t.Errorf("%v before %v: %v, want %v", p, q, got, want)
			}
		}
	}
}

// TestEvaluateEquals: of pairs that explain the same but for rounding that with the lowest columns is taken,
// in whatever order they come.
func TestEvaluateEquals(t *testing.T) {
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 14))
		x := mat.NewDense(40, 8, nil)
		for i := range 40 {
			for j := range 4 { // columns 4 to 7 are the negatives of 0 to 3
				v := rng.NormFloat64()
				x.Set(i, j, v)
				x.Set(i, 4+j, -v)
			}
		}
		l := must.Get(newLocal(t.Context(), must.Get(NewData(x, DataOptions{}))(t), []int{0, 1, 2, 3, 4, 5, 6, 7}))(t)
		inside := []int{0, 2, 4}
		var pairs []pair
		for _, out := range inside {
			for _, in := range []int{1, 3, 5, 6, 7} {
				pairs = append(pairs, pair{out: out, in: in})
			}
		}
		best := must.Get(l.evaluate(inside, pairs, 2))(t).value
		var want []int // the lowest support of those that explain as much
		for _, p := range pairs {
			alone := must.Get(l.evaluate(inside, []pair{p}, 2))(t)
			if support := p.after(inside); alone.value >= best*(1-gainTolerance) && (want == nil || slices.Compare(support, want) < 0) {
				want = support
			}
		}
		for range 20 {
			rng.Shuffle(len(pairs), func(i, j int) { pairs[i], pairs[j] = pairs[j], pairs[i] })
			if got := must.Get(l.evaluate(inside, pairs, 2))(t).after(inside); !slices.Equal(got, want) {
				t.Errorf("seed %d: %v, want %v", seed, got, want)
			}
		}
	}
}
