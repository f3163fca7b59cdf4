package pipeline

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/fspca/fspca/internal/spelling"
)

// Step is one step of a config: its name and its options, a pointer to the
// struct that belongs to the name (*FSPCAStep for fspca, …; NewStep makes one).
// Options nil means all defaults.
type Step struct {
	Name    string
	Options any
}

// NewStep is a step with default options; an unknown name is an error with the
// nearest known one.
func NewStep(name string) (Step, error) {
	k, ok := findKind(name)
	if !ok {
		return Step{}, fmt.Errorf("%s", unknownStep(name))
	}
	return Step{Name: name, Options: k.options()}, nil
}

// StepNames lists the steps that a config may hold, preprocessing first and
// classifiers last.
func StepNames() []string {
	names := make([]string, len(kinds))
	for i, k := range kinds {
		names[i] = k.name
	}
	return names
}

// MarshalJSON writes the step as a config holds it: {"fspca": {…}}.
func (s Step) MarshalJSON() ([]byte, error) {
	options := s.Options
	if options == nil {
		options = struct{}{}
	}
	return json.Marshal(map[string]any{s.Name: options})
}

// kind is one sort of step: what the decoder, the schema, the pipeline and the
// model folder know of it.
type kind struct {
	name, doc  string
	aka        []string
	classifier bool
	once       bool // at most one in a pipeline
	options    func() any
	check      func(in *inspection, options any, path string) // rules over several keys; may be nil
}

func findKind(name string) (kind, bool) {
	for _, k := range kinds {
		if k.name == name {
			return k, true
		}
	}
	return kind{}, false
}

func unknownStep(name string) string {
	for _, k := range kinds {
		if slices.Contains(k.aka, strings.ToLower(name)) {
			return fmt.Sprintf("unknown step %q: did you mean %q?", name, k.name)
		}
	}
	if nearest := spelling.Nearest(name, StepNames()); nearest != "" {
		return fmt.Sprintf("unknown step %q: did you mean %q?", name, nearest)
	}
	return fmt.Sprintf("unknown step %q: the steps are %s", name, listing(StepNames(), "and"))
}

// decode reads `name` or `name: {options}`.
func (s *Step) decode(d *decoder, n *node, path string) {
	switch {
	case n.kind == scalarNode && n.tag == "!!str":
		k, ok := findKind(n.text)
		if !ok {
			d.fail(n.at, path, "%s", unknownStep(n.text))
			return
		}
		s.Name, s.Options = k.name, k.options()
		d.enter(join(path, k.name), n.at, n.at)
	case n.kind == mappingNode && len(n.keys) == 1:
		s.decodeOptions(d, n.keys[0], n.items[0], path)
	case n.kind == mappingNode && len(n.keys) > 1:
		d.fail(n.keys[1].at, path, "%s", crowded(n))
	default:
		d.fail(n.at, path, "expected a step, like standardize or fspca: {features: 20, components: 5}, got %s", n.describe())
	}
}

func (s *Step) decodeOptions(d *decoder, key, value *node, path string) {
	k, ok := findKind(key.text)
	if !ok {
		d.fail(key.at, path, "%s", unknownStep(key.text))
		return
	}
	s.Name, s.Options = k.name, k.options()
	child := join(path, k.name)
	d.enter(child, key.at, value.at)
	if value.kind == scalarNode && value.plain && value.tag == "!!null" {
		d.values[child] = key.at
		return
	}
	d.object(value, reflect.ValueOf(s.Options).Elem(), child)
}

// crowded explains a step with several keys: mostly options that are not
// indented below their step, or a step without its dash.
func crowded(n *node) string {
	first, second := n.keys[0].text, n.keys[1].text
	if k, ok := findKind(first); ok && n.items[0].tag == "!!null" {
		fields := fieldsOf(reflect.TypeOf(k.options()).Elem())
		if _, ok := lookup(fields, second); ok || known(fields, second) != "" {
			return fmt.Sprintf("%q stands beside the step %q: indent the options below it, or write %s: {%s: …}", second, first, first, second)
		}
	}
	return fmt.Sprintf("a step has one key, this one has %d (%s): begin each step with its own '-'", len(n.keys), listing(keyTexts(n.keys), "and"))
}

func keyTexts(nodes []*node) []string {
	out := make([]string, len(nodes))
	for i, n := range nodes {
		out[i] = n.text
	}
	return out
}
