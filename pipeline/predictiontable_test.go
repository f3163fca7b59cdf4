package pipeline

import (
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/must"
)

// Two blocks of rows give the lines that the whole gives.
func TestPredictionTable(t *testing.T) {
	rows := must.Get(dataset.Builtin("iris"))(t)
	n := rows.Rows()
	part := func(from, to int) *dataset.Frame {
		at := make([]int, to-from)
		codes := make([]int32, to-from)
		x := mat.NewDense(to-from, 2, nil)
		for i := range at {
			at[i], codes[i] = from+i, int32((from+i)%2)
			x.Set(i, int(codes[i]), 1)
		}
		p := &Prediction{Predicted: &dataset.Factor{Levels: []string{"a", "b"}, Codes: codes}, Probabilities: x}
		return must.Get(p.Table(rows.Subset(at), rows.Subset(at).Class(), from+1))(t)
	}
	text := func(f *dataset.Frame) string {
		var b strings.Builder
		must.OK(t, dataset.WriteCSV(&b, f))
		return b.String()
	}
	_, second, _ := strings.Cut(text(part(40, n)), "\n")
	if whole := text(part(0, n)); whole != text(part(0, 40))+second || !strings.HasPrefix(whole, "row,true,predicted,p_a,p_b\n1,setosa,a,1,0\n") {
		t.Errorf("got %s", whole)
	}
	for _, p := range []*Prediction{nil, {}, {Values: make([]float64, 3)}, {Values: []float64{}}, {Probabilities: mat.NewDense(n, 2, nil)}, {Values: make([]float64, n), Probabilities: mat.NewDense(n, 2, nil)}} {
		if table, err := p.Table(rows, nil, 1); err == nil {
			t.Errorf("%+v gives %v", p, table)
		}
	}
}

// A true class is written as the model writes it, so that equal classes are equal texts.
func TestTrueClasses(t *testing.T) {
	rows := must.Get(dataset.ReadCSV(strings.NewReader("a,y\n1,0.0\n2,+1\n3,2\n4,\n"), "t.csv", dataset.ReadOptions{Categorical: []string{"y"}}))(t)
	truth, x := rows.Factor("y"), mat.NewDense(4, 2, []float64{1, 0, 0, 1, 1, 0, 1, 0})
	p := &Prediction{Predicted: &dataset.Factor{Levels: []string{"0", "1"}, Codes: []int32{0, 1, 0, 0}}, Probabilities: x}
	table := must.Get(p.Table(rows, truth, 1))(t)
	for i, want := range []string{"0", "1", "2", ""} {
		if got := table.Factor("true").Text(i); got != want {
			t.Errorf("row %d: got %q, want %q", i+1, got, want)
		}
	}
	if truth.Levels[0] != "0.0" {
		t.Errorf("the labels were changed: %q", truth.Levels)
	}
}
