package strict

import (
	"math"
	"reflect"
	"strconv"
)

// Object is a JSON object; encoding/json writes its keys sorted.
type Object = map[string]any

// Schema describes, as a JSON Schema (draft 2020-12), the mapping that the struct
// options points to is read from.
func (g *Grammar) Schema(options any) Object { return g.objectSchema(reflect.TypeOf(options).Elem()) }

// objectSchema describes a mapping.
func (g *Grammar) objectSchema(t reflect.Type) Object {
	properties, required := Object{}, []string{}
	for _, f := range fieldsOf(t) {
		properties[f.key] = g.fieldSchema(f)
		if f.required {
			required = append(required, f.key)
		}
	}
	s := Object{"type": "object", "additionalProperties": false, "properties": properties}
	if len(required) > 0 {
		s["required"] = required
	}
	return s
}

// fieldSchema describes the value of a key.
func (g *Grammar) fieldSchema(f field) Object {
	s := g.typeSchema(f, f.bare())
	if f.doc != "" {
		s["description"] = f.doc
	}
	if f.initial != "" {
		s["default"] = initialValue(f)
	}
	return s
}

func (g *Grammar) typeSchema(f field, t reflect.Type) Object {
	if form, ok := g.Forms[t]; ok {
		return form.Schema()
	}
	switch t.Kind() {
	case reflect.Struct:
		return g.objectSchema(t)
	case reflect.Slice:
		s := Object{"type": "array", "items": g.typeSchema(f, t.Elem())}
		if f.required {
			s["minItems"] = 1
		}
		if f.unique {
			s["uniqueItems"] = true
		}
		return s
	case reflect.Bool:
		return Object{"type": "boolean"}
	case reflect.Int, reflect.Uint64:
		return numberSchema("integer", f, t)
	case reflect.Float64:
		return numberSchema("number", f, t)
	default:
		return textSchema(f)
	}
}

func numberSchema(name string, f field, t reflect.Type) Object {
	s := Object{"type": name}
	if t.Kind() == reflect.Uint64 {
		s["minimum"] = 0
		s["maximum"] = uint64(math.MaxUint64)
	}
	words := map[string]string{"min": "minimum", "max": "maximum", "above": "exclusiveMinimum", "below": "exclusiveMaximum"}
	for _, b := range f.bounds {
		s[words[b.word]] = b.limit
	}
	return s
}

// textSchema describes a text; where scalars are taken as they are written,
// numbers and truth values are texts too.
func textSchema(f field) Object {
	switch {
	case f.one != nil:
		return Object{"enum": f.one}
	case f.char:
		return Object{"type": "string", "pattern": "^([^\"\\r\\n]|tab|whitespace)$"}
	case f.duration:
		return Object{"type": "string", "pattern": "^\\+?(([0-9]+\\.?[0-9]*|\\.[0-9]+)(ns|us|µs|ms|s|m|h))+$"}
	case f.listed():
		return Object{"type": []string{"string", "number", "boolean", "null"}, "minLength": 1}
	case f.written:
		return Object{"type": []string{"string", "number", "boolean"}, "minLength": 1}
	}
	return Object{"type": "string", "minLength": 1}
}

// initialValue is a default as JSON has it.
func initialValue(f field) any {
	switch f.bare().Kind() {
	case reflect.Bool:
		return f.initial == "true"
	case reflect.Int, reflect.Uint64, reflect.Float64:
		x, err := strconv.ParseFloat(f.initial, 64)
		if err != nil {
			panic("strict: the default of " + f.key + " is not a number: " + f.initial)
		}
		return x
	}
	return f.initial
}
