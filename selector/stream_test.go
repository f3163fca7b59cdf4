package selector

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/solver"
)

// matrixRows are rows of a matrix that are read as if they were not in memory.
type matrixRows struct{ x *mat.Dense }

func (r matrixRows) Dims() (n, d int) { return r.x.Dims() }

func (r matrixRows) Read(_ context.Context, from int, dst *mat.Dense) (int, error) {
	n, _ := r.x.Dims()
	want, _ := dst.Dims()
	rows := min(want, n-from)
	for i := range rows {
		dst.SetRow(i, r.x.RawRowView(from+i))
	}
	return rows, nil
}

func factorRows(n, d int) *mat.Dense {
	rng := rand.New(rand.NewPCG(3, 9))
	x := mat.NewDense(n, d, nil)
	for i := range n {
		f, g := 3*rng.NormFloat64(), 2*rng.NormFloat64()
		for j := range d {
			v := rng.NormFloat64() + 100*float64(j)
			if j%3 == 0 {
				v += f * (1 + float64(j)/50)
			} else if j%3 == 1 {
				v += g * (1 + float64(j)/70)
			}
			x.Set(i, j, v)
		}
		x.Set(i, 4, 0.3)
		x.Set(i, 5, 7+float64(i%2)*1e-15) // within rounding
	}
	return x
}

// TestFitRowsIsFitMatrix: rows in blocks give the model of the rows in memory,
// with A formed or not.
func TestFitRowsIsFitMatrix(t *testing.T) {
	x, ctx := factorRows(150, 2500), context.Background()
	passes := 0
	for _, o := range []Options{
		{Features: 6, Components: 2},
		{Features: 6, Components: 2, Standardize: true, Exclude: []string{"x1", "x7"}, Include: []string{"x3"}},
		{Features: 5, Components: 3, Uncentered: true},
		{FeaturesTarget: 0.8, ComponentsTarget: 0.5},
		{Features: 4, Components: 2, Bootstrap: 5, Ledger: true, Decoder: true, Reconstruction: true},
		{Features: 4, Components: 2, Effort: "thorough"},
	} {
		if strconv.IntSize == 32 && o.FeaturesTarget != 0 {
			continue // where multiplications are fused by software it takes minutes
		}
		a := New(o)
		must.OK(t, a.FitMatrix(ctx, x, nil))
		formed, least := RowsMemory(150, 2500, o)
		if formed <= least {
			t.Fatalf("A takes %d bytes, and passes %d", formed, least)
		}
		for _, bytes := range []int64{0, least + 1000} {
			b := New(o)
			err := b.FitRows(ctx, matrixRows{x}, nil, bytes)
			if bytes != 0 && o.many() != "" {
				if err == nil || !strings.Contains(err.Error(), "too often") {
					t.Errorf("%+v: got %v, want an error before it starts", o, err)
				}
				continue
			}
			if err != nil {
				t.Fatalf("%+v: %v", o, err)
			}
			if b.Model().Route() == solver.RouteImplicit {
				passes++
			}
			sameModels(t, fmt.Sprintf("%+v with %d bytes", o, bytes), a.Model(), b.Model())
		}
	}
	if passes == 0 {
		t.Error("A was formed every time")
	}
}

func sameModels(t *testing.T, name string, a, b *Model) {
	t.Helper()
	if !slices.Equal(a.Support(), b.Support()) || math.Abs(a.Objective()-b.Objective()) > 1e-9*a.Objective() {
		t.Errorf("%s: %v with %v, want %v with %v", name, b.Support(), b.Objective(), a.Support(), a.Objective())
		return
	}
	if !slices.Equal(a.Constant(), b.Constant()) || !slices.Equal(a.Features(), b.Features()) {
		t.Errorf("%s: constant %v, want %v", name, b.Constant(), a.Constant())
	}
	for j, v := range a.Mean() {
		if math.Abs(b.Mean()[j]-v) > 1e-9*math.Abs(v) {
			t.Errorf("%s: mean %v, want %v", name, b.Mean()[j], v)
		}
	}
	if !mat.EqualApprox(a.Components(), b.Components(), 1e-7) {
		t.Errorf("%s: components differ", name)
	}
	if a, b := a.training, b.training; (a == nil) != (b == nil) || a != nil && (!slices.Equal(a.Low, b.Low) || !slices.Equal(a.High, b.High) || !floats.EqualApprox(a.Variance, b.Variance, 1e-9*slices.Max(a.Variance))) {
		t.Errorf("%s: rows of the fit %+v, want %+v", name, b, a)
	}
	if a, b := a.Stability(), b.Stability(); (a == nil) != (b == nil) || a != nil && !slices.Equal(a.Columns, b.Columns) {
		t.Errorf("%s: stability %+v, want %+v", name, b, a)
	}
}

