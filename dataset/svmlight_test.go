package dataset

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/fspca/fspca/internal/delimited"
	"github.com/fspca/fspca/internal/must"
)

func readSVM(text string, opt ReadOptions) (*Sparse, error) {
	return ReadSVMLight(strings.NewReader(text), "t.svm", opt)
}

func TestReadSVMLight(t *testing.T) {
	label := ReadOptions{Label: "label"}
	for name, c := range map[string]struct {
		text string
		opt  ReadOptions
		want string
	}{
		"plain":           {"1 1:2 3:4.5\n-1 2:-1e-3\n", ReadOptions{}, "x1 x2 x3 | 2 0 4.5 | 0 -0.001 0"},
		"class":           {"+1 1:2\n1.50 1:3\n1 1:4", label, "x1 -> label | 2 -> +1 | 3 -> 1.50 | 4 -> 1"},
		"several labels":  {"1,3 2:2\n2 1:1\n", label, "x1 x2 -> label | 0 2 -> 1,3 | 1 0 -> 2"},
		"labels unread":   {"1,3 2:2\n 1:1\n", ReadOptions{}, "x1 x2 | 0 2 | 1 0"},
		"comments":        {"# made by hand\n\n1 qid:7 1:1 2:2 # first\r\n0 # empty row\n\t \n2\t1:3  2:4  \n", label, "x1 x2 -> label | 1 2 -> 1 | 0 0 -> 0 | 3 4 -> 2"},
		"no labels":       {"1:1 2:2\nqid:3 2:1\n", ReadOptions{}, "x1 x2 | 1 2 | 0 1"},
		"any order":       {"1 3:3 1:1 2:0 4:4\n", ReadOptions{}, "x1 x2 x3 x4 | 1 0 3 4"},
		"zero sets width": {"1 1:3 4:0\n", ReadOptions{}, "x1 x2 x3 x4 | 3 0 0 0"},
		"byte order mark": {"\ufeff1 1:3\n", label, "x1 -> label | 3 -> 1"},
		"from 0":          {"1 1:3\n2 0:5\n", ReadOptions{}, "x1 x2 | 0 3 | 5 0"},
		"said from 0":     {"1 1:3\n", ReadOptions{Base: ZeroBased}, "x1 x2 | 0 3"},
		"said from 1":     {"1 1:3\n", ReadOptions{Base: OneBased}, "x1 | 3"},
		"dropped":         {"1 1:1 2:2 3:3\n2 2:4\n", ReadOptions{Drop: []string{"x2"}}, "x1 x3 | 1 3 | 0 0"},
		"dropped last":    {"1 1:1 2:2 3:3\n", ReadOptions{Drop: []string{"x3", "x1"}}, "x2 | 2"},
		"only":            {"1 1:1 2:2 3:3\n2 2:4\n", ReadOptions{Only: []string{"x3", "x2"}}, "x2 x3 | 2 3 | 4 0"},
		"only from 0":     {"1 1:1 2:2 3:3\n2 0:4\n", ReadOptions{Only: []string{"x3", "x1"}}, "x1 x3 | 0 2 | 4 0"},
		"only said 0":     {"1 1:1 2:2 3:3\n", ReadOptions{Only: []string{"x3"}, Base: ZeroBased}, "x3 | 2"},
		"only beyond":     {"1 1:1 2:2\n2\n", ReadOptions{Only: []string{"x2", "x900"}}, "x2 x900 | 2 0 | 0 0"},
		"only with drop":  {"1 1:1 2:2\n", ReadOptions{Only: []string{"x2"}, Drop: []string{"x1"}}, "x2 | 2"},
		"only and class":  {"a 1:1 2:2\n", ReadOptions{Only: []string{"x2"}, Label: "label"}, "x2 -> label | 2 -> a"},
	} {
		for form, text := range map[string]string{"text": c.text, "gzip": gzipped(c.text)} {
			s, err := readSVM(text, c.opt)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			if got := cells(t, s); got != c.want {
				t.Errorf("%s (%s): got %s, want %s", name, form, got, c.want)
			}
		}
	}
}

