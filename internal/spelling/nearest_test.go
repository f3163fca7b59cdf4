package spelling

import (
	"slices"
	"testing"
)

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

func TestHint(t *testing.T) {
	among := []string{"species", "id"}
	if got := Hint(" (the nearest is %q)", "speces", among); got != ` (the nearest is "species")` {
		t.Errorf("got %q", got)
	}
	if got := Hint(" (the nearest is %q)", "width", among); got != "" {
		t.Errorf("none is near: got %q", got)
	}
}

func TestOutputs(t *testing.T) {
	have := []string{"length", "width", "colour=red"}
	if at, err := Outputs("step", []string{"colour=red", "length"}, have); err != nil || !slices.Equal(at, []int{2, 0}) {
		t.Errorf("got %v, %v", at, err)
	}
	for _, c := range []struct {
		want []string
		text string
	}{
		{nil, "step: cannot narrow: no output is given"},
		{[]string{"with", "length", "length", "x"}, `step: cannot narrow: "with" is not an output (the nearest is "width"); "length" is given twice; "x" is not an output`},
	} {
		if at, err := Outputs("step", c.want, have); at != nil || err == nil || err.Error() != c.text {
			t.Errorf("%q: got %v, %v, want %s", c.want, at, err, c.text)
		}
	}
}
