package dataset

import (
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fspca/fspca/internal/must"
)

// show returns all of a frame as one line: columns with their cells or levels.
func show(f *Frame) string {
	var b strings.Builder
	factor := func(name string, c *Factor) {
		fmt.Fprintf(&b, "%s%q", name, c.Levels)
		for i := range c.Codes {
			fmt.Fprintf(&b, " %q", c.Text(i))
		}
		b.WriteString("; ")
	}
	for j, c := range f.Columns() {
		if c.Factor != nil {
			factor(c.Name, c.Factor)
			continue
		}
		fmt.Fprintf(&b, "%s", c.Name)
		for i := range f.Rows() {
			fmt.Fprintf(&b, " %v", f.Numeric().At(i, f.place(j)))
		}
		b.WriteString("; ")
	}
	if f.Class() != nil {
		factor("class "+f.ClassName(), f.Class())
	}
	return strings.TrimSuffix(b.String(), "; ")
}

func TestReadCSV(t *testing.T) {
	for _, test := range []struct {
		name, text string
		opt        ReadOptions
		want       string
	}{
		{"plain", "a,b\n1,2\n3,4\n", ReadOptions{}, "a 1 3; b 2 4"},
		{"no newline at the end", "a,b\n1,2", ReadOptions{}, "a 1; b 2"},
		{"CRLF", "a,b\r\n1,x\r\n3,y\r\n", ReadOptions{}, `a 1 3; b["x" "y"] "x" "y"`},
		{"byte order mark", "\ufeffa,b\n1,2\n", ReadOptions{}, "a 1; b 2"},
		{"byte order mark and quotes", "\ufeff\"a\",b\n1,2\n", ReadOptions{}, "a 1; b 2"},
		{"blank lines", "\n\na,b\n\n1,2\n  \n\r\n3,4\n\n", ReadOptions{}, "a 1 3; b 2 4"},
		{"quotes", "\"a\"\"b\",\"c,d\"\n\"1\",\"x\ny\"\n", ReadOptions{}, `a"b 1; c,d["x\ny"] "x\ny"`},
		{"space", "a, b\n1,  2 \n 3 , 4\n", ReadOptions{}, "a 1 3; b 2 4"},
		{"space before text", "a, b\n1, \"x, y\"\n2, \" z\"\n", ReadOptions{}, `a 1 2; b["x, y" "z"] "x, y" "z"`},
		{"semicolon", "a;b\n1;2,5\n", ReadOptions{Delimiter: ';', Categorical: []string{"b"}}, `a 1; b["2,5"] "2,5"`},
		{"tab, empty cells", "a\tb\tc\n1\t\t3\n\t2\t\n", ReadOptions{Delimiter: '\t'}, "a 1 NaN; b NaN 2; c 3 NaN"},
		{"one column that has a semicolon", "a;b\n1\n", ReadOptions{Delimiter: ','}, "a;b 1"},
		{"no header", "1,x\n2,y\n", ReadOptions{NoHeader: true}, `x1 1 2; x2["x" "y"] "x" "y"`},
		{"no header, label", "1,x,2\n3,y,4\n", ReadOptions{NoHeader: true, Label: "x2"}, `x1 1 3; x3 2 4; class x2["x" "y"] "x" "y"`},
		{"label in front", "y,a\nu,1\nv,2\n", ReadOptions{Label: "y"}, `a 1 2; class y["u" "v"] "u" "v"`},
		{"label text is kept", "a,y\n1,1\n2,01\n3,1.0\n4,2\n", ReadOptions{Label: "y"}, `a 1 2 3 4; class y["01" "1" "2"] "1" "01" "1" "2"`},
		{"levels in order of value", "y,a\n10,1\n9,2\n-1,3\n", ReadOptions{Label: "y"}, `a 1 2 3; class y["-1" "9" "10"] "10" "9" "-1"`},
		{"levels in order of text", "y,a\nb10,1\nb9,2\na,3\n", ReadOptions{Label: "y"}, `a 1 2 3; class y["a" "b10" "b9"] "b10" "b9" "a"`},
		{"empty is missing", "a,b\n,x\n2,\n \t ,z\n", ReadOptions{}, `a NaN 2 NaN; b["x" "z"] "x" "" "z"`},
		{"empty first cells", "a,b\n,\n2,x\n", ReadOptions{}, `a NaN 2; b["x"] "" "x"`},
		{"NA is text by default", "b,a\nNA,1\nx,2\n", ReadOptions{}, `b["NA" "x"] "NA" "x"; a 1 2`},
		{"missing markers", "b,a\nNA,1\nx,?\n?, NA \n,", ReadOptions{Missing: []string{"NA", " ? "}}, `b["x"] "" "x" "" ""; a 1 NaN NaN NaN`},
		{"a number as a marker", "a\n1\n-999\n", ReadOptions{Missing: []string{"-999"}}, "a 1 NaN"},
		{"NaN as a marker", "a\n1\nNaN\n", ReadOptions{Missing: []string{"NaN"}}, "a 1 NaN"},
		{"a column without cells", "a,b\n1,\n2,\n", ReadOptions{}, "a 1 2; b NaN NaN"},
		{"one column with a missing cell", "a\n1\n\"\"\n", ReadOptions{}, "a 1 NaN"},
		{"declared categorical", "a,b\n1,2\n,3\n", ReadOptions{Categorical: []string{"a"}}, `a["1"] "1" ""; b 2 3`},
		{"text after missing cells", "a,b\n,1\n,2\nx,3\n", ReadOptions{}, `a["x"] "" "" "x"; b 1 2 3`},
		{"words for infinity among text", "a,b\ninf,1\nNan,2\nBob,3\n", ReadOptions{}, `a["Bob" "Nan" "inf"] "inf" "Nan" "Bob"; b 1 2 3`},
		{"drop", "a,b,c\n1,x,2\n3,4,5\n", ReadOptions{Drop: []string{"b"}}, "a 1 3; c 2 5"},
		{"drop the name that occurs twice", "b,a,b\n1,2,x\n", ReadOptions{Drop: []string{"b"}}, "a 2"},
		{"drop the column without a name", ",a\nr1,2\n", ReadOptions{Drop: []string{""}}, "a 2"},
		{"dropped and categorical", "a,b\n1,2\n", ReadOptions{Drop: []string{"b"}, Categorical: []string{"b"}}, "a 1"},
		{"numbers", "a\n1.\n.5\n+2\n-0\n1e3\n1E-2\n00012\n", ReadOptions{}, "a 1 0.5 2 -0 1000 0.01 12"},
		{"exact", "a\n0.1\n9007199254740993\n4.9e-324\n1.7976931348623157e308\n", ReadOptions{}, "a 0.1 9.007199254740992e+15 5e-324 1.7976931348623157e+308"},
		{"hexadecimal is text", "a,b\n0x1p-2,1\n0x2p1,2\n", ReadOptions{Categorical: []string{"a"}}, `a["0x1p-2" "0x2p1"] "0x1p-2" "0x2p1"; b 1 2`},
		{"underscores are text", "a,b\n1_000,1\n2_000,2\n", ReadOptions{Categorical: []string{"a"}}, `a["1_000" "2_000"] "1_000" "2_000"; b 1 2`},
		{"names as they are", "AFFX/M97_at,od280/od315 of, x \n1,2,3\n", ReadOptions{}, "AFFX/M97_at 1; od280/od315 of 2; x 3"},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := must.Get(ReadCSV(strings.NewReader(test.text), "t.csv", test.opt))(t)
			if got := show(f); got != test.want {
				t.Errorf("\n got %s\nwant %s", got, test.want)
			}
		})
	}
}

