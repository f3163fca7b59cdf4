package transformer_test

import (
	"math"
	"testing"

	"github.com/fspca/fspca/transformer"
)

func TestImpute(t *testing.T) {
	train := table(t,
		column{name: "a", numbers: []float64{1, 2, 2, nan, 9, 10}},
		column{name: "b", numbers: []float64{3, 1, 3, 1, nan, nan}}, // a tie: the least
		column{name: "c", texts: []string{"red", "blue", "blue", "", "red", ""}},
	)
	rows := table(t,
		column{name: "c", texts: []string{"", "green"}},
		column{name: "b", numbers: []float64{nan, 5}},
		column{name: "a", numbers: []float64{nan, nan}},
	)
	for _, c := range []struct {
		step transformer.Impute
		a, b float64
		c    string
	}{
		{transformer.Impute{}, 4.8, 2, ""},
		{transformer.Impute{Strategy: transformer.Mean}, 4.8, 2, ""},
		{transformer.Impute{Strategy: transformer.Median}, 2, 2, ""},
		{transformer.Impute{Strategy: transformer.MostFrequent}, 2, 1, "red"},
		{transformer.Impute{Strategy: transformer.Fixed, Value: -1}, -1, -1, ""},
		{transformer.Impute{Strategy: transformer.Fixed, Level: "none"}, 0, 0, "none"},
	} {
		wantTable(t, apply(t, &c.step, train, rows),
			column{name: "a", numbers: []float64{c.a, c.a}},
			column{name: "b", numbers: []float64{c.b, 5}},
			column{name: "c", texts: []string{c.c, "green"}})
	}
}

// TestImputeMedian: of an even number of cells, the mean of the middle two, at any scale.
func TestImputeMedian(t *testing.T) {
	for _, c := range []struct {
		cells []float64
		want  float64
	}{
		{[]float64{1, 2, 4, 8, nan}, 3},
		{[]float64{5e-324, 5e-324, nan}, 5e-324},
		{[]float64{1.6e308, 1.6e308, nan}, 1.6e308},
		{[]float64{7, nan}, 7},
	} {
		f := table(t, column{name: "a", numbers: c.cells})
		out := apply(t, &transformer.Impute{Strategy: transformer.Median}, f, f)
		want := append([]float64{}, c.cells...)
		want[len(want)-1] = c.want
		wantTable(t, out, column{name: "a", numbers: want})
	}
}

func TestImputeErrors(t *testing.T) {
	empty := table(t,
		column{name: "a", numbers: []float64{nan, nan}},
		column{name: "b", numbers: []float64{1, 2}},
		column{name: "c", texts: []string{"", ""}},
	)
	wantError(t, (&transformer.Impute{}).Fit(empty), `"a"`, "mean", "drop", "constant")
	wantError(t, (&transformer.Impute{Strategy: transformer.MostFrequent}).Fit(empty), `"a"`, `"c"`, "most_frequent")
	if err := (&transformer.Impute{Strategy: transformer.Fixed, Level: "x"}).Fit(empty); err != nil {
		t.Errorf("a constant needs no cell: %v", err)
	}
	wantError(t, (&transformer.Impute{Strategy: "mode"}).Fit(empty), `"mode"`, "most_frequent", "median")
	wantError(t, (&transformer.Impute{Strategy: transformer.Fixed, Value: math.Inf(1)}).Fit(empty), "+Inf", "finite")
	wantError(t, (&transformer.Impute{Strategy: transformer.Median, Value: 3}).Fit(empty), "constant", "value")
	wantError(t, (&transformer.Impute{Strategy: transformer.Fixed, Level: "\xff"}).Fit(empty), "UTF-8")
}
