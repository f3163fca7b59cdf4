package config

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/fspca/fspca/internal/must"
)

// TestUnreadableValues: a tag or an alias is told, and nothing panics, as the value of every key.
func TestUnreadableValues(t *testing.T) {
	var doc any
	must.OK(t, json.Unmarshal(Schema(), &doc))
	keys := 0
	var walk func(before, after string, value any)
	walk = func(before, after string, value any) {
		m, ok := value.(map[string]any)
		if !ok {
			return
		}
		properties, _ := m["properties"].(map[string]any)
		for key, p := range properties {
			keys++
			for _, v := range []string{"!!str 3", "*a"} {
				text := "version: &a 1\n" + before + "{" + key + ": " + v + "}" + after + "\n"
				var bad *Error
				if _, err := Parse("c.yaml", []byte(text)); !errors.As(err, &bad) {
					t.Errorf("%s: %v", text, err)
				}
			}
			walk(before+"{"+key+": ", "}"+after, p)
		}
		if items, ok := m["items"]; ok {
			walk(before+"[", "]"+after, items)
		}
		for _, of := range []string{"anyOf", "oneOf"} {
			either, _ := m[of].([]any)
			for _, e := range either {
				walk(before, after, e)
			}
		}
	}
	top := doc.(map[string]any)["properties"].(map[string]any)
	for key, p := range top {
		walk(key+": ", "", p)
	}
	if keys < 100 {
		t.Errorf("only %d keys were tried", keys)
	}
}
