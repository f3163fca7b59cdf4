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

// TestForesee: the blocks of supports that follow each other have the same bits whether what is new in
// them was computed at once before.
func TestForesee(t *testing.T) {
	ctx := context.Background()
	for _, n := range []int{300, 5000} { // sums in one piece and in several
		rng := rand.New(rand.NewPCG(3, uint64(n)))
		x := mat.NewDense(n, 40, nil)
		x.Apply(func(int, int, float64) float64 { return rng.NormFloat64() }, x)
		c := must.Get(NewData(x, DataOptions{}))(t)
		first := []int{1, 4, 9, 16, 25, 36}
		next := [][]int{{1, 4, 9, 16, 25, 37}, {1, 3, 4, 9, 25, 36}}
		at, plain := &rowsAscender{c: c}, &rowsAscender{c: c}
		for _, s := range []*rowsAscender{at, plain} {
			must.Get(s.embed(ctx, first, 2, nil))(t)
		}
		if at.foresee(next); at.ahead == nil || !slices.Equal(at.ahead.others, []int{3, 36, 37}) {
			t.Fatalf("foreseen %+v", at.ahead)
		}
		at.ahead.products.Data[0]++ // column 1 with column 3: to be seen in the second block
		for i, support := range next {
			a := must.Get(at.embed(ctx, support, 2, nil))(t)
			b := must.Get(plain.embed(ctx, support, 2, nil))(t)
			if i == 1 {
				if a.block.At(0, 1) != b.block.At(0, 1)+1 {
					t.Error("what was foreseen is computed again")
				}
				a.block.SetSym(0, 1, b.block.At(0, 1))
			}
			if !mat.Equal(a.block, b.block) {
				t.Errorf("n = %d, support %v: the blocks differ", n, support)
			}
		}
	}
}

// TestForeseeOfStream: one reading serves supports that follow each other, and what their columns hold needs
// none.
func TestForeseeOfStream(t *testing.T) {
	ctx := context.Background()
	x := streamTable(120, 30, 5)
	c := must.Get(NewStream(ctx, &storedRows{x: x}, StreamOptions{Memory: 1, Block: 50}))(t)
	at, plain := &streamAscender{c: c}, &streamAscender{c: c}
	supports := [][]int{{1, 4, 9, 16}, {1, 4, 9, 17}, {2, 4, 9, 16}}
	first := must.Get(at.embed(ctx, supports[0], 2, nil))(t)
	before := c.Passes()
	if err := at.foresee(ctx, supports[1:]); err != nil || c.Passes() != before+1 {
		t.Fatalf("%d readings (%v), want 1", c.Passes()-before, err)
	}
	var all []*embedding
	for _, support := range supports {
		e := must.Get(at.embed(ctx, support, 2, nil))(t)
		all = append(all, e)
	}
	z, want := mat.NewDense(30, 2, nil), mat.NewDense(30, 2, nil)
	if err := (held{c, at}).MulRows(ctx, z, supports[0], first.vectors); err != nil || c.Passes() != before+1 {
		t.Errorf("%d readings (%v), want none", c.Passes()-before-1, err)
	}
	if err := c.MulRows(ctx, want, supports[0], first.vectors); err != nil || !mat.EqualApprox(z, want, 1e-10*mat.Norm(want, 2)) {
		t.Error("the product is another", err)
	}
	for q, support := range supports {
		e := must.Get(plain.embed(ctx, support, 2, nil))(t)
		if !mat.Equal(e.vectors, all[q].vectors) || e.objective != all[q].objective {
			t.Errorf("support %v: other numbers", support)
		}
	}
	if err := (held{c, at}).MulRows(ctx, z, []int{0, 5, 6, 7}, first.vectors); err != nil || mat.Equal(z, want) {
		t.Error("columns that are not there are taken from those that are", err)
	}
}

// TestLikelyOfStream: the columns of the exchanges are read with those of the support, both of them, where they are
// few, with the last product. What is found is what rows in memory give.
func TestLikelyOfStream(t *testing.T) {
	ctx := context.Background()
	x := streamTable(300, 600, 5)
	for features, most := range map[int]int{12: 0, 30: 1} {
		p := Params{Components: 3, Features: features}
		a := must.Get(NewStream(ctx, &storedRows{x: x}, StreamOptions{Memory: 1, Block: 50}))(t)
		task := must.Get(newTask(ctx, a, p))(t)
		before := a.Passes()
		got := must.Get(task.solveQuickly(ctx))(t)
		if passes := a.Passes() - before; passes != most {
			t.Errorf("%d of the columns: the rows were read %d times after the spectrum, want %d", features, passes, most)
		}
		want := must.Get(Solve(ctx, must.Get(NewData(x, DataOptions{}))(t), p))(t)
		if !slices.Equal(got.Support, want.Support) || math.Abs(got.Objective-want.Objective) > 1e-9*want.Objective {
			t.Errorf("%v with %v, want %v with %v", got.Support, got.Objective, want.Support, want.Objective)
		}
	}
}
