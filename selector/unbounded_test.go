package selector_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/fspca/fspca/selector"
)

// TestUnbounded: a model without a bound says so nowhere, and is read as it was written.
func TestUnbounded(t *testing.T) {
	s := selector.New(selector.Options{Features: 3, Components: 2, Bound: "none"})
	if err := s.Fit(goldenFrame(t)); err != nil {
		t.Fatal(err)
	}
	m := s.Model()
	var b bytes.Buffer
	if _, err := m.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(m.Summary())
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{`"upper_bound"`, `"gap"`, `"proved"`} {
		if bytes.Contains(text, []byte(key)) || bytes.Contains(b.Bytes(), []byte(key)) {
			t.Errorf("%s is there", key)
		}
	}
	read, err := selector.ReadModel(bytes.NewReader(b.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	if read.Bound() != (selector.Bound{}) || m.Bound() != read.Bound() {
		t.Errorf("bounds %v and %v", m.Bound(), read.Bound())
	}
	var again bytes.Buffer
	if _, err := read.WriteTo(&again); err != nil || again.String() != b.String() {
		t.Errorf("written again: %v", err)
	}
}
