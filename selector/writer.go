package selector

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"

	"github.com/fspca/fspca/internal/saved"
)

// writer lays out JSON for readers: one line per field, one line per element of a list of objects.
type writer struct {
	b      bytes.Buffer
	indent string
	first  bool // the next field is the first of its object
	err    error
}

func (w *writer) open() {
	w.b.WriteString("{")
	w.indent += " "
	w.first = true
}

func (w *writer) close() {
	w.indent = w.indent[1:]
	w.b.WriteString("\n" + w.indent + "}")
	if w.indent == "" {
		w.b.WriteString("\n")
	}
	w.first = false
}

// closeWithChecksum closes the outermost object with the checksum of all that it holds.
func (w *writer) closeWithChecksum() {
	sum, err := saved.Sum(append(bytes.Clone(w.b.Bytes()), '}'))
	if err != nil && w.err == nil {
		w.err = err
	}
	w.field("checksum", sum)
	w.close()
}

func (w *writer) key(name string) {
	if !w.first {
		w.b.WriteString(",")
	}
	w.first = false
	w.b.WriteString("\n" + w.indent)
	w.value(name)
	w.b.WriteString(": ")
}

// value writes v on the current line, with a space after separators.
func (w *writer) value(v any) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil && w.err == nil {
		w.err = err
	}
	quoted, escaped := false, false
	for _, c := range bytes.TrimSuffix(b.Bytes(), []byte("\n")) {
		w.b.WriteByte(c)
		switch {
		case escaped:
			escaped = false
		case quoted:
			escaped = c == '\\'
			quoted = c != '"'
		case c == '"':
			quoted = true
		case c == ',' || c == ':':
			w.b.WriteByte(' ')
		}
	}
}

func (w *writer) field(name string, v any) {
	w.key(name)
	w.value(v)
}

// fields writes the fields of a struct by their tags, those that may be left out if they are set.
func (w *writer) fields(of any) {
	s := reflect.ValueOf(of)
	for i := range s.NumField() {
		name, optional, _ := strings.Cut(s.Type().Field(i).Tag.Get("json"), ",")
		if optional == "" || !s.Field(i).IsZero() {
			w.field(name, s.Field(i).Interface())
		}
	}
}

func (w *writer) object(name string, fields func()) {
	w.key(name)
	w.open()
	fields()
	w.close()
}

func (w *writer) list(name string, elements []any) {
	w.key(name)
	w.b.WriteString("[")
	for i, e := range elements {
		if i > 0 {
			w.b.WriteString(",")
		}
		w.b.WriteString("\n" + w.indent + " ")
		w.value(e)
	}
	w.b.WriteString("\n" + w.indent + "]")
}
