package strict

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestIsWord compares the rule with the same rule as a regular expression.
func TestIsWord(t *testing.T) {
	word := regexp.MustCompile(`^[\pL_][\pL\pN_-]{0,63}$`)
	reserved := map[string]bool{"null": true, "true": true, "false": true}
	check := func(t rapid.TB, name string) {
		if got, want := IsWord(name), word.MatchString(name) && !reserved[name]; got != want {
			t.Errorf("IsWord(%q) is %v, want %v", name, got, want)
		}
	}
	for _, name := range []string{"", "_", "-", "a-", "k2", "2k", "größe", "a²", "½", "a\n", "a b", "a.b", "a\xff",
		"\xff", "null", "true", "false", "nulls", "數", strings.Repeat("é", 64), strings.Repeat("é", 65)} {
		check(t, name)
	}
	rapid.Check(t, func(t *rapid.T) { check(t, rapid.StringMatching(`[a_é2½ .-]{0,4}`).Draw(t, "name")) })
}
