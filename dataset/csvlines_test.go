package dataset

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/fspca/fspca/internal/must"
)

// TestLinesAround: what stands around a table is skipped where an option says so,
// and recognised where none does.
func TestLinesAround(t *testing.T) {
	for _, test := range []struct {
		name, text string
		opt        ReadOptions
		want       string // of the frame, or of the error
	}{
		{"skip_rows", "title, \"x\nby me\na,b\n1,2\n", ReadOptions{SkipRows: 2}, "a 1; b 2"},
		{"skip_rows, no header", "title\n1,2\n3,4\n", ReadOptions{SkipRows: 1, NoHeader: true}, "x1 1 3; x2 2 4"},
		{"skip_rows of all", "a,b\n1,2\n", ReadOptions{SkipRows: 9}, "t.csv: the file is empty"},
		{"lines count from the file's start", "title\n\na,b\n1,2\n3,x\n", ReadOptions{SkipRows: 1}, `t.csv:5: column "b": "x" is not a number, but "2" in line 4 is`},
		{"skip_footer", "a,b\n1,2\n3,4\nSource: \"me\n\ntotal,6,\"\n\n", ReadOptions{SkipFooter: 2}, "a 1 3; b 2 4"},
		{"skip_footer without a last line end", "a,b\n1,2\nend", ReadOptions{SkipFooter: 1}, "a 1; b 2"},
		{"skip_footer of all", "a,b\n1,2\n", ReadOptions{SkipFooter: 3}, "t.csv: the file is empty"},
		{"comments", "# it's \"open\n  # more\na,b\n1,2\n# \"\n3,\"#4\"\n", ReadOptions{Comment: "#", Categorical: []string{"b"}}, `a 1 3; b["#4" "2"] "2" "#4"`},
		{"comments of two characters", "// x\na,b\n1,2\n", ReadOptions{Comment: "//"}, "a 1; b 2"},
		{"title", "Quarterly report\na,b,c\n1,2,3\n4,5,6\n", ReadOptions{}, `t.csv:1: the header seems to be line 2 ("a", "b", "c"): leave out what is before it (option skip_rows: 1)`},
		{"title of several cells", "Report,,\ncreated,2024,\n\na,b,c\n1,2,3\n4,5,6\n", ReadOptions{Label: "c"}, `t.csv:1: the header seems to be line 4 ("a", "b", "c"): leave out what is before it (option skip_rows: 3)`},
		{"title above decimal commas", "Report\na;b\n1,5;2,5\n4,5;5,5\n", ReadOptions{Delimiter: ';'}, `t.csv:1: the header seems to be line 2`},
		{"title and units", "Report\na,b\nmm,kg\n1,2\n3,4\n", ReadOptions{}, `t.csv:1: the header seems to be line 2`},
		{"title before data", "Report\n1,2\n3,4\n", ReadOptions{NoHeader: true}, `t.csv:1: the data seem to start on line 2: leave out what is before it (option skip_rows: 1)`},
		{"comments seen", "% x\n% y, z\na,b\n1,2\n3,4\n", ReadOptions{}, `t.csv:1: the header seems to be line 3 ("a", "b"), after lines that start with "%": leave these out (option comment: "%")`},
		{"comment as wide as the table", "#x,y\na,b\n1,2\n3,4\n", ReadOptions{}, `t.csv:2: the header seems to be line 2 ("a", "b"), after lines that start with "#": leave these out (option comment: "#")`},
		{"title with as many cells", "Report 1,by me\na,b\n1,2\n3,4\n", ReadOptions{}, `t.csv:2: the line holds text ("a", "b") where those below hold numbers: if it is units, leave it out (option skip_lines: [units]); if it is the header, leave out what is before it (option skip_rows: 1)`},
		{"units", "a,b,y\n[mm],[kg],\n1,2,u\n3,4,v\n", ReadOptions{Label: "y"}, `t.csv:2: the line holds text ("[mm]", "[kg]") where those below hold numbers: if it is units, leave it out (option skip_lines: [units])`},
		{"units and descriptions", "a,b\nmm,kg\nlength,mass\n1,2\n3,4\n", ReadOptions{}, `t.csv:2: 2 lines hold text ("mm", "kg") where those below hold numbers`},
		{"a header where none is wanted", "a,b\n1,2\n3,4\n", ReadOptions{NoHeader: true}, `t.csv:1: the line holds text ("a", "b") where those below hold numbers: if it is the header, say so (option header: true)`},
		{"no units: numbers in the row", "a,c\nmm,1\n1,2\n3,3\n", ReadOptions{}, `t.csv:2: column "a": "mm" is not a number`},
		{"repeated header", "a,b,y\n1,2,u\na,b,y\n3,4,v\na,b,y\n", ReadOptions{Label: "y"}, `t.csv:3: the line repeats the header (2 lines up to 5), as where files are put together: leave it out (option skip_lines: [headers])`},
		{"repeated header, one column", "a\n1\na\n2\n", ReadOptions{}, `t.csv:3: the line repeats the header, as where files are put together: leave it out (option skip_lines: [headers])`},
		{"note of one cell", "a,b\n1,2\n3,4\nSource: me\n", ReadOptions{}, `t.csv:4: wrong number of fields: got 1, want 2 as in the first line: if it is a note below the table, leave it out (option skip_footer: 1)`},
		{"note in a full row", "a,b\n1,2\n3,4\nSource: me,\n", ReadOptions{}, `t.csv:4: the last 1 line holds one text and no numbers: if it is a note below the table, leave it out (option skip_footer: 1)`},
		{"notes of several lengths", "a,b,c\n1,2,3\n3,4,5\nSource: me, you\nby hand\n", ReadOptions{}, `t.csv:4: wrong number of fields: got 2 (2 lines up to 5), want 3 as in the first line: if it is a note below the table, leave it out (option skip_footer: 2)`},
		{"totals", "a,b,y\n1,2,u\n3,4,v\nTotal:,6,\n", ReadOptions{Label: "y"}, `t.csv:4: column "a": "Total:" stands on the last line, which seems to sum up the others: leave it out (option skip_footer: 1)`},
		{"comment inside", "a,b,c\n1,2,3\n# pause\n3,4,5\n", ReadOptions{}, `t.csv:3: wrong number of fields: got 1, want 3 as in the first line: if it is a comment, leave such lines out (option comment: "#")`},
		{"quotes and semicolons", "\"a\";\"b\"\n1;2\n", ReadOptions{}, `t.csv: a quoted cell does not end at a comma: the delimiter seems to be ";" (option delimiter)`},
		{"quotes and spaces", "\"a\" \"b\"\n\"r1\" 1 2\n", ReadOptions{}, `t.csv: a quoted cell does not end at a comma: the delimiter seems to be whitespace (option delimiter)`},
		{"a short last row is no note", "a,b,c\n1,2,3\n3,4\n", ReadOptions{}, "t.csv:3: wrong number of fields: got 2, want 3 as in the first line"},
		{"delimiter at the ends", "a,b\n1,2,\n3,4,\n", ReadOptions{}, "t.csv:2: wrong number of fields: got 3 (2 lines up to 3), want 2 as in the first line: if every line ends in a delimiter, remove it, or name the last column"},
		{"R's short header", "a,b\nr1,1,2\nr2,3,4\n", ReadOptions{}, `row["r1" "r2"] "r1" "r2"; a 1 3; b 2 4`},
		{"R's write.table", "\"a\" \"b c\"\n\"1\" 5 \"x y\"\n\"2\" 6 \"z\"\n", ReadOptions{Delimiter: Whitespace}, `row 1 2; a 5 6; b c["x y" "z"] "x y" "z"`},
		{"short header and a column called row", "row,b\nr1,1,2\nr2,3,4\n", ReadOptions{}, `t.csv:1: field 2: the name "row" is that of field 1 too: names must differ`},
		{"sep=", "sep=;\na;b\n1;2\n", ReadOptions{}, "a 1; b 2"},
		{"SEP=\\t in quotes, CRLF", "\"SEP=\t\"\r\na\tb\r\n1\t2\r\n", ReadOptions{}, "a 1; b 2"},
		{"sep= and the option", "sep=;\na|b\n1|2\n", ReadOptions{Delimiter: '|'}, "a 1; b 2"},
		{"white space", "  a   b\n  1\t2\n 10  -3  \n\n   \n", ReadOptions{Delimiter: Whitespace}, "a 1 10; b 2 -3"},
		{"white space, CRLF", "a b \r\n1 2 \r\n3 4\r\n", ReadOptions{Delimiter: Whitespace}, "a 1 3; b 2 4"},
		{"white space seen", "  a   b\n  1   2\n 10  -3\n", ReadOptions{}, `t.csv:1: there is one column, "a   b": white space seems to stand between cells (option delimiter: whitespace; give "," if one column is right)`},
		{"sparse rows", "1 1:0.5 3:2\n-1 2:1 # a comment\n1\n", ReadOptions{}, `t.csv:1: the lines look like sparse rows, "label index:value …": give their format (option format: "svmlight")`},
		{"sparse rows without labels, by white space", "1:0.5 3:2\n2:1\n", ReadOptions{Delimiter: Whitespace, NoHeader: true}, `t.csv:1: the lines look like sparse rows, "label index:value …": give their format (option format: "svmlight")`},
		{"sparse rows with several labels and a query", "1,2 qid:3 1:0.5\n2 qid:3 2:1\n", ReadOptions{}, `t.csv:1: the lines look like sparse rows, "label index:value …": give their format (option format: "svmlight")`},
		{"times in one column", "12:30\n13:40\n", ReadOptions{NoHeader: true, Categorical: []string{"x1"}}, `x1["12:30" "13:40"] "12:30" "13:40"`},
		{"aligned and read by spaces", "  a   b\n  1   2\n 10  -3\n", ReadOptions{Delimiter: ' '}, `t.csv:1: the cells seem to be aligned by several spaces (option delimiter: whitespace)`},
		{"one column called by two words", "body mass\n1\n2\n", ReadOptions{}, "body mass 1 2"},
		{"carriage return later", "a,b\n1,2\n3,4\r5,6\n7,8\n", ReadOptions{}, `t.csv:3: a bare carriage return stands inside the line, where a line may have to end: convert the file so that all lines end in "\n"`},
		{"carriage return in a cell", "a\nx\ny\rz\n", ReadOptions{}, `t.csv:3: a bare carriage return stands inside a cell: convert`},
		{"carriage return in quotes", "a\n\"y\rz\"\n", ReadOptions{}, `a["y\rz"] "y\rz"`},
		{"zero byte later", "a,b\n1,2\n3,\x00\n", ReadOptions{}, "t.csv:3: the file is not text: it has a zero byte"},
		{"zero byte in a number", "a,b\n1,2\n3,4\x00\n", ReadOptions{}, "t.csv:3: the file is not text: it has a zero byte"},
		{"zero byte in a label", "a,y\n1,u\n3,v\x00\n", ReadOptions{Label: "y"}, "t.csv:3: the file is not text: it has a zero byte"},
		{"zero bytes at the end", "a,b\n1,2\n" + strings.Repeat("\x00", 999), ReadOptions{}, "t.csv:3: the file is not text: it has a zero byte: it is damaged, or was not written to its end"},
		{"text where numbers must be", "a,b\nn/a,1\nn/a,2\n", ReadOptions{Numeric: []string{"a", "b", "q"}}, `t.csv:2: column "a": "n/a" is not a number, and the column must hold numbers (text: 2 cells, numbers: 0): write a number`},
	} {
		t.Run(test.name, func(t *testing.T) {
			for kind, r := range map[string]io.Reader{"text": strings.NewReader(test.text), "pipe": io.MultiReader(strings.NewReader(test.text)), "gzip": strings.NewReader(gzipped(test.text))} {
				f, err := ReadCSV(r, "t.csv", test.opt)
				got := fmt.Sprint(err)
				if err == nil {
					got = show(f)
				}
				if err == nil && got != test.want || err != nil && !strings.HasPrefix(got, test.want) || strings.Contains(got, "\nt.csv") {
					t.Errorf("%s:\n got %s\nwant %s", kind, got, test.want)
				}
			}
		})
	}
}