func TestReadSVMLightErrors(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		opt  ReadOptions
		want []string // each in a line of its own
	}{
		"empty":       {"", ReadOptions{}, []string{"t.svm: the file has no rows"}},
		"comments":    {"# nothing\n", ReadOptions{}, []string{"t.svm: the file has no rows"}},
		"labels only": {"1\n2\n", ReadOptions{}, []string{"t.svm: the file has no entry index:value"}},
		"csv":         {"1.5,2,a\n", ReadOptions{}, []string{"no entry index:value"}},
		"all mistakes": {"1 1:1 x\n2 -1:2 2:b 3:nan\n3 :4 5: 6:1e999\n1 qid:x 1:1\n", ReadOptions{}, []string{
			`t.svm:1: field 3: "x" is not index:value`,
			`t.svm:2: field 2: "-1:2": the index is not a whole number`,
			`t.svm:2: field 3: "2:b": the value is not a number`,
			`t.svm:2: field 4: "3:nan": the value is not a finite number`,
			`t.svm:3: field 2: ":4" is not index:value`,
			`t.svm:3: field 3: "5:": the value is not a number`,
			`t.svm:3: field 4: "6:1e999": the value is not a finite number`,
			`t.svm:4: field 2: "qid:x": what follows qid: is not`,
		}},
		"hexadecimal":    {"1 1:0x1p3\n", ReadOptions{}, []string{"is a number with hexadecimal digits: write plain numbers"}},
		"index too big":  {"1 2147483647:1\n", ReadOptions{}, []string{"above 2147483646"}},
		"index huge":     {"1 99999999999999999999999:1\n", ReadOptions{}, []string{"above 2147483646"}},
		"twice":          {"1 3:1 2:1\n0 3:0 1:1 3:2 3:1\n", ReadOptions{}, []string{"t.svm:2: index 3 occurs twice"}},
		"late qid":       {"1 1:1 qid:3\n", ReadOptions{}, []string{`field 3: "qid:3": the index`}},
		"no label":       {"1 1:1\n1:2 2:1\n", ReadOptions{Label: "label"}, []string{`t.svm:2: field 1: "1:2" is an entry`}},
		"another label":  {"1 1:1\n", ReadOptions{Label: "y"}, []string{`called "label", not "y"`}},
		"0 where from 1": {"1 0:1\n", ReadOptions{Base: OneBased}, []string{`t.svm:1: field 2: "0:1": the index is 0, and the first column is said to be 1 (option index_base)`}},
		"unknown drop":   {"1 1:1 3:1\n", ReadOptions{Drop: []string{"x4", "x9", "x1"}}, []string{`"x4", "x9"; the columns are x1 to x3`}},
		"no such name":   {"1 1:1\n", ReadOptions{Only: []string{"x1", "length", "x01", "x0"}}, []string{`"length", "x01", "x0"; columns are named x1, x2`}},
		"drop needed":    {"1 1:1\n", ReadOptions{Only: []string{"x1"}, Drop: []string{"x1"}}, []string{`"x1" is needed`}},
		"drop all":       {"1 1:1 2:1\n", ReadOptions{Drop: []string{"x1", "x2"}}, []string{"no column is left"}},
		"options":        {"1 1:1\n", ReadOptions{Delimiter: ';', NoHeader: true, Missing: []string{"NA"}, Categorical: []string{"x1"}}, []string{"option categorical does not apply to the format svmlight", "option missing", "option delimiter", "option header"}},
		"UTF-16":         {"\xff\xfe1\x00", ReadOptions{}, []string{"UTF-16"}},
		"binary":         {"\x00\x01\x02 1:2\n", ReadOptions{}, []string{"zero byte"}},
		"label bytes":    {"1 1:2\n\xff 1:2\n", ReadOptions{Label: "label"}, []string{"t.svm:2: column \"label\": \"\\xff\" is not UTF-8"}},
		"cut gzip":       {gzipped("1 1:2\n2 1:3\n")[:28], ReadOptions{}, []string{"cut short"}},
	} {
		_, err := readSVM(c.text, c.opt)
		if err == nil {
			t.Errorf("%s: no error", name)
			continue
		}
		lines := strings.Split(err.Error(), "\n")
		if len(lines) != len(c.want) {
			t.Errorf("%s: got %q, want %d lines", name, err, len(c.want))
			continue
		}
		for i, want := range c.want {
			if !strings.Contains(lines[i], want) {
				t.Errorf("%s: got %q, want %q", name, lines[i], want)
			}
		}
		var place *ParseError
		if !errors.As(err, &place) || place.File != "t.svm" {
			t.Errorf("%s: %v is no ParseError of the file", name, err)
		}
	}
	_, err := readSVM(strings.Repeat("1 x\n", 1000), ReadOptions{})
	if lines := strings.Split(err.Error(), "\n"); len(lines) != maxReported+1 || lines[maxReported] != "and 980 more" {
		t.Errorf("%v", err)
	}
}

// TestSVMLightBeyond: columns after the last that has an entry hold nothing.
func TestSVMLightBeyond(t *testing.T) {
	s := must.Get(readSVM("1 1:1 3:2\n", ReadOptions{Drop: []string{"x3"}}))(t)
	if at, err := s.Locate([]string{"x7", "x2"}); err != nil || !slices.Equal(at, []int{-1, 1}) {
		t.Errorf("%v (%v)", at, err)
	}
	if _, err := s.Locate([]string{"x3"}); err == nil {
		t.Error("a column that was dropped is there")
	}
	s = must.Get(readSVM("1 1:1 3:2\n", ReadOptions{Only: []string{"x1"}}))(t)
	if _, err := s.Locate([]string{"x7"}); err == nil {
		t.Error("a column that was not read is there")
	}
}

// TestSVMLightLongLine: longer than any buffer, and with enough rows to reserve
// memory.
func TestSVMLightLongLine(t *testing.T) {
	var b bytes.Buffer
	const wide = 100_000
	b.WriteString("1")
	for j := 1; j <= wide; j++ {
		b.WriteString(" ")
		b.Write(delimited.AppendNumber(nil, float64(j)))
		b.WriteString(":1.25")
	}
	b.WriteString("\n")
	for range 3000 {
		b.WriteString("1 7:2\n")
	}
	s := must.Get(readSVM(b.String(), ReadOptions{}))(t)
	checkSparse(t, s)
	if s.Rows() != 3001 || s.Columns() != wide || s.Entries() != wide+3000 {
		t.Errorf("%d×%d with %d entries", s.Rows(), s.Columns(), s.Entries())
	}
}
