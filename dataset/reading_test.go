package dataset

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/must"
)

// A table read again as a frame remembers gives the same frame, whatever the options were, also
// after the reading went through JSON.
func TestReadingAgain(t *testing.T) {
	for _, c := range []struct {
		name, text string
		opt        ReadOptions
	}{
		{"plain.csv", "a,b\n1,2\n3,4\n", ReadOptions{}},
		{"semicolon.csv", "a;b\n1,5;2\n3;-999\n", ReadOptions{Delimiter: ';', Decimal: ",", Missing: []string{"-999"}}},
		{"grouped.csv", "a|b\n1'234|2\n3|?\n", ReadOptions{Delimiter: '|', Thousands: "'", Missing: []string{"?"}}},
		{"percent.csv", "a,b\n1%,2D+03\n3%,4\n", ReadOptions{Numbers: []string{"percent", "fortran"}}},
		{"title.csv", "A title\na,b\n#x\n1,2\n3,4\nend\n", ReadOptions{SkipRows: 1, SkipFooter: 1, Comment: "#"}},
		{"bare.csv", "x,1,2\ny,3,4\n", ReadOptions{NoHeader: true, Label: "x1"}},
		{"tab.tsv", "a\tb\n1\t2\n3\t4\n", ReadOptions{}},
		{"spaces.txt", "a  b\n1  2\n3  4\n", ReadOptions{Delimiter: Whitespace}},
		{"transposed.csv", "gene,s1,s2\na,1,2\nb,3,4\n", ReadOptions{Transpose: true}},
		{"index.svm", "1 0:3 2:4\n0 1:5\n", ReadOptions{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), c.name)
			must.OK(t, os.WriteFile(path, []byte(c.text), 0o644))
			first := must.Get(Read(path, c.opt))(t)
			b := must.Get(json.Marshal(first.Reading()))(t)
			var as Reading
			if err := json.Unmarshal(b, &as); err != nil {
				t.Fatalf("%s: %v", b, err)
			}
			if !reflect.DeepEqual(as, first.Reading()) {
				t.Errorf("%s became %+v", b, as)
			}
			again, err := Read(path, ReadOptions{As: &as, Label: c.opt.Label})
			if err != nil {
				t.Fatalf("read as %s: %v", b, err)
			}
			if Hash(again) != Hash(first) {
				t.Errorf("read as %s, the table is another one", b)
			}
		})
	}
}

// What a reader does not take is not asked of it.
func TestReadingForOtherFormats(t *testing.T) {
	as := &Reading{Missing: []string{"NA", "-999"}, Delimiter: ";", Decimal: ",", SkipRows: 3}
	var b bytes.Buffer
	f := must.Get(New(nil, mat.NewDense(2, 2, []float64{1, 2, 3, -999})))(t)
	must.OK(t, WriteNPY(&b, f))
	file := must.Get(OpenReader(&b, "x.npy", ""))(t)
	defer file.Close()
	got := must.Get(file.Read(ReadOptions{As: as}))(t)
	if v := got.Numeric().At(1, 1); v == v {
		t.Errorf("the marker -999 was read as %v", v)
	}
}

// An index base that was found out in one file holds in the next.
func TestReadingKeepsIndexBase(t *testing.T) {
	one := must.Get(ReadSVMLight(strings.NewReader("1 0:3 2:4\n"), "a.svm", ReadOptions{}))(t)
	as := one.Reading()
	next := must.Get(ReadSVMLight(strings.NewReader("1 1:7\n"), "b.svm", ReadOptions{As: &as}))(t)
	f := must.Get(next.Dense())(t)
	if got := f.Numeric().RawRowView(0); !reflect.DeepEqual(got, []float64{0, 7}) {
		t.Errorf("index 1 of a file that counts from 0 is %v, want the second column", got)
	}
}

// Columns without names are known by their place: another number of them is refused, but for a
// label that is left out.
func TestReadingWidth(t *testing.T) {
	as := &Reading{Header: new(bool), Columns: 3, Label: 1}
	read := func(text string) (*Frame, error) {
		return ReadCSV(strings.NewReader(text), "new.csv", ReadOptions{As: as, Only: []string{"x2", "x3"}})
	}
	for _, text := range []string{"a,1,2\nb,3,4\n", "1,2\n3,4\n"} {
		f, err := read(text)
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if got := f.Numeric().RawMatrix().Data; !reflect.DeepEqual(got, []float64{1, 2, 3, 4}) {
			t.Errorf("%q: x2 and x3 are %v", text, got)
		}
	}
	for _, text := range []string{"1\n2\n", "a,1,2,3\n"} {
		if _, err := read(text); err == nil || !strings.Contains(err.Error(), "want 3 as in the data that the model was fitted on") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestReadingOverride(t *testing.T) {
	base := 0
	r := Reading{Missing: []string{"NA", "unknown"}, Header: new(bool), IndexBase: &base}
	left, differ := r.Override([]string{"missing", "header", "index_base", "drop"},
		ReadOptions{Missing: []string{"NA"}, Base: ZeroBased})
	want := []string{
		`missing is "NA" here, and the data of the model were read with "NA, unknown"`,
		`header is "true" here, and the data of the model were read with "false"`,
	}
	if !reflect.DeepEqual(differ, want) || !left.IsZero() {
		t.Errorf("differ %q, left %+v", differ, left)
	}
}

func TestReadingRefused(t *testing.T) {
	for _, text := range []string{`{"delimiter":"ab"}`, `{"decimal":"x"}`, `{"index_base":2}`, `{"columns":2,"label":3}`, `{"skip_rows":-1}`, `{"deimal":","}`} {
		var r Reading
		if err := json.Unmarshal([]byte(text), &r); err == nil {
			t.Errorf("%s was read as %+v", text, r)
		}
	}
}

// Rows are called by their lines, in parts of a table too.
func TestRowPlace(t *testing.T) {
	f := must.Get(ReadCSV(strings.NewReader("a,b\n1,w\n\n3,\"x\ny\"\n5,z\n"), "t.csv", ReadOptions{}))(t)
	part := f.Subset([]int{2, 0, 1}).Subset([]int{0, 2})
	for i, want := range []string{"line 6", "line 4"} {
		if got := part.RowPlace(i); got != want {
			t.Errorf("row %d is %s, want %s", i+1, got, want)
		}
	}
	g := must.Get(New(nil, mat.NewDense(2, 1, []float64{1, 2})))(t)
	if got := g.Subset([]int{1}).RowPlace(0); got != "row 2" {
		t.Errorf("a row of memory is %s", got)
	}
}