// TestEqualIsEqual: space, Unicode forms and ways to write a number do not tell
// names, levels and markers apart.
func TestEqualIsEqual(t *testing.T) {
	const composed, apart = "\u00e9", "e\u0301"
	for _, test := range []struct {
		name, text string
		opt        ReadOptions
		want       string
	}{
		{"labels with space", "a,y\n1, u\n2,u \n3,\" u\"\n4,u\u00a0\n", ReadOptions{Label: "y"}, `a 1 2 3 4; class y["u"] "u" "u" "u" "u"`},
		{"numeric labels", "a,y\n1,1\n2,1.0\n3,+1\n4,10e-1\n5,0\n6,-0.0\n", ReadOptions{Label: "y"}, `a 1 2 3 4 5 6; class y["0" "1"] "1" "1" "1" "1" "0" "0"`},
		{"the first form is kept", "a,y\n1,1.0\n2,1\n", ReadOptions{Label: "y"}, `a 1 2; class y["1.0"] "1.0" "1.0"`},
		{"leading zeros are text", "a,y\n1,007\n2,7\n3,07\n", ReadOptions{Label: "y"}, `a 1 2 3; class y["007" "07" "7"] "007" "7" "07"`},
		{"long numbers are exact", "a,y\n1,12345678901234567890\n2,12345678901234567891\n", ReadOptions{Label: "y"}, `a 1 2; class y["12345678901234567890" "12345678901234567891"] "12345678901234567890" "12345678901234567891"`},
		{"categorical", "a,b\n1,x\n1.0,x \n+1,x\n", ReadOptions{Categorical: []string{"a"}}, `a["1"] "1" "1" "1"; b["x"] "x" "x" "x"`},
		{"markers", "a,b\n-999.0,x\n1,-999\n-9.99e2,y\n", ReadOptions{Missing: []string{"-999"}}, `a NaN 1 NaN; b["x" "y"] "x" "" "y"`},
		{"a marker with zeros", "a,b\n099,099\n99,99\n1,1\n", ReadOptions{Missing: []string{"099"}, Categorical: []string{"b"}}, `a NaN 99 1; b["1" "99"] "" "99" "1"`},
		{"a marker in the file's notation", "a;b\n-999,0;1\n2,5;-999\n", ReadOptions{Delimiter: ';', Decimal: ",", Missing: []string{"-999"}}, "a NaN 2.5; b 1 NaN"},
		{"names with space", " a ,\" b\"\n1,u\n", ReadOptions{Label: "b "}, `a 1; class b["u"] "u"`},
		{"names of two forms", apart + ",y\n1,u\n", ReadOptions{Only: []string{composed}, Label: "y"}, composed + ` 1; class y["u"] "u"`},
		{"levels of two forms", "a,y\n1," + apart + "\n2," + composed + "\n", ReadOptions{Label: "y"}, `a 1 2; class y["é"] "é" "é"`},
	} {
		f, err := ReadCSV(strings.NewReader(test.text), "t.csv", test.opt)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
		} else if got := show(f); got != test.want {
			t.Errorf("%s:\n got %s\nwant %s", test.name, got, test.want)
		}
	}
	for _, pair := range [][2]string{{"1", "1.0"}, {"1", "+1"}, {"100", "1e2"}, {"0", "-0"}, {".5", "0.5"}, {" a", "a "}, {composed, apart}, {"-999", "-999.0"}} {
		if textKey(pair[0]) != textKey(pair[1]) {
			t.Errorf("%q and %q differ", pair[0], pair[1])
		}
	}
	for _, pair := range [][2]string{{"1", "01"}, {"1", "-1"}, {"1", "10"}, {"a", "A"}, {"1", "1a"}, {"0x1", "1"}, {"1_0", "10"}, {"0.1", "0.10000000000000000001"}, {"-", "0"}, {"inf", "Inf"}} {
		if textKey(pair[0]) == textKey(pair[1]) {
			t.Errorf("%q and %q are one", pair[0], pair[1])
		}
	}
}

