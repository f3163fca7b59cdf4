package selector

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/fspca/fspca/internal/saved"
	"github.com/fspca/fspca/internal/spelling"
)

// object reads a JSON object strictly: every field that is asked for must be there and of the right
// type, and no other may be. Mistakes are collected, so that a reader hears of all of them.
type object struct {
	path     string // of the object in the file: "" or "solution."
	fields   map[string]json.RawMessage
	asked    []string
	problems *[]error
}

// parseObject splits b, which must hold one JSON object and nothing else.
func parseObject(path string, b []byte, problems *[]error) (*object, error) {
	o := &object{path: path, problems: problems}
	err := json.Unmarshal(b, &o.fields)
	var mismatch *json.UnmarshalTypeError
	if errors.As(err, &mismatch) {
		return nil, fmt.Errorf("got %s", mismatch.Value)
	}
	if err != nil {
		return nil, err
	}
	if o.fields == nil {
		return nil, errors.New("got null")
	}
	return o, nil
}

// parseSaved splits b, which must hold a saved step of the type kind and a version up to newest.
func parseSaved(b []byte, kind string, newest int, problems *[]error) (*object, error) {
	if _, err := saved.Header(b, savedStep, kind, newest); err != nil {
		return nil, err
	}
	o, err := parseObject("", b, problems)
	if err != nil {
		return nil, saved.Damaged(savedStep, err)
	}
	o.asked = append(o.asked, "version", "type")
	return o, nil
}

// savedStep is the subject of the messages.
const savedStep = "the saved step"

func (o *object) bad(format string, args ...any) {
	*o.problems = append(*o.problems, fmt.Errorf(format, args...))
}

// has tells whether an optional field is there, and counts it as asked for.
func (o *object) has(name string) bool {
	if !slices.Contains(o.asked, name) {
		o.asked = append(o.asked, name)
	}
	_, ok := o.fields[name]
	return ok
}

// get reads a required field.
func (o *object) get(name string, into any) {
	if !o.has(name) {
		o.bad("the field %q is missing", o.path+name)
		return
	}
	raw := o.fields[name]
	if !nested(into) && bytes.Contains(raw, []byte("null")) && hasNull(raw) {
		o.bad("the field %q holds null", o.path+name)
		return
	}
	err := json.Unmarshal(raw, into)
	var mismatch *json.UnmarshalTypeError
	switch {
	case errors.As(err, &mismatch):
		o.bad("the field %q is not what it should be: got %s, want %s", o.path+name, mismatch.Value, wanted(mismatch.Type))
	case err != nil:
		o.bad("the field %q cannot be read: %w", o.path+name, err)
	}
}

// maybe reads a field if it is there, and tells whether it is.
func (o *object) maybe(name string, into any) bool {
	if !o.has(name) {
		return false
	}
	o.get(name, into)
	return true
}

// read reads the fields of a struct by their tags: those that may be left out where they are there.
func (o *object) read(into any) {
	s := reflect.ValueOf(into).Elem()
	for i := range s.NumField() {
		name, optional, _ := strings.Cut(s.Type().Field(i).Tag.Get("json"), ",")
		if name != "-" && (optional == "" || o.has(name)) {
			o.get(name, s.Field(i).Addr().Interface())
		}
	}
}

// part reads a required field that is an object itself. Read is not called if it is none.
func (o *object) part(name string, read func(*object)) {
	var raw json.RawMessage
	before := len(*o.problems)
	if o.get(name, &raw); len(*o.problems) == before {
		o.inside(name, raw, read)
	}
}

// inside reads an object that is the field or element of that name.
func (o *object) inside(name string, raw json.RawMessage, read func(*object)) {
	c, err := parseObject(o.path+name+".", raw, o.problems)
	if err != nil {
		o.bad("the field %q is not an object: %w", o.path+name, err)
		return
	}
	read(c)
	c.done()
}

// optional reads a field that is an object, by the tags of T; nil if it is not there or none.
func optional[T any](o *object, name string) (v *T) {
	if o.has(name) {
		o.part(name, func(c *object) {
			v = new(T)
			c.read(v)
		})
	}
	return v
}

// elements reads a required field that is a list of objects, each by read.
func (o *object) elements(name string, read func(*object)) {
	var raws []json.RawMessage
	o.get(name, &raws)
	for i, raw := range raws {
		o.inside(fmt.Sprintf("%s[%d]", name, i), raw, read)
	}
}

// version reads the field "version" as it stands there, "none" if it does not.
func (o *object) version() string {
	if !o.has("version") {
		return "none"
	}
	return string(o.fields["version"])
}

// done reports the fields that nobody asked for.
func (o *object) done() {
	for _, name := range slices.Sorted(maps.Keys(o.fields)) {
		if slices.Contains(o.asked, name) {
			continue
		}
		if near := spelling.Nearest(name, o.asked); near != "" {
			o.bad("the field %q is unknown (the nearest is %q)", o.path+name, o.path+near)
		} else {
			o.bad("the field %q is unknown", o.path+name)
		}
	}
}

// nested tells whether a value is kept as text, to be read by a get of its own.
func nested(into any) bool {
	switch into.(type) {
	case *json.RawMessage, *[]json.RawMessage:
		return true
	}
	return false
}

// hasNull tells whether a null stands anywhere in a JSON text, where Go's decoder would silently
// leave a 0.
func hasNull(raw []byte) bool {
	d := json.NewDecoder(bytes.NewReader(raw))
	for {
		token, err := d.Token()
		if err != nil {
			return false
		}
		if token == nil {
			return true
		}
	}
}

// kinds are Go types in words.
var kinds = map[reflect.Kind]string{
	reflect.Int: "whole number", reflect.Int64: "whole number", reflect.Uint64: "whole number",
	reflect.Float64: "finite number", reflect.Bool: "true or false", reflect.String: "text",
}

// wanted says a Go type in words.
func wanted(t reflect.Type) string {
	switch {
	case t == reflect.TypeFor[json.RawMessage]():
		return "object"
	case t.Kind() == reflect.Slice:
		return "a list of " + wanted(t.Elem()) + "s"
	}
	return cmp.Or(kinds[t.Kind()], t.String())
}
