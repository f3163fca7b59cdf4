package strict

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/fspca/fspca/internal/lists"
)

// field is one key of a config object, read from the tags of a Go field. The
// decoder, the checks, the defaults and the JSON Schema all follow it, so a new
// key is one new Go field:
//
//	json:"name"     the key (",omitempty" as encoding/json has it, for the report)
//	rule:"…"        required; min, max (inclusive), above, below (exclusive)
//	                =number; one=a|b|c; unique (list); written (scalars are taken
//	                as they are written, not as YAML types them); char (one character, tab or whitespace);
//	                duration (a time with its unit, as time.ParseDuration takes it)
//	default:"…"     what a key that is absent means, as YAML text
//	aka:"a|1/b"     what people write instead; only for the suggestion. 1/b: its inverse
//	doc:"…"         one sentence, for the schema
//
// The keys of an embedded struct are keys of the object, as encoding/json has it. A
// field _ with the tag elsewhere:"a|b: …" says of keys that are not there what to write.
type field struct {
	key, doc, initial string
	index             []int // see reflect.Value.FieldByIndex
	typ               reflect.Type
	required          bool
	unique            bool
	written           bool
	char              bool
	duration          bool
	bounds            []bound
	one, aka          []string
}

// bound is one limit of a number.
type bound struct {
	word  string // min, max, above, below
	limit float64
}

// limits are the words for a bound: what they are in a sentence, and when a value keeps them.
var limits = map[string]struct {
	text  string
	keeps func(v, limit float64) bool
}{
	"min":   {"at least", func(v, limit float64) bool { return v >= limit }},
	"max":   {"at most", func(v, limit float64) bool { return v <= limit }},
	"above": {"above", func(v, limit float64) bool { return v > limit }},
	"below": {"below", func(v, limit float64) bool { return v < limit }},
}

// allows says whether v keeps the bound.
func (b bound) allows(v float64) bool { return limits[b.word].keeps(v, b.limit) }

func (b bound) String() string {
	return limits[b.word].text + " " + strconv.FormatFloat(b.limit, 'g', -1, 64)
}

// fieldsOf lists the keys of a config struct in the order of its Go fields.
// A tag that cannot be read is a bug of the package that declares it, so it panics.
func fieldsOf(t reflect.Type) []field {
	var fields []field
	for i := range t.NumField() {
		f := t.Field(i)
		if isEmbedded(f) {
			for _, inner := range fieldsOf(f.Type) {
				inner.index = append([]int{i}, inner.index...)
				fields = append(fields, inner)
			}
			continue
		}
		key := Key(f)
		if key == "" {
			continue
		}
		out := field{key: key, index: []int{i}, typ: f.Type, doc: f.Tag.Get("doc"), initial: f.Tag.Get("default")}
		if aka := f.Tag.Get("aka"); aka != "" {
			out.aka = strings.Split(aka, "|")
		}
		if rules := f.Tag.Get("rule"); rules != "" {
			for rule := range strings.SplitSeq(rules, ",") {
				out.add(rule)
			}
		}
		fields = append(fields, out)
	}
	return fields
}

// isEmbedded says whether the keys of a field, a struct, are keys of the object that it stands in.
func isEmbedded(f reflect.StructField) bool {
	return f.Anonymous && f.Type.Kind() == reflect.Struct && f.Tag.Get("json") == ""
}

// elsewhere is what to write instead of a key that a config struct does not have; "" if that is not known.
func elsewhere(t reflect.Type, key string) string {
	for field := range t.Fields() {
		keys, text, _ := strings.Cut(field.Tag.Get("elsewhere"), ": ")
		if text != "" && slices.Contains(strings.Split(keys, "|"), key) {
			return text
		}
	}
	return ""
}

// Key is the key of a field of a struct of options, "" if it has none.
func Key(f reflect.StructField) string {
	key, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	return strings.TrimSuffix(key, "-")
}

func (f *field) add(rule string) {
	word, value, _ := strings.Cut(rule, "=")
	marks := map[string]*bool{"required": &f.required, "unique": &f.unique, "written": &f.written, "char": &f.char, "duration": &f.duration}
	switch {
	case marks[word] != nil:
		*marks[word] = true
		f.written = f.written || f.duration
	case word == "one":
		f.one = strings.Split(value, "|")
	case limits[word].keeps != nil:
		limit, err := strconv.ParseFloat(value, 64)
		if err != nil {
			panic(fmt.Sprintf("strict: key %s: rule %q: %v", f.key, rule, err))
		}
		f.bounds = append(f.bounds, bound{word, limit})
	default:
		panic(fmt.Sprintf("strict: key %s: unknown rule %q", f.key, rule))
	}
}

// bare is the type behind a pointer: an optional value whose zero means something.
func (f field) bare() reflect.Type {
	if f.typ.Kind() == reflect.Pointer {
		return f.typ.Elem()
	}
	return f.typ
}

// listed says whether the value is a list of texts as they are written, where
// even null is a Text: a marker of missing cells.
func (f field) listed() bool { return f.written && f.bare().Kind() == reflect.Slice }

// bindsTexts says whether there is a rule for what a text may be.
func (f field) bindsTexts() bool { return f.one != nil || f.char || f.duration }

// keysOf lists the keys of an object, for messages.
func keysOf(fields []field) []string {
	return lists.Map(fields, func(f field) string { return f.key })
}

// known finds the key that somebody meant by an alias; "" for none.
func known(fields []field, alias string) string {
	for _, f := range fields {
		if slices.Contains(f.aka, strings.ToLower(alias)) || f.inverse(alias) {
			return f.key
		}
	}
	return ""
}

// inverse says whether an alias stands for 1 divided by the value.
func (f field) inverse(alias string) bool {
	return slices.Contains(f.aka, "1/"+strings.ToLower(alias))
}

// inverted returns the value that somebody meant who wrote 1 divided by it under an alias; "" where
// that is not so.
func inverted(fields []field, alias string, written *Node) string {
	v, err := strconv.ParseFloat(written.Text, 64)
	i := slices.IndexFunc(fields, func(f field) bool { return f.inverse(alias) })
	if i < 0 || written.Kind != Scalar || err != nil || !(v > 0) || math.IsInf(v, 0) {
		return ""
	}
	return fmt.Sprintf("%s: %s", fields[i].key, strconv.FormatFloat(1/v, 'g', 6, 64))
}

// Listing is "a, b or c".
func Listing(words []string, last string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " " + last + " " + words[len(words)-1]
}
