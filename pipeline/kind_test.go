package pipeline

import (
	"bytes"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/sjwhitworth/golearn/base"
	"github.com/sjwhitworth/golearn/trees"

	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/internal/strict"
	"github.com/fspca/fspca/pipeline/classifier"
	"github.com/fspca/fspca/selector"
	"github.com/fspca/fspca/transformer"
)

// Every step of the table can be built, named after its kind, and told again.
func TestEveryKindIsBuilt(t *testing.T) {
	for _, k := range Kinds() {
		s := must.Get(k.New(nil))(t)
		if s.Name != k.Name() || (s.Transformer == nil) == (s.Classifier == nil) {
			t.Errorf("%s is built as %+v", k.Name(), s)
		}
		bare := NamedStep{Transformer: s.Transformer, Classifier: s.Classifier}
		if got := kindOf(bare); got != k.Name() {
			t.Errorf("%s is told as %q", k.Name(), got)
		}
		if k.Ends() != (s.Classifier != nil) {
			t.Errorf("%s: the table says last %v", k.Name(), k.Ends())
		}
	}
}

func TestNewStep(t *testing.T) {
	for _, k := range Kinds() {
		if s, err := NewStep(k.Name()); err != nil || s.Name != k.Name() || s.Options == nil {
			t.Errorf("NewStep(%q) is %+v, %v", k.Name(), s, err)
		}
	}
	if _, err := NewStep("fspka"); err == nil || !strings.Contains(err.Error(), `did you mean "fspca"?`) {
		t.Errorf("unknown step: %v", err)
	}
}

// shift is a step of the user's own.
type shift struct {
	transformer.Center
	by float64
}

type shiftOptions struct {
	By float64 `json:"by,omitempty" rule:"min=0" doc:"How far."`
}

func (s *shift) Narrow(outputs []string) (transformer.Transformer, error) {
	n, err := s.Center.Narrow(outputs)
	if err != nil {
		return nil, err
	}
	return &shift{*n.(*transformer.Center), s.by}, nil
}

func TestRegister(t *testing.T) {
	before := registry.kinds
	defer func() { registry.kinds = before }()
	k := TransformerKind("shift", "Shifts.", func(o *shiftOptions) transformer.Transformer { return &shift{by: o.By} }, "move")
	must.OK(t, Register(k))
	tree := ClassifierKind("their_tree", "Golearn's.", func(*PlainStep) classifier.Classifier {
		return Golearn("their_tree", func() base.Classifier { return trees.NewID3DecisionTree(0) }).Classifier
	})
	must.OK(t, Register(tree))
	a, err := Step{Name: "shift", Options: &shiftOptions{By: 3}}.Build()
	if err != nil || a.Transformer.(*shift).by != 3 {
		t.Fatalf("%+v, %v", a, err)
	}
	// Steps made by hand are known by their type; a golearn classifier by its name.
	wine := builtinFrame(t, "wine")
	for _, steps := range [][]NamedStep{
		{a, {Name: "fspca", Transformer: selector.New(selector.Options{Features: 3, Components: 1})}},
		{{Name: "s", Transformer: new(shift)}, Golearn("their_tree", func() base.Classifier { return trees.NewID3DecisionTree(0) })},
	} {
		p := fitted(t, chainOf(t, steps...), wine)
		dir := filepath.Join(t.TempDir(), "model")
		must.OK(t, p.SaveDir(dir))
		loaded := must.Get(LoadDir(dir))(t)
		if answers(t, p, wine) != answers(t, loaded, wine) {
			t.Error("the saved pipeline answers otherwise")
		}
		if _, ok := loaded.Steps[0].Transformer.(*shift); !ok {
			t.Errorf("the step came back as %T", loaded.Steps[0].Transformer)
		}
	}
	other := fitted(t, chainOf(t, Golearn("unknown", func() base.Classifier { return trees.NewID3DecisionTree(0) })), wine)
	if err := other.SaveDir(filepath.Join(t.TempDir(), "m")); err == nil || !strings.Contains(err.Error(), "not registered") {
		t.Errorf("a golearn classifier that is not registered: %v", err)
	}
}

