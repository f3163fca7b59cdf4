package selector_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"sync"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/selector"
)

func frame(t *testing.T, x *mat.Dense, names []string) *dataset.Frame {
	t.Helper()
	return must.Get(dataset.New(names, x))(t)
}

// TestNeedsOnlyTheChosen: a model of 500 columns takes a table that has its 30 in another order, with
// others beside them, and names all that are absent at once.
func TestNeedsOnlyTheChosen(t *testing.T) {
	x := sample(5, 60, 500)
	m := fit(t, x, selector.Options{Features: 30, Components: 5})
	whole := frame(t, x, names(500))
	want, err := m.Transform(whole, selector.Both)
	if err != nil {
		t.Fatal(err)
	}
	order := m.Features()
	slices.Reverse(order)
	few := must.Get(whole.Pick(append(order, "gene000", "gene499")[:31]))(t)
	got := must.Get(m.Transform(few, selector.Both))(t)
	if dataset.Hash(got) != dataset.Hash(want) {
		t.Error("30 columns in another order give another table")
	}
	columns := slices.DeleteFunc(order, func(s string) bool { return s == m.Features()[3] || s == m.Features()[17] })
	lacking := must.Get(whole.Pick(columns))(t)
	_, err = m.Transform(lacking, selector.Projection)
	wantError(t, err, m.Features()[3], m.Features()[17], "2 columns", "nearest")
	var missing *dataset.MissingColumnsError
	if !errors.As(err, &missing) || len(missing.Missing) != 2 {
		t.Errorf("got the error %v, want a *dataset.MissingColumnsError with 2 names", err)
	}
}

func TestTransform(t *testing.T) {
	x := sample(6, 20, 8)
	m := fit(t, x, selector.Options{Features: 3, Components: 2})
	class := &dataset.Factor{Levels: []string{"u", "v"}, Codes: make([]int32, 20)}
	f, err := frame(t, x, names(8)).WithClass("sort", class)
	if err != nil {
		t.Fatal(err)
	}
	for output, want := range map[selector.Output][]string{
		"":                  m.Features(),
		selector.Selected:   m.Features(),
		selector.Projection: {"pc1", "pc2"},
		selector.Both:       append(m.Features(), "pc1", "pc2"),
	} {
		out := must.Get(m.Transform(f, output))(t)
		if !slices.Equal(out.Names(), want) || out.ClassName() != "sort" {
			t.Errorf("output %q: columns %q and class %q, want %q and \"sort\"", output, out.Names(), out.ClassName(), want)
		}
	}
	_, err = m.Transform(f, "everything")
	wantError(t, err, `"everything"`)

	// A missing cell matters where components are made, and only there.
	holes := mat.DenseCopyOf(x)
	holes.Set(4, m.Support()[1], math.NaN())
	gap := frame(t, holes, names(8))
	_, err = m.Transform(gap, selector.Projection)
	wantError(t, err, "row 5", m.Features()[1], "impute")
	out := must.Get(m.Transform(gap, selector.Selected))(t)
	if !math.IsNaN(out.Numeric().At(4, 1)) {
		t.Error("the missing cell of a chosen column is lost")
	}
}

// TestComponentNames: a chosen column may be called as a component unless both are wanted.
func TestComponentNames(t *testing.T) {
	x := sample(7, 20, 3)
	s := selector.New(selector.Options{Features: 3, Components: 2, Output: selector.Both})
	wantError(t, s.FitMatrix(context.Background(), x, []string{"a", "pc2", "b"}), `"pc2"`, "rename")
	s.Output = selector.Projection
	must.OK(t, s.FitMatrix(context.Background(), x, []string{"a", "pc2", "b"}))
	z := must.Get(s.Transform(frame(t, x, []string{"a", "pc2", "b"})))(t)
	want := must.Get(s.Model().Project(x))(t)
	if !mat.Equal(z.(*dataset.Frame).Numeric(), want) {
		t.Error("the column pc2 is taken for the component pc2")
	}
}

