package beam_test

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/fspca/fspca/beam"
	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/selector"
)

// TestReal: tables of few rows and many columns, in 7 shards, give the choice of the whole.
func TestReal(t *testing.T) {
	for _, c := range []struct{ file, label string }{{"tissue_gene_expression.csv.gz", "tissue"}, {"golub.csv.gz", "class"}} {
		path := filepath.Join("../../shared/data", c.file)
		if _, err := os.Stat(path); err != nil {
			t.Skipf("%s is not here", path)
		}
		f := must.Get(dataset.Read(path, dataset.ReadOptions{Label: c.label}))(t)
		in := beam.Table{Shards: []string{filepath.Join(cut(t, f, 7, ".csv"), "*.csv")}, Read: dataset.ReadOptions{Label: c.label}}
		for _, opt := range []selector.Options{{Features: 30, Components: 5}, {Features: 30, Components: 5, Standardize: true}} {
			got, want := fit(t, in, beam.Options{}, opt), inMemory(t, f, opt)
			if !slices.Equal(got.Features(), want.Features()) || math.Abs(got.Objective()-want.Objective()) > 1e-9*want.Objective() {
				t.Errorf("%s: %v %v, want %v %v", c.file, got.Features(), got.Objective(), want.Features(), want.Objective())
			}
		}
	}
}
