package pipeline

import (
	"strings"
	"testing"
)

// Every step of the table can be built, named after its kind, and told again.
func TestEveryKindIsBuilt(t *testing.T) {
	for _, k := range Kinds() {
		s, err := k.New(nil)
		if err != nil {
			t.Fatal(err)
		}
		if s.Name != k.Name() || (s.Transformer == nil) == (s.Classifier == nil) {
			t.Errorf("%s is built as %+v", k.Name(), s)
		}
		if got := kindOf(s); got != k.Name() {
			t.Errorf("%s is told as %q", k.Name(), got)
		}
		if k.Classifies() != (s.Classifier != nil) {
			t.Errorf("%s: the table says classifier %v", k.Name(), k.Classifies())
		}
	}
}

func TestNewStep(t *testing.T) {
	for _, k := range Kinds() {
		if s, err := NewStep(k.Name()); err != nil || s.Name != k.Name() || s.Options == nil {
			t.Errorf("NewStep(%q) is %+v, %v", k.Name(), s, err)
		}
	}
	if _, err := NewStep("fspka"); err == nil || !strings.Contains(err.Error(), `did you mean "fspca"?`) {
		t.Errorf("unknown step: %v", err)
	}
}
