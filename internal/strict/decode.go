package strict

import (
	"cmp"
	"fmt"
	"math"
	"reflect"
	"regexp"
	"strconv"
	"strings"

	"github.com/fspca/fspca/internal/spelling"
)

// Decoder fills config structs from nodes by their fields, and goes on after a
// mistake. It remembers the position of each path and which paths are bad, so that
// later checks complain only about what was read.
type Decoder struct {
	grammar  *Grammar
	problems []Problem
	keys     map[string]Place // path → its key, or its item in a list
	values   map[string]Place // path → its value
	bad      map[string]bool
}

// Fail reports a mistake at a place and marks the path.
func (d *Decoder) Fail(at Place, path, format string, args ...any) {
	p := at.problem(format, args...)
	p.Path = path
	d.problems = append(d.problems, p)
	d.bad[path] = true
}

// Enter notes where the value of a path stands.
func (d *Decoder) Enter(path string, key, value Place) {
	d.keys[path], d.values[path] = key, value
}

// Object fills the struct that into points to from a mapping.
func (d *Decoder) Object(n *Node, into any, path string) {
	d.object(n, reflect.ValueOf(into).Elem(), path)
}

func (d *Decoder) object(n *Node, v reflect.Value, path string) {
	if n.Kind == Bad {
		d.bad[path] = true
		return
	}
	fields := fieldsOf(v.Type())
	if n.Kind != Mapping {
		d.Fail(n.At, path, "%sexpected a mapping with %s, got %s", label(path), Listing(keysOf(fields), "and"), n.Describe())
		return
	}
	for i, key := range n.Keys {
		f, ok := lookup(fields, key.Text)
		if !ok {
			if text := elsewhere(v.Type(), key.Text); text != "" {
				d.Fail(key.At, Join(path, key.Text), "unknown key %q in %s: %s", key.Text, Last(path), text)
				continue
			}
			d.unknown(key, n.Items[i], fields, path)
			continue
		}
		child := Join(path, f.key)
		d.Enter(child, key.At, n.Items[i].At)
		d.value(n.Items[i], v.FieldByIndex(f.index), f, child)
	}
}

// unknown reports a key that an object does not have, with the nearest it has,
// and takes that one as given: the checks need not call it missing as well.
func (d *Decoder) unknown(key, value *Node, fields []field, path string) {
	keys := keysOf(fields)
	nearest := cmp.Or(known(fields, key.Text), spelling.Nearest(key.Text, keys))
	where := inside(path)
	inverse := inverted(fields, key.Text, value)
	switch {
	case inverse != "":
		d.Fail(key.At, Join(path, nearest), "unknown key %q%s: did you mean %q, since %s is 1/%s?", key.Text, where, inverse, nearest, key.Text)
	case nearest != "":
		d.Fail(key.At, Join(path, nearest), "unknown key %q%s: did you mean %q?", key.Text, where, nearest)
	case len(keys) == 0:
		d.Fail(key.At, path, "unknown key %q%s: it takes no keys", key.Text, where)
	default:
		d.Fail(key.At, Join(path, key.Text), "unknown key %q%s: the keys are %s", key.Text, where, Listing(keys, "and"))
	}
}

// value fills v by the field's type.
func (d *Decoder) value(n *Node, v reflect.Value, f field, path string) {
	if v.Kind() == reflect.Pointer { // of a bad value too: it is given
		v.Set(reflect.New(v.Type().Elem()))
		v = v.Elem()
	}
	if n.Kind == Bad {
		d.bad[path] = true
		return
	}
	if form, ok := d.grammar.Forms[v.Type()]; ok {
		form.Decode(d, n, v.Addr().Interface(), path)
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		d.object(n, v, path)
	case reflect.Slice:
		d.list(n, v, f, path)
	default:
		if err := scalar(n, v, f); err != nil {
			d.Fail(n.At, path, "%s%v", label(path), err)
		}
	}
}

