package pipeline

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"
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
	if _, err := Run(t.Context(), c, RunOptions{}); err == nil {
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
	p, err := parsed(t, wineConfig, "steps.fspca.bootstrap=15").Pipeline()
	if err != nil {
		t.Fatal(err)
	}
	p.measureOnly()
	if fitted(t, p, builtinFrame(t, "wine")).Selector().Model().Stability() != nil {
		t.Error("the draws were made")
	}
}
