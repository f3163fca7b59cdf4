package pipeline

import (
	"fmt"
	"math"
	"reflect"
	"regexp"
	"strconv"
	"strings"

	"github.com/fspca/fspca/internal/spelling"
)

// decoder fills config structs from nodes by their fields, goes on after a
// mistake, and remembers where each path stands and which paths are bad, so
// that the checks that follow complain only about what was read.
type decoder struct {
	problems []Problem
	keys     map[string]place // path → its key, or its item in a list
	values   map[string]place // path → its value
	bad      map[string]bool
}

// decodable is a config value with a form of its own (a step).
type decodable interface {
	decode(d *decoder, n *node, path string)
}

func newDecoder() *decoder {
	return &decoder{keys: map[string]place{}, values: map[string]place{}, bad: map[string]bool{}}
}

// fail reports a mistake at a place and marks the path.
func (d *decoder) fail(at place, path, format string, args ...any) {
	p := at.problem(format, args...)
	p.Path = path
	d.problems = append(d.problems, p)
	d.bad[path] = true
}

// enter notes where the value of a path stands.
func (d *decoder) enter(path string, key, value place) {
	d.keys[path], d.values[path] = key, value
}

// object fills the struct v from a mapping.
func (d *decoder) object(n *node, v reflect.Value, path string) {
	if n.kind == badNode {
		d.bad[path] = true
		return
	}
	fields := fieldsOf(v.Type())
	if n.kind != mappingNode {
		d.fail(n.at, path, "%sexpected a mapping with %s, got %s", label(path), listing(keysOf(fields), "and"), n.describe())
		return
	}
	for i, key := range n.keys {
		f, ok := lookup(fields, key.text)
		if !ok {
			d.unknown(key, fields, path)
			continue
		}
		child := join(path, f.key)
		d.enter(child, key.at, n.items[i].at)
		d.value(n.items[i], v.Field(f.index), f, child)
	}
}

// unknown reports a key that an object does not have, with the nearest it has,
// and takes that one as given: the checks need not call it missing as well.
func (d *decoder) unknown(key *node, fields []field, path string) {
	keys := keysOf(fields)
	nearest := known(fields, key.text)
	if nearest == "" {
		nearest = spelling.Nearest(key.text, keys)
	}
	where := ""
	if path != "" {
		where = " in " + last(path)
	}
	switch {
	case nearest != "":
		d.fail(key.at, join(path, nearest), "unknown key %q%s: did you mean %q?", key.text, where, nearest)
	case len(keys) == 0:
		d.fail(key.at, path, "unknown key %q%s: it takes no keys", key.text, where)
	default:
		d.fail(key.at, join(path, key.text), "unknown key %q%s: the keys are %s", key.text, where, listing(keys, "and"))
	}
}

// value fills v by the field's type.
func (d *decoder) value(n *node, v reflect.Value, f field, path string) {
	if n.kind == badNode {
		d.bad[path] = true
		return
	}
	if v.Kind() == reflect.Pointer {
		v.Set(reflect.New(v.Type().Elem()))
		v = v.Elem()
	}
	if own, ok := v.Addr().Interface().(decodable); ok {
		own.decode(d, n, path)
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		d.object(n, v, path)
	case reflect.Slice:
		d.list(n, v, f, path)
	default:
		if err := scalar(n, v, f); err != nil {
			d.fail(n.at, path, "%s%v", label(path), err)
		}
	}
}

func (d *decoder) list(n *node, v reflect.Value, f field, path string) {
	if n.kind != listNode {
		d.fail(n.at, path, "%sexpected a list, got %s: write it as [a, b] or one item after each '-'", label(path), n.describe())
		return
	}
	v.Set(reflect.MakeSlice(v.Type(), len(n.items), len(n.items)))
	for i, item := range n.items {
		child := join(path, strconv.Itoa(i))
		d.enter(child, item.at, item.at)
		d.value(item, v.Index(i), f, child)
	}
}

