package selector_test

import (
	"bytes"
	"context"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/selector"
	"github.com/fspca/fspca/solver"
)

// TestAlign: a model aligned with itself, whose table has other signs of columns, is the same subspace;
// and its components follow the older ones, in order and sign.
func TestAlign(t *testing.T) {
	for _, criterion := range []string{"variance", "reconstruction"} {
		x := sample(9, 60, 8)
		f := must.Get(dataset.New(nil, x))(t)
		o := selector.Options{Features: 5, Components: 3, Criterion: criterion, Decoder: true}
		old := fittedOn(t, o, f, false)
		o.Align = old
		same := fittedOn(t, o, f, false)
		if a := same.Alignment(); a.Kept != 5 || a.Overlap != 1 || a.Angle > 1e-6 || len(a.Added)+len(a.Removed) > 0 {
			t.Errorf("%s: the alignment with itself is %+v", criterion, a)
		}
		if !mat.EqualApprox(same.Loadings(), old.Loadings(), 1e-12) {
			t.Errorf("%s: aligned with itself a model changes", criterion)
		}

		y := sample(10, 60, 8) // other rows of the same kind, the order of variances changed
		for i := range 60 {
			for j := range 8 {
				y.Set(i, j, x.At(i, j)+0.3*y.At(i, j))
			}
		}
		g, _ := dataset.New(nil, y)
		free := o
		free.Align = nil
		plain, aligned := fittedOn(t, free, g, false), fittedOn(t, o, g, false)
		if math.Abs(plain.Objective()-aligned.Objective()) > 1e-12*plain.Objective() || !slices.Equal(plain.Support(), aligned.Support()) {
			t.Errorf("%s: alignment changes the choice", criterion)
		}
		c := cosines(old, aligned)
		for j := range 3 {
			if c.At(j, j) < 0 {
				t.Errorf("%s: component %d points the other way", criterion, j+1)
			}
		}
		z := must.Get(aligned.Project(mat.DenseCopyOf(y)))(t)
		back := must.Get(aligned.ReconstructAll(z))(t)
		w, _ := plain.Project(y)
		want, _ := plain.ReconstructAll(w)
		if !mat.EqualApprox(back, want, 1e-9) {
			t.Errorf("%s: alignment changes what is rebuilt", criterion)
		}
		var b bytes.Buffer
		must.Get(aligned.WriteTo(&b))(t)
		read := must.Get(selector.ReadModel(&b))(t)
		if a := read.Alignment(); a == nil || a.Angle != aligned.Alignment().Angle {
			t.Errorf("%s: the file loses the alignment: %+v", criterion, a)
		}
	}
}

// cosines are the products of the components of two models of the same columns.
func cosines(a, b *selector.Model) *mat.Dense {
	x, y := mat.NewDense(a.Columns(), 3, nil), mat.NewDense(b.Columns(), 3, nil)
	for i, j := range a.Support() {
		x.SetRow(j, a.Loadings().RawRowView(i))
	}
	for i, j := range b.Support() {
		y.SetRow(j, b.Loadings().RawRowView(i))
	}
	var c mat.Dense
	c.Mul(x.T(), y)
	return &c
}

// TestAlignOrder: components that change places are put back, and a turn by 90 degrees is told.
func TestAlignOrder(t *testing.T) {
	diag := func(v ...float64) *mat.SymDense {
		a := mat.NewSymDense(len(v), nil)
		for i, x := range v {
			a.SetSym(i, i, x)
		}
		return a
	}
	fit := func(a *mat.SymDense, align *selector.Model) *selector.Model {
		s := selector.New(selector.Options{Features: 2, Components: 2, Align: align})
		must.OK(t, s.FitCovariance(context.Background(), a, nil))
		return s.Model()
	}
	old := fit(diag(5, 4, 1), nil)
	swapped := fit(diag(4, 5, 1), old)
	if !mat.Equal(swapped.Loadings(), old.Loadings()) || !slices.Equal(swapped.ExplainedVariance(), []float64{4, 5}) {
		t.Errorf("components that changed places: %v, %v", mat.Formatted(swapped.Loadings()), swapped.ExplainedVariance())
	}
	other := fit(diag(4, 1, 5), old)
	if a := other.Alignment(); a.Angle != 90 || a.Kept != 1 || math.Abs(a.Overlap-1.0/3) > 1e-15 || !slices.Equal(a.Added, []string{"x3"}) || !slices.Equal(a.Removed, []string{"x2"}) {
		t.Errorf("the alignment is %+v", a)
	}
}