// TestTwoNamesOfOneForm: names that are equal to people are used twice.
func TestTwoNamesOfOneForm(t *testing.T) {
	_, err := ReadCSV(strings.NewReader("\u00e9,e\u0301, \u00e9\n1,2,3\n"), "t.csv", ReadOptions{})
	if err == nil || !strings.Contains(err.Error(), "names must differ") {
		t.Errorf("got %v", err)
	}
	if _, err := ReadCSV(io.MultiReader(strings.NewReader("a\n1\n"), lostDisk{}), "t.csv", ReadOptions{}); err == nil || !strings.Contains(err.Error(), "the disk is gone") {
		t.Errorf("got %v", err)
	}
}

type lostDisk struct{}

func (lostDisk) Read([]byte) (int, error) { return 0, errors.New("the disk is gone") }

func TestFindLevel(t *testing.T) {
	find := FindLevel([]string{"1.0", "01", "a", "1"})
	for text, want := range map[string]int{"1.0": 0, "1": 3, "+1": 0, "10e-1": 0, "01": 1, "001": -1, " a ": 2, "b": -1, "": -1} {
		if got := find(text); got != want {
			t.Errorf("%q: got %d, want %d", text, got, want)
		}
	}
}

// TestSkipLines: a text with lines that are no rows is read as the text without them, whole or in
// blocks, and a model's new data may lack them.
func TestSkipLines(t *testing.T) {
	plain := "Alpha,b,c\n1,2,u\n3,4,v\n5,6,u\n"
	want := must.Get(ReadCSV(strings.NewReader(plain), "t.csv", ReadOptions{}))(t)
	for name, text := range map[string]string{
		"none": plain, "units": "Alpha,b,c\nmm,kg,\n1,2,u\n3,4,v\n5,6,u\n", "one unit": "Alpha,b,c\n,[kg],\n1,2,u\n3,4,v\n5,6,u\n",
		"units and types": "Alpha,b,c\nmm,kg,\nfloat,float,text\n1,2,u\n3,4,v\n5,6,u\n",
		"header":          "Alpha,b,c\n1,2,u\nAlpha,b,c\n3,4,v\n5,6,u\nAlpha,b,c\n", "another case": "Alpha,b,c\r\n1,2,u\r\nALPHA, B ,C\r\n3,4,v\r\n5,6,u\r\n",
		"quotes and mark": "Alpha,b,c\n\ufeffAlpha,\"b\",c\n1,2,u\n3,4,v\n5,6,u\n", "a part": "Alpha,b,c\n1,2,u\nalpha,b,\n3,4,v\n5,6,u\n",
		"both": "Alpha,b,c\nmm,kg,-\n1,2,u\n3,4,v\nAlpha,b,c\n5,6,u\n",
	} {
		opt := ReadOptions{SkipLines: []string{"units", "headers"}}
		got, err := ReadCSV(strings.NewReader(text), "t.csv", opt)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if Hash(got) != Hash(want) {
			t.Errorf("%s: %s", name, show(got))
		}
		if name != "none" && name != "header" && got.Reading().IsZero() {
			t.Errorf("%s: the reading is forgotten", name)
		}
		reading := got.Reading()
		if again, err := ReadCSV(strings.NewReader(plain), "t.csv", ReadOptions{As: &reading}); err != nil || Hash(again) != Hash(want) {
			t.Errorf("%s: new data without such lines: %v", name, err)
		}
		in := must.Get(OpenReader(strings.NewReader(text), "t.csv", ""))(t)
		b, err := in.Blocks(ReadOptions{SkipLines: opt.SkipLines, Categorical: []string{"c"}})
		if err != nil {
			t.Errorf("%s, in blocks: %v", name, err)
		} else if n, _ := b.Dims(); n != 3 {
			t.Errorf("%s, in blocks: %d rows", name, n)
		} else {
			b.Close()
		}
		in.Close()
	}
	for _, opt := range []ReadOptions{{SkipLines: []string{"unit"}}, {SkipLines: []string{"headers"}, NoHeader: true}} {
		if _, err := ReadCSV(strings.NewReader(plain), "t.csv", opt); err == nil || !strings.Contains(err.Error(), "skip_lines") {
			t.Errorf("%v: %v", opt.SkipLines, err)
		}
	}
	// A row that only lacks its numbers is no unit.
	if f, err := ReadCSV(strings.NewReader("a,b\nNA,NA\n1,2\n"), "t.csv", ReadOptions{SkipLines: []string{"units"}, Missing: []string{"NA"}}); err != nil || f.Rows() != 2 {
		t.Errorf("missing cells below the header: %v, %v", f, err)
	}
}

