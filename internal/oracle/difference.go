package oracle

import (
	"encoding/json"
	"fmt"
	"math"
)

// Difference says where two JSON texts differ, but for fields "checksum" and for numbers that are
// equal up to 1e-9; "" for nowhere. What is their name.
func Difference(what string, got, want []byte) string {
	var values [2]any
	for i, text := range [][]byte{got, want} {
		if err := json.Unmarshal(text, &values[i]); err != nil {
			return fmt.Sprintf("%s: %v", what, err)
		}
	}
	return differing(what, values[0], values[1])
}

func differing(at string, a, b any) string {
	switch x := a.(type) {
	case map[string]any:
		y, ok := b.(map[string]any)
		if !ok || len(x) != len(y) {
			return fmt.Sprintf("%s: %v, want %v", at, a, b)
		}
		for key := range x {
			if key == "checksum" {
				continue
			}
			if where := differing(at+"."+key, x[key], y[key]); where != "" {
				return where
			}
		}
		return ""
	case []any:
		y, ok := b.([]any)
		if !ok || len(x) != len(y) {
			return fmt.Sprintf("%s: %v, want %v", at, a, b)
		}
		for i := range x {
			if where := differing(fmt.Sprintf("%s[%d]", at, i), x[i], y[i]); where != "" {
				return where
			}
		}
		return ""
	case float64:
		if y, ok := b.(float64); ok && math.Abs(x-y) <= 1e-9*(1+math.Abs(y)) {
			return ""
		}
	}
	if a == b {
		return ""
	}
	return fmt.Sprintf("%s: %v, want %v", at, a, b)
}
