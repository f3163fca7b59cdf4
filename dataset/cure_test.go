package dataset

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fspca/fspca/internal/must"
)

// TestCuresWork reads tables whose error offers a cure, then with the cure. A cure that another error
// takes back is none.
func TestCuresWork(t *testing.T) {
	for _, c := range []struct {
		name, text string
		opt        ReadOptions
		want       string       // in the error
		cure       *ReadOptions // what the error says; nil where the file must change
	}{
		{"both decimal signs in a column", "a;b\n1,5;1\n2.5;2\n", ReadOptions{}, `"1,5" is a number with a decimal comma: others have a decimal point (2.5 in line 3, column "a"): write all numbers with one sign`, nil},
		{"both, with decimal commas", "a;b\n1,5;1\n2.5;2\n", ReadOptions{Decimal: ","}, `"2.5" is a number with a decimal point: others have a decimal comma (1,5 in line 2, column "a"): write all`, nil},
		{"both in two columns", "a;b\n1,5;1\n2,5;2.5\n", ReadOptions{}, `others have a decimal point (2.5 in line 3, column "b"): write all`, nil},
		{"commas are no groups here", "a;b\n1,5;1\n1,234;2\n", ReadOptions{Thousands: ","}, `read it with the option decimal: "," and without the option thousands`, &ReadOptions{Decimal: ","}},
		{"points are no groups here", "a;b\n1.5;1\n1.234;2\n", ReadOptions{Decimal: ",", Thousands: "."}, `read it with the option decimal: "." and without the option thousands`, &ReadOptions{}},
		{"a comma that cannot be decimal", "a;b\n1,234;1\n5,678;2.5\n", ReadOptions{}, `read it with the option thousands: ","`, &ReadOptions{Thousands: ","}},
		{"points between groups", "a;b\n1.234.567;1\n2.345.678;2\n", ReadOptions{}, `read it with the option decimal: "," and the option thousands: "."`, &ReadOptions{Decimal: ",", Thousands: "."}},
		{"commas between groups after decimal commas", "a;b\n1,234,567;1\n2,345,678;2\n", ReadOptions{Decimal: ","}, `read it with the option decimal: "." and the option thousands: ","`, &ReadOptions{Thousands: ","}},
		{"two kinds of groups", "a;b\n1,234,567;1\n2.345.678;2\n", ReadOptions{}, `write all numbers in one notation`, nil},
		{"a percent sign is no fraction", "a;b\n5%;1,5\n6%;2,5\n", ReadOptions{Numbers: []string{"percent"}}, `read it with the option decimal: ","`, &ReadOptions{Decimal: ",", Numbers: []string{"percent"}}},
		{"all markers at once", "a;b\n1;1\nNULL;2\n-;3\n#N/A;4\nNaN;5\n", ReadOptions{}, `add "NULL", "-", "#N/A" and "NaN" to the missing markers`, &ReadOptions{Missing: []string{"NULL", "-", "#N/A", "NaN"}}},
		{"infinite by value", "a;b\n1;1\nInf;2\n-inf;3\n", ReadOptions{Missing: []string{"-Infinity"}}, `"Inf" is not a finite number: declare the column categorical, or add "Inf" to`, &ReadOptions{Missing: []string{"-Infinity", "+inf"}}},
		{"comments with delimiters", "a;b\n1;1\n# one;two\n2;2\n#;\n# x;y\n", ReadOptions{}, "t.csv:3: the line starts with \"#\", as comments do (3 lines up to 6): leave such lines out (option comment: \"#\")", &ReadOptions{Comment: "#"}},
		{"no comments", "a;b\n1;1\n#N/A;2\n", ReadOptions{}, `add "#N/A" to the missing markers`, &ReadOptions{Missing: []string{"#N/A"}}},
		{"true and false", "a;b\nTRUE;1\n0;2\nFALSE;3\n", ReadOptions{}, `write 1 and 0, or declare the column categorical (option categorical)`, &ReadOptions{Categorical: []string{"a"}}},
	} {
		c.opt.Delimiter = ';'
		_, err := ReadCSV(strings.NewReader(c.text), "t.csv", c.opt)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s:\n got %v\nwant %s", c.name, err, c.want)
		}
		if c.cure == nil {
			continue
		}
		c.cure.Delimiter = ';'
		if _, err := ReadCSV(strings.NewReader(c.text), "t.csv", *c.cure); err != nil {
			t.Errorf("%s: the cure does not work: %v", c.name, err)
		}
	}
}

// TestFirstGroup: digits are grouped from the right, so that the first group has no 0 in front. Else
// 0.123 of a file with decimal points would be 123.
func TestFirstGroup(t *testing.T) {
	for _, c := range []struct{ cell, decimal, thousands string }{
		{"0.123", ",", "."}, {"-0.123", ",", "."}, {"0,123", ".", ","}, {"012,345", ".", ","}, {"000 123", ".", " "},
	} {
		f, err := ReadCSV(strings.NewReader("a\n"+c.cell+"\n5\n"), "t.csv", ReadOptions{Delimiter: ';', Decimal: c.decimal, Thousands: c.thousands})
		if err == nil {
			t.Errorf("%s with %q between thousands is read as %s", c.cell, c.thousands, show(f))
		}
	}
	f, err := ReadCSV(strings.NewReader("a\n0,5\n10.023\n-100.000,5\n"), "t.csv", ReadOptions{Delimiter: ';', Decimal: ",", Thousands: "."})
	if err != nil || !strings.HasSuffix(show(f), "a 0.5 10023 -100000.5") {
		t.Errorf("got %v, %v", f, err)
	}
}

