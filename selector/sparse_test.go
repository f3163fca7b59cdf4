package selector

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/must"
)

// sparseTable returns n×d counts in groups of columns that occur together, with
// a column that never varies, one that has no entry and one of large mean.
func sparseTable(t *testing.T, seed uint64, n, d int) *dataset.Sparse {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 7))
	offsets := []int64{0}
	var indices []int32
	var values []float64
	codes := make([]int32, n)
	for i := range n {
		topic := rng.IntN(5)
		codes[i] = int32(topic % 2)
		for j := range d {
			v := 0.0
			switch {
			case j == 2:
				v = 0.1 + 0.2
			case j == 3:
				v = 2000 + float64(rng.IntN(20))/10
			case j == 5:
			case j%5 == topic && rng.IntN(3) > 0:
				v = 1 + float64(rng.IntN(4))
			case rng.IntN(20) == 0:
				v = rng.NormFloat64()
			}
			if v != 0 {
				indices, values = append(indices, int32(j)), append(values, v)
			}
		}
		offsets = append(offsets, int64(len(indices)))
	}
	s := must.Get(dataset.NewSparse(n, d, offsets, indices, values, nil))(t)
	return must.Get(s.WithClass("kind", &dataset.Factor{Levels: []string{"u", "v"}, Codes: codes}))(t)
}

func dense(t *testing.T, s *dataset.Sparse) *dataset.Frame {
	t.Helper()
	return must.Get(s.Dense())(t)
}

// TestSparseEqualsDense: the same model from a table whatever it is stored as,
// to ten digits, on every route and with all that is done to columns.
func TestSparseEqualsDense(t *testing.T) {
	for _, size := range [][2]int{{60, 20}, {30, 200}, {400, 700}, {900, 120}} {
		table := sparseTable(t, uint64(size[1]), size[0], size[1])
		for name, opt := range map[string]Options{
			"plain":        {},
			"go":           {Method: "go"},
			"uncentred":    {Uncentered: true},
			"standardized": {Standardize: true},
			"both":         {Uncentered: true, Standardize: true},
			"lists":        {Include: []string{"x7"}, Exclude: []string{"x4"}},
		} {
			opt.Features, opt.Components = 8, 3
			a, b := New(opt), New(opt)
			must.OK(t, a.FitSparse(context.Background(), table))
			must.OK(t, b.Fit(dense(t, table)))
			compareModels(t, name, a.Model(), b.Model())
		}
	}
}

func compareModels(t *testing.T, name string, got, want *Model) {
	t.Helper()
	near := func(a, b, unit float64) bool { return math.Abs(a-b) <= 1e-10*unit }
	if !slices.Equal(got.Features(), want.Features()) || got.Rows() != want.Rows() || got.Columns() != want.Columns() {
		t.Errorf("%s: chose %v of %d×%d, want %v of %d×%d", name, got.Features(), got.Rows(), got.Columns(), want.Features(), want.Rows(), want.Columns())
		return
	}
	if !near(got.Objective(), want.Objective(), want.Objective()) || !near(got.TotalVariance(), want.TotalVariance(), want.TotalVariance()) ||
		!near(got.LeadingVariance(), want.LeadingVariance(), want.LeadingVariance()) {
		t.Errorf("%s: objective %v of %v and %v, want %v of %v and %v", name, got.Objective(), got.LeadingVariance(), got.TotalVariance(),
			want.Objective(), want.LeadingVariance(), want.TotalVariance())
	}
	if !mat.EqualApprox(got.Loadings(), want.Loadings(), 1e-8) {
		t.Errorf("%s: loadings differ", name)
	}
	if !slices.EqualFunc(got.ExplainedVariance(), want.ExplainedVariance(), func(a, b float64) bool { return near(a, b, want.Objective()) }) {
		t.Errorf("%s: variances %v, want %v", name, got.ExplainedVariance(), want.ExplainedVariance())
	}
	for _, pair := range [][2][]float64{{got.Mean(), want.Mean()}, {got.Scale(), want.Scale()}} {
		if !slices.EqualFunc(pair[0], pair[1], func(a, b float64) bool { return near(a, b, math.Abs(b)) }) {
			t.Errorf("%s: %v, want %v", name, pair[0], pair[1])
		}
	}
	flat := slices.DeleteFunc(want.Constant(), func(s string) bool { return s == "x6" }) // which is empty
	if !slices.Equal(got.Constant(), flat) {
		t.Errorf("%s: constant %v, want %v", name, got.Constant(), flat)
	}
}

