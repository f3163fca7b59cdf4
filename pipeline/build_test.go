package pipeline

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The defaults that the schema states are what the absence of a key means: a
// config with all of them written out gives the same predictions.
func TestDefaultsAreWhatAbsenceMeans(t *testing.T) {
	for _, last := range []string{"logistic", "knn", "decision_tree"} {
		text := fmt.Sprintf(`version: 1
data: {source: ../configs/data/machines.csv, label: state, missing: [NA, unknown], drop: [machine]}
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
		if c.Split.Stratify != nil || c.Data.Header != nil || c.Steps[5].Options.(*FSPCAStep).Method != "" {
			t.Error("Resolve changed its receiver")
		}
		if s := full.Steps[5].Options.(*FSPCAStep); s.Method != "ipu" || s.MaxIterations != 100 || s.Center == nil || !*s.Center {
			t.Errorf("the resolved step is %+v", s)
		}
		dir := t.TempDir()
		ran(t, c, filepath.Join(dir, "a"))
		ran(t, full, filepath.Join(dir, "b"))
		a, b := contents(t, filepath.Join(dir, "a")), contents(t, filepath.Join(dir, "b"))
		if a[predictionsName] != b[predictionsName] {
			t.Errorf("%s: with its defaults written out the config predicts otherwise", last)
		}
		if a[reportName] != b[reportName] {
			t.Errorf("%s: the reports differ", last)
		}
	}
}

// Every step of the table can be built, named after its kind, and told again.
func TestEveryKindIsBuilt(t *testing.T) {
	for _, name := range StepNames() {
		s, err := fresh(name)
		if err != nil {
			t.Fatal(err)
		}
		if s.Name != name || (s.Transformer == nil) == (s.Classifier == nil) {
			t.Errorf("%s is built as %+v", name, s)
		}
		if got := kindOf(s); got != name {
			t.Errorf("%s is told as %q", name, got)
		}
		if k, _ := findKind(name); k.classifier != (s.Classifier != nil) {
			t.Errorf("%s: the table says classifier %v", name, k.classifier)
		}
	}
}
