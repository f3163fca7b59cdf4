package solver

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/must"
)

// storedRows are rows in memory that are read as if they were not.
type storedRows struct {
	x     *mat.Dense
	rows  int                            // that it says it has; 0 means all
	after func(read int)                 // called after each reading, with their number
	fails func(from int, read int) error // before one
	reads int
}

func (s *storedRows) Dims() (n, d int) {
	n, d = s.x.Dims()
	if s.rows > 0 {
		n = s.rows
	}
	return n, d
}

func (s *storedRows) Read(_ context.Context, from int, dst *mat.Dense) (int, error) {
	s.reads++
	if s.fails != nil {
		if err := s.fails(from, s.reads); err != nil {
			return 0, err
		}
	}
	n, _ := s.x.Dims()
	want, _ := dst.Dims()
	i := 0
	for ; i < want && from+i < n; i++ {
		dst.SetRow(i, s.x.RawRowView(from+i))
	}
	if s.after != nil {
		s.after(s.reads)
	}
	return i, nil
}

// streamTable has factors, columns in other units, large means and a constant.
func streamTable(n, d int, seed uint64) *mat.Dense {
	rng := rand.New(rand.NewPCG(seed, 5))
	x := mat.NewDense(n, d, nil)
	load := mat.NewDense(4, d, nil)
	for i := range 4 {
		for j := range d {
			if rng.IntN(3) == 0 {
				load.Set(i, j, rng.NormFloat64()*float64(4-i))
			}
		}
	}
	for i := range n {
		f := []float64{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}
		for j := range d {
			v := rng.NormFloat64()
			for p, g := range f {
				v += g * load.At(p, j)
			}
			x.Set(i, j, v+1e5*float64(j%3))
		}
		x.Set(i, d/2, 0.1)
	}
	return x
}

// TestStreamIsData: blocks of any size, with A formed or not, give what the rows
// in memory give.
func TestStreamIsData(t *testing.T) {
	ctx := context.Background()
	for _, shape := range [][2]int{{70, 12}, {200, 90}, {40, 130}, {2500, 30}} {
		n, d := shape[0], shape[1]
		x := streamTable(n, d, uint64(n))
		for _, uncentered := range []bool{false, true} {
			for _, memory := range []int64{0, 1} {
				for _, block := range []int{1, 7, n, 0} {
					name := fmt.Sprintf("%dx%d uncentered=%v memory=%d block=%d", n, d, uncentered, memory, block)
					a := must.Get(NewData(x, DataOptions{Uncentered: uncentered}))(t)
					b, err := NewStream(ctx, &storedRows{x: x}, StreamOptions{Uncentered: uncentered, Memory: memory, Block: block})
					if err != nil {
						t.Fatal(name, err)
					}
					if formed := b.Route() == RouteCovariance; formed != (memory == 0) {
						t.Fatalf("%s: route %s", name, b.Route())
					}
					sameOperators(t, name, a, b)
					scale := make([]float64, d)
					for j := range scale {
						scale[j] = 0.5 + float64(j%4)
					}
					as := must.Get(a.Scaled(scale))(t)
					bs := must.Get(b.Scaled(scale))(t)
					sameOperators(t, name+" scaled", as, bs)
					exclude := []int{0, 3, d - 1}
					aw := must.Get(Without(ctx, as, exclude))(t)
					bw := must.Get(Without(ctx, bs, exclude))(t)
					sameOperators(t, name+" without", aw, bw)
				}
			}
		}
	}
}

