package dataset

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/fspca/fspca/internal/must"
)

// TestHeader: the header of a file has the names that Read gives.
func TestHeader(t *testing.T) {
	var npy bytes.Buffer
	f, err := ReadCSV(strings.NewReader("a,b\n1,2\n3,4\n"), "t.csv", ReadOptions{})
	if err == nil {
		err = WriteNPY(&npy, f)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, text string
		opt        ReadOptions
	}{
		{"t.csv", "a,b,c\n1,2,x\n3,4,y\n", ReadOptions{}},
		{"t.csv", "a,b,c\n1,2,x\n3,4,y\n", ReadOptions{Label: "c", ID: "a"}},
		{"t.tsv", "a\tb\tc\n1\t2\tx\n", ReadOptions{Drop: []string{"b*"}}},
		{"t.csv", "1;2\n3;4\n", ReadOptions{NoHeader: true, Delimiter: ';'}},
		{"t.npy", npy.String(), ReadOptions{}},
		{"t.csv", "a,b\n1,2\n", ReadOptions{Label: "z"}},
		{"t.csv", "", ReadOptions{}},
	} {
		open := func() *File {
			return must.Get(OpenReader(strings.NewReader(c.text), c.name, ""))(t)
		}
		want, err1 := open().Read(c.opt)
		got, err2 := open().Header(c.opt)
		if c.name == "t.npy" { // of a stream, only the whole tells
			if !errors.Is(err2, ErrNoBlocks) {
				t.Errorf("%s: got %v, %v", c.name, got, err2)
			}
			continue
		}
		if (err1 == nil) != (err2 == nil) || err1 == nil && !slices.Equal(got, want.Names()) || err1 != nil && err1.Error() != err2.Error() {
			t.Errorf("%q: got %v, %v; want %v, %v", c.text, got, err2, want, err1)
		}
	}
	for _, text := range []string{"", "a,b\n"} {
		if _, err := ReadCSV(strings.NewReader(text), "t.csv", ReadOptions{}); !errors.Is(err, ErrNoRows) {
			t.Errorf("%q: got %v, want ErrNoRows", text, err)
		}
	}
	if _, err := new(File).Header(ReadOptions{}); err == nil {
		t.Error("a file that is not open has no header")
	}
}
