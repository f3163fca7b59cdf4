package strict

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/spelling"
)

// mistake is a value that a config may not hold, or a key that it lacks.
type mistake struct {
	path    string
	message string
	beside  []string // other paths that the judgement rests on
}

// Inspection walks a config and collects mistakes. given says whether a path
// was written; for a config made in Go a zero field counts as absent.
type Inspection struct {
	grammar  *Grammar
	given    func(path string) bool
	supplied map[string]bool // what need not be written, since another key says it
	mistakes []mistake
}

// Supply says that another key gives the value of a path: it is not missed.
func (in *Inspection) Supply(path string) {
	if in.supplied == nil {
		in.supplied = map[string]bool{}
	}
	in.supplied[path] = true
}

// Supplied says whether another key gives the value of a path.
func (in *Inspection) Supplied(path string) bool { return in.supplied[path] }

// Report adds a mistake.
func (in *Inspection) Report(path, format string, args ...any) {
	in.mistakes = append(in.mistakes, mistake{path: path, message: fmt.Sprintf(format, args...)})
}

// Against reports a mistake that rests on other paths as well: it is not worth
// telling where one of them is bad.
func (in *Inspection) Against(beside []string, path, format string, args ...any) {
	in.Report(path, format, args...)
	in.mistakes[len(in.mistakes)-1].beside = beside
}

// Unless is Against where the other paths were not reported either, nor supplied:
// a rule that takes several values says nothing of one that is wrong by itself.
func (in *Inspection) Unless(beside []string, path, format string, args ...any) {
	for _, other := range append(beside, path) {
		if in.supplied[other] || slices.ContainsFunc(in.mistakes, func(m mistake) bool { return m.path == other }) {
			return
		}
	}
	in.Against(beside, path, format, args...)
}

// Written says whether a path stands in the file; false for a value made in Go.
func (in *Inspection) Written(path string) bool { return in.given != nil && in.given(path) }

// Given says whether the value of a path was given: in the file or, made in Go, by
// being other than zero.
func (in *Inspection) Given(path string, value any) bool {
	return in.has(path, reflect.ValueOf(value))
}

func (in *Inspection) has(path string, v reflect.Value) bool {
	if in.given != nil {
		return in.given(path)
	}
	return !v.IsZero()
}

// Object applies the rules of the fields of the struct that value points to.
func (in *Inspection) Object(value any, path string) {
	in.object(reflect.ValueOf(value).Elem(), path)
}

func (in *Inspection) object(v reflect.Value, path string) {
	for _, f := range fieldsOf(v.Type()) {
		child, value := Join(path, f.key), v.FieldByIndex(f.index)
		switch {
		case !in.has(child, value):
			if f.required && !in.supplied[child] {
				in.Report(child, "missing key %q%s%s", f.key, inside(path), told(f.doc))
			}
			continue
		case value.Kind() == reflect.Pointer:
			value = value.Elem()
		}
		in.value(value, f, child)
	}
}

func (in *Inspection) value(v reflect.Value, f field, path string) {
	if form, ok := in.grammar.Forms[v.Type()]; ok {
		if form.Inspect != nil {
			form.Inspect(in, v.Addr().Interface(), path)
		}
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		in.object(v, path)
	case reflect.Slice:
		in.list(v, f, path)
	case reflect.Int:
		in.bounds(float64(v.Int()), f, path)
	case reflect.Float64:
		in.bounds(v.Float(), f, path)
	case reflect.Uint64:
		in.bounds(float64(v.Uint()), f, path)
	case reflect.String:
		in.text(v.String(), f, path)
	}
}

func (in *Inspection) list(v reflect.Value, f field, path string) {
	if v.Len() == 0 && f.required {
		in.Report(path, "%s is empty: it needs at least one item", f.key)
	}
	seen := make(map[any]bool)
	for i := range v.Len() {
		item, child := v.Index(i), Join(path, strconv.Itoa(i))
		if f.unique && item.Comparable() {
			if seen[item.Interface()] {
				in.Report(child, "%s holds %#v twice", f.key, item.Interface())
			}
			seen[item.Interface()] = true
		}
		if item.Kind() != reflect.String || f.bindsTexts() && item.String() != "" {
			in.value(item, f, child)
		}
	}
}