func TestReadCSVErrors(t *testing.T) {
	for _, test := range []struct {
		name, text string
		opt        ReadOptions
		want       string
	}{
		{"empty", "", ReadOptions{}, "t.csv: the file is empty"},
		{"only blank lines", "\n\n", ReadOptions{}, "t.csv: the file is empty"},
		{"empty, no header", "", ReadOptions{NoHeader: true}, "t.csv: the file is empty"},
		{"only a header", "a,b\n", ReadOptions{}, "t.csv: the file has a header but no rows"},
		{"mixed", "age,b\n31,1\nn/a,2\n8,3\nnone,4\n", ReadOptions{},
			`t.csv:3: column "age": "n/a" is not a number, but "31" in line 2 is (text: 2 cells, numbers: 2): declare the column categorical, or add "n/a" and "none" to the missing markers (options categorical, missing)`},
		{"mixed, text first", "age\nold\n31\n", ReadOptions{},
			`t.csv:2: column "age": "old" is not a number, but "31" in line 3 is (text: 1 cell, numbers: 1): declare the column categorical, or add "old" to the missing markers (options categorical, missing)`},
		{"decimal comma", "a;b\n1;2,5\n2;3\n", ReadOptions{Delimiter: ';'},
			`t.csv:2: column "b": "2,5" is a number with a decimal comma: read it with the option decimal: ",", or declare the column categorical (option categorical)`},
		{"grouped digits", "a\n1\n1_000\n", ReadOptions{}, `t.csv:3: column "a": "1_000" is a number with underscores between thousands: read it with the option thousands: "_", or declare`},
		{"hexadecimal", "a\n1\n0x1p-2\n", ReadOptions{}, `t.csv:3: column "a": "0x1p-2" is a number with hexadecimal digits`},
		{"infinite", "a,b\n1,2\n2,Inf\n3,-infinity\n", ReadOptions{},
			`t.csv:3: column "b": "Inf" is not a finite number (2 cells like it): declare the column categorical, or add "Inf" and "-infinity" to the missing markers (options categorical, missing)`},
		{"too large", "a\n1e999\n", ReadOptions{}, `t.csv:2: column "a": "1e999" is not a finite number`},
		{"NaN", "a\n1\nnan\n", ReadOptions{}, `t.csv:3: column "a": "nan" is not a finite number`},
		{"missing label", "a,y\n1,u\n2,\n3, \n", ReadOptions{Label: "y"},
			`t.csv:3: column "y": the label is missing (2 lines up to 4): remove the line, or give it a label`},
		{"no such label", "a,species\n1,2\n", ReadOptions{Label: "Specis"}, `t.csv:1: label: no column "Specis" (the nearest is "species")`},
		{"nothing near", "a,b\n1,2\n", ReadOptions{Label: "target"}, `t.csv:1: label: no column "target"; the columns are "a", "b"`},
		{"all options at once", "height,weight,b\n1,2,3\n", ReadOptions{Label: "zzz", Drop: []string{"heigth", "b"}, Categorical: []string{"wieght", "q"}},
			`t.csv:1: label: no column "zzz"; the columns are "height", "weight", "b"` + "\n" +
				`t.csv:1: drop: no column "heigth" (the nearest is "height")` + "\n" +
				`t.csv:1: categorical: 2 columns are missing: "wieght" (the nearest is "weight"), "q"; the columns are "height", "weight", "b"`},
		{"label dropped", "a,b\n1,2\n", ReadOptions{Label: "b", Drop: []string{"b"}}, `t.csv:1: column "b": it cannot be the label and be dropped`},
		{"only a label", "y\nu\n", ReadOptions{Label: "y"}, "t.csv:1: no column is left as a feature of the 1 there are"},
		{"names twice", "a,b,a,b\n1,2,3,4\n", ReadOptions{},
			`t.csv:1: field 3: the name "a" is that of field 1 too (2 columns like it): names must differ`},
		{"no name", "a,,b\n1,2,3\n", ReadOptions{}, `t.csv:1: field 2: the column has no name: give it one, or drop "" (option drop)`},
		{"a header that is data", "0,0,5\n1,2,3\n", ReadOptions{},
			`t.csv:1: field 2: the name "0" is empty or used twice, and the first line looks like data: if the file has no header, say so (option header: false)`},
		{"ragged", "a,b\n1,2\n3\n4,5\n6,7,8\n9,10,11\n", ReadOptions{},
			"t.csv:3: wrong number of fields: got 1, want 2 as in the first line\n" +
				"t.csv:5: wrong number of fields: got 3 (2 lines up to 6), want 2 as in the first line"},
		{"other delimiter", "a;b\n1;2\n", ReadOptions{}, `t.csv:1: there is one column, "a;b": the delimiter seems to be ";" (option delimiter; give "," if one column is right)`},
		{"tab", "a\tb\n1\t2\n", ReadOptions{}, `the delimiter seems to be "\t"`},
		{"other delimiter, no header", "1;2\n3;4\n", ReadOptions{NoHeader: true}, `the delimiter seems to be ";"`},
		{"UTF-16", "\xff\xfea\x00", ReadOptions{}, "t.csv: the text is UTF-16: convert it to UTF-8"},
		{"UTF-16, big end first", "\xfe\xff\x00a", ReadOptions{}, "t.csv: the text is UTF-16: convert it to UTF-8"},
		{"UTF-16 without a mark", "a\x00,\x00b\x00\n\x00", ReadOptions{}, "t.csv:1: the file is not text: it has a zero byte"},
		{"Latin-1 header", "gr\xf6\xdfe\n1\n", ReadOptions{}, `t.csv:1: "gr\xf6\xdfe" is not UTF-8: convert the file`},
		{"Latin-1 text", "a,b\n1,x\n2,gr\xfcn\n", ReadOptions{}, `t.csv:3: column "b": "gr\xfcn" is not UTF-8: convert the file`},
		{"bare carriage returns", "a,b\r1,2\r", ReadOptions{}, `t.csv:1: lines end in a bare carriage return: convert them to end in "\n"`},
		{"quote inside", "a,b\n1,x\"y\n", ReadOptions{}, `t.csv:2: bare " in non-quoted-field: put the whole cell in quotes and double those inside`},
		{"open quote", "a,b\n1,\"x\n2,3\n", ReadOptions{}, `t.csv:2: a quoted cell that starts here does not end well: extraneous or missing " in quoted-field`},
		{"mistakes before an open quote", "a,b\n1\n2,\"x\n", ReadOptions{}, "t.csv:2: wrong number of fields: got 1, want 2 as in the first line\nt.csv:3: a quoted cell"},
		{"lines after a quoted line break", "a,b\n\"x\ny\",1\nz\n", ReadOptions{}, "t.csv:4: wrong number of fields"},
		{"bad delimiter", "a\n1\n", ReadOptions{Delimiter: '"'}, `delimiter '"' cannot stand between cells`},
		{"gzip cut short", gzipped(strings.Repeat("a,b\n1,2\n", 2000))[:40], ReadOptions{}, "t.csv: the file is cut short: unexpected EOF"},
		{"gzip damaged", "\x1f\x8bxxxxxxxxxxxxxxxxx", ReadOptions{}, "t.csv: gzip: "},
		{"all kinds at once", "a,b,y\n1,2,u\nx,inf,\n3,4\n", ReadOptions{Label: "y"},
			`t.csv:3: column "a": "x" is not a number, but "1" in line 2 is (text: 1 cell, numbers: 1): declare the column categorical, or add "x" to the missing markers (options categorical, missing)` + "\n" +
				`t.csv:3: column "b": "inf" is not a finite number: declare the column categorical, or add "inf" to the missing markers (options categorical, missing)` + "\n" +
				`t.csv:3: column "y": the label is missing: remove the line, or give it a label` + "\n" +
				`t.csv:4: wrong number of fields: got 2, want 3 as in the first line`},
	} {
		t.Run(test.name, func(t *testing.T) {
			f, err := ReadCSV(strings.NewReader(test.text), "t.csv", test.opt)
			if err == nil {
				t.Fatalf("got a %v", f)
			}
			if f != nil {
				t.Error("got a frame beside the error")
			}
			if !strings.HasPrefix(err.Error(), test.want) && !(strings.Count(test.want, ".csv:") == 0 && strings.Contains(err.Error(), test.want)) {
				t.Errorf("\n got %v\nwant %s", err, test.want)
			}
		})
	}
}

