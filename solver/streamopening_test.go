package solver

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/must"
)

// openingTables are tables with what may spoil a product about a provisional centre.
func openingTables(n, d int) map[string]*mat.Dense {
	change := func(f func(i, j int, v float64) float64) *mat.Dense {
		x := streamTable(n, d, 8)
		x.Apply(f, x)
		return x
	}
	return map[string]*mat.Dense{
		"usual":         change(func(_, _ int, v float64) float64 { return v }),
		"far":           change(func(_, j int, v float64) float64 { return v + 1e8*float64(1+j%2) }),
		"ordered":       change(func(i, j int, v float64) float64 { return v + float64(i*(j%3))/10 }),
		"a late column": change(func(i, j int, v float64) float64 { return late(i, j, n, v) }),
		"other units":   change(func(_, j int, v float64) float64 { return math.Ldexp(v, 6*(j%7)-20) }),
		"tiny":          change(func(_, _ int, v float64) float64 { return math.Ldexp(v, -400) }),
	}
}

// late is 0 in column 5 for all rows but the last.
func late(i, j, n int, v float64) float64 {
	if j == 5 && i < n-1 {
		return 0
	}
	return v
}

// TestOpening: the product that is made while the rows are measured is that of the operator with orthonormal
// columns, for the covariance and the correlation, or there is none. It saves a pass, and the choice is that
// of the rows in memory.
func TestOpening(t *testing.T) {
	ctx := context.Background()
	const n, d = 1700, 110
	p := Params{Features: 7, Components: 3, Method: MethodIPU}
	weights := make([]float64, n)
	for i := range weights {
		weights[i] = 0.5 + float64(i%3)
	}
	for name, x := range openingTables(n, d) {
		for _, opt := range []StreamOptions{{}, {Uncentered: true}, {Standardize: true}, {Weights: weights}, {Memory: 1}} {
			name := fmt.Sprintf("%s uncentered=%v standardize=%v weights=%v memory=%d", name, opt.Uncentered, opt.Standardize, opt.Weights != nil, opt.Memory)
			data := must.Get(NewData(x, DataOptions{Uncentered: opt.Uncentered, Weights: opt.Weights}))(t)
			if opt.Block = 50; opt.Memory == 0 {
				opt.Memory = doubles(2*opt.Block+60, d) // holds the sample and not A
			}
			later := must.Get(NewStream(ctx, &storedRows{x: x}, opt))(t)
			opt.Components = p.Components
			first := must.Get(NewStream(ctx, &storedRows{x: x}, opt))(t)
			if opt.Standardize {
				scale := make([]float64, d)
				for j, v := range data.Diag() {
					scale[j] = 1
					if v > 0 {
						scale[j] = math.Sqrt(v)
					}
				}
				data, later, first = must.Get(data.Scaled(scale))(t), must.Get(later.Scaled(scale))(t), must.Get(first.Scaled(scale))(t)
			}
			b, _ := Normalised(first)
			opened := rightOpening(t, name, b.(*Stream))
			looked := 0 // passes that this took
			if opened {
				looked = 1
			}
			if !opened && !(opt.Uncentered || opt.Standardize) {
				t.Errorf("%s: there is no opening", name)
			}
			want := must.Get(Solve(ctx, data, p))(t)
			for what, a := range map[string]*Stream{"later": later, "first": first} {
				got := must.Get(Solve(ctx, a, p))(t)
				if !slices.Equal(got.Support, want.Support) || math.Abs(got.Objective-want.Objective) > 1e-9*want.Objective {
					t.Errorf("%s, %s: %v with %v, want %v with %v", name, what, got.Support, got.Objective, want.Support, want.Objective)
				}
			}
			if saved := later.Passes() + looked - first.Passes(); opened && opt.Memory > 1 && saved < 1 {
				t.Errorf("%s: %d passes after %d", name, first.Passes()-looked, later.Passes())
			}
		}
	}
}