// TestConstantColumns: a column that differs by rounding alone is listed and not chosen, however
// large its rounding noise is beside the units of the others.
func TestConstantColumns(t *testing.T) {
	n := 20
	x := mat.NewDense(n, 5, nil)
	varying := sample(8, n, 2)
	for i := range n {
		noise := float64(i%3) * 0.0002 // of 10¹²: two units in the last place
		x.SetRow(i, []float64{1e12 + noise, 1e-6 * varying.At(i, 0), 7, 1e-6 * varying.At(i, 1), 0})
	}
	for _, standardize := range []bool{false, true} {
		m := fit(t, x, selector.Options{Features: 2, Components: 1, Standardize: standardize})
		if want := []int{1, 3}; !slices.Equal(m.Support(), want) {
			t.Errorf("standardize %v: chooses %v, want %v", standardize, m.Support(), want)
		}
		if want := []string{"gene000", "gene002", "gene004"}; !slices.Equal(m.Constant(), want) {
			t.Errorf("standardize %v: constant are %v, want %v", standardize, m.Constant(), want)
		}
		all := fit(t, x, selector.Options{Features: 5, Components: 2, Standardize: standardize})
		for _, i := range []int{0, 2, 4} {
			for c := range 2 {
				if v := all.Loadings().At(i, c); v != 0 {
					t.Errorf("standardize %v: constant column %d has the loading %v", standardize, i, v)
				}
			}
			if standardize && all.Scale()[i] != 1 {
				t.Errorf("constant column %d has the scale %v", i, all.Scale()[i])
			}
		}
		z := must.Get(all.Project(x))(t)
		back := must.Get(all.Reconstruct(z))(t)
		for _, v := range back.RawMatrix().Data {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				t.Fatalf("standardize %v: the reconstruction has %v", standardize, v)
			}
		}
	}
	uncentered := fit(t, x, selector.Options{Features: 2, Components: 1, Uncentered: true})
	if want := []int{0, 2}; !slices.Equal(uncentered.Support(), want) {
		t.Errorf("around 0 the columns %v are chosen, want %v", uncentered.Support(), want)
	}
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	b := must.Get(json.Marshal(v))(t)
	return string(b)
}

// TestModelStays: neither its accessors' results nor another fit change a model.
func TestModelStays(t *testing.T) {
	x := sample(9, 20, 8)
	s := selector.New(selector.Options{Features: 4, Components: 2, Standardize: true})
	must.OK(t, s.FitMatrix(context.Background(), x, nil))
	m := s.Model()
	before := asJSON(t, m.Summary())
	sum := m.Summary()
	for _, list := range [][]float64{m.Mean(), m.Scale(), m.ExplainedVariance(), m.ExplainedVarianceRatios(), m.Trace(),
		sum.Mean, sum.Scale, sum.ExplainedVariance, sum.Trace, sum.W[0]} {
		list[0] = 999
	}
	*m.Reconstruction().R2Components, *sum.Reconstruction.MaxCorrelation = 999, 999
	m.Support()[0], sum.Support[0] = 999, 999
	m.Features()[0], sum.Features[0] = "999", "999"
	m.Loadings().Set(0, 0, 999)
	m.Components().Set(0, 0, 999)
	must.OK(t, s.FitMatrix(context.Background(), sample(10, 25, 9), nil))
	if after := asJSON(t, m.Summary()); after != before {
		t.Errorf("the model changed from\n%s\nto\n%s", before, after)
	}
}

// TestConcurrent uses one model from many goroutines; run with -race it also sees shared writes.
func TestConcurrent(t *testing.T) {
	x := sample(11, 400, 30)
	m := fit(t, x, selector.Options{Features: 10, Components: 3})
	f := frame(t, x, names(30))
	want := must.Get(m.Transform(f, selector.Both))(t)
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			_ = m.Summary()
			got, err := m.Transform(f, selector.Both)
			if err != nil || dataset.Hash(got) != dataset.Hash(want) {
				t.Errorf("concurrent Transform differs (error %v)", err)
			}
		})
	}
	wait.Wait()
}