func sameOperators(t *testing.T, name string, a, b Covariance) {
	t.Helper()
	ctx, d := context.Background(), a.Order()
	peak := slices.Max(a.Diag())
	for j, v := range a.Diag() {
		if got := b.Diag()[j]; !(math.Abs(got-v) <= 1e-9*v) {
			t.Fatalf("%s: variance of column %d is %v, want %v", name, j, got, v)
		}
	}
	support := []int{1, 2, d / 2, d - 2}
	ab, _ := a.Block(ctx, support)
	bb, err := b.Block(ctx, support)
	if err != nil {
		t.Fatal(name, err)
	}
	if !mat.EqualApprox(ab, bb, 1e-10*peak) {
		t.Fatalf("%s: blocks differ:\n%v\n%v", name, mat.Formatted(ab), mat.Formatted(bb))
	}
	w := mat.NewDense(d, 3, nil)
	for i := range d {
		w.SetRow(i, []float64{1, math.Sin(float64(i)), float64(i % 2)})
	}
	aw, bw := mat.NewDense(d, 3, nil), mat.NewDense(d, 3, nil)
	_ = a.Mul(ctx, aw, w)
	if err := b.Mul(ctx, bw, w); err != nil || !mat.EqualApprox(aw, bw, 1e-9*peak*float64(d)) {
		t.Fatalf("%s: products differ (%v)", name, err)
	}
	v := mat.NewDense(len(support), 2, []float64{1, 2, 3, 4, 5, 6, 7, 8})
	av, bv := mat.NewDense(d, 2, nil), mat.NewDense(d, 2, nil)
	_ = a.MulRows(ctx, av, support, v)
	if err := b.MulRows(ctx, bv, support, v); err != nil || !mat.EqualApprox(av, bv, 1e-9*peak) {
		t.Fatalf("%s: products with rows differ (%v)", name, err)
	}
	p := Params{Features: 5, Components: 2, Method: MethodIPU}
	as := must.Get(Solve(ctx, a, p))(t)
	bs, err := Solve(ctx, b, p)
	if err != nil {
		t.Fatal(name, err)
	}
	if !slices.Equal(as.Support, bs.Support) || math.Abs(as.Objective-bs.Objective) > 1e-9*as.Objective {
		t.Fatalf("%s: support %v with %v, want %v with %v", name, bs.Support, bs.Objective, as.Support, as.Objective)
	}
	squares, _ := ColumnSquares(ctx, a, 1, nil)
	got, err := ColumnSquares(ctx, b, 1, nil)
	for j, v := range squares {
		if err != nil || math.Abs(got[j]-v) > 1e-9*slices.Max(squares) {
			t.Fatalf("%s: squares of column %d are %v, want %v (%v)", name, j, got[j], v, err)
		}
	}
}

// TestStreamOfAnyScale: numbers whose squares leave the range of float64 take
// another pass and nothing else.
func TestStreamOfAnyScale(t *testing.T) {
	for _, unit := range []float64{1e-150, 1e-130, 1e140} {
		x := streamTable(60, 8, 3)
		for i := range 60 {
			x.Set(i, 3, x.At(i, 3)*unit)
			x.Set(i, 5, x.At(i, 5)*unit)
		}
		for _, memory := range []int64{0, 1} {
			scale := slices.Repeat([]float64{1}, 8)
			scale[3], scale[5] = unit, unit
			a := must.Get(NewData(x, DataOptions{}))(t)
			b, err := NewStream(context.Background(), &storedRows{x: x}, StreamOptions{Memory: memory, Block: 7})
			if err != nil {
				t.Fatal(unit, err)
			}
			as := must.Get(a.Scaled(scale))(t)
			bs := must.Get(b.Scaled(scale))(t)
			sameOperators(t, fmt.Sprint(unit, memory), as, bs)
		}
	}
}

// TestStreamOfConstants: a column that is the same everywhere has variance 0
// and covariances 0.
func TestStreamOfConstants(t *testing.T) {
	x := streamTable(100, 9, 4)
	b := must.Get(NewStream(context.Background(), &storedRows{x: x}, StreamOptions{Block: 7}))(t)
	a, err := b.Entries(context.Background())
	for j := range 9 {
		if err != nil || a.At(4, j) != 0 {
			t.Fatalf("covariance of the constant column with %d is %v (%v)", j, a.At(4, j), err)
		}
	}
	if lo, hi, mean, v := b.Spread(4); lo != 0.1 || hi != 0.1 || mean != 0.1 || v != 0 {
		t.Errorf("range %v to %v, want 0.1 to 0.1", lo, hi)
	}
	column := mat.Col(nil, 1, x)
	if lo, hi, _, v := b.Spread(1); lo != slices.Min(column) || hi != slices.Max(column) || v != b.Diag()[1] {
		t.Errorf("range %v to %v, variance %v of a column from %v to %v", lo, hi, v, slices.Min(column), slices.Max(column))
	}
	for i := range 100 {
		for j := range 9 {
			x.Set(i, j, 0.1)
		}
	}
	if _, err := NewStream(context.Background(), &storedRows{x: x}, StreamOptions{Block: 7}); !errors.Is(err, ErrConstant) {
		t.Errorf("got %v, want ErrConstant", err)
	}
}

