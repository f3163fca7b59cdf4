package pipeline

import (
	"fmt"
	"reflect"

	"github.com/fspca/fspca/transformer"
)

// builder makes an unfitted step of a config's options; name tells the kinds
// apart that share their options.
type builder interface {
	build(name string) NamedStep
}

func (*PlainStep) build(name string) NamedStep {
	switch name {
	case "center":
		return NamedStep{Name: name, Transformer: new(transformer.Center)}
	case "standardize":
		return NamedStep{Name: name, Transformer: new(transformer.Standardize)}
	default:
		return NamedStep{Name: name, Transformer: new(transformer.MinMax)}
	}
}

func (s *ImputeStep) build(name string) NamedStep {
	t := &transformer.Impute{Strategy: s.Strategy, Level: s.Level}
	if s.Value != nil {
		t.Value = *s.Value
	}
	return NamedStep{Name: name, Transformer: t}
}

func (s *ConstantStep) build(name string) NamedStep {
	return NamedStep{Name: name, Transformer: &transformer.Constant{Tolerance: s.Tolerance}}
}

func (s *OneHotStep) build(name string) NamedStep {
	return NamedStep{Name: name, Transformer: &transformer.OneHot{
		IgnoreUnseen: s.Unseen == "ignore", IgnoreMissing: s.Missing == "ignore"}}
}

func (s *LogisticStep) build(name string) NamedStep {
	return NamedStep{Name: name, Classifier: &Logistic{L2: s.L2, MaxIterations: s.MaxIterations, Tolerance: s.Tolerance}}
}

func (s *KNNStep) build(name string) NamedStep {
	return NamedStep{Name: name, Classifier: &KNN{K: s.K}}
}

func (s *DecisionTreeStep) build(name string) NamedStep {
	return NamedStep{Name: name, Classifier: &DecisionTree{MaxDepth: s.MaxDepth}}
}

// Pipeline makes the unfitted pipeline that the config describes. A config made
// in Go is checked first.
func (c *Config) Pipeline() (*Pipeline, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	return c.pipeline(func(Step) bool { return true })
}

// pipeline makes the pipeline of the steps that are wanted.
func (c *Config) pipeline(want func(Step) bool) (*Pipeline, error) {
	var steps []NamedStep
	for _, s := range c.Steps {
		if !want(s) {
			continue
		}
		options := s.Options
		if options == nil {
			k, _ := findKind(s.Name) // checked before
			options = k.options()
		}
		steps = append(steps, options.(builder).build(s.Name))
	}
	return New(steps...)
}

// fresh makes an empty step of a kind, for a saved one to be loaded into.
func fresh(name string) (NamedStep, error) {
	k, ok := findKind(name)
	if !ok {
		return NamedStep{}, fmt.Errorf("%s", unknownStep(name))
	}
	return k.options().(builder).build(name), nil
}

// kindOf is the name of the kind that a step's type belongs to; "" for a type of
// the user's own.
func kindOf(s NamedStep) string {
	for _, k := range kinds {
		known := k.options().(builder).build(k.name)
		if reflect.TypeOf(known.Transformer) == reflect.TypeOf(s.Transformer) &&
			reflect.TypeOf(known.Classifier) == reflect.TypeOf(s.Classifier) {
			return k.name
		}
	}
	return ""
}

// Resolve returns a copy of the config in which every absent key holds what its
// absence means, where that is a fixed value.
func (c *Config) Resolve() *Config {
	out := *c
	resolve(reflect.ValueOf(&out.Data).Elem())
	if _, ok := builtin(c.Data.Source); ok { // not read as a file
		out.Data = c.Data
	}
	if c.Split != (SplitConfig{}) {
		resolve(reflect.ValueOf(&out.Split).Elem())
	}
	out.Steps = make([]Step, len(c.Steps))
	for i, s := range c.Steps {
		k, ok := findKind(s.Name)
		if !ok {
			out.Steps[i] = s
			continue
		}
		options := k.options()
		if s.Options != nil {
			reflect.ValueOf(options).Elem().Set(reflect.ValueOf(s.Options).Elem())
		}
		resolve(reflect.ValueOf(options).Elem())
		if s, ok := options.(*FSPCAStep); ok {
			s.settle()
		}
		out.Steps[i] = Step{Name: s.Name, Options: options}
	}
	return &out
}

// resolve fills the zero fields of a config struct with their defaults.
func resolve(v reflect.Value) {
	for _, f := range fieldsOf(v.Type()) {
		field := v.Field(f.index)
		if f.initial == "" || !field.IsZero() {
			continue
		}
		if field.Kind() == reflect.Pointer {
			field.Set(reflect.New(field.Type().Elem()))
			field = field.Elem()
		}
		n := &node{kind: scalarNode, tag: "!!str", text: f.initial, plain: true}
		if err := scalar(n, field, f); err != nil {
			panic("pipeline: the default of " + f.key + ": " + err.Error()) // a test reads them all
		}
	}
}