// TestTransformSparse: the same bits as from the dense table.
func TestTransformSparse(t *testing.T) {
	table := sparseTable(t, 9, 3000, 60)
	for _, opt := range []Options{{}, {Standardize: true}, {Uncentered: true}} {
		opt.Features, opt.Components = 10, 4
		s := New(opt)
		must.OK(t, s.FitSparse(context.Background(), table))
		for _, output := range []Output{"", Selected, Projection, Both} {
			got := must.Get(s.Model().TransformSparse(table, output))(t)
			want := must.Get(s.Model().Transform(dense(t, table), output))(t)
			if dataset.Hash(got) != dataset.Hash(want) {
				t.Errorf("%+v, %q: differs from the dense table", opt, output)
			}
		}
	}
}

// TestTransformSparseColumns: columns are matched by name; those after the end
// of an svmlight file are 0, and others that are absent are named together.
func TestTransformSparseColumns(t *testing.T) {
	s := New(Options{Features: 3, Components: 1, Include: []string{"x4", "x6"}, Exclude: []string{"x3"}})
	must.OK(t, s.FitSparse(context.Background(), sparseTable(t, 3, 50, 7)))
	m := s.Model()
	names := m.Features()
	short, err := dataset.ReadSVMLight(strings.NewReader("1 1:3 2:1 4:2000\n0 1:1\n"), "t.svm", dataset.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	got := must.Get(m.TransformSparse(short, Selected))(t)
	for j, name := range names {
		want := map[string]float64{"x1": 3, "x2": 1, "x4": 2000}[name]
		if v := got.Numeric().At(0, j); v != want {
			t.Errorf("%s is %v, want %v", name, v, want)
		}
	}
	turned := must.Get(dataset.NewSparse(1, 3, []int64{0, 2}, []int32{0, 2}, []float64{5, 6}, []string{names[2], "other", names[0]}))(t)
	_, err = m.TransformSparse(turned, Projection)
	var missing *dataset.MissingColumnsError
	if !errors.As(err, &missing) || !slices.Equal(missing.Missing, names[1:2]) {
		t.Errorf("%v", err)
	}
	if _, err := m.TransformSparse(turned, "all"); err == nil {
		t.Error("an unknown output is taken")
	}
}

func TestFitSparseErrors(t *testing.T) {
	one := must.Get(dataset.NewSparse(1, 3, []int64{0, 1}, []int32{0}, []float64{5}, nil))(t)
	same := must.Get(dataset.NewSparse(2, 3, []int64{0, 1, 2}, []int32{0, 0}, []float64{5, 5}, nil))(t)
	none := must.Get(dataset.NewSparse(2, 0, []int64{0, 0, 0}, nil, nil, nil))(t)
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	for want, fit := range map[string]func() error{
		"too few rows: 1": func() error { return New(Options{Features: 1, Components: 1}).FitSparse(context.Background(), one) },
		"constant":        func() error { return New(Options{Features: 1, Components: 1}).FitSparse(context.Background(), same) },
		"no feature":      func() error { return New(Options{Features: 1, Components: 1}).FitSparse(context.Background(), none) },
		"n = 2 rows":      func() error { return New(Options{Features: 4, Components: 1}).FitSparse(context.Background(), same) },
		"features k = 0":  func() error { return New(Options{}).FitSparse(context.Background(), same) },
		"unknown method": func() error {
			return New(Options{Features: 2, Components: 1, Method: "x"}).FitSparse(context.Background(), sparseTable(t, 1, 9, 9))
		},
		"context cancele": func() error {
			return New(Options{Features: 2, Components: 1}).FitSparse(cancelled, sparseTable(t, 1, 9, 9))
		},
	} {
		if err := fit(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