// rightOpening reports whether an operator has an opening, of which it checks the numbers.
func rightOpening(t *testing.T, name string, a *Stream) bool {
	t.Helper()
	o := a.opening.ofColumns(a)
	if o == nil {
		return false
	}
	var want, gram mat.Dense
	want.CloneFrom(o.Y)
	must.OK(t, a.Mul(context.Background(), &want, o.X))
	size := mat.Norm(&want, 2)
	want.Sub(&want, o.Y)
	far := 1.0 // means beside deviations: each product loses as many digits
	for j, v := range a.Mean() {
		if sigma := math.Sqrt(a.moments.values[j]); sigma > 0 && a.moments.exponents == nil {
			far = max(far, math.Abs(v)/sigma)
		}
	}
	if off := mat.Norm(&want, 2); !(off <= 1e-15*max(100, far)*size) {
		t.Errorf("%s: the product is off by %g of %g", name, off, size)
	}
	gram.Mul(o.X.T(), o.X)
	_, c := o.X.Dims()
	for i := range c {
		gram.Set(i, i, gram.At(i, i)-1)
	}
	if off := mat.Norm(&gram, 2); !(off <= 1e-13) {
		t.Errorf("%s: the columns are off orthonormal ones by %g", name, off)
	}
	return true
}

// TestOpeningIsLeft: where the first product would be that of another operator, there is none, and errors are
// those of rows without it.
func TestOpeningIsLeft(t *testing.T) {
	ctx := context.Background()
	opt := StreamOptions{Memory: 1, Block: 50, Components: 2}
	x := streamTable(300, 90, 3)
	a := must.Get(NewStream(ctx, &storedRows{x: x}, opt))(t)
	constant := must.Get(a.only(slices.DeleteFunc(ints(90), func(j int) bool { return j == 45 })))(t)
	if constant.opening.ofColumns(constant) == nil {
		t.Error("the column left out is constant: got no opening")
	}
	rightOpening(t, "without a constant", constant)
	if less := must.Get(a.only(ints(80)))(t); less.opening.ofColumns(less) != nil {
		t.Error("columns that vary are left out: got an opening")
	}
	scale := make([]float64, 90)
	for j := range scale {
		scale[j] = math.Pow(10, float64(j%9))
	}
	if scaled := must.Get(a.Scaled(scale))(t); scaled.opening.ofColumns(scaled) != nil {
		t.Error("columns are scaled in another way: got an opening")
	}
	x.Set(170, 8, 1e140)
	if huge := must.Get(NewStream(ctx, &storedRows{x: x}, opt))(t); huge.opening != nil {
		t.Error("squares overflow: got an opening")
	}
	x.Set(170, 8, math.NaN())
	var entry *EntryError
	if _, err := NewStream(ctx, &storedRows{x: x}, opt); !errors.As(err, &entry) || entry.Row != 170 {
		t.Errorf("got %v, want the entry in row 170", err)
	}
	opt.Components = -1
	if _, err := NewStream(ctx, &storedRows{x: x}, opt); err == nil {
		t.Error("-1 components: no error")
	}
}

func ints(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// TestOpeningOnProcessors: the bytes do not depend on their number.
func TestOpeningOnProcessors(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	x := streamTable(2000, 300, 7)
	var first *Solution
	for _, processors := range []int{1, 2, 3} {
		runtime.GOMAXPROCS(processors)
		for _, rows := range []Rows{&storedRows{x: x}, &summedRows{x: x}} {
			a := must.Get(NewStream(context.Background(), rows, StreamOptions{Memory: doubles(300, 300) - 1, Block: 100, Components: 3}))(t)
			got := must.Get(Solve(context.Background(), a, Params{Features: 9, Components: 3, Method: MethodIPU}))(t)
			if first == nil {
				first = got
			}
			if !slices.Equal(got.Support, first.Support) || got.Objective != first.Objective || !mat.Equal(got.Loadings, first.Loadings) {
				t.Errorf("%d processors: %v with %v, want %v with %v", processors, got.Support, got.Objective, first.Support, first.Objective)
			}
		}
	}
}
