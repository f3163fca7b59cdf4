package spelling

import "testing"

func TestNearest(t *testing.T) {
	among := []string{"sepal_length", "sepal_width", "petal_length", "petal_width", "species", "id"}
	for name, want := range map[string]string{
		"sepal_lenght": "sepal_length", "Sepal Length": "sepal_length", "petal.width": "petal_width", "speces": "species",
		"SPECIES ": "species", "petallengt": "petal_length", "ID": "id", "ix": "", "cultivar": "", "": "",
	} {
		if got := Nearest(name, among); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", name, got, want)
		}
	}
	if got := Nearest("x", nil); got != "" {
		t.Errorf("among none: got %q", got)
	}
	if got := Nearest("cot", []string{"cat", "cut"}); got != "cat" {
		t.Errorf("of equals: got %q, want the first", got)
	}
	for _, test := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"abc", "abc", 0}, {"abc", "acb", 1}, {"abc", "abd", 1}, {"abc", "ab", 1}, {"kitten", "sitting", 3}, {"flaw", "lawn", 2}, {"äöü", "äou", 2}} {
		if got := editDistance([]rune(test.a), []rune(test.b), 9); got != test.want {
			t.Errorf("distance of %q and %q: got %d, want %d", test.a, test.b, got, test.want)
		}
	}
}
