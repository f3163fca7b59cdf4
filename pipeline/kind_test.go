package pipeline

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/sjwhitworth/golearn/base"
	"github.com/sjwhitworth/golearn/trees"

	"github.com/fspca/fspca/pipeline/classifier"
	"github.com/fspca/fspca/selector"
	"github.com/fspca/fspca/transformer"
)

// Every step of the table can be built, named after its kind, and told again.
func TestEveryKindIsBuilt(t *testing.T) {
	for _, k := range Kinds() {
		s, err := k.New(nil)
		if err != nil {
			t.Fatal(err)
		}
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
	if err := Register(k); err != nil {
		t.Fatal(err)
	}
	tree := ClassifierKind("their_tree", "Golearn's.", func(*PlainStep) classifier.Classifier {
		return Golearn("their_tree", func() base.Classifier { return trees.NewID3DecisionTree(0) }).Classifier
	})
	if err := Register(tree); err != nil {
		t.Fatal(err)
	}
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
		if err := p.SaveDir(dir); err != nil {
			t.Fatal(err)
		}
		loaded, err := LoadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
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
	} {
		if err := Register(k); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	// What a build function gives wrong comes out when a step is built.
	if err := Register(TransformerKind("nothing", "", func(*PlainStep) transformer.Transformer { return nil })); err != nil {
		t.Fatal(err)
	}
	if _, err := (Step{Name: "nothing"}).Build(); err == nil {
		t.Error("a build function that gives nil: no error")
	}
}
