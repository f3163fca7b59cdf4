package selector_test

import (
	"context"
	"math"
	"os"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/selector"
	"github.com/fspca/fspca/solver"
)

func npy(t *testing.T, name string) *mat.Dense {
	t.Helper()
	r := must.Get(os.Open(shared(t, name)))(t)
	defer r.Close()
	return must.Get(dataset.ReadNPY(r, name))(t)
}

// TestPaperData: the normalised explained variance of m = 10 components on 50 columns of the paper's
// data, as a NumPy prototype found it; the paper's figures agree where they can be read.
func TestPaperData(t *testing.T) {
	for _, c := range []struct {
		file, method string
		want         float64
	}{
		{"lymphoma_cov.npy", "go", .3457},
		{"lymphoma_cov.npy", "ipu", .3482},
		{"numerical_numbers.npy", "go", .7212},
		{"numerical_numbers.npy", "ipu", .7212},
		{"nus_wide.npy", "go", .4046},
		{"nus_wide.npy", "ipu", .4070},
	} {
		t.Run(c.file+" "+c.method, func(t *testing.T) {
			x := npy(t, c.file)
			o := selector.Options{Features: 50, Components: 10, Method: c.method, Uncentered: true}
			if c.method == "ipu" {
				o.Effort = "ipu" // the paper's alone
			}
			s := selector.New(o)
			var err error
			if c.file == "lymphoma_cov.npy" {
				var a *mat.SymDense
				if a, err = solver.SymmetricFromDense(x); err == nil {
					err = s.FitCovariance(context.Background(), a, nil)
				}
			} else {
				err = s.FitMatrix(context.Background(), x, nil)
			}
			if err != nil {
				t.Fatal(err)
			}
			m := s.Model()
			if got := m.NormalizedExplainedVariance(); math.Abs(got-c.want) > 0.00006 {
				t.Errorf("normalised explained variance %.5f, want %.4f", got, c.want)
			}
		})
	}
}

// TestTissue: a model of 500 genes projects a table that has its 30 alone.
func TestTissue(t *testing.T) {
	f := must.Get(dataset.Read(shared(t, "tissue_gene_expression.csv.gz"), dataset.ReadOptions{Label: "tissue"}))(t)
	s := selector.New(selector.Options{Features: 30, Components: 5, Output: selector.Projection})
	must.OK(t, s.Fit(f))
	want := must.Get(s.Transform(f))(t)
	few := must.Get(f.Pick(s.Model().Features()))(t)
	got := must.Get(s.Transform(few))(t)
	if s.Model().Columns() != 500 || dataset.Hash(got.(*dataset.Frame)) != dataset.Hash(want.(*dataset.Frame)) {
		t.Errorf("of %d columns, the 30 chosen alone give another projection", s.Model().Columns())
	}
}
