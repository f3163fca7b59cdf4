package selector_test

import (
	"bytes"
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/selector"
)

// TestDecoder: R² of the rows of the fit is that of the components, a row alone gives what it gives in a
// batch, m = k gives the chosen columns back, and a saved model rebuilds the same bits.
func TestDecoder(t *testing.T) {
	x := sample(41, 40, 12)
	for i := range 40 {
		x.Set(i, 6, 7) // constant
	}
	for _, opt := range []selector.Options{
		{Features: 4, Components: 4, Criterion: "reconstruction"},
		{Features: 4, Components: 2, Criterion: "reconstruction", Standardize: true},
		{Features: 4, Components: 2, Standardize: true, Exclude: []string{"gene003"}},
		{Features: 4, Components: 4, Uncentered: true},
	} {
		opt.Decoder = true
		m := fit(t, x, opt)
		z := must.Get(m.Project(x))(t)
		all := must.Get(m.ReconstructAll(z))(t)
		columns := m.Rebuilt()
		if want := 12 - len(opt.Exclude); len(columns) != want {
			t.Fatalf("%d columns are rebuilt, want %d", len(columns), want)
		}
		if j := slices.Index(columns, "gene006"); !opt.Uncentered && all.At(3, j) != 7 {
			t.Errorf("the constant column is rebuilt as %v", all.At(3, j))
		}
		for i := range 40 {
			one, err := m.ReconstructAll(z.Slice(i, i+1, 0, opt.Components).(*mat.Dense))
			if err != nil || !mat.Equal(one, all.Slice(i, i+1, 0, len(columns))) {
				t.Fatalf("row %d alone is rebuilt differently (%v)", i, err)
			}
			for p, j := range m.Support() {
				at := slices.Index(columns, m.Features()[p])
				if d := math.Abs(all.At(i, at) - x.At(i, j)); opt.Components == 4 && d > 1e-9*(1+math.Abs(x.At(i, j))) {
					t.Errorf("m = k: %q in row %d comes back %v off", m.Features()[p], i, d)
				}
			}
		}
		f := must.Get(dataset.New(names(12), x))(t)
		e := must.Get(m.Evaluate(f))(t)
		if math.Abs(*e.R2-*m.Reconstruction().R2Components) > 1e-9 || len(e.Residuals) != 40 || len(e.Columns) != len(columns) {
			t.Errorf("R² of the rows of the fit %v, of the fit %v", *e.R2, *m.Reconstruction().R2Components)
		}
		var b bytes.Buffer
		must.Get(m.WriteTo(&b))(t)
		read := must.Get(selector.ReadModel(&b))(t)
		if again, err := read.ReconstructAll(z); err != nil || !mat.Equal(again, all) {
			t.Errorf("the saved model rebuilds other numbers (%v)", err)
		}
	}
	bare := fit(t, x, selector.Options{Features: 4, Components: 2})
	if _, err := bare.ReconstructAll(mat.NewDense(1, 2, nil)); !errors.Is(err, selector.ErrNoDecoder) {
		t.Errorf("error %v, want ErrNoDecoder", err)
	}
}

// TestRidge: with m = k the decoder is ridge regression of every column on the chosen ones.
func TestRidge(t *testing.T) {
	const ridge = 0.3
	x := sample(43, 25, 6)
	m := fit(t, x, selector.Options{Features: 3, Components: 3, Criterion: "reconstruction", Decoder: true, Ridge: ridge})
	a := moment(x, selector.Options{})
	s := m.Support()
	g, b := mat.NewDense(3, 3, nil), mat.NewDense(3, 6, nil)
	for p, i := range s {
		for q, j := range s {
			g.Set(p, q, a.At(i, j))
		}
		g.Set(p, p, (1+ridge)*a.At(i, i))
		for j := range 6 {
			b.Set(p, j, a.At(i, j))
		}
	}
	var beta mat.Dense
	must.OK(t, beta.Solve(g, b))
	z := must.Get(m.Project(x))(t)
	all := must.Get(m.ReconstructAll(z))(t)
	mean := lists.Make(6, func(j int) float64 { return mat.Sum(x.ColView(j)) / 25 })
	for i := range 25 {
		for j := range 6 {
			want := mean[j]
			for p, c := range s {
				want += (x.At(i, c) - mean[c]) * beta.At(p, j)
			}
			if math.Abs(all.At(i, j)-want) > 1e-9*(1+math.Abs(want)) {
				t.Fatalf("row %d, column %d: %v, by ridge regression %v", i, j, all.At(i, j), want)
			}
		}
	}
	if err := selector.New(selector.Options{Features: 2, Components: 1, Ridge: 1}).FitMatrix(context.Background(), x, nil); err == nil {
		t.Error("no error for a ridge without a decoder")
	}
}