// TestManyTexts: a column of more texts than categories can be ends the reading early, unless it names the rows.
func TestManyTexts(t *testing.T) {
	if testing.Short() {
		t.Skip("reads millions of rows")
	}
	var b strings.Builder
	b.WriteString("a,key\n")
	for i := range 3 * mostTexts / 2 {
		fmt.Fprintf(&b, "%d,u%d\n", i%7, i)
	}
	b.WriteString("not a number,u\n") // is not reached
	_, err := ReadCSV(strings.NewReader(b.String()), "t.csv", ReadOptions{})
	var at *ParseError
	if !errors.As(err, &at) || at.Column != "key" || at.Field != 2 || at.Line <= mostTexts || at.Line > 5*mostTexts/4 ||
		!strings.Contains(err.Error(), `more than 1048576 different texts up to here: no category has that many; if it names the rows, say so (option id: "key"), else leave it out (option drop)`) {
		t.Errorf("got %v", err)
	}
	text := strings.TrimSuffix(b.String(), "not a number,u\n")
	f, err := ReadCSV(strings.NewReader(text), "t.csv", ReadOptions{ID: "key"})
	var ids []string
	if err == nil {
		_, ids = f.ID()
	}
	if err != nil || f.Rows() != 3*mostTexts/2 || ids[5] != "u5" {
		t.Errorf("as id: %v", err)
	}
	if _, err := ReadCSV(strings.NewReader(text), "t.csv", ReadOptions{Drop: []string{"key"}}); err != nil {
		t.Errorf("dropped: %v", err)
	}

	// Numbers in another notation are so many texts too, and no names of rows.
	b.Reset()
	b.WriteString("a;b\n")
	for i := range 3 * mostTexts / 2 {
		fmt.Fprintf(&b, "%d;0,%d\n", i%7, i)
	}
	_, err = ReadCSV(strings.NewReader(b.String()), "t.csv", ReadOptions{Delimiter: ';'})
	if err == nil || err.Error() != `t.csv:2: column "b": "0,0" is a number with a decimal comma: read it with the option decimal: ",", or declare the column categorical (option categorical)` {
		t.Errorf("decimal commas: got %v", err)
	}
}