var (
	wholeNumber   = regexp.MustCompile(`^[-+]?(0|[1-9][0-9]*)$`)
	decimalNumber = regexp.MustCompile(`^[-+]?(0|[1-9][0-9]*)?(\.[0-9]*)?([eE][-+]?[0-9]+)?$`)
	leadingZero   = regexp.MustCompile(`^[-+]?0[0-9_]+$`)
)

// scalar reads one value strictly: a number is written in decimal, a truth
// value is true or false, a text is not a number.
func scalar(n *node, v reflect.Value, f field) error {
	switch v.Kind() {
	case reflect.Bool:
		return boolean(n, v)
	case reflect.Int, reflect.Uint64:
		return whole(n, v)
	case reflect.Float64:
		return decimal(n, v)
	default:
		return text(n, v, f)
	}
}

func boolean(n *node, v reflect.Value) error {
	if n.kind != scalarNode || !n.plain || n.text != "true" && n.text != "false" {
		return fmt.Errorf("expected true or false, got %s", n.describe())
	}
	v.SetBool(n.text == "true")
	return nil
}

func whole(n *node, v reflect.Value) error {
	switch {
	case n.kind != scalarNode || !n.plain || !wholeNumber.MatchString(n.text):
		return fmt.Errorf("expected a whole number, got %s%s", n.describe(), numberHint(n))
	case v.Kind() == reflect.Int:
		i, err := strconv.ParseInt(n.text, 10, 0)
		if err != nil {
			return fmt.Errorf("the whole number %s is too large", shorten(n.text))
		}
		v.SetInt(i)
	default:
		if strings.HasPrefix(n.text, "-") {
			return fmt.Errorf("expected a whole number from 0 on, got %s", shorten(n.text))
		}
		u, err := strconv.ParseUint(strings.TrimPrefix(n.text, "+"), 10, 64)
		if err != nil {
			return fmt.Errorf("the whole number %s is too large", shorten(n.text))
		}
		v.SetUint(u)
	}
	return nil
}

func decimal(n *node, v reflect.Value) error {
	if n.kind != scalarNode || !n.plain || !decimalNumber.MatchString(n.text) || !strings.ContainsAny(n.text, "0123456789") {
		return fmt.Errorf("expected a number, got %s%s", n.describe(), numberHint(n))
	}
	x, err := strconv.ParseFloat(n.text, 64)
	if err != nil || math.IsInf(x, 0) {
		return fmt.Errorf("the number %s cannot be held in 64 bits", shorten(n.text))
	}
	v.SetFloat(x)
	return nil
}

// numberHint names the cure for a number that other YAML readers would take.
func numberHint(n *node) string {
	switch {
	case n.kind != scalarNode:
		return ""
	case !n.plain && decimalNumber.MatchString(n.text):
		return ": leave the quotes out"
	case leadingZero.MatchString(n.text):
		return " (some read it as octal): leave the leading zero out"
	case strings.Contains(n.text, "_"):
		return ": leave the underscores out"
	}
	return ""
}

func text(n *node, v reflect.Value, f field) error {
	switch {
	case n.kind != scalarNode, n.plain && n.tag == "!!null" && (!f.listed() || n.text == ""):
		return fmt.Errorf("expected text, got %s", n.describe())
	case n.plain && n.tag != "!!str" && !f.written:
		return fmt.Errorf("expected text, got %s: put it in quotes", n.describe())
	}
	v.SetString(n.text)
	return nil
}

func lookup(fields []field, key string) (field, bool) {
	for _, f := range fields {
		if f.key == key {
			return f, true
		}
	}
	return field{}, false
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

// last is the final key of a path: what a message calls it.
func last(path string) string {
	return path[strings.LastIndexByte(path, '.')+1:]
}

// label begins a message about a path: "features: ", and "steps.0: " for an item.
func label(path string) string {
	key := last(path)
	if key == "" {
		return ""
	}
	if _, err := strconv.Atoi(key); err == nil {
		key = path
	}
	return key + ": "
}
