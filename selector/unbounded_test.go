package selector_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/selector"
)

// TestUnbounded: a model without a bound says so nowhere, and is read as it was written.
func TestUnbounded(t *testing.T) {
	s := selector.New(selector.Options{Features: 3, Components: 2, Bound: "none"})
	must.OK(t, s.Fit(goldenFrame(t)))
	m := s.Model()
	var b bytes.Buffer
	must.Get(m.WriteTo(&b))(t)
	text := must.Get(json.Marshal(m.Summary()))(t)
	for _, key := range []string{`"upper_bound"`, `"gap"`, `"proved"`} {
		if bytes.Contains(text, []byte(key)) || bytes.Contains(b.Bytes(), []byte(key)) {
			t.Errorf("%s is there", key)
		}
	}
	read := must.Get(selector.ReadModel(bytes.NewReader(b.Bytes())))(t)
	if read.Bound() != (selector.Bound{}) || m.Bound() != read.Bound() {
		t.Errorf("bounds %v and %v", m.Bound(), read.Bound())
	}
	var again bytes.Buffer
	if _, err := read.WriteTo(&again); err != nil || again.String() != b.String() {
		t.Errorf("written again: %v", err)
	}
}
