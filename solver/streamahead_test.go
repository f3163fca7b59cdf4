package solver

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/kernel"
	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/solver/spectral"
)

// TestAhead: the columns that come with the last product are those that a pass of their own gives, which is
// saved, and the choice is that of the rows in memory. Where other columns are asked for, a pass reads these.
func TestAhead(t *testing.T) {
	ctx := context.Background()
	p := Params{Features: 7, Components: 3, Method: MethodIPU}
	saved := 0
	for seed := range uint64(6) {
		x := streamTable(900, 500, seed)
		for name, scaled := range map[string]bool{"covariance": false, "correlation": true} {
			name = fmt.Sprintf("%s %d", name, seed)
			data := must.Get(NewData(x, DataOptions{}))(t)
			a := must.Get(NewStream(ctx, &storedRows{x: x}, StreamOptions{Memory: doubles(300, 500), Block: 100}))(t)
			if scaled {
				scale := make([]float64, 500)
				for j, v := range data.Diag() {
					scale[j] = max(0.1, math.Sqrt(v))
				}
				data, a = must.Get(data.Scaled(scale))(t), must.Get(a.Scaled(scale))(t)
			}
			task := must.Get(newTask(ctx, a, p))(t)
			spent := a.Passes() - 1 // of the leading pairs
			if held := task.s.held; held != nil && len(held.support) <= fewColumns {
				alone := kernel.NewMatrix(a.d, len(held.support))
				must.OK(t, a.columnsOf(ctx, alone, held.support))
				if !slices.Equal(alone.Data, held.columns.Data) {
					t.Errorf("%s: the columns are not those of a pass", name)
				}
			}
			before := a.Passes()
			got, want := must.Get(Solve(ctx, a, p))(t), must.Get(Solve(ctx, data, p))(t)
			if !slices.Equal(got.Support, want.Support) || math.Abs(got.Objective-want.Objective) > 1e-9*want.Objective {
				t.Errorf("%s: %v with %v, want %v with %v", name, got.Support, got.Objective, want.Support, want.Objective)
			}
			if again := a.Passes() - before; again == spent {
				saved++
			}
		}
	}
	if saved < 6 {
		t.Errorf("%d of 12 fits needed no pass after that of the last product", saved)
	}
}

// TestAheadAgain: columns that come in two products are those of one, and an iteration that is not asked for any is
// that of the operator itself.
func TestAheadAgain(t *testing.T) {
	ctx := context.Background()
	a := must.Get(NewStream(ctx, &storedRows{x: streamTable(300, 90, 1)}, StreamOptions{Memory: 1, Block: 50}))(t)
	o := &ahead{Stream: a, m: 2, at: &streamAscender{c: a}, wanted: func(*spectral.Pairs) []int { return nil }}
	x, y, want := mat.NewDense(90, 16, nil), mat.NewDense(90, 16, nil), mat.NewDense(90, 16, nil)
	for j := range 16 {
		x.Set(5*j, j, 1)
	}
	must.OK(t, a.Mul(ctx, want, x))
	for _, next := range [][]int{nil, {3, 40}, {1, 3, 77}, {1, 40}} {
		before := a.Passes()
		o.next = next
		if must.OK(t, o.Mul(ctx, y, x)); !mat.Equal(y, want) || a.Passes() != before+1 {
			t.Errorf("%v: another product, or %d passes", next, a.Passes()-before)
		}
	}
	all := []int{1, 3, 40, 77}
	alone := kernel.NewMatrix(90, len(all))
	must.OK(t, a.columnsOf(ctx, alone, all))
	if !slices.Equal(o.at.support, all) || !slices.Equal(alone.Data, o.at.columns.Data) {
		t.Errorf("columns %v came, want %v with the numbers of one pass", o.at.support, all)
	}
}
