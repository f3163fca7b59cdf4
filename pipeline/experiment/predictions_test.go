package experiment

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/pipeline"
)

// TestPredictionsAsPredict: a run of one test part writes what predict writes for the same rows with the model that
// it saves, cell for cell. Numbers have one text, whatever their size, and names of rows that are called "row" take
// the place of the numbers in both.
func TestPredictionsAsPredict(t *testing.T) {
	for _, id := range []string{"name", "row"} {
		for step, task := range map[string]string{"linear": "regression", "logistic": "classification"} {
			var b strings.Builder
			b.WriteString(id + ",a,b,c,y\n")
			random := newRandom(3)
			for i := range 80 {
				x := []float64{random.NormFloat64(), random.NormFloat64(), random.NormFloat64()}
				y := fmt.Sprint((x[0] - x[1]) * 1e-5)
				if task == "classification" {
					y = fmt.Sprint(x[0] > x[1])
				}
				fmt.Fprintf(&b, "r%d,%v,%v,%v,%s\n", i, x[0], x[1], x[2]*1e-4, y)
			}
			dir := t.TempDir()
			source, out := filepath.Join(dir, "rows.csv"), filepath.Join(dir, "out")
			must.OK(t, os.WriteFile(source, []byte(b.String()), 0o666))
			c := parsed(t, fmt.Sprintf("version: 1\ndata: {source: %q, label: y, id: %s, task: %s}\nsplit: {test: 0.4}\nsteps: [standardize, fspca: {features: 2, components: 2}, %s: {%s}]\n",
				source, id, task, step, map[string]string{"logistic": "l2: 1e-5"}[step]))
			ran(t, c, out)

			model := must.Get(pipeline.LoadDir(filepath.Join(out, "model")))(t)
			rows := must.Get(dataset.Read(source, dataset.ReadOptions{ID: id, Label: "y"}))(t)
			p := must.Get(model.PredictContext(t.Context(), rows))(t)
			var predicted strings.Builder
			must.OK(t, dataset.WriteCSV(&predicted, must.Get(p.Table(rows, rows.Class(), 1))(t)))
			want := must.Get(csv.NewReader(strings.NewReader(predicted.String())).ReadAll())(t)
			got := must.Get(csv.NewReader(strings.NewReader(string(read(t, filepath.Join(out, "predictions.csv"))))).ReadAll())(t)
			checkSameCells(t, got, want)
		}
	}
}

// checkSameCells compares the columns that two files share, of the rows whose names the first has.
func checkSameCells(t *testing.T, got, want [][]string) {
	t.Helper()
	if !slices.Contains(got[0], "predicted") || len(got) < 20 {
		t.Fatalf("%d lines, %q", len(got), got[0])
	}
	for j, name := range want[0] {
		at := slices.Index(got[0], name)
		if at < 0 || slices.Contains(got[0][at+1:], name) {
			t.Errorf("want one column %q, got %q", name, got[0])
			continue
		}
		for _, line := range got[1:] {
			i := slices.IndexFunc(want, func(l []string) bool { return l[0] == line[0] })
			if i < 0 || line[at] != want[i][j] {
				t.Errorf("%s of %s: got %q, predict gives %q", name, line[0], line[at], want[max(i, 0)][j])
			}
		}
	}
}
