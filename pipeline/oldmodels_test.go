package pipeline

import (
	"encoding/csv"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/fspca/fspca/internal/must"
)

// Models that were saved before CART and before the tolerance of logistic bounded
// the objective predict as they did: the decision_tree is one of golearn's ID3.
// The folders were written by the program of then, from the 13 columns of wine.
func TestOldClassifiersPredictAsBefore(t *testing.T) {
	wine := builtinFrame(t, "wine")
	for _, kind := range []string{"tree", "logistic"} {
		dir := filepath.Join("testdata", "model-v1-"+kind)
		p := must.Get(LoadDir(filepath.Join(dir, "model")))(t)
		text := must.Get(os.ReadFile(filepath.Join(dir, "predictions.csv")))(t)
		lines, err := csv.NewReader(strings.NewReader(string(text))).ReadAll()
		if err != nil || len(lines) < 50 {
			t.Fatalf("%d lines, %v", len(lines), err)
		}
		got := must.Get(p.PredictFrame(wine))(t)
		for _, line := range lines[1:] {
			row, _ := strconv.Atoi(line[0])
			if class := got.Predicted.Text(row - 1); class != line[3] {
				t.Errorf("%s: row %d is predicted as %s, and was as %s", kind, row, class, line[3])
			}
			for c := range 3 {
				if v, _ := strconv.ParseFloat(line[4+c], 64); math.Abs(v-got.Probabilities.At(row-1, c)) > 1e-12 {
					t.Errorf("%s, row %d, class %d: probability %v, and was %v", kind, row, c+1, got.Probabilities.At(row-1, c), v)
				}
			}
		}
		// Saved again and loaded, it is the same.
		again := filepath.Join(t.TempDir(), "model")
		must.OK(t, p.SaveDir(again))
		loaded := must.Get(LoadDir(again))(t)
		if answers(t, loaded, wine) != answers(t, p, wine) {
			t.Errorf("%s: saved again it predicts otherwise", kind)
		}
	}
}
