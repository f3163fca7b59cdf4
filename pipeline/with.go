package pipeline

import (
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/fspca/fspca/internal/clone"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/saved"
	"github.com/fspca/fspca/internal/strict"
)

// FindOption resolves a key such as fspca.features among steps with these names. It
// returns the index of the step and the key of the option. A name that several
// steps have needs the index of the step, from 0, before it: 1.impute.strategy.
func FindOption(steps []string, key string) (step int, option string, err error) {
	parts := strings.Split(key, ".")
	at := -1
	if i, err := strconv.Atoi(parts[0]); err == nil && len(parts) == 3 {
		if i < 0 || i >= len(steps) || steps[i] != parts[1] {
			return 0, "", fmt.Errorf("%q: step %d is not %s", key, i, parts[1])
		}
		at, parts = i, parts[1:]
	}
	if len(parts) != 2 || parts[0] == "" || parts[1] == "" {
		return 0, "", fmt.Errorf("%q names no option of a step: expected STEP.OPTION, like fspca.features", key)
	}
	if at >= 0 {
		return at, parts[1], nil
	}
	at = slices.Index(steps, parts[0])
	switch {
	case at < 0:
		return 0, "", fmt.Errorf("%q: there is no step %q among %s%s", key, parts[0], strict.Listing(steps, "and"), strict.Suggest(parts[0], steps))
	case slices.Contains(steps[at+1:], parts[0]):
		return 0, "", fmt.Errorf("%q: several steps are called %s: say %d.%s for the first of them", key, parts[0], at, key)
	}
	return at, parts[1], nil
}

// With returns the step with one option changed. Key is the key of a config;
// encoding/json must write value as a config holds it. Errors: no such option, or
// a value that breaks its rule.
func (s Step) With(key string, value any) (Step, error) {
	k, err := FindKind(s.Name)
	if err != nil {
		return Step{}, err
	}
	options, err := k.filled(s.Options)
	if err != nil {
		return Step{}, err
	}
	options = clone.Options(options)
	var keys []string
	var field reflect.Value
	strict.Each(options, func(name string, v reflect.Value) {
		keys = append(keys, name)
		if name == key {
			field = v
		}
	})
	if !field.IsValid() {
		return Step{}, fmt.Errorf("step %s has no option %q%s", s.Name, key, strict.Suggest(key, keys))
	}
	field.SetZero()
	written, err := setJSON(field, value)
	if err != nil {
		return Step{}, fmt.Errorf("%s: %w", key, err)
	}
	if err := strict.CheckKey(options, key, written); err != nil {
		return Step{}, err
	}
	return Step{s.Name, options}, nil
}

// With returns the step with one option changed, not fitted; see Step.With. The step
// must come from a config or from Step.Build, since others do not know their
// options.
func (s NamedStep) With(key string, value any) (NamedStep, error) {
	if s.kind == "" || s.options == nil {
		return NamedStep{}, fmt.Errorf("step %s does not know its options: make it by NewStep and Build, or from a config", s.Name)
	}
	changed, err := Step{s.kind, s.options}.With(key, value)
	if err != nil {
		return NamedStep{}, err
	}
	out, err := changed.Build()
	out.Name = s.Name
	return out, err
}

// setJSON stores a value as encoding/json would read what it writes, and returns that.
func setJSON(field reflect.Value, value any) (written any, err error) {
	text, err := json.Marshal(asWritten(field.Type(), value))
	if err != nil {
		return nil, err
	}
	if string(text) == "null" {
		return nil, fmt.Errorf("expected %s, got nothing", wanted(field.Type()))
	}
	if err := saved.Strict(text, field.Addr().Interface()); err != nil {
		return nil, fmt.Errorf("expected %s, got %.60s", wanted(field.Type()), text)
	}
	return written, json.Unmarshal(text, &written)
}

// asWritten makes texts of numbers where texts are wanted, such as names of columns.
func asWritten(t reflect.Type, value any) any {
	switch v := value.(type) {
	case json.Number:
		if t.Kind() == reflect.String {
			return v.String()
		}
	case []any:
		if t.Kind() == reflect.Slice {
			return lists.Map(v, func(item any) any { return asWritten(t.Elem(), item) })
		}
	}
	return value
}

// forms and kinds are what values look like in a config: of some types, and of others by their kind.
var (
	forms = map[reflect.Type]string{
		reflect.TypeFor[FeatureCount]():   "a whole number or a mapping like {target: 0.9}",
		reflect.TypeFor[ComponentCount](): "a whole number or a mapping like {target: 0.9}",
		reflect.TypeFor[ClassWeight]():    "none, balanced or a mapping from classes to numbers",
	}
	kinds = map[reflect.Kind]string{
		reflect.Int: "a whole number", reflect.Uint64: "a whole number", reflect.Float64: "a number",
		reflect.Bool: "true or false", reflect.String: "a text", reflect.Slice: "a list",
	}
)

// wanted says what a value of the type looks like in a config.
func wanted(t reflect.Type) string {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return cmp.Or(forms[t], kinds[t.Kind()], "a mapping")
}
