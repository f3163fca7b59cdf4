package strict

import (
	"encoding/json"
	"reflect"
	"strconv"
	"strings"

	"github.com/fspca/fspca/internal/lists"
)

// Grammar says how files of one kind are read: the mappings follow the tags of
// Go structs (see Field), and what has a form of its own is listed in Forms.
type Grammar struct {
	// Forms are the types that are not plain mappings, by their Go type.
	Forms map[reflect.Type]Form
	// Empty is what is said of a file without content.
	Empty string
	// Example shows the form of an override.
	Example string
	// Route, if not nil, rewrites the path of an override, or says what is wrong
	// with it. It may change the nodes on the way.
	Route func(root *Node, keys []string) ([]string, string)
}

// Form is how a type that is no plain mapping is read, checked and described.
// The values are pointers to that type.
type Form struct {
	Decode  func(d *Decoder, n *Node, value any, path string)
	Inspect func(in *Inspection, value any, path string) // nil for no rule
	Schema  func() Object
}

// Read fills the struct that into points to from the text b, called name in
// messages, after putting the overrides in. rules adds what is wrong beyond the
// form. All mistakes come back at once, in an *Error.
func (g *Grammar) Read(name string, b []byte, overrides []string, into any, rules func(*Inspection)) error {
	d, problems := g.decode(name, b, overrides, into)
	if d == nil {
		return AsError(problems)
	}
	given := func(path string) bool { _, ok := d.values[path]; return ok }
	for _, m := range g.mistakes(into, given, rules) {
		if !d.spoiled(m) {
			d.Fail(d.place(m.path), m.path, "%s", m.message)
		}
	}
	return AsError(d.problems)
}

// Places returns a function that says where the key of a path, or the nearest key above it, stands in a
// text. It knows no place if the text cannot be read.
func (g *Grammar) Places(name string, b []byte, overrides []string, into any) func(path string) Place {
	d, _ := g.decode(name, b, overrides, into)
	if d == nil {
		return func(string) Place { return Place{} }
	}
	return d.place
}

// decode fills the struct that into points to; nil if the text is no YAML.
func (g *Grammar) decode(name string, b []byte, overrides []string, into any) (*Decoder, []Problem) {
	root, problems := g.Parse(name, b)
	if root == nil {
		return nil, problems
	}
	d := &Decoder{grammar: g, problems: problems, keys: map[string]Place{}, values: map[string]Place{}, bad: map[string]bool{}}
	for _, s := range overrides {
		d.problems = append(d.problems, g.override(root, s)...)
	}
	d.Enter("", root.At, root.At)
	d.Object(root, into, "")
	return d, nil
}

// place is where the value of a path stands, or the nearest key above it.
func (d *Decoder) place(path string) Place {
	at, ok := d.values[path]
	for !ok {
		path = parent(path)
		at, ok = d.keys[path]
	}
	return at
}

// Check applies the rules to a struct made in Go; the *Error names the keys. Zero
// fields count as absent.
func (g *Grammar) Check(value any, rules func(*Inspection)) error {
	problems := lists.Map(g.mistakes(value, nil, rules), func(m mistake) Problem { return Problem{Path: m.path, Message: m.message} })
	return AsError(problems)
}

// mistakes lists what is wrong with a value beyond its form.
func (g *Grammar) mistakes(value any, given func(path string) bool, rules func(*Inspection)) []mistake {
	in := &Inspection{grammar: g, given: given}
	in.Object(value, "")
	rules(in)
	return in.mistakes
}

// Resolve fills the zero fields of the struct that options points to with their
// defaults.
func Resolve(options any) {
	v := reflect.ValueOf(options).Elem()
	for _, f := range fieldsOf(v.Type()) {
		field := v.FieldByIndex(f.index)
		if f.initial == "" || !field.IsZero() {
			continue
		}
		if field.Kind() == reflect.Pointer {
			field.Set(reflect.New(field.Type().Elem()))
			field = field.Elem()
		}
		if form, ok := field.Addr().Interface().(json.Unmarshaler); ok { // of a Form of its own
			if err := form.UnmarshalJSON(strconv.AppendQuote(nil, f.initial)); err != nil {
				panic("strict: the default of " + f.key + ": " + err.Error())
			}
			continue
		}
		n := &Node{Kind: Scalar, Tag: "!!str", Text: f.initial, Plain: true}
		if err := scalar(n, field, f); err != nil {
			panic("strict: the default of " + f.key + ": " + err.Error()) // Tags finds it first
		}
	}
}

// Knows says whether the struct that options points to has a key, or one that
// people call so.
func Knows(options any, key string) bool {
	fields := fieldsOf(reflect.TypeOf(options).Elem())
	_, ok := lookup(fields, key)
	return ok || known(fields, key) != ""
}

// Each calls f with every key of the struct that options points to and its field.
func Each(options any, f func(key string, field reflect.Value)) {
	v := reflect.ValueOf(options).Elem()
	for _, field := range fieldsOf(v.Type()) {
		f(field.key, v.FieldByIndex(field.index))
	}
}

// Choices are the texts that the rule one=… of a key permits.
func Choices(options any, key string) []string {
	f, _ := lookup(fieldsOf(reflect.TypeOf(options).Elem()), key)
	return f.one
}

// parent is the path above; "" is the whole.
func parent(path string) string {
	return path[:max(strings.LastIndexByte(path, '.'), 0)]
}