func TestRegisterRefuses(t *testing.T) {
	before := registry.kinds
	defer func() { registry.kinds = before }()
	center := func(*PlainStep) transformer.Transformer { return new(transformer.Center) }
	for want, k := range map[string]Kind{
		"no function that builds":   {},
		"no function that builds a": TransformerKind[PlainStep]("a", "", nil),
		"one word":                  TransformerKind("a b", "", center),
		"registered already":        TransformerKind("fspca", "", center),
		"must be a struct":          TransformerKind("mine", "", func(*int) transformer.Transformer { return nil }),
		"unknown rule": TransformerKind("mine", "", func(*struct {
			A int `json:"a" rule:"smallest=3"`
		}) transformer.Transformer {
			return nil
		}),
		"cannot be read": TransformerKind("mine", "", func(*struct {
			A map[string]int `json:"a"`
		}) transformer.Transformer {
			return nil
		}),
		"the default of a": TransformerKind("mine", "", func(*struct {
			A int `json:"a" default:"x"`
		}) transformer.Transformer {
			return nil
		}),
		"holds itself": TransformerKind("mine", "", func(*nested) transformer.Transformer { return nil }),
		"two fields have the key": TransformerKind("mine", "", func(*struct {
			shiftOptions
			By int `json:"by"`
		}) transformer.Transformer {
			return nil
		}),
		"embedded by a pointer": TransformerKind("mine", "", func(*struct{ *shiftOptions }) transformer.Transformer { return nil }),
		`the key "a.b" is not`: TransformerKind("mine", "", func(*struct {
			A int `json:"a.b"`
		}) transformer.Transformer {
			return nil
		}),
		"the rule min is for numbers": TransformerKind("mine", "", func(*struct {
			A string `json:"a" rule:"min=3"`
		}) transformer.Transformer {
			return nil
		}),
		"are for texts": TransformerKind("mine", "", func(*struct {
			A []int `json:"a" rule:"one=1|2"`
		}) transformer.Transformer {
			return nil
		}),
		"unique is for lists": TransformerKind("mine", "", func(*struct {
			A string `json:"a" rule:"unique"`
		}) transformer.Transformer {
			return nil
		}),
		"default breaks its rule": TransformerKind("mine", "", func(*struct {
			A string `json:"a" rule:"one=x|y" default:"z"`
		}) transformer.Transformer {
			return nil
		}),
	} {
		if err := Register(k); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	hidden := reflect.StructOf([]reflect.StructField{{Name: "a", PkgPath: "mine", Type: reflect.TypeFor[int](), Tag: `json:"a"`}})
	if err := strict.Valid(reflect.New(hidden).Interface()); err == nil || !strings.Contains(err.Error(), "cannot be set") {
		t.Errorf("a key of a field that is not exported: %v", err)
	}
	for _, name := range []string{"", "a\x00b", "1", "null", "#x", "*x", "a.b", strings.Repeat("x", 300)} {
		if err := Register(TransformerKind(name, "", center)); err == nil || !strings.Contains(err.Error(), "one word") {
			t.Errorf("a kind called %q: %v", name, err)
		}
	}
	// What a build function gives wrong comes out when a step is built.
	must.OK(t, Register(TransformerKind("nothing", "", func(*PlainStep) transformer.Transformer { return nil })))
	must.OK(t, Register(TransformerKind("panicking", "", func(*PlainStep) transformer.Transformer { panic("not today") })))
	for name, want := range map[string]string{"nothing": "expected a transformer", "panicking": "not today"} {
		for _, columns := range [][]string{nil, {"a"}} {
			if _, err := (Step{name, &PlainStep{Scope{columns}}}).Build(); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s, columns %v: got %v, want %s", name, columns, err, want)
			}
		}
	}
}

type nested struct {
	Inner []nested `json:"inner"`
}

// What is done to options afterwards, or to a step that was built of them, changes no other step.
func TestStepsOwnTheirOptions(t *testing.T) {
	wine := builtinFrame(t, "wine")
	value := 3.0
	options := &ImputeStep{Strategy: transformer.Fixed, Value: &value, Scope: Scope{[]string{"ash", "hue"}}}
	s := must.Get(Step{"impute", options}.Build())(t)
	want := archive(t, fitted(t, chainOf(t, s), wine))
	value, options.Columns[0] = 4, "nothing"
	if archive(t, fitted(t, chainOf(t, s), wine)) != want {
		t.Error("options that change after Build change the step")
	}
	p := fitted(t, chainOf(t, s), wine)
	p.Clone().Steps[0].Transformer.(*transformer.OnColumns).Columns[0] = "nothing"
	if archive(t, fitted(t, p, wine)) != want {
		t.Error("a clone shares a list of its step's")
	}
	weighted := &classifier.Logistic{ClassWeights: map[string]float64{"1": 5}}
	p = fitted(t, chainOf(t, NamedStep{Name: "logistic", Classifier: weighted}), wine)
	want = archive(t, p)
	p.Clone().Steps[0].Classifier.(*classifier.Logistic).ClassWeights["1"] = 1
	if weighted.ClassWeights["1"] != 5 {
		t.Error("a clone shares the weights of its classifier")
	}
	p.Fitted()[0].Classifier.(*classifier.Logistic).ClassWeights["1"] = 1
	if archive(t, p) != want {
		t.Error("the options of the fit change with the step's")
	}
}

func archive(t *testing.T, p *Pipeline) string {
	t.Helper()
	var b bytes.Buffer
	must.Get(p.WriteTo(&b))(t)
	return b.String()
}

// part is an option that is a mapping of its own.
type part struct {
	Depth int `json:"depth,omitempty" rule:"min=1"`
	Inner *struct {
		Size float64 `json:"size" rule:"required"`
	} `json:"inner,omitempty"`
}

// The rule of a list of texts holds for each of them.
func TestRulesOfLists(t *testing.T) {
	before := registry.kinds
	defer func() { registry.kinds = before }()
	must.OK(t, Register(TransformerKind("listed", "", func(*struct {
		Modes []string `json:"modes,omitempty" rule:"one=x|y"`
		Sizes []int    `json:"sizes,omitempty" rule:"min=1,unique"`
		Parts []part   `json:"parts,omitempty"`
	}) transformer.Transformer {
		return new(transformer.Center)
	})))
	for _, c := range []struct {
		key   string
		value any
		want  string
	}{
		{"modes", []string{"x", "y"}, ""}, {"modes", []string{"x", "z"}, "must be x or y"},
		{"sizes", []int{1, 2}, ""}, {"sizes", []int{0}, "at least 1"}, {"sizes", []int{3, 3}, "holds 3 twice"},
		{"parts", []any{map[string]any{"depth": 2}}, ""}, {"parts", []any{map[string]any{"depth": 0}}, "at least 1"},
		{"parts", []any{map[string]any{"inner": map[string]any{}}}, `missing key "size"`},
	} {
		if _, err := (Step{Name: "listed"}).With(c.key, c.value); (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v: got %v, want %q", c.key, c.value, err, c.want)
		}
	}
}