// TestStreamErrors: what goes wrong with rows is an error with the place.
func TestStreamErrors(t *testing.T) {
	ctx := context.Background()
	x := streamTable(100, 9, 4)
	open := func(s *storedRows) (*Stream, error) {
		return NewStream(ctx, s, StreamOptions{Block: 7, Memory: 1})
	}
	bad := mat.DenseCopyOf(x)
	bad.Set(50, 3, math.NaN())
	var entry *EntryError
	if _, err := open(&storedRows{x: bad}); !errors.As(err, &entry) || entry.Row != 50 || entry.Col != 3 {
		t.Errorf("got %v, want the entry in row 50, column 3", err)
	}
	if _, err := open(&storedRows{x: x, rows: 150}); err == nil || !strings.Contains(err.Error(), "want 150") {
		t.Errorf("got %v of rows that end early", err)
	}
	gone := errors.New("gone")
	s := &storedRows{x: x}
	a := must.Get(open(s))(t)
	s.fails = func(from, read int) error {
		if from >= 70 {
			return gone
		}
		return nil
	}
	if _, err := Solve(ctx, a, Params{Features: 4, Components: 2, Method: MethodIPU}); !errors.Is(err, gone) {
		t.Errorf("got %v, want the reader's error", err)
	}
	s.fails = nil
	x.Set(33, 2, x.At(33, 2)+1)
	if _, err := a.Block(ctx, []int{0, 1}); !errors.Is(err, ErrChanged) || !strings.Contains(err.Error(), "rows 29 to 35 of 100") {
		t.Errorf("got %v, want rows that changed", err)
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := NewStream(ended, &storedRows{x: x}, StreamOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want the context's error", err)
	}
	if _, err := NewStream(ctx, nil, StreamOptions{}); err == nil {
		t.Error("no rows, no error")
	}
}

// TestStreamPasses: one pass where A is formed, whatever is asked then.
func TestStreamPasses(t *testing.T) {
	x := streamTable(300, 80, 4)
	a := must.Get(NewStream(context.Background(), &storedRows{x: x}, StreamOptions{}))(t)
	must.Get(Solve(context.Background(), a, Params{Features: 6, Components: 3, Method: MethodIPU, Effort: EffortThorough}))(t)
	if got := a.Passes(); got != 1 {
		t.Errorf("%d passes, want 1", got)
	}
	var last, calls int
	b := must.Get(NewStream(context.Background(), &storedRows{x: x}, StreamOptions{Memory: 1, Block: 100, Progress: func(pass, done, rows int) {
		calls++
		if last = pass; rows != 300 || done%100 != 0 {
			t.Errorf("progress %d of %d", done, rows)
		}
	}}))(t)
	sol, err := Solve(context.Background(), b, Params{Features: 6, Components: 3, Method: MethodIPU})
	if err != nil || sol.Route != RouteImplicit {
		t.Fatal(err, sol.Route)
	}
	if last != b.Passes() || calls != 3*last || last > 30 {
		t.Errorf("%d passes, the last told of is %d in %d calls", b.Passes(), last, calls)
	}
	block := must.Get(a.Block(context.Background(), sol.Support))(t)
	if sol.Block == nil || !mat.EqualApprox(sol.Block, block, 1e-10*mat.Max(block)) {
		t.Errorf("A_SS is not handed on: %v", sol.Block)
	}
	told := explained(t, a, sol)
	if math.Abs(sol.Told-told) > 1e-10*told {
		t.Errorf("the components are told to explain %v, want %v", sol.Told, told)
	}
}

// explained returns what components explain of all columns, Tr(AW(WᵀAW)⁻¹WᵀA), from A itself.
func explained(t *testing.T, a *Stream, s *Solution) float64 {
	t.Helper()
	_, m := s.Loadings.Dims()
	z, g := mat.NewDense(a.Order(), m, nil), mat.NewDense(m, m, nil)
	must.OK(t, a.MulRows(context.Background(), z, s.Support, s.Loadings))
	for p, j := range s.Support {
		for c := range m {
			for e := range m {
				g.Set(c, e, g.At(c, e)+s.Loadings.At(p, c)*z.At(j, e))
			}
		}
	}
	var zz, x mat.Dense
	zz.Mul(z.T(), z)
	must.OK(t, x.Solve(g, &zz))
	return mat.Trace(&x)
}

// TestStreamWithWeights: rows with weights in blocks give what they give in memory,
// with A formed or not.
func TestStreamWithWeights(t *testing.T) {
	ctx := context.Background()
	x := streamTable(90, 30, 6)
	weights := make([]float64, 90)
	for i := range weights {
		weights[i] = 0.25 + float64(i*7%5)
	}
	for _, uncentered := range []bool{false, true} {
		a := must.Get(NewData(x, DataOptions{Uncentered: uncentered, Weights: weights}))(t)
		for _, memory := range []int64{0, 1} {
			for _, block := range []int{1, 7, 0} {
				name := fmt.Sprintf("uncentered=%v memory=%d block=%d", uncentered, memory, block)
				b, err := NewStream(ctx, &storedRows{x: x}, StreamOptions{Uncentered: uncentered, Weights: weights, Memory: memory, Block: block})
				if err != nil {
					t.Fatal(name, err)
				}
				sameOperators(t, name, a, b)
				for j, v := range a.Mean() {
					if got := b.Mean()[j]; math.Abs(got-v) > 1e-12*math.Abs(v) {
						t.Errorf("%s: mean %v, want %v", name, got, v)
					}
				}
				if lo, hi, mean, variance := b.Spread(15); lo != 0.1 || hi != 0.1 || mean != 0.1 || variance != 0 {
					t.Errorf("%s: the constant column from %v to %v, mean %v, variance %v", name, lo, hi, mean, variance)
				}
			}
		}
	}
	var wrong *WeightError
	for _, weights := range [][]float64{{1, 2}, make([]float64, 90)} {
		if _, err := NewStream(ctx, &storedRows{x: x}, StreamOptions{Weights: weights}); err == nil || len(weights) == 90 && !errors.As(err, &wrong) {
			t.Errorf("%d weights: %v", len(weights), err)
		}
	}
	bad := mat.DenseCopyOf(x)
	bad.Set(50, 3, math.Inf(1))
	var entry *EntryError
	if _, err := NewStream(ctx, &storedRows{x: bad}, StreamOptions{Weights: weights, Block: 7}); !errors.As(err, &entry) || entry.Row != 50 {
		t.Errorf("got %v, want the entry in row 50", err)
	}
}

// TestDrawnErrors: places that are not there, or that fall.
func TestDrawnErrors(t *testing.T) {
	rows := &storedRows{x: streamTable(20, 5, 1)}
	for _, at := range [][]int{{0, 20}, {-1}, {3, 2}} {
		if _, err := Drawn(rows, at); err == nil {
			t.Errorf("rows %v of 20: no error", at)
		}
		if _, _, err := NewStreams(t.Context(), rows, [][]int{{0, 1, 2}, at}, StreamOptions{}); err == nil {
			t.Errorf("rows %v of 20: no error", at)
		}
	}
	if _, err := Drawn(nil, nil); err == nil {
		t.Error("no rows, no error")
	}
}

// TestStreamsAreStreams: several draws in one pass are, bit for bit, each by itself.
func TestStreamsAreStreams(t *testing.T) {
	ctx := context.Background()
	x := streamTable(200, 20, 9)
	for i := range 200 {
		x.Set(i, 3, x.At(i, 3)*0x1p-480) // another pass
	}
	draws := [][]int{make([]int, 200), make([]int, 150), {5, 5, 5, 5}, {0, 199}}
	rng := rand.New(rand.NewPCG(4, 4))
	for _, at := range draws[:2] {
		for i := range at {
			at[i] = rng.IntN(200)
		}
		slices.Sort(at)
	}
	for _, memory := range []int64{0, 1} {
		for _, block := range []int{1, 16, 0} {
			opt := StreamOptions{Block: block, Memory: memory}
			passes := 0
			together := opt
			together.Progress = func(pass, _, _ int) { passes = pass }
			got, errs, err := NewStreams(ctx, &storedRows{x: x}, draws, together)
			if err != nil || passes != 1 {
				t.Fatalf("%d passes (%v)", passes, err)
			}
			for i, at := range draws {
				rows := must.Get(Drawn(&storedRows{x: x}, at))(t)
				want, err := NewStream(ctx, rows, opt)
				if (err == nil) != (errs[i] == nil) || i == 2 && !errors.Is(errs[i], ErrConstant) {
					t.Fatalf("draw %d: %v, want %v", i, errs[i], err)
				}
				if err != nil {
					continue
				}
				if !slices.Equal(got[i].Diag(), want.Diag()) || !slices.Equal(got[i].Mean(), want.Mean()) {
					t.Errorf("draw %d, block %d: %v, want %v", i, block, got[i].Diag(), want.Diag())
				}
				a, err1 := got[i].Entries(ctx)
				b, err2 := want.Entries(ctx)
				if err1 != nil || err2 != nil || !mat.Equal(a, b) {
					t.Errorf("draw %d, block %d: other entries (%v, %v)", i, block, err1, err2)
				}
			}
		}
	}
}
