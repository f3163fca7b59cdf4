package transformer_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/transformer"
)

var nan = math.NaN()

// column is a column of a test table: numbers, or texts in which "" is missing.
type column struct {
	name    string
	numbers []float64
	texts   []string
}

// table builds a frame; levels stand in the order of their first row.
func table(t *testing.T, cols ...column) *dataset.Frame {
	t.Helper()
	var out []dataset.Column
	var numeric [][]float64
	n := 0
	for _, c := range cols {
		n = max(len(c.numbers), len(c.texts))
		dc := dataset.Column{Name: c.name}
		if c.texts != nil {
			dc.Factor = factor(c.texts)
		} else {
			numeric = append(numeric, c.numbers)
		}
		out = append(out, dc)
	}
	var x *mat.Dense
	if numeric != nil {
		x = mat.NewDense(n, len(numeric), nil)
		for j, c := range numeric {
			x.SetCol(j, c)
		}
	}
	return must.Get(dataset.Assemble(x, out, "", nil))(t)
}

func factor(texts []string) *dataset.Factor {
	f := &dataset.Factor{}
	codes := map[string]int32{"": dataset.Missing}
	for _, s := range texts {
		code, ok := codes[s]
		if !ok {
			code = int32(len(f.Levels))
			codes[s] = code
			f.Levels = append(f.Levels, s)
		}
		f.Codes = append(f.Codes, code)
	}
	return f
}

// wantTable compares a frame with columns, numbers up to rounding.
func wantTable(t *testing.T, grid any, want ...column) {
	t.Helper()
	f, ok := grid.(*dataset.Frame)
	if !ok {
		t.Fatalf("got a %T, want a *dataset.Frame", grid)
	}
	var got []column
	next := 0
	for _, c := range f.Columns() {
		g := column{name: c.Name}
		if c.Factor == nil {
			g.numbers = mat.Col(nil, next, f.Numeric())
			next++
		} else {
			for i := range f.Rows() {
				g.texts = append(g.texts, c.Factor.Text(i))
			}
		}
		got = append(got, g)
	}
	opts := cmp.Options{cmp.AllowUnexported(column{}), cmpopts.EquateNaNs(), cmpopts.EquateApprox(1e-15, 0), cmpopts.EquateEmpty()}
	if diff := cmp.Diff(want, got, opts); diff != "" {
		t.Errorf("columns differ (-want +got):\n%s", diff)
	}
}

// apply fits on train and transforms rows.
func apply(t *testing.T, s transformer.Transformer, train, rows *dataset.Frame) any {
	t.Helper()
	must.OK(t, s.Fit(train))
	return must.Get(s.Transform(rows))(t)
}
