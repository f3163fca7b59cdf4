package selector_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/selector"
	"github.com/fspca/fspca/transformer"
)

// Options come back from JSON as they went, the deadline and half a MiB included.
func TestOptionsJSON(t *testing.T) {
	o := selector.Options{Features: 3, Components: 2, FeaturesTarget: 0.5, Deadline: 90 * time.Second, MemoryLimit: 1<<20 + 1<<19 + 1,
		Include: []string{"a"}, Seed: 1<<64 - 1, Epsilon: 0.1, Output: selector.Both}
	b := must.Get(json.Marshal(o))(t)
	if !strings.Contains(string(b), `"memory_limit":1.5000009`) || !strings.Contains(string(b), `"deadline":"1m30s"`) {
		t.Errorf("in JSON: %s", b)
	}
	var got selector.Options
	must.OK(t, json.Unmarshal(b, &got))
	if diff := cmp.Diff(o, got); diff != "" {
		t.Errorf("-went +came:\n%s", diff)
	}
	for _, bad := range []string{`{"deadline":"soon"}`, `{"memory_limit":-1}`, `{"memory_limit":1e300}`, `{"features":"x"}`} {
		was := got
		if err := json.Unmarshal([]byte(bad), &got); err == nil {
			t.Errorf("%s: no error", bad)
		}
		if diff := cmp.Diff(was, got); diff != "" {
			t.Errorf("%s changed the options:\n%s", bad, diff)
		}
	}
}

// A program tells a file that is too new from one that is damaged.
func TestSavedErrors(t *testing.T) {
	var b bytes.Buffer
	must.Get(golden(t).WriteTo(&b))(t)
	text := b.String()
	_, newer := selector.ReadModel(strings.NewReader(strings.Replace(text, `"version": 2`, `"version": 9`, 1)))
	_, half := selector.ReadModel(strings.NewReader(text[:len(text)/2]))
	_, wrong := selector.ReadModel(strings.NewReader(strings.Replace(text, `"rows": 5`, `"rows": -5`, 1)))
	for what, c := range map[string]struct{ err, want, not error }{
		"newer": {newer, transformer.ErrVersion, transformer.ErrDamaged},
		"half":  {half, transformer.ErrDamaged, transformer.ErrVersion},
		"wrong": {wrong, transformer.ErrDamaged, transformer.ErrVersion},
	} {
		if !errors.Is(c.err, c.want) || errors.Is(c.err, c.not) {
			t.Errorf("%s: %v", what, c.err)
		}
	}
}
