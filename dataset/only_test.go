package dataset

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/fspca/fspca/internal/lists"
)

func TestReadOnly(t *testing.T) {
	const text = "a,mixed,b,mixed,c,,y\n1,2,inf,x,5,,u\n2,z,4,5,6,,v\n"
	f, err := ReadCSV(strings.NewReader(text), "t.csv", ReadOptions{Only: []string{"c", "a"}, Label: "y"})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := show(f), `a 1 2; c 5 6; class y["u" "v"] "u" "v"`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	f, err = ReadCSV(strings.NewReader(text), "t.csv", ReadOptions{Only: []string{"a"}, Categorical: []string{"a", "c"}})
	if err != nil || show(f) != `a["1" "2"] "1" "2"` {
		t.Errorf("categorical: got %v, %v", f, err)
	}
	_, err = ReadCSV(strings.NewReader(text), "t.csv", ReadOptions{Only: []string{"a", "Mixedd", "cc c"}})
	want := `t.csv:1: 2 columns are missing: "Mixedd" (the nearest is "mixed"), "cc c"; the columns are "a", "mixed", "b", "mixed", "c", "", "y"`
	if err == nil || err.Error() != want {
		t.Errorf("\n got %v\nwant %s", err, want)
	}
	var e *MissingColumnsError
	if !errors.As(err, &e) || !slices.Equal(e.Missing, []string{"Mixedd", "cc c"}) {
		t.Errorf("got %#v", err)
	}
	// All of them are named, and that none is left goes without saying.
	many := lists.Make(50, func(i int) string { return fmt.Sprintf("gene%02d", i) })
	_, err = ReadCSV(strings.NewReader(text), "t.csv", ReadOptions{Only: many})
	if err == nil || !strings.Contains(err.Error(), `"gene49"`) || strings.Contains(err.Error(), "\n") {
		t.Errorf("got %v", err)
	}
	_, err = ReadCSV(strings.NewReader(text), "t.csv", ReadOptions{Only: []string{"a", "c"}, Drop: []string{"c"}})
	if want := `t.csv:1: column "c": it is needed and cannot be dropped: leave it out of the option drop`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	if f, err = Read("testdata/npy/u2le_f.npy", ReadOptions{Only: []string{"x4", "x2"}}); err != nil || show(f) != "x2 1 5 9; x4 3 7 11" {
		t.Errorf("npy: got %v, %v", f, err)
	}
}