func (in *Inspection) bounds(x float64, f field, path string) {
	if math.IsNaN(x) {
		in.Report(path, "%s is not a number", f.key)
		return
	}
	for _, b := range f.bounds {
		if !b.allows(x) {
			all := lists.Map(f.bounds, func(b bound) string { return b.String() })
			in.Report(path, "%s must be %s, got %s", f.key, strings.Join(all, " and "), strconv.FormatFloat(x, 'g', -1, 64))
			return
		}
	}
}

func (in *Inspection) text(s string, f field, path string) {
	switch {
	case s == "":
		in.Report(path, "%s is empty: leave the key out or give a text", f.key)
	case f.char && s != "tab" && s != "whitespace" && (utf8.RuneCountInString(s) != 1 || strings.ContainsAny(s, "\"\r\n\uFFFD")):
		in.Report(path, "%s must be one character (or the word tab or whitespace) other than a quote or a line end, got %q", f.key, s)
	case f.duration:
		if d, err := time.ParseDuration(s); err != nil || d <= 0 {
			in.Report(path, "%s must be a time above 0 with its unit, such as 30s or 1h30m, got %q", f.key, s)
		}
	case f.one != nil && !slices.Contains(f.one, s):
		in.Report(path, "%s must be %s, got %q%s", f.key, Listing(f.one, "or"), s, Suggest(s, f.one))
	}
}

// spoiled says whether a mistake rests on something that is reported already:
// its path, one above it, or one that it looked at beside.
func (d *Decoder) spoiled(m mistake) bool {
	for _, path := range append(m.beside, m.path) {
		for {
			if d.bad[path] {
				return true
			}
			if path == "" {
				break
			}
			path = parent(path)
		}
	}
	return false
}

func inside(path string) string {
	if path == "" {
		return ""
	}
	return " in " + Last(path)
}

// Suggest is the nearest of the words as a question, or nothing.
func Suggest(got string, among []string) string {
	return spelling.Hint(": did you mean %q?", got, among)
}

// told is a documentation sentence as the end of a message.
func told(doc string) string {
	if doc == "" {
		return ""
	}
	r, size := utf8.DecodeRuneInString(doc)
	return ": " + strings.TrimSuffix(strings.ToLower(string(r))+doc[size:], ".")
}

// CheckKey applies the rules of one key to its value in the struct that options
// points to. Written is what a file holds of it, as encoding/json reads it. If that is
// nil, what is below the key counts as given unless it is zero.
func CheckKey(options any, key string, written any) error {
	in := &Inspection{grammar: new(Grammar)}
	if written != nil {
		in.given = below(key, written)
	}
	v := reflect.ValueOf(options).Elem()
	if f, ok := lookup(fieldsOf(v.Type()), key); ok {
		value := v.FieldByIndex(f.index)
		if value.Kind() == reflect.Pointer {
			value = value.Elem()
		}
		in.value(value, f, key)
	}
	if len(in.mistakes) > 0 {
		return errors.New(in.mistakes[0].message)
	}
	return nil
}

// Trial returns what rules report of a path that holds what is written, as encoding/json reads it.
// What rests on other paths as well is left out.
func (in *Inspection) Trial(path string, written any, rules func(*Inspection)) []string {
	trial := &Inspection{grammar: in.grammar, given: below(path, written)}
	rules(trial)
	var messages []string
	for _, m := range trial.mistakes {
		if within(m.path, path) && !slices.ContainsFunc(m.beside, func(other string) bool { return !within(other, path) }) {
			messages = append(messages, m.message)
		}
	}
	return messages
}

// within says whether a path is another one or below it.
func within(path, above string) bool {
	return path == above || strings.HasPrefix(path, above+".")
}

// below says which paths are given if one path holds what is written, and nothing beside it.
func below(path string, written any) func(string) bool {
	return func(asked string) bool {
		if !within(asked, path) || asked == path {
			return asked == path
		}
		here := written
		for key := range strings.SplitSeq(asked[len(path)+1:], ".") {
			switch v := here.(type) {
			case map[string]any:
				here = v[key]
			case []any:
				i, err := strconv.Atoi(key)
				if err != nil || i < 0 || i >= len(v) {
					return false
				}
				here = v[i]
			default:
				return false
			}
			if here == nil {
				return false
			}
		}
		return true
	}
}
