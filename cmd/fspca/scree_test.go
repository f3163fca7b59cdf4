package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/selector"
)

// TestScree: text, JSON, model file and picture hold the same variances and the same level.
func TestScree(t *testing.T) {
	data := must.Get(filepath.Abs("../../dataset/builtin/wine.csv"))(t)
	t.Chdir(t.TempDir())
	fit := []string{"fit", data, "--label", "cultivar", "-k", "5", "--standardize", "--force"}
	do := func(args ...string) string {
		t.Helper()
		code, out, stderr := quiet(append(fit, args...)...)
		if code != 0 {
			t.Fatalf("%v: %s", args, stderr)
		}
		return out
	}
	screeOf := func(text string) *selector.Scree {
		t.Helper()
		var s struct{ Scree *selector.Scree }
		must.OK(t, json.Unmarshal([]byte(text), &s))
		if s.Scree == nil || len(s.Scree.Variances) != 13 {
			t.Fatalf("the scree is %+v, want 13 variances", s.Scree)
		}
		return s.Scree
	}
	plain := screeOf(do("-m", "2", "--json"))
	if plain.Shuffled != nil || plain.Components != 0 {
		t.Errorf("parallel analysis that nobody asked for: %+v", plain)
	}
	reported := screeOf(do("-m", "2", "--report", "r.html", "--json"))
	asked := screeOf(do("--parallel-analysis", "-o", "m.json", "--report", "p.html", "--json"))
	model := must.Get(os.ReadFile("m.json"))(t)
	if got := screeOf(string(model)); fmt.Sprint(got) != fmt.Sprint(asked) {
		t.Errorf("the model holds %v, --json %v", got, asked)
	}
	for name, s := range map[string]*selector.Scree{"r.html": reported, "p.html": asked} {
		page := must.Get(os.ReadFile(name))(t)
		if len(s.Shuffled) != len(s.Variances) || s.Components != 3 {
			t.Errorf("%s: %+v, want a level for each variance and 3 components", name, s)
			continue
		}
		for j, v := range s.Variances {
			row := fmt.Sprintf("<tr><th scope=\"row\">%d</th><td>%.4g</td><td>%.4g</td></tr>", j+1, v, s.Shuffled[j])
			if !strings.Contains(string(page), row) {
				t.Errorf("%s has no row %s", name, row)
			}
		}
	}
	text := do("--parallel-analysis")
	for j, v := range asked.Variances[:asked.Components+1] {
		if want := fmt.Sprintf("%.4g (%.4g)", v, asked.Shuffled[j]); !strings.Contains(text, want) {
			t.Errorf("the text lacks %s:\n%s", want, text)
		}
	}
}