func gzipped(s string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	io.WriteString(w, s)
	w.Close()
	return b.String()
}

func TestReadCSVManyMistakes(t *testing.T) {
	text := "a,y\n" + strings.Repeat("1\n1,2,3\n", 25)
	_, err := ReadCSV(strings.NewReader(text), "t.csv", ReadOptions{Label: "y"})
	if err == nil {
		t.Fatal("no error")
	}
	lines := strings.Split(err.Error(), "\n")
	if len(lines) != 21 || lines[20] != "and 30 more" || !strings.HasPrefix(lines[19], "t.csv:21: ") {
		t.Errorf("got %d lines that end in %q, %q", len(lines), lines[len(lines)-2], lines[len(lines)-1])
	}
}

func TestParseErrorUnwraps(t *testing.T) {
	_, err := ReadCSV(strings.NewReader("a,b\n1\n"), "t.csv", ReadOptions{Label: "c"})
	var place *ParseError
	var missing *MissingColumnsError
	if !errors.As(err, &place) || place.File != "t.csv" || place.Line != 1 || !errors.As(err, &missing) || missing.Missing[0] != "c" {
		t.Errorf("got %#v", err)
	}
	_, err = ReadCSV(strings.NewReader("a,b\n1\n"), "t.csv", ReadOptions{})
	if !errors.As(err, &place) || place.Line != 2 || !errors.Is(err, csv.ErrFieldCount) {
		t.Errorf("got %#v", err)
	}
}

