package words

import "testing"

func TestWords(t *testing.T) {
	names := []string{"a", "b", "c"}
	for want, got := range map[string]string{
		"0 rows":            Count(0, "row"),
		"1 class":           Count(1, "class"),
		"2 classes":         Count(2, "class"),
		"is":                Of(1, "is", "are"),
		"are":               Of(0, "is", "are"),
		"":                  Some(nil, 2),
		"a, b, c":           Some(names, 3),
		"a, b and 1 more":   Some(names, 2),
		`a\nb and 1 more`:   Some([]string{"a\nb", "c"}, 1),
		`"a" and 2 more`:    Quoted(names, 1),
		`"a", "b\"", "c\n"`: Quoted([]string{"a", "b\"", "c\n"}, 3),
	} {
		if got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
