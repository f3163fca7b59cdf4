package experiment

import (
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/pipeline"
)

// The keys of the search reach the selector, and what they ask for is in the
// report.
func TestSearchKeys(t *testing.T) {
	plain := ran(t, parsed(t, wineConfig), "").Selection
	if plain.Proved || !(plain.Gap > 0) || math.Abs(plain.UpperBound/plain.Objective-1-plain.Gap) > 1e-12 {
		t.Fatalf("by default the selection has %+v", plain)
	}
	c := parsed(t, wineConfig, "steps.fspca.effort=exact", "steps.fspca.deadline=1m", "steps.fspca.memory_limit=64")
	r := ran(t, c, "")
	exact := r.Selection
	if !exact.Proved || exact.Status != "proved" || exact.Objective < plain.Objective || exact.Objective > plain.UpperBound {
		t.Errorf("with effort: exact the selection is %+v, by default %+v", exact, plain)
	}
	if opt := r.Pipeline.Selector().Model().Options(); opt.Deadline != time.Minute || opt.MemoryLimit != 64<<20 || opt.Effort != "exact" {
		t.Errorf("the model's options are %+v", opt)
	}

	c = parsed(t, wineConfig, "steps.fspca.include=[ash, hue]", "steps.fspca.exclude=["+exact.Features[0]+"]")
	s := ran(t, c, "").Selection
	if !slices.Contains(s.Features, "ash") || !slices.Contains(s.Features, "hue") || slices.Contains(s.Features, exact.Features[0]) {
		t.Errorf("include: [ash, hue] and exclude: [%s] give %v", exact.Features[0], s.Features)
	}

	c = parsed(t, wineConfig, "steps.fspca.include=[asch, hue]")
	if _, err := Run(t.Context(), c, Options{}); err == nil {
		t.Error("a column that is not there can be included")
	} else {
		for _, want := range []string{"step 2 (fspca)", `"asch"`, `"ash"`} {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("the error does not say %s: %v", want, err)
			}
		}
	}
}

// The draws of bootstrap are made for the saved model alone.
func TestBootstrapKey(t *testing.T) {
	for _, split := range []string{"split={test: 0.3}", "split={folds: 3}"} {
		r := ran(t, parsed(t, wineConfig, split, "steps.fspca.bootstrap=15"), "")
		s := r.Selection.Stability
		if s == nil || s.Replicates != 15 || len(s.Columns) < 8 {
			t.Errorf("%s: stability %+v", split, s)
		}
		var b strings.Builder
		if err := r.WriteSummary(&b); err != nil || !strings.Contains(b.String(), "in 15 draws of the rows") {
			t.Errorf("%s: error %v, summary\n%s", split, err, &b)
		}
	}
}

func TestMeasureOnly(t *testing.T) {
	c := parsed(t, wineConfig, "steps.fspca.bootstrap=15")
	p := must.Get(c.Pipeline())(t)
	p = must.Get(pipeline.New(measureOnly(p.Steps)...))(t)
	if fitted(t, p, builtinFrame(t, "wine")).Selector().Model().Stability() != nil {
		t.Error("the draws were made")
	}
}

// The defaults that the schema states are what the absence of a key means: a
// config with all of them written out gives the same predictions.
func TestDefaultsAreWhatAbsenceMeans(t *testing.T) {
	for _, last := range []string{"logistic", "knn", "decision_tree"} {
		text := fmt.Sprintf(`version: 1
data: {source: ../../configs/data/machines.csv, label: state, missing: [NA, unknown], drop: [machine]}
split: {test: 0.25}
steps:
  - constant
  - impute
  - impute: {strategy: most_frequent}
  - onehot
  - standardize
  - fspca: {features: 8, components: 3}
  - %s
`, last)
		c := parsed(t, text)
		full := c.Resolve()
		if diff := cmp.Diff(full, full.Resolve()); diff != "" {
			t.Errorf("resolved twice is not resolved once:\n%s", diff)
		}
		if err := full.Check(); err != nil {
			t.Errorf("the resolved config is refused: %v", err)
		}
		if c.Split.Stratify != nil || c.Data.Header != nil || c.Steps[5].Options.(*pipeline.FSPCAStep).Method != "" {
			t.Error("Resolve changed its receiver")
		}
		if s := full.Steps[5].Options.(*pipeline.FSPCAStep); s.Method != "ipu" || s.MaxIterations != 100 || s.Center == nil || !*s.Center {
			t.Errorf("the resolved step is %+v", s)
		}
		dir := t.TempDir()
		ran(t, c, filepath.Join(dir, "a"))
		ran(t, full, filepath.Join(dir, "b"))
		a, b := contents(t, filepath.Join(dir, "a")), contents(t, filepath.Join(dir, "b"))
		if a[predictionsName] != b[predictionsName] {
			t.Errorf("%s: with its defaults written out the config predicts otherwise", last)
		}
		for _, files := range []map[string]string{a, b} { // the saved options differ, and with them this
			files[reportName] = regexp.MustCompile(`"manifest_hash": "[^"]*"`).ReplaceAllString(files[reportName], "")
		}
		if a[reportName] != b[reportName] {
			t.Errorf("%s: the reports differ", last)
		}
	}
}