func TestRead(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		must.OK(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	const text = "a,b\n1,2\n"
	for name, text := range map[string]string{
		"t.csv": text, "t.CSV": text, "t.csv.gz": gzipped(text), "t.tsv": "a\tb\n1\t2\n", "t.tsv.gz": gzipped("a\tb\n1\t2\n"),
		"zipped.csv": gzipped(text), "plain.csv.gz": text,
	} {
		f, err := Read(write(name, text), ReadOptions{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if got := show(f); got != "a 1; b 2" {
			t.Errorf("%s: got %s", name, got)
		}
	}
	for name, want := range map[string]string{
		write("t.foo", "a,b\n1,2\n"):   "neither the name nor the first bytes say what is in the file: give its format (option format) as one of csv, tsv,",
		write("t.npy.gz", ""):          "this is not an .npy file",
		filepath.Join(dir, "none.csv"): "no such file",
		dir + ".csv":                   "no such file",
	} {
		if _, err := Read(name, ReadOptions{}); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: got %v, want %s", name, err, want)
		}
	}
	must.OK(t, os.Mkdir(filepath.Join(dir, "d.csv"), 0o700))
	if _, err := Read(filepath.Join(dir, "d.csv"), ReadOptions{}); err == nil || !strings.Contains(err.Error(), "is a directory") {
		t.Errorf("got %v", err)
	}
}
