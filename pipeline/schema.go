package pipeline

import (
	"bytes"
	"encoding/json"
	"math"
	"reflect"
	"strconv"
)

//go:generate go test -run TestSchemaFile -update .

// schemaURI names the dialect that the schema is written in.
const schemaURI = "https://json-schema.org/draft/2020-12/schema"

// object is a JSON object; encoding/json writes its keys sorted.
type object = map[string]any

// Schema is the JSON Schema (draft 2020-12) of a config, made from the same
// tables that the decoder follows. It holds the form: keys, types, ranges and
// choices. What takes more than one key (m ≤ k, a classifier at the end, a label
// for it) or the way a value is written (010, a key that comes twice) is for
// ParseConfig alone.
func Schema() []byte {
	root := objectSchema(reflect.TypeFor[Config]())
	root["$schema"] = schemaURI
	root["title"] = "fspca pipeline"
	root["properties"].(object)["version"].(object)["const"] = ConfigVersion
	split := root["properties"].(object)["split"].(object)
	split["oneOf"] = []any{object{"required": []string{"test"}}, object{"required": []string{"folds"}}}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(root); err != nil {
		panic("pipeline: the schema is not JSON: " + err.Error()) // numbers are finite and keys are text
	}
	return b.Bytes()
}

// objectSchema describes a mapping.
func objectSchema(t reflect.Type) object {
	properties, required := object{}, []string{}
	for _, f := range fieldsOf(t) {
		properties[f.key] = fieldSchema(f)
		if f.required {
			required = append(required, f.key)
		}
	}
	s := object{"type": "object", "additionalProperties": false, "properties": properties}
	if len(required) > 0 {
		s["required"] = required
	}
	return s
}

// fieldSchema describes the value of a key.
func fieldSchema(f field) object {
	s := typeSchema(f, f.bare())
	if f.doc != "" {
		s["description"] = f.doc
	}
	if f.initial != "" {
		s["default"] = initialValue(f)
	}
	return s
}

func typeSchema(f field, t reflect.Type) object {
	switch t.Kind() {
	case reflect.Struct:
		if t == reflect.TypeFor[Step]() {
			return stepSchema()
		}
		if t == reflect.TypeFor[FeatureCount]() || t == reflect.TypeFor[ComponentCount]() {
			found := objectSchema(t)
			found["minProperties"], found["maxProperties"] = 1, 1
			return object{"anyOf": []any{object{"type": "integer", "minimum": 1}, found}}
		}
		return objectSchema(t)
	case reflect.Slice:
		item := f
		item.bounds = nil
		s := object{"type": "array", "items": typeSchema(item, t.Elem())}
		if f.required {
			s["minItems"] = 1
		}
		if f.unique {
			s["uniqueItems"] = true
		}
		return s
	case reflect.Bool:
		return object{"type": "boolean"}
	case reflect.Int, reflect.Uint64:
		return numberSchema("integer", f, t)
	case reflect.Float64:
		return numberSchema("number", f, t)
	default:
		return textSchema(f)
	}
}

func numberSchema(name string, f field, t reflect.Type) object {
	s := object{"type": name}
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
func textSchema(f field) object {
	switch {
	case f.one != nil:
		return object{"enum": f.one}
	case f.char:
		return object{"type": "string", "pattern": "^([^\"\\r\\n]|tab)$"}
	case f.duration:
		return object{"type": "string", "pattern": "^\\+?(([0-9]+\\.?[0-9]*|\\.[0-9]+)(ns|us|µs|ms|s|m|h))+$"}
	case f.listed():
		return object{"type": []string{"string", "number", "boolean", "null"}, "minLength": 1}
	case f.written:
		return object{"type": []string{"string", "number", "boolean"}, "minLength": 1}
	}
	return object{"type": "string", "minLength": 1}
}

// stepSchema describes a step: a name, or one key with options.
func stepSchema() object {
	properties, plain := object{}, []string{}
	for _, k := range kinds {
		t := reflect.TypeOf(k.options()).Elem()
		s := objectSchema(t)
		s["description"] = k.doc
		if s["required"] == nil { // all defaults: nothing to say below the name
			s["type"] = []string{"object", "null"}
			plain = append(plain, k.name)
		}
		properties[k.name] = s
	}
	return object{"anyOf": []any{
		object{"enum": plain},
		object{"type": "object", "additionalProperties": false, "minProperties": 1, "maxProperties": 1, "properties": properties},
	}}
}

// initialValue is a default as JSON has it.
func initialValue(f field) any {
	switch f.bare().Kind() {
	case reflect.Bool:
		return f.initial == "true"
	case reflect.Int, reflect.Uint64, reflect.Float64:
		x, err := strconv.ParseFloat(f.initial, 64)
		if err != nil {
			panic("pipeline: the default of " + f.key + " is not a number: " + f.initial)
		}
		return x
	}
	return f.initial
}
