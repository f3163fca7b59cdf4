package config

import (
	"bytes"
	"encoding/json"

	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/strict"
	"github.com/fspca/fspca/pipeline"
)

//go:generate go test -run TestSchemaFile -update .

// schemaURI names the dialect that the schema is written in.
const schemaURI = "https://json-schema.org/draft/2020-12/schema"

// Schema returns the JSON Schema (draft 2020-12) of a config, made from the same tables as the
// decoder. It describes keys, types, ranges and choices. Only Parse checks how values are
// written (010, repeated keys) and the rules over several keys: m ≤ k, a classifier at the end
// and its label, options that a search sets.
func Schema() []byte {
	root := grammar(new(Config)).Schema(new(Config))
	root["$schema"] = schemaURI
	root["title"] = "fspca pipeline"
	root["properties"].(strict.Object)["version"].(strict.Object)["const"] = Version
	split := root["properties"].(strict.Object)["split"].(strict.Object)
	ways := lists.Map([]string{"test", "folds", "file", "column", "group", "time"}, func(key string) any { return strict.Object{"required": []string{key}} })
	split["anyOf"] = ways
	var apart []any
	for _, k := range splitKeys {
		for _, other := range k.others {
			if other != "repeats" && other != "shuffle" && other != "stratify" { // which may say what is so in any case
				apart = append(apart, strict.Object{"not": strict.Object{"required": []string{k.key, other}}})
			}
		}
	}
	split["allOf"] = apart
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(root); err != nil {
		panic("config: the schema is not JSON: " + err.Error()) // numbers are finite and keys are text
	}
	return b.Bytes()
}

// stepSchema describes a step: a name, or one key with options.
func stepSchema(g *strict.Grammar) strict.Object {
	properties, plain := strict.Object{}, []string{}
	for _, k := range pipeline.Kinds() {
		s := g.Schema(k.Options())
		s["description"] = k.Doc()
		if s["required"] == nil { // all defaults: nothing to say below the name
			s["type"] = []string{"object", "null"}
			plain = append(plain, k.Name())
		}
		properties[k.Name()] = s
	}
	return strict.Object{"anyOf": []any{
		strict.Object{"enum": plain},
		strict.Object{"type": "object", "additionalProperties": false, "minProperties": 1, "maxProperties": 1, "properties": properties},
	}}
}
