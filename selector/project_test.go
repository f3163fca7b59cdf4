package selector_test

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/selector"
)

// TestProject compares with W as a textbook uses it, and checks that a row alone, a batch, the chosen
// columns and all columns give the same bits.
func TestProject(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := drawSample(t)
		n, d := x.Dims()
		opt := drawOptions(t, d)
		m := fit(t, x, opt)
		y := mat.DenseCopyOf(x)
		for i, j := range m.Support() {
			for r := range n {
				v := x.At(r, j)
				if mean := m.Mean(); mean != nil {
					v -= mean[i]
				}
				if scale := m.Scale(); scale != nil {
					v /= scale[i]
				}
				y.Set(r, j, v)
			}
		}
		var want mat.Dense
		want.Mul(y, m.Components())
		got := must.Get(m.Project(x))(t)
		if !near(got, &want, 1e-12) {
			t.Fatalf("projection differs:\n%v\nwant\n%v", mat.Formatted(got), mat.Formatted(&want))
		}
		chosen := mat.NewDense(n, opt.Features, nil)
		for i, j := range m.Support() {
			chosen.SetCol(i, mat.Col(nil, j, x))
		}
		batch := must.Get(m.Project(chosen))(t)
		row := make([]float64, opt.Components)
		for r := range n {
			must.OK(t, m.ProjectRow(row, chosen.RawRowView(r)))
			if !slices.Equal(row, got.RawRowView(r)) || !slices.Equal(row, batch.RawRowView(r)) {
				t.Fatalf("row %d: alone %v, in a batch %v, from all columns %v", r, row, batch.RawRowView(r), got.RawRowView(r))
			}
		}
	})
}

// TestProjectMany takes the path of many rows, on several goroutines.
func TestProjectMany(t *testing.T) {
	x := sample(3, 5000, 20)
	m := fit(t, x, selector.Options{Features: 15, Components: 6})
	z := must.Get(m.Project(x))(t)
	row, dst := make([]float64, 15), make([]float64, 6)
	for i := range 5000 {
		for at, j := range m.Support() {
			row[at] = x.At(i, j)
		}
		must.OK(t, m.ProjectRow(dst, row))
		if !slices.Equal(dst, z.RawRowView(i)) {
			t.Fatalf("row %d: %v, want %v", i, z.RawRowView(i), dst)
		}
	}
	if allocs := testing.AllocsPerRun(100, func() { _ = m.ProjectRow(dst, row) }); allocs != 0 {
		t.Errorf("ProjectRow allocates %v times", allocs)
	}
}

// TestProjectLargeMean: digits that a mean of 10⁹ standard deviations would cost are kept.
func TestProjectLargeMean(t *testing.T) {
	x := sample(4, 30, 6)
	for i := range 30 {
		for j := range 6 {
			x.Set(i, j, math.Round(x.At(i, j)*1024)/1024) // exact after the shift
		}
	}
	moved := mat.NewDense(30, 6, nil)
	moved.Apply(func(_, _ int, v float64) float64 { return v + 1<<30 }, x)
	opt := selector.Options{Features: 4, Components: 2}
	a, b := fit(t, x, opt), fit(t, moved, opt)
	za := must.Get(a.Project(x))(t)
	zb := must.Get(b.Project(moved))(t)
	if !slices.Equal(a.Support(), b.Support()) || !near(zb, za, 1e-6) {
		t.Errorf("supports %v and %v, projections\n%v\n%v", a.Support(), b.Support(), mat.Formatted(za), mat.Formatted(zb))
	}
}

// TestReconstruct: with k = m nothing is lost, and otherwise the residual is orthogonal to the
// components.
func TestReconstruct(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := drawSample(t)
		n, d := x.Dims()
		opt := drawOptions(t, d)
		m := fit(t, x, opt)
		z := must.Get(m.Project(x))(t)
		back := must.Get(m.Reconstruct(z))(t)
		again := must.Get(m.Project(back))(t)
		if !near(again, z, 1e-11) {
			t.Fatal("the reconstruction projects to other components")
		}
		if opt.Features == opt.Components {
			chosen := mat.NewDense(n, opt.Features, nil)
			for i, j := range m.Support() {
				chosen.SetCol(i, mat.Col(nil, j, x))
			}
			if !near(back, chosen, 1e-11) {
				t.Fatal("with k = m the reconstruction is not the chosen columns")
			}
		}
	})
}

func TestProjectErrors(t *testing.T) {
	m := fit(t, sample(1, 20, 6), selector.Options{Features: 3, Components: 2})
	_, err := m.Project(mat.NewDense(2, 4, nil))
	wantError(t, err, "4 columns", "k = 3", "d = 6")
	_, err = m.Project(&mat.Dense{})
	wantError(t, err, "empty")
	_, err = m.Project(nil)
	wantError(t, err, "nil")
	_, err = m.Reconstruct(nil)
	wantError(t, err, "nil")
	_, err = m.Reconstruct(mat.NewDense(2, 3, nil))
	wantError(t, err, "2×3", "m = 2")
	wantError(t, m.ProjectRow(make([]float64, 2), make([]float64, 4)), "4 cells", "k = 3")
	wantError(t, m.ProjectRow(make([]float64, 1), make([]float64, 3)), "1 components", "m = 2")
}