// TestUnseen: names, levels and labels that look alike are alike.
func TestUnseen(t *testing.T) {
	f, err := ReadCSV(strings.NewReader("a\u200b,\u200ekind\nx\u00ad,1\n\ufeffx,2\nx,3\n"), "t.csv", ReadOptions{})
	if err != nil || f.Names()[0] != "a" || f.Names()[1] != "kind" || len(f.Factor("a").Levels) != 1 {
		t.Errorf("got %v, %v", f, err)
	}
	if _, err = ReadCSV(strings.NewReader("a,a\u200b\n1,2\n"), "t.csv", ReadOptions{}); err == nil || !strings.Contains(err.Error(), "names must differ") {
		t.Errorf("got %v", err)
	}
}

// TestOtherDelimiters: what the name of a file or its first line says of the delimiter is a guess that the
// lines can disprove.
func TestOtherDelimiters(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		file, text, want string
		opt              ReadOptions
	}{
		{"t.tsv", "a,b\n1,2\n3,4\n", `the delimiter seems to be "," (option delimiter; give "\t" if one column is right)`, ReadOptions{}},
		{"t.tsv", "a,b\n1,2\n3,4\n", "", ReadOptions{Delimiter: ','}},
		{"t.tsv", "a,b\n1\n3\n", "", ReadOptions{Delimiter: '\t'}},
		{"t.tsv", "a\tb\n1\t2\n", "", ReadOptions{}},
		{"s.csv", "sep=,\na;b\n1;2\n3;4\n", `the delimiter seems to be ";" (option delimiter; give "," if one column is right)`, ReadOptions{}},
		{"s.csv", "sep=,\na;b\n1;2\n3;4\n", "", ReadOptions{Delimiter: ';'}},
		{"s.csv", "sep=;\na,b\n1,2\n3,4\n", `the delimiter seems to be "," (option delimiter; give ";" if one column is right)`, ReadOptions{}},
		{"q.csv", "\"a\",\"b\"\n\"1\",\"2\"\n", `a quoted cell does not end at ";": the delimiter seems to be "," (option delimiter)`, ReadOptions{As: &Reading{Delimiter: ";"}}},
		{"q.csv", "\"a\",\"b\"\n\"1\",\"2\"\n", "", ReadOptions{Delimiter: ',', As: &Reading{Delimiter: ";"}}},
	} {
		path := filepath.Join(dir, c.file)
		must.OK(t, os.WriteFile(path, []byte(c.text), 0o600))
		_, err := Read(path, c.opt)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s %q:\n got %v\nwant %s", c.file, c.text, err, c.want)
		}
	}
}

// TestOneCause: what follows from one cause is one line.
func TestOneCause(t *testing.T) {
	var packed bytes.Buffer
	zip := gzip.NewWriter(&packed)
	for i := range 400 {
		fmt.Fprintf(zip, "%d,%d,%d\n", i*7919%1000, i*104729%1000, i)
	}
	must.OK(t, zip.Close())
	for cut := 20; cut < 40; cut++ { // within a line, wherever that is
		_, err := ReadCSV(bytes.NewReader(packed.Bytes()[:packed.Len()-cut]), "t.csv", ReadOptions{NoHeader: true})
		if err == nil || strings.Count(err.Error(), "\n") > 0 || !strings.Contains(err.Error(), "the file is cut short") {
			t.Fatalf("%d bytes less: got %v", cut, err)
		}
	}
	_, err := ReadSVMLight(strings.NewReader("1 1:2 1:3\n0 2:1\n1 3:2 3:2\n"), "t.svm", ReadOptions{})
	if err == nil || err.Error() != "t.svm:1: index 1 occurs twice (2 lines like it up to 3)" {
		t.Errorf("got %v", err)
	}
}

// TestBothHalves: a symmetric file that holds both halves would be read with entries twice as large.
func TestBothHalves(t *testing.T) {
	const head = "%%MatrixMarket matrix coordinate real symmetric\n2 2 "
	for _, half := range []string{"1 2 5", "2 1 5"} {
		if _, err := ReadMatrixMarket(strings.NewReader(head+"2\n1 1 3\n"+half+"\n"), "t.mtx", ReadOptions{}); err != nil {
			t.Error(err)
		}
	}
	_, err := ReadMatrixMarket(strings.NewReader(head+"3\n1 1 3\n2 1 5\n1 2 5\n"), "t.mtx", ReadOptions{})
	if err == nil || !strings.Contains(err.Error(), "t.mtx:5: the entry is above the diagonal, and others are below it") {
		t.Errorf("got %v", err)
	}
}