// TestFitRowsWithWeights: rows with weights in blocks give the model of the table in memory, rows of
// weight 0 and bootstrap included, and a weight that is wrong the same error.
func TestFitRowsWithWeights(t *testing.T) {
	x, ctx := factorRows(150, 40), context.Background()
	names := lists.Make(40, func(j int) string { return fmt.Sprintf("c%d", j) })
	names[7] = "w"
	for i := range 150 {
		x.Set(i, 7, float64(i%4)+0.5*float64(i%2))
	}
	frame := must.Get(dataset.New(names, x))(t)
	for _, o := range []Options{
		{Features: 6, Components: 2, Weight: "w"},
		{Features: 6, Components: 2, Weight: "w", Standardize: true},
		{Features: 5, Components: 3, Weight: "w", Uncentered: true},
		{Features: 4, Components: 2, Weight: "w", Bootstrap: 3},
	} {
		a, b := New(o), New(o)
		must.OK(t, a.FitContext(ctx, frame))
		if err := b.FitRows(ctx, matrixRows{x}, names, 0); err != nil {
			t.Fatalf("%+v: %v", o, err)
		}
		sameModels(t, fmt.Sprintf("%+v", o), a.Model(), b.Model())
		if a, b := a.Model().Summary(), b.Model().Summary(); a.Rows != b.Rows {
			t.Errorf("%+v: %d rows, want %d", o, b.Rows, a.Rows)
		}
	}
	x.Set(5, 7, -1)
	o := Options{Features: 6, Components: 2, Weight: "w"}
	want := New(o).FitContext(ctx, frame)
	if err := New(o).FitRows(ctx, matrixRows{x}, names, 0); err == nil || err.Error() != want.Error() {
		t.Errorf("got %v, want %v", err, want)
	}
}

// passCounter counts how often the rows are read from the start.
type passCounter struct {
	matrixRows
	starts *int
}

func (r passCounter) Read(ctx context.Context, from int, dst *mat.Dense) (int, error) {
	if n, _ := dst.Dims(); from == 0 && n > 1 {
		*r.starts++
	}
	return r.matrixRows.Read(ctx, from, dst)
}

// TestDrawsAtOnce: the choices of draws do not depend on how many are made in a pass, which the memory
// says.
func TestDrawsAtOnce(t *testing.T) {
	x, ctx := factorRows(120, 30), context.Background()
	o := Options{Features: 4, Components: 2, Bootstrap: 7, Standardize: true}
	formed, _ := RowsMemory(120, 30, o)
	var want *Stability
	for _, c := range []struct {
		bytes int64
		most  int // passes: for the fit and for the draws
	}{{0, 2}, {formed, 8}, {formed + 2*drawMemory(120, 30, o), 4}} {
		s, starts := New(o), 0
		must.OK(t, s.FitRows(ctx, passCounter{matrixRows{x}, &starts}, nil, c.bytes))
		if starts > c.most {
			t.Errorf("%d bytes: %d passes, want %d at most", c.bytes, starts, c.most)
		}
		got := s.Model().Stability()
		if want == nil {
			want = got
		}
		if got.Replicates != 7 || !slices.Equal(got.Columns, want.Columns) {
			t.Errorf("%d bytes: %+v, want %+v", c.bytes, got, want)
		}
	}
}

// TestPathRowsIsPath: the same of a path.
func TestPathRowsIsPath(t *testing.T) {
	x, ctx := factorRows(300, 30), context.Background()
	s := New(Options{Components: 2})
	want := must.Get(s.PathRows(ctx, matrixRows{x}, nil, 0, Points{Features: []int{3, 5, 8}}))(t)
	frame := New(Options{Components: 2})
	for i, k := range []int{3, 5, 8} {
		frame.Features = k
		must.OK(t, frame.FitMatrix(ctx, x, nil))
		if got := want[i]; math.Abs(got.Objective()-frame.Model().Objective()) > 1e-9*got.Objective() {
			t.Errorf("k = %d: %v, want %v", k, got.Objective(), frame.Model().Objective())
		}
	}
}

// TestFitRowsErrors: what cannot be says so before anything is read.
func TestFitRowsErrors(t *testing.T) {
	ctx, none := context.Background(), unread{t}
	for want, o := range map[string]Options{
		"parallel analysis":     {Features: 3, ParallelAnalysis: true},
		`weight: no column "w"`: {Features: 3, Components: 2, Weight: "w"},
		"m = 5":                 {Features: 3, Components: 5},
	} {
		if err := New(o).FitRows(ctx, none, nil, 0); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	if err := New(Options{Features: 3, Components: 2}).FitRows(ctx, none, nil, 1<<20); err == nil || !strings.Contains(err.Error(), "needs about") {
		t.Errorf("got %v, want what is needed", err)
	}
	if err := New(Options{Features: 3, Components: 2}).FitRows(ctx, nil, nil, 0); err == nil {
		t.Error("no rows, no error")
	}
	var _ solver.Rows = none
}

// unread are rows that nobody may read.
type unread struct{ t *testing.T }

func (unread) Dims() (n, d int) { return 1000, 30 }

func (u unread) Read(context.Context, int, *mat.Dense) (int, error) {
	u.t.Error("the rows were read")
	return 0, nil
}

// TestWeightNameOfRows: the column of weights is found by a name whose letters are put together otherwise.
func TestWeightNameOfRows(t *testing.T) {
	x := mat.NewDense(6, 4, []float64{1, 5, 2, 1, 2, 3, 1, 2, 3, 4, 4, 1, 4, 1, 3, 1, 5, 2, 9, 3, 6, 0, 5, 1})
	names := []string{"a", "b", "c", "w\u00e9"}
	var models [2]*Model
	for i, weight := range []string{"w\u00e9", "we\u0301"} {
		s := New(Options{Features: 2, Components: 1, Weight: weight})
		must.OK(t, s.FitRows(t.Context(), matrixRows{x}, slices.Clone(names), 0))
		models[i] = s.Model()
	}
	if models[0].Objective() != models[1].Objective() || !slices.Equal(models[1].Support(), models[0].Support()) {
		t.Errorf("%v and %v", models[0].Objective(), models[1].Objective())
	}
	if err := CheckNames(names, 6, Options{Features: 4, Components: 1, Weight: "we\u0301"}); err == nil || !strings.Contains(err.Error(), "d = 3 columns") {
		t.Errorf("k = 4 of 3 columns beside the weights: %v", err)
	}
}
