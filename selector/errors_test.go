package selector

import (
	"context"
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/solver"
)

// TestErrorsTellApart: errors.As tells a k above d from an unknown method, missing
// columns from missing cells, and names the field that is wrong.
func TestErrorsTellApart(t *testing.T) {
	x := mat.NewDense(4, 3, []float64{1, 2, 5, 2, 1, 7, 3, 5, 1, 4, 4, 2})
	names := []string{"a", "b", "c"}
	fields := map[string]Options{
		"Features":   {Features: 4, Components: 1},
		"Components": {Features: 2},
		"Method":     {Features: 2, Components: 1, Method: "ipo"},
		"Effort":     {Features: 2, Components: 1, Effort: "great"},
		"Init":       {Features: 2, Components: 1, Init: "here"},
		"Restarts":   {Features: 2, Components: 1, Restarts: -1},
		"Include":    {Features: 1, Components: 1, Include: []string{"a", "b"}},
		"Exclude":    {Features: 2, Components: 1, Include: []string{"a"}, Exclude: []string{"a"}},
	}
	for field, o := range fields {
		err := New(o).FitMatrix(context.Background(), x, names)
		var wrong *solver.ParamError
		if !errors.As(err, &wrong) || wrong.Field != field || wrong.Want == "" {
			t.Errorf("%s: got %v (%+v)", field, err, wrong)
		}
	}
	var missing *dataset.MissingColumnsError
	var cells *dataset.MissingCellsError
	err := New(Options{Features: 2, Components: 1, Include: []string{"zz"}}).FitMatrix(context.Background(), x, names)
	if !errors.As(err, &missing) || errors.As(err, &cells) || missing.Missing[0] != "zz" {
		t.Errorf("a missing column: got %v", err)
	}
	x.Set(1, 1, math.NaN())
	err = New(Options{Features: 2, Components: 1}).FitMatrix(context.Background(), x, names)
	if !errors.As(err, &cells) || errors.As(err, &missing) {
		t.Errorf("a missing cell: got %v", err)
	}
}
