package dataset

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/fspca/fspca/internal/must"
)

func readMarket(text string, opt ReadOptions) (*Sparse, error) {
	return ReadMatrixMarket(strings.NewReader(text), "t.mtx", opt)
}

const marketStart = "%%MatrixMarket matrix "

func TestReadMatrixMarket(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		opt  ReadOptions
		want string
	}{
		"real":            {"coordinate real general\n% by hand\n\n2 3 4\n1 1 1.5\n2 3 -2\n\n% more\n2 1 3e0\n1 2 0\n", ReadOptions{}, "x1 x2 x3 | 1.5 0 0 | 3 0 -2"},
		"integer":         {"Coordinate INTEGER General\r\n2 2 1\r\n2 2 7\r\n", ReadOptions{}, "x1 x2 | 0 0 | 0 7"},
		"pattern":         {"coordinate pattern general\n2 2 2\n1 2\n2 1", ReadOptions{}, "x1 x2 | 0 1 | 1 0"},
		"symmetric":       {"coordinate real symmetric\n3 3 3\n1 1 1\n2 1 2\n3 2 3\n", ReadOptions{}, "x1 x2 x3 | 1 2 0 | 2 0 3 | 0 3 0"},
		"upper triangle":  {"coordinate real symmetric\n2 2 1\n1 2 2\n", ReadOptions{}, "x1 x2 | 0 2 | 2 0"},
		"skew":            {"coordinate real skew-symmetric\n2 2 1\n2 1 4\n", ReadOptions{}, "x1 x2 | 0 -4 | 4 0"},
		"array":           {"array real general\n2 3\n1\n2\n3\n0\n5\n6\n", ReadOptions{}, "x1 x2 x3 | 1 3 5 | 2 0 6"},
		"symmetric array": {"array integer symmetric\n3 3\n1\n2\n3\n4\n5\n6\n", ReadOptions{}, "x1 x2 x3 | 1 2 3 | 2 4 5 | 3 5 6"},
		"skew array":      {"array real skew-symmetric\n3 3\n1\n2\n3\n", ReadOptions{}, "x1 x2 x3 | 0 -1 -2 | 1 0 -3 | 2 3 0"},
		"dropped":         {"coordinate real symmetric\n3 3 2\n2 1 2\n3 2 3\n", ReadOptions{Drop: []string{"x2"}}, "x1 x3 | 0 0 | 2 3 | 0 0"},
		"only":            {"coordinate real general\n2 3 3\n1 1 1\n2 3 2\n1 3 4\n", ReadOptions{Only: []string{"x3"}}, "x3 | 4 | 2"},
	} {
		for form, text := range map[string]string{"text": marketStart + c.text, "gzip": gzipped(marketStart + c.text)} {
			s, err := readMarket(text, c.opt)
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

func TestReadMatrixMarketErrors(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		opt  ReadOptions
		want []string // each in a line of its own
	}{
		"empty":         {"", ReadOptions{}, []string{"t.mtx: the file is empty"}},
		"no header":     {"1 2 3\n", ReadOptions{}, []string{"t.mtx:1: this is not a Matrix Market file: it starts with \"1 2 3\""}},
		"short header":  {"%%MatrixMarket matrix array real\n", ReadOptions{}, []string{"3 words"}},
		"wrong words":   {"%%MatrixMarket vector dense complex hermitian\n", ReadOptions{}, []string{`"vector"`, `"dense"`, `"complex" for the field, want one of real`, `"hermitian"`}},
		"array pattern": {marketStart + "array pattern general\n", ReadOptions{}, []string{"not array general"}},
		"no sizes":      {marketStart + "coordinate real general\n% x\n", ReadOptions{}, []string{"line with the sizes is missing"}},
		"two sizes":     {marketStart + "coordinate real general\n2 2\n", ReadOptions{}, []string{"t.mtx:2: \"2 2\": want the numbers of rows, columns, entries"}},
		"negative":      {marketStart + "coordinate real general\n2 -2 1\n", ReadOptions{}, []string{`"-2" is not a number of columns`}},
		"too wide":      {marketStart + "coordinate real general\n2 2147483647 1\n1 1 1\n", ReadOptions{}, []string{"from 0 to 2147483646"}},
		"no rows":       {marketStart + "array real general\n0 3\n", ReadOptions{}, []string{"the matrix is empty"}},
		"not square":    {marketStart + "coordinate real symmetric\n2 3 1\n1 1 1\n", ReadOptions{}, []string{"a symmetric matrix is square"}},
		"too many":      {marketStart + "coordinate real general\n2 2 5\n1 1 1\n", ReadOptions{}, []string{"5 entries do not fit"}},
		"lie":           {marketStart + "coordinate real general\n2000000000 2000000000 2000000000000\n1 1 1\n", ReadOptions{}, []string{"t.mtx:2: the sizes declare 2000000000000 entries, for which the 6 bytes that follow are too few"}},
		"array lie":     {marketStart + "array real general\n2000000000 2000000000\n1\n", ReadOptions{}, []string{"t.mtx:2: the sizes declare 4000000000000000000 entries"}},
		"rows lie":      {marketStart + "coordinate real general\n2000000000 3 1\n1 1 1\n", ReadOptions{}, []string{"more than 16 rows for each entry"}},
		"short":         {marketStart + "coordinate real general\n2 2 2\n1 1 1.000000000\n", ReadOptions{}, []string{"declare 2 entries, the file has 1"}},
		"long":          {marketStart + "coordinate real general\n2 2 1\n1 1 1\n2 2 2\n1 2 x\n", ReadOptions{}, []string{"declare 1 entries, the file has 3"}},
		"all mistakes": {marketStart + "coordinate integer general\n2 4 7\n0 1 1\n1 5 1\n1 x 1\n1 1\n1 1 1.5\n1 1 nan\n1 1 1 1\n", ReadOptions{}, []string{
			`t.mtx:3: field 1: "0" is not a row from 1 to 2`, `t.mtx:4: field 2: "5" is not a column from 1 to 4`, `t.mtx:5: field 2: "x" is not a column`,
			`t.mtx:6: field 3: the value is missing`, `t.mtx:7: field 3: "1.5" is not an integer`, `t.mtx:8: field 3: "nan" is not a finite number`,
			`t.mtx:9: "1 1 1 1": there is more`,
		}},
		"array mistakes": {marketStart + "array real general\n2 1\n1 2\nx\n", ReadOptions{}, []string{`t.mtx:3: field 1: "1 2": want one number`, `t.mtx:4: field 1: "x" is not a number`}},
		"overflow":       {marketStart + "coordinate real general\n2 2 2\n1 2 1e308\n1 2 1e308\n", ReadOptions{}, []string{`t.mtx: column "x2": the entries of row 1 add up to +Inf`}},
		"skew diagonal":  {marketStart + "coordinate real skew-symmetric\n2 2 1\n2 2 1\n", ReadOptions{}, []string{"t.mtx:3: a skew-symmetric matrix has no entries but 0 on the diagonal"}},
		"label":          {marketStart + "coordinate real general\n2 2 1\n2 2 1\n", ReadOptions{Label: "label"}, []string{"option label does not apply to the format mtx"}},
		"unknown":        {marketStart + "coordinate real general\n2 2 1\n2 2 1\n", ReadOptions{Drop: []string{"x3"}, Only: []string{"a"}}, []string{`no column "a"; the columns are x1 to x2`, `drop: no column "x3"`}},
	} {
		_, err := readMarket(c.text, c.opt)
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
		if !errors.As(err, &place) || place.File != "t.mtx" {
			t.Errorf("%s: %v is no ParseError of the file", name, err)
		}
	}
}

// TestMatrixMarketUnknownLength: sizes that the file does not hold are found at
// its end where its length is not known, and take no memory before.
func TestMatrixMarketUnknownLength(t *testing.T) {
	for _, text := range []string{"coordinate real general\n2000000000 2000000000 2000000000000\n1 1 1\n", "array real general\n2000000000 2000000000\n1\n"} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := ReadMatrixMarket(iotest.OneByteReader(strings.NewReader(marketStart+text)), "t.mtx", ReadOptions{})
		runtime.ReadMemStats(&after)
		if err == nil || !strings.Contains(err.Error(), "the file has 1") {
			t.Errorf("%v", err)
		}
		if took := after.TotalAlloc - before.TotalAlloc; took > 4<<20 {
			t.Errorf("%d bytes were allocated", took)
		}
	}
}

// TestMatrixMarketOrder: a matrix written column by column, as the format's
// own tools do, is read row by row.
func TestMatrixMarketOrder(t *testing.T) {
	var b strings.Builder
	const n, d = 300, 50
	count := 0
	var lines strings.Builder
	for j := range d {
		for i := range n {
			if (i*7+j*13)%11 == 0 {
				fmt.Fprintf(&lines, "%d %d %d\n", i+1, j+1, i*d+j+1)
				count++
			}
		}
	}
	fmt.Fprintf(&b, "%scoordinate integer general\n%d %d %d\n%s", marketStart, n, d, count, lines.String())
	s := must.Get(readMarket(b.String(), ReadOptions{}))(t)
	checkSparse(t, s)
	f := must.Get(s.Dense())(t)
	for i := range n {
		for j := range d {
			want := 0.0
			if (i*7+j*13)%11 == 0 {
				want = float64(i*d + j + 1)
			}
			if got := f.Numeric().At(i, j); got != want {
				t.Fatalf("(%d,%d) = %v, want %v", i, j, got, want)
			}
		}
	}
}
