package config

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/fspca/fspca/internal/golden"
	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/internal/strict"
)

func TestSchemaFile(t *testing.T) {
	golden.Check(t, filepath.Join("..", "..", "configs", "fspca.schema.json"), Schema())
}

func compiledSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	doc := must.Get(jsonschema.UnmarshalJSON(bytes.NewReader(Schema())))(t)
	c := jsonschema.NewCompiler()
	must.OK(t, c.AddResource("fspca.schema.json", doc))
	return must.Get(c.Compile("fspca.schema.json"))(t)
}

// plainValue is a node as JSON has it, the way a schema-aware editor sees YAML.
func plainValue(n *strict.Node) any {
	switch {
	case n == nil:
		return nil
	case n.Kind == strict.Mapping:
		out := map[string]any{}
		for i, k := range n.Keys {
			out[k.Text] = plainValue(n.Items[i])
		}
		return out
	case n.Kind == strict.List:
		out := []any{}
		for _, item := range n.Items {
			out = append(out, plainValue(item))
		}
		return out
	case n.Tag == "!!null":
		return nil
	case n.Tag == "!!bool":
		return n.Text == "true"
	case n.Tag == "!!int" || n.Tag == "!!float":
		for _, text := range []string{n.Text, "0" + n.Text, strings.TrimLeft(strings.ReplaceAll(n.Text, "_", ""), "0")} {
			if json.Valid([]byte(text)) { // 3, then .5, then 010 and 1_000
				return json.Number(text)
			}
		}
		return json.Number("0") // .nan
	}
	return n.Text
}

func TestSchemaTakesGoodConfigs(t *testing.T) {
	s := compiledSchema(t)
	paths := must.Get(filepath.Glob(filepath.Join("..", "..", "configs", "*.yaml")))(t)
	for _, path := range append(paths, configFiles(t, "good")...) {
		root, problems := grammar(new(Config)).Parse(path, read(t, path))
		if problems != nil {
			t.Fatal(problems)
		}
		if err := s.Validate(plainValue(root)); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// beyondSchema are the bad configs whose mistakes are in the way the file is
// written, or take more than one key to see.
var beyondSchema = map[string]bool{
	"alias": true, "control": true, "document": true, "duplicate": true, "keytype": true, "latin1": true,
	"noanchor": true, "syntax": true, "tabs": true, "tabbed": true, "indent": true, "tag": true,
	"samesign": true, "builtin": true, "builtinkeys": true, "drop": true, "nosplit": true, "order": true, "together": true, "stepoptions": true, "effort": true, "target": true, "taskclass": true, "nojudge": true, "ordered": true, "gridoption": true, "gridvalues": true,
}

func TestSchemaRefusesBadConfigs(t *testing.T) {
	s := compiledSchema(t)
	for _, path := range configFiles(t, "bad") {
		name, _, _ := strings.Cut(filepath.Base(path), ".")
		root, _ := grammar(new(Config)).Parse(path, read(t, path))
		err := s.Validate(plainValue(root))
		if beyondSchema[name] {
			continue
		}
		if err == nil {
			t.Errorf("%s: the schema takes it", path)
		}
	}
}

// Every key has a description.
func TestSchemaIsComplete(t *testing.T) {
	var walk func(path string, value any)
	walk = func(path string, value any) {
		m, ok := value.(map[string]any)
		if !ok {
			return
		}
		properties, _ := m["properties"].(map[string]any)
		for key, p := range properties {
			if p.(map[string]any)["description"] == nil {
				t.Errorf("%s.%s has no description", path, key)
			}
			walk(path+"."+key, p)
		}
		if items, ok := m["items"]; ok {
			walk(path+"[]", items)
		}
		if either, ok := m["anyOf"].([]any); ok {
			for _, e := range either {
				walk(path, e)
			}
		}
	}
	var doc any
	must.OK(t, json.Unmarshal(Schema(), &doc))
	walk("", doc)
}
