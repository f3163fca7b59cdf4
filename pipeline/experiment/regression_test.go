package experiment

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/pipeline/config"
)

func TestRegressionMetrics(t *testing.T) {
	m := must.Get(Regression([]float64{1, 2, 3, 6}, []float64{1, 3, 2, 4}))(t)
	// Errors 0 1 1 2 about the mean 3: squares 6 of 14.
	if math.Abs(m.R2-(1-6./14)) > 1e-15 || m.MAE != 1 || math.Abs(m.RMSE-math.Sqrt(1.5)) > 1e-15 || m.Rows != 4 {
		t.Errorf("%+v", m)
	}
	if _, err := Regression(nil, nil); err == nil {
		t.Error("no rows: no error")
	}
	if m, _ := Regression([]float64{2, 2}, []float64{2, 3}); m.R2 != 0 {
		t.Errorf("a constant target: %+v", m)
	}
	// The mean of three tenths is not a tenth.
	if m, _ := Regression([]float64{.1, .1, .1}, []float64{.1, .1, .3}); m.R2 != 0 || m.R2SE != 0 {
		t.Errorf("a constant target with a mean that is rounded: %+v", m)
	}
}

// regressionData are rows whose target y is 3a − b plus a little noise.
func regressionData(t *testing.T) string {
	t.Helper()
	random := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	b.WriteString("a,b,c,y\n")
	for range 120 {
		x := []float64{random.NormFloat64(), random.NormFloat64(), random.NormFloat64()}
		fmt.Fprintf(&b, "%v,%v,%v,%v\n", x[0], x[1], x[2], 3*x[0]-x[1]+.1*random.NormFloat64())
	}
	path := filepath.Join(t.TempDir(), "rows.csv")
	must.OK(t, os.WriteFile(path, []byte(b.String()), 0o666))
	return path
}

func TestRegressionRun(t *testing.T) {
	text := "version: 1\ndata: {source: " + regressionData(t) + ", label: y, task: regression}\nsplit: {folds: 4}\nsteps:\n  - standardize\n  - fspca: {features: 2, components: 1}\n  - %s\n"
	for step, least := range map[string]float64{"ridge": .98, "linear": .98, "knn": .7, "dummy": -.2} {
		c := must.Get(config.Parse("c.yaml", fmt.Appendf(nil, text, step)))(t)
		dir := filepath.Join(t.TempDir(), "out")
		r := must.Get(Run(t.Context(), c, Options{Out: dir}))(t)
		if m := r.AllColumns; m.Metrics != nil || !(m.R2 > least) || m.R2 > 1 || m.Rows != 120 {
			t.Errorf("%s: all columns %+v", step, m.RegressionMetrics)
		}
		if len(r.Data.Classes) != 0 || r.Data.Class != "y" {
			t.Errorf("%s: data %+v", step, r.Data)
		}
		predictions, err := os.ReadFile(filepath.Join(dir, "predictions.csv"))
		if err != nil || !strings.HasPrefix(string(predictions), "row,fold,true,predicted,predicted_all_columns,predicted_dummy,predicted_random_columns,predicted_pca\n1,") || strings.Count(string(predictions), "\n") != 121 {
			t.Errorf("%s: predictions %.200s, %v", step, predictions, err)
		}
		report, err := os.ReadFile(filepath.Join(dir, "report.json"))
		if err != nil || strings.Contains(string(report), "accuracy") || !strings.Contains(string(report), `"r2"`) {
			t.Errorf("%s: report %s, %v", step, report, err)
		}
		manifest, err := os.ReadFile(filepath.Join(dir, "model", "manifest.json"))
		if err != nil || !strings.Contains(string(manifest), `"levels": []`) {
			t.Errorf("%s: manifest %s, %v", step, manifest, err)
		}
	}
	// Without the task, a label of many numbers is refused.
	c := must.Get(config.Parse("c.yaml", fmt.Appendf(nil, strings.Replace(text, ", task: regression", "", 1), "knn")))(t)
	if _, err := Run(t.Context(), c, Options{}); err == nil || !strings.Contains(err.Error(), "120 different numbers in 120 rows: to predict a number, say data.task: regression") {
		t.Errorf("a numeric label without the task: %v", err)
	}
}

// TestRegressionIsOfAnyUnit: the figures of numbers as large or as small as float64 holds are those of
// others, in their unit.
func TestRegressionIsOfAnyUnit(t *testing.T) {
	truth, predicted := []float64{1, -2, 3.5, 0.25, 1.75}, []float64{1.25, -1.5, 3, 0, 2}
	want := must.Get(Regression(truth, predicted))(t)
	for _, exponent := range []int{-1000, -600, 600, 1000} {
		in := func(x []float64) []float64 {
			out := make([]float64, len(x))
			for i, v := range x {
				out[i] = math.Ldexp(v, exponent)
			}
			return out
		}
		got := must.Get(Regression(in(truth), in(predicted)))(t)
		for _, x := range []*float64{&got.MAE, &got.MAESE, &got.RMSE, &got.RMSESE} {
			*x = math.Ldexp(*x, -exponent)
		}
		if *got != *want {
			t.Errorf("2^%d: %+v, want %+v", exponent, *got, *want)
		}
	}
}