// TestWarmStartByName: the columns of an older model are a start wherever they stand, and a model without
// one of them is an error.
func TestWarmStartByName(t *testing.T) {
	x := sample(4, 50, 10)
	f, _ := dataset.New(nil, x)
	exact := fittedOn(t, selector.Options{Features: 4, Components: 2, Effort: "exact"}, f, false)
	names := f.Names()
	slices.Reverse(names)
	g := must.Get(f.Pick(names))(t)
	for _, criterion := range []string{"variance", "reconstruction"} {
		warm := fittedOn(t, selector.Options{Features: 4, Components: 2, WarmStart: exact, Criterion: criterion}, g, false)
		if criterion == "variance" && warm.Objective() < exact.Objective()*(1-1e-10) {
			t.Errorf("%v from a start of %v", warm.Objective(), exact.Objective())
		}
	}
	h, _ := dataset.New([]string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"}, x)
	if err := selector.New(selector.Options{Features: 4, Components: 2, WarmStart: exact}).Fit(h); err == nil {
		t.Error("a model of other columns is a start")
	}
}

// TestNewModel: a solution of the solver makes the model that a fit gives, and what is none is refused.
func TestNewModel(t *testing.T) {
	x := sample(2, 40, 7)
	data := must.Get(solver.NewData(x, solver.DataOptions{}))(t)
	solution := must.Get(solver.Solve(context.Background(), data, solver.Params{Features: 3, Components: 2}))(t)
	f, _ := dataset.New(nil, x)
	want := fittedOn(t, selector.Options{Features: 3, Components: 2}, f, false)
	m := must.Get(selector.NewModel(f.Names(), data.Mean(), nil, solution))(t)
	a, _ := m.Project(x)
	b, _ := want.Project(x)
	if !mat.Equal(a, b) || !slices.Equal(m.Features(), want.Features()) {
		t.Error("the model of a solution projects otherwise than that of a fit")
	}
	var text bytes.Buffer
	must.Get(m.WriteTo(&text))(t)
	read := must.Get(selector.ReadModel(&text))(t)
	if c, _ := read.Project(x); !mat.Equal(a, c) {
		t.Error("saved and read, the model projects otherwise")
	}
	bad := *solution
	bad.Loadings = mat.NewDense(3, 2, []float64{1, 1, 0, 0, 0, 0})
	for what, f := range map[string]func() (*selector.Model, error){
		"nil":           func() (*selector.Model, error) { return selector.NewModel(f.Names(), nil, nil, nil) },
		"too few names": func() (*selector.Model, error) { return selector.NewModel([]string{"a"}, nil, nil, solution) },
		"a name twice": func() (*selector.Model, error) {
			return selector.NewModel([]string{"a", "a", "b", "c", "d", "e", "f"}, nil, nil, solution)
		},
		"a short mean": func() (*selector.Model, error) { return selector.NewModel(f.Names(), []float64{1}, nil, solution) },
		"a scale of 0": func() (*selector.Model, error) {
			return selector.NewModel(f.Names(), nil, make([]float64, 7), solution)
		},
		"NaN": func() (*selector.Model, error) {
			return selector.NewModel(f.Names(), slices.Repeat([]float64{math.NaN()}, 7), nil, solution)
		},
		"not orthonormal": func() (*selector.Model, error) { return selector.NewModel(f.Names(), nil, nil, &bad) },
	} {
		if m, err := f(); err == nil || m != nil {
			t.Errorf("%s: a model without an error", what)
		}
	}
}
