package pipeline

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/fspca/fspca/internal/spelling"
)

// mistake is a value that a config may not hold, or a key that it lacks.
type mistake struct {
	path    string
	message string
	beside  []string // other paths that the judgement rests on
}

// inspection walks a config and collects mistakes. given says whether a path
// was written; for a config made in Go a zero field counts as absent.
type inspection struct {
	given    func(path string) bool
	mistakes []mistake
}

// mistakes lists what is wrong with a config beyond its form.
func (c *Config) mistakes(given func(path string) bool) []mistake {
	in := &inspection{given: given}
	in.object(reflect.ValueOf(c).Elem(), "")
	in.config(c)
	return in.mistakes
}

func (in *inspection) report(path, format string, args ...any) {
	in.mistakes = append(in.mistakes, mistake{path: path, message: fmt.Sprintf(format, args...)})
}

func (in *inspection) has(path string, v reflect.Value) bool {
	if in.given != nil {
		return in.given(path)
	}
	return !v.IsZero()
}

// object applies the rules of the fields.
func (in *inspection) object(v reflect.Value, path string) {
	for _, f := range fieldsOf(v.Type()) {
		child, value := join(path, f.key), v.Field(f.index)
		switch {
		case !in.has(child, value):
			if f.required {
				in.report(child, "missing key %q%s: %s", f.key, inside(path), lowered(f.doc))
			}
			continue
		case value.Kind() == reflect.Pointer:
			value = value.Elem()
		}
		in.value(value, f, child)
	}
}

func (in *inspection) value(v reflect.Value, f field, path string) {
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

func (in *inspection) list(v reflect.Value, f field, path string) {
	if v.Len() == 0 && f.required {
		in.report(path, "%s is empty: it needs at least one item", f.key)
	}
	for i := range v.Len() {
		child := join(path, strconv.Itoa(i))
		switch item := v.Index(i).Interface().(type) {
		case Step:
			in.step(item, child)
		case string:
			for j := range i {
				if f.unique && v.Index(j).String() == item {
					in.report(child, "%s holds %q twice", f.key, item)
					break
				}
			}
		}
	}
}

func (in *inspection) bounds(x float64, f field, path string) {
	if math.IsNaN(x) {
		in.report(path, "%s is not a number", f.key)
		return
	}
	for _, b := range f.bounds {
		if !b.allows(x) {
			var all []string
			for _, b := range f.bounds {
				all = append(all, b.String())
			}
			in.report(path, "%s must be %s, got %s", f.key, strings.Join(all, " and "), strconv.FormatFloat(x, 'g', -1, 64))
			return
		}
	}
}

func (in *inspection) text(s string, f field, path string) {
	switch {
	case s == "":
		in.report(path, "%s is empty: leave the key out or give a text", f.key)
	case f.char && s != "tab" && (utf8.RuneCountInString(s) != 1 || strings.ContainsAny(s, "\"\r\n\uFFFD")):
		in.report(path, "%s must be one character (or the word tab) other than a quote or a line end, got %q", f.key, s)
	case f.duration:
		if d, err := time.ParseDuration(s); err != nil || d <= 0 {
			in.report(path, "%s must be a time above 0 with its unit, such as 30s or 1h30m, got %q", f.key, s)
		}
	case f.one != nil && !slices.Contains(f.one, s):
		in.report(path, "%s must be %s, got %q%s", f.key, listing(f.one, "or"), s, suggestion(s, f.one))
	}
}

// step applies the rules of a step's options.
func (in *inspection) step(s Step, path string) {
	k, ok := findKind(s.Name)
	if !ok {
		in.report(path, "%s", unknownStep(s.Name))
		return
	}
	if s.Options == nil {
		s.Options = k.options()
	}
	if got, want := reflect.TypeOf(s.Options), reflect.TypeOf(k.options()); got != want {
		in.report(path, "the options of step %s must be a %v, got a %v", s.Name, want, got)
		return
	}
	in.object(reflect.ValueOf(s.Options).Elem(), join(path, s.Name))
	if k.check != nil {
		k.check(in, s.Options, join(path, s.Name))
	}
}

// spoiled says whether a mistake rests on something that is reported already:
// its path, one above it, or one that it looked at beside.
func (d *decoder) spoiled(m mistake) bool {
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

func parent(path string) string {
	i := strings.LastIndexByte(path, '.')
	if i < 0 {
		return ""
	}
	return path[:i]
}

func inside(path string) string {
	if path == "" {
		return ""
	}
	return " in " + last(path)
}

// suggestion is the nearest of the words as a question, or nothing.
func suggestion(got string, among []string) string {
	if nearest := spelling.Nearest(got, among); nearest != "" {
		return fmt.Sprintf(": did you mean %q?", nearest)
	}
	return ""
}

// lowered is a documentation sentence as the end of a message.
func lowered(doc string) string {
	r, size := utf8.DecodeRuneInString(doc)
	return strings.TrimSuffix(strings.ToLower(string(r))+doc[size:], ".")
}
