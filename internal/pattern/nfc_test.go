package pattern

import (
	"slices"
	"testing"
)

// Equal characters are equal, however they are composed.
func TestExpandComposes(t *testing.T) {
	for _, c := range []struct{ wanted, name string }{
		{"gr\u00f6\u00dfe", "gro\u0308\u00dfe"}, {"gro\u0308\u00dfe", "gr\u00f6\u00dfe"}, {"gro\u0308*", "gr\u00f6\u00dfe"}, {"gr??e", "gro\u0308\u00dfe"},
	} {
		at, unmatched := Expand([]string{c.wanted}, []string{"a", c.name})
		if !slices.Equal(at, []int{1}) || unmatched != nil {
			t.Errorf("%+q among %+q: %v, unmatched %q", c.wanted, c.name, at, unmatched)
		}
	}
}
