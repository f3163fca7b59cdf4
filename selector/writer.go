package selector

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/fspca/fspca/internal/saved"
)

// writer lays out JSON for readers: one line per field, one line per element of a list of objects.
type writer struct {
	b      bytes.Buffer
	indent string
	err    error
}

// laidOut is JSON that is laid out already.
type laidOut []byte

// layOut returns the JSON of a struct by its tags. An optional field is left out if it is not set. The
// fields of one with the tag file:"lines", which is a struct, stand on lines of their own.
func layOut(of any) ([]byte, error) {
	w := &writer{}
	w.object(reflect.ValueOf(of))
	w.b.WriteString("\n")
	return w.b.Bytes(), w.err
}

// layOutSummed is layOut with the checksum of all that the object holds as its last field.
func layOutSummed(of any) ([]byte, error) {
	text, err := layOut(of)
	if err != nil {
		return nil, err
	}
	sum, err := saved.Sum(text)
	return fmt.Appendf(bytes.TrimSuffix(text, []byte("\n}\n")), ",\n \"checksum\": %q\n}\n", sum), err
}

func (w *writer) object(s reflect.Value) {
	w.b.WriteString("{")
	w.indent += " "
	separator := ""
	for i := range s.NumField() {
		field, v := s.Type().Field(i), s.Field(i)
		name, optional, _ := strings.Cut(field.Tag.Get("json"), ",")
		if optional != "" && v.IsZero() {
			continue
		}
		w.b.WriteString(separator + "\n" + w.indent)
		w.value(name)
		w.b.WriteString(": ")
		switch text, done := v.Interface().(laidOut); {
		case done:
			w.b.Write(bytes.TrimRight(text, "\n"))
		case field.Tag.Get("file") == "lines":
			w.object(reflect.Indirect(v))
		case v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Struct:
			w.list(v)
		default:
			w.value(v.Interface())
		}
		separator = ","
	}
	w.indent = w.indent[1:]
	w.b.WriteString("\n" + w.indent + "}")
}

func (w *writer) list(elements reflect.Value) {
	w.b.WriteString("[")
	separator := ""
	for _, e := range elements.Seq2() {
		w.b.WriteString(separator + "\n" + w.indent + " ")
		w.value(e.Interface())
		separator = ","
	}
	w.b.WriteString("\n" + w.indent + "]")
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
