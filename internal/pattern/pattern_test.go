package pattern

import (
	"path"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/fspca/fspca/internal/must"
)

func TestMatch(t *testing.T) {
	for _, c := range []struct {
		pattern, name string
		want          bool
	}{
		{"time_*", "time_", true}, {"time_*", "time_of day", true}, {"time_*", "Time_1", false}, {"time_*", "a time_1", false},
		{"*", "", true}, {"*", "any", true}, {"", "", true}, {"", "a", false}, {"?", "é", true}, {"?", "", false}, {"??", "é", false},
		{"*_sd", "a_sd_sd", true}, {"*_sd", "a_sd_mean", false}, {"a*b*c", "aXbYbZc", true}, {"a*b*c", "acb", false},
		{"x[1]", "x[1]", true}, {"x[1]", "x1", false}, {`a\*`, `a\b`, true}, {"a**", "a", true}, {"p?0", "p10", true},
	} {
		if got := Match(c.pattern, c.name); got != c.want {
			t.Errorf("pattern %q, name %q: got %v, want %v", c.pattern, c.name, got, c.want)
		}
	}
}

// TestMatchOracle: where names have no slash and patterns no bracket or backslash, path.Match of the
// standard library means the same.
func TestMatchOracle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.StringMatching(`[ab*?]{0,8}`).Draw(t, "pattern")
		name := rapid.StringMatching(`[ab]{0,10}`).Draw(t, "name")
		want := must.Get(path.Match(p, name))(t)
		if got := Match(p, name); got != want {
			t.Fatalf("pattern %q, name %q: got %v, want %v", p, name, got, want)
		}
	})
}

// TestMatchLong: the time grows with the product of the lengths at most, not with their power.
func TestMatchLong(t *testing.T) {
	if Match(strings.Repeat("a*", 500)+"b", strings.Repeat("a", 5000)) {
		t.Error("a pattern that ends in b fits a name that ends in a")
	}
}

func TestExpand(t *testing.T) {
	names := []string{"time_1", "b", "time_2", "a*", "ab", "height, cm"}
	for _, c := range []struct {
		wanted    []string
		at        []int
		unmatched []string
	}{
		{[]string{"time_*"}, []int{0, 2}, nil},
		{[]string{"time_2", "time_*", "b"}, []int{0, 1, 2}, nil},
		{[]string{"a*"}, []int{3}, nil}, // a name before a pattern
		{[]string{"x", "b", "y?"}, []int{1}, []string{"x", "y?"}},
		{[]string{"b,time_2"}, []int{1, 2}, nil},
		{[]string{"b, time_*"}, []int{0, 1, 2}, nil},
		{[]string{"height, cm"}, []int{5}, nil}, // a name before a list
		{[]string{"height, mm"}, nil, []string{"height, mm"}},
		{[]string{"b, mm"}, []int{1}, []string{"mm"}},
		{nil, nil, nil},
	} {
		at, unmatched := Expand(c.wanted, names)
		if !slices.Equal(at, c.at) || !slices.Equal(unmatched, c.unmatched) {
			t.Errorf("%q: got %v and %q, want %v and %q", c.wanted, at, unmatched, c.at, c.unmatched)
		}
	}
}
