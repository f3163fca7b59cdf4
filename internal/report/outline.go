package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// field is a key of a JSON object with its value.
type field struct {
	key   string
	value json.RawMessage
}

// fieldsOf returns the fields of an object in the order in which they are written.
func fieldsOf(object []byte) ([]field, error) {
	d := json.NewDecoder(bytes.NewReader(object))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, err
	}
	var fields []field
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, err
		}
		f := field{key: fmt.Sprint(key)}
		if err := d.Decode(&f.value); err != nil {
			return nil, err
		}
		fields = append(fields, f)
	}
	return fields, nil
}

// longest is the number of elements up to which a list is written out.
const longest = 40

// outline writes a value as lines of "key: value", indented by their depth. Of a long
// list it says how long it is.
func outline(b *strings.Builder, indent, key string, value json.RawMessage) {
	value = bytes.TrimSpace(value)
	switch {
	case len(value) > 0 && value[0] == '{':
		fields, _ := fieldsOf(value)
		fmt.Fprintf(b, "%s%s:\n", indent, key)
		for _, f := range fields {
			outline(b, indent+"  ", f.key, f.value)
		}
	case len(value) > 0 && value[0] == '[':
		var list []json.RawMessage
		_ = json.Unmarshal(value, &list) // it was marshalled here
		if len(list) > longest {
			fmt.Fprintf(b, "%s%s: a list of %d\n", indent, key, len(list))
			return
		}
		if len(list) == 0 || list[0][0] != '{' {
			fmt.Fprintf(b, "%s%s: %s\n", indent, key, value)
			return
		}
		for i, element := range list {
			outline(b, indent, fmt.Sprintf("%s %d", key, i+1), element)
		}
	default:
		fmt.Fprintf(b, "%s%s: %s\n", indent, key, value)
	}
}

// everything lists all keys, also those that no section shows.
func (p *page) everything() []section {
	var b strings.Builder
	for _, part := range []struct {
		name  string
		value any
	}{{"run", p.Input.Run}, {"selection", p.Input.Selection}, {"path", p.Input.Path}, {"evaluation", p.Input.Evaluation}} {
		if part.value == nil {
			continue
		}
		if raw, err := json.Marshal(part.value); err == nil {
			outline(&b, "", part.name, raw)
		}
	}
	return one(section{ID: "everything", Title: "Every figure", Folded: true, Code: b.String()})
}
