package selector

import (
	"bytes"
	"context"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/internal/oracle"
	"github.com/fspca/fspca/solver"
)

// TestFitStream: the sums of the parts of a table give the model of the table.
func TestFitStream(t *testing.T) {
	ctx := context.Background()
	f := must.Get(dataset.Builtin("digits"))(t)
	n, d := f.Numeric().Dims()
	for _, opt := range []Options{
		{Features: 10, Components: 4}, {Features: 10, Components: 4, Standardize: true},
		{Features: 7, Components: 3, Uncentered: true, Reconstruction: true}, {Features: 5, Components: 2, Effort: "thorough", Decoder: true},
	} {
		all := &solver.Sums{}
		for from := 0; from < n; from += 300 {
			part := mat.DenseCopyOf(f.Numeric().Slice(from, min(n, from+300), 0, d))
			sums, err := solver.Sum(ctx, matrixRows{part}, solver.SumOptions{Form: true, Uncentered: opt.Uncentered})
			if err == nil {
				err = all.Merge(sums)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		a := must.Get(all.Covariance(nil))(t)
		got, want := New(opt), New(opt)
		must.OK(t, got.FitStream(ctx, a, f.NumericNames(), f.Reading()))
		x, err := f.Pick(f.NumericNames())
		if err == nil {
			err = want.Fit(x)
		}
		if err != nil {
			t.Fatal(err)
		}
		sameFiles(t, got.Model(), want.Model())
	}
	var none *solver.Stream
	for _, bad := range []Options{{Features: 2, Components: 1, Bootstrap: 3}, {Features: 2, ParallelAnalysis: true}, {Features: 2, Components: 1}} {
		if err := New(bad).FitStream(ctx, none, nil, dataset.Reading{}); err == nil {
			t.Errorf("%+v: no error", bad)
		}
		if err := CheckColumns([]string{"a", "b", "c"}, bad); (err == nil) != (bad.Bootstrap == 0 && !bad.ParallelAnalysis) {
			t.Errorf("%+v: got %v", bad, err)
		}
	}
}

// sameFiles compares the files of two models: their numbers up to 1e-9.
func sameFiles(t *testing.T, got, want *Model) {
	t.Helper()
	var texts [2]bytes.Buffer
	for i, m := range []*Model{got, want} {
		must.Get(m.WriteTo(&texts[i]))(t)
	}
	if at := oracle.Difference("model", texts[0].Bytes(), texts[1].Bytes()); at != "" {
		t.Error(at)
	}
}
