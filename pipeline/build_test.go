package pipeline

import (
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fspca/fspca/solver"
	"github.com/fspca/fspca/solver/baseline"
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

// The methods and starts of the fspca step are those of the solvers, and its keys
// are refused where the solvers refuse them.
func TestMethodsAreTheSolvers(t *testing.T) {
	var methods, starts []string
	for _, m := range baseline.Methods() {
		methods = append(methods, string(m))
	}
	for _, s := range baseline.Starts() {
		starts = append(starts, string(s))
	}
	fields := fieldsOf(reflect.TypeFor[FSPCAStep]())
	method, _ := lookup(fields, "method")
	start, _ := lookup(fields, "init")
	if !slices.Equal(method.one, methods) || !slices.Equal(start.one, starts) {
		t.Errorf("methods %v and starts %v, want %v and %v", method.one, start.one, methods, starts)
	}
	keys := map[string]struct {
		value string
		set   func(p *solver.Params)
	}{
		"init":           {"random", func(p *solver.Params) { p.Start = "random" }},
		"restarts":       {"3", func(p *solver.Params) { p.Restarts = 3 }},
		"seed":           {"3", func(p *solver.Params) { p.Seed = 3 }},
		"max_iterations": {"3", func(p *solver.Params) { p.MaxIterations = 3 }},
		"epsilon":        {"0.5", func(p *solver.Params) { p.Epsilon = 0.5 }},
		"effort":         {"thorough", func(p *solver.Params) { p.Effort = "thorough" }},
		"sdp_iterations": {"30", func(p *solver.Params) { p.SDPIterations = 30 }},
		"include":        {"[a]", func(p *solver.Params) { p.Include = []int{1} }},
		"exclude":        {"[a]", func(p *solver.Params) { p.Exclude = []int{1} }},
	}
	for _, m := range methods {
		for key, k := range keys {
			text := fmt.Sprintf("version: 1\ndata: {source: x.csv}\nsteps: [{fspca: {features: 3, components: 2, method: %s, %s: %s}}]\n", m, key, k.value)
			c, err := ParseConfig("c", []byte(text))
			p := solver.Params{Features: 3, Components: 2, Method: solver.Method(m)}
			k.set(&p)
			refused := baseline.Check(p, 9) != nil
			if m == "go" { // which ignores some of what it does not read
				refused = !slices.Contains([]string{"epsilon", "sdp_iterations", "include", "exclude"}, key)
			}
			if (err != nil) != refused {
				t.Errorf("%s with %s: got %v, the solver refuses: %v", m, key, err, refused)
			}
			if err == nil {
				if err := c.Resolve().Check(); err != nil {
					t.Errorf("%s with %s, resolved: %v", m, key, err)
				}
			}
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