func (d *Decoder) list(n *Node, v reflect.Value, f field, path string) {
	if n.Kind != List {
		d.Fail(n.At, path, "%sexpected a list, got %s: write it as [a, b] or one item after each '-'", label(path), n.Describe())
		return
	}
	v.Set(reflect.MakeSlice(v.Type(), len(n.Items), len(n.Items)))
	for i, item := range n.Items {
		child := Join(path, strconv.Itoa(i))
		d.Enter(child, item.At, item.At)
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
func scalar(n *Node, v reflect.Value, f field) error {
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

// Whole reads a whole number, as Object reads one.
func (d *Decoder) Whole(n *Node, number *int, path string) {
	if err := whole(n, reflect.ValueOf(number).Elem()); err != nil {
		d.Fail(n.At, path, "%s%v", label(path), err)
	}
}

// Number reads a number, as Object reads one.
func (d *Decoder) Number(n *Node, number *float64, path string) {
	if err := decimal(n, reflect.ValueOf(number).Elem()); err != nil {
		d.Fail(n.At, path, "%s%v", label(path), err)
	}
}

func boolean(n *Node, v reflect.Value) error {
	if n.Kind != Scalar || !n.Plain || n.Text != "true" && n.Text != "false" {
		return fmt.Errorf("expected true or false, got %s", n.Describe())
	}
	v.SetBool(n.Text == "true")
	return nil
}

func whole(n *Node, v reflect.Value) error {
	switch {
	case n.Kind != Scalar || !n.Plain || !wholeNumber.MatchString(n.Text):
		return fmt.Errorf("expected a whole number, got %s%s", n.Describe(), numberHint(n))
	case v.Kind() == reflect.Int:
		i, err := strconv.ParseInt(n.Text, 10, 0)
		if err != nil {
			return fmt.Errorf("the whole number %s is too large", shorten(n.Text))
		}
		v.SetInt(i)
	default:
		if strings.HasPrefix(n.Text, "-") {
			return fmt.Errorf("expected a whole number from 0 on, got %s", shorten(n.Text))
		}
		u, err := strconv.ParseUint(strings.TrimPrefix(n.Text, "+"), 10, 64)
		if err != nil {
			return fmt.Errorf("the whole number %s is too large", shorten(n.Text))
		}
		v.SetUint(u)
	}
	return nil
}

func decimal(n *Node, v reflect.Value) error {
	if n.Kind != Scalar || !n.Plain || !decimalNumber.MatchString(n.Text) || !strings.ContainsAny(n.Text, "0123456789") {
		return fmt.Errorf("expected a number, got %s%s", n.Describe(), numberHint(n))
	}
	x, err := strconv.ParseFloat(n.Text, 64)
	if err != nil || math.IsInf(x, 0) {
		return fmt.Errorf("the number %s cannot be held in 64 bits", shorten(n.Text))
	}
	v.SetFloat(x)
	return nil
}

// numberHint names the cure for a number that other YAML readers would take.
func numberHint(n *Node) string {
	switch {
	case n.Kind != Scalar:
		return ""
	case !n.Plain && decimalNumber.MatchString(n.Text):
		return ": leave the quotes out"
	case leadingZero.MatchString(n.Text):
		return " (some read it as octal): leave the leading zero out"
	case strings.Contains(n.Text, "_"):
		return ": leave the underscores out"
	}
	return ""
}

func text(n *Node, v reflect.Value, f field) error {
	switch {
	case n.Kind != Scalar, n.Plain && n.Tag == "!!null" && (!f.listed() || n.Text == ""):
		return fmt.Errorf("expected text, got %s", n.Describe())
	case n.Plain && n.Tag != "!!str" && !f.written:
		return fmt.Errorf("expected text, got %s: put it in quotes", n.Describe())
	}
	v.SetString(n.Text)
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

// Join returns the path of a key below another path, with a point between; "" is the top.
func Join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

// Last is the final key of a path: what a message calls it.
func Last(path string) string {
	return path[strings.LastIndexByte(path, '.')+1:]
}

// label begins a message about a path: "features: ", and "steps.0: " for an item.
func label(path string) string {
	key := Last(path)
	if key == "" {
		return ""
	}
	if _, err := strconv.Atoi(key); err == nil {
		key = path
	}
	return key + ": "
}
