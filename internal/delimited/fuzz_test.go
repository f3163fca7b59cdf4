package delimited

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// reading is all that a reader says of a text, as lines.
type reading []string

// expectedReading reads a text by encoding/csv and strconv. Columns whose name
// starts with "t" are text, those with "s" are left out.
func expectedReading(text string, delimiter rune) reading {
	r := csv.NewReader(strings.NewReader(text))
	r.Comma, r.FieldsPerRecord, r.TrimLeadingSpace = delimiter, -1, !unicode.IsSpace(delimiter)
	names, err := r.Read()
	if err != nil {
		return reading{fmt.Sprint("head: ", errorOf(err))}
	}
	var out reading
	var ragged []Run
	for {
		record, err := r.Read()
		if err != nil {
			for _, x := range ragged {
				out = append(out, fmt.Sprintf("ragged: %d %d %d %d", x.First, x.Last, x.Lines, x.Got))
			}
			if err != io.EOF {
				out = append(out, errorOf(err))
			}
			return out
		}
		line, _ := r.FieldPos(0)
		if len(record) != len(names) {
			if len(record) == 1 && strings.TrimSpace(record[0]) == "" {
				continue
			}
			if n := len(ragged); n > 0 && ragged[n-1].Got == len(record) {
				ragged[n-1].Last = line
				ragged[n-1].Lines++
			} else {
				ragged = append(ragged, Run{First: line, Last: line, Lines: 1, Got: len(record)})
			}
			continue
		}
		row := fmt.Sprint(line)
		for j, s := range record {
			s = strings.TrimSpace(s)
			v, kind := expected(s)
			switch {
			case strings.HasPrefix(names[j], "s"):
			case s == "":
				row += " -"
			case kind == Number && !strings.HasPrefix(names[j], "t"):
				row += fmt.Sprintf(" %x", math.Float64bits(v))
			default:
				row += fmt.Sprintf(" %q", s)
			}
		}
		out = append(out, row)
	}
}

// errorOf returns the line and the cause of a syntax error.
func errorOf(err error) string {
	var theirs *csv.ParseError
	var ours *SyntaxError
	switch {
	case errors.As(err, &theirs) && errors.Is(err, csv.ErrQuote):
		return fmt.Sprint(theirs.StartLine, theirs.Err)
	case errors.As(err, &theirs):
		return fmt.Sprint(theirs.Line, theirs.Err)
	case errors.As(err, &ours):
		return fmt.Sprint(ours.Line, ours.Err)
	}
	return err.Error()
}

// actualReading reads a text by this package.
func actualReading(in io.Reader, delimiter rune, block int) reading {
	s, err := Open(Input{Reader: in, Block: block})
	if err != nil {
		return reading{err.Error()}
	}
	form := Format{Delimiter: delimiter}
	head, err := s.Head(form, 3)
	if err != nil {
		return reading{fmt.Sprint("head: ", errorOf(err))}
	}
	if len(head) == 0 {
		return reading{"head: EOF"}
	}
	plan := Plan{Fields: len(head[0].Fields)}
	for j, name := range head[0].Fields {
		if !strings.HasPrefix(name, "s") {
			plan.Columns = append(plan.Columns, Column{Field: j, Text: strings.HasPrefix(name, "t")})
		}
	}
	s.Skip(head[0])
	return show(s.Read(form, plan))
}

func show(t *Table) reading {
	var out reading
	l := t.layout
	for i := range t.Rows {
		row := fmt.Sprint(t.Line(i))
		numbers, texts := 0, 0
		for k, c := range l.Columns {
			if c.Text {
				if code := t.Codes[texts][i]; code >= 0 {
					row += fmt.Sprintf(" %q", t.Texts[k][code])
				} else {
					row += " -"
				}
				texts++
				continue
			}
			v := t.Values[i*l.numbers+numbers]
			numbers++
			if v == v {
				row += fmt.Sprintf(" %x", math.Float64bits(v))
			} else if code, ok := TextCode(v); ok {
				row += fmt.Sprintf(" %q", t.Texts[k][code])
			} else {
				row += " -"
			}
		}
		out = append(out, row)
	}
	for _, x := range t.Ragged {
		out = append(out, fmt.Sprintf("ragged: %d %d %d %d", x.First, x.Last, x.Lines, x.Got))
	}
	if t.Syntax != nil {
		out = append(out, errorOf(t.Syntax))
	}
	return out
}

func checkText(t *testing.T, text string, delimiter rune, block int) {
	t.Helper()
	text = strings.TrimLeft(text, "\ufeff")
	if strings.HasSuffix(text, "\r\r") { // a last line of one \r is blank here, a record of nothing there
		return
	}
	if strings.HasPrefix(text, "\xff\xfe") || strings.HasPrefix(text, "\xfe\xff") {
		return
	}
	want := expectedReading(text, delimiter)
	for _, in := range []io.Reader{strings.NewReader(text), io.MultiReader(strings.NewReader(text))} {
		if got := actualReading(in, delimiter, block); !slices.Equal(got, want) {
			t.Fatalf("%q, delimiter %q, block %d:\n got %s\nwant %s", text, delimiter, block, strings.Join(got, "\n     "), strings.Join(want, "\n     "))
		}
	}
}

var seeds = []string{
	"", "a", "a,b\n1,2\n", "\ufeffa,b\r\n1,x\r\n,y\r\n", "a;b\n1;2\n", "a\tb\n\t1\n", "a,b\n\"x\ny\",1\n\"\"\"\",2\n", "a,b\n1,\"x\n", "a\n1e999\nNaN\n0x1p-2\n1_0\n",
	"y,y\n1,2\n", ",a\n1,2\n", "a\rb\r", "a, b\n 1, \" x\"\n", "a\n-0\n\"\"\n1e-320\n", "a,t\nNA,u\nz,v\n", "a,b\n1\n1,2,3\n\n  \n4,5", "a,b\n1,2\r\r\n3,4\r", "a,b\n\"1\"x,2\n", "a,b\n1\"2\",3\n",
	"a,s,t\n1,\"x\ny\",01\n-1.5,\",\",\"a\"\"b\"\n12345678.123456789,0,9\n", "a,b\n\"1\r\n2\",3\n", "a\n123456789012345678901234567890\n0.00000000000000000000000000001\n", "\n\n \na,b\n1,2\n",
	"a,b\n1,\u00a02\u00a0\n", "a§b\n1§2\n", "a,b\n\v1,2\f\n", "a,b\n1.2.3,--1\n-,.\n-.5,5.\n", "a,b\n1,2\n\"", "a,b\n1,2\n\"\"", "a\n\"\"\n\n\"x\"\r\n", "a,b\n\"1\n\n\",2\n3,4\n",
}

// FuzzRead compares with encoding/csv and strconv.
func FuzzRead(f *testing.F) {
	for _, seed := range seeds {
		for _, delimiter := range []rune{',', ';', '\t', '|', ' ', '§', '5'} {
			f.Add(seed, delimiter, uint16(7))
			f.Add(seed, delimiter, uint16(0))
		}
	}
	f.Fuzz(func(t *testing.T, text string, delimiter rune, block uint16) {
		if !ValidDelimiter(delimiter) || delimiter == Whitespace {
			return
		}
		checkText(t, text, delimiter, int(block))
	})
}

// FuzzParseNumber compares with strconv.
func FuzzParseNumber(f *testing.F) {
	for _, s := range []string{"", "1", "-1.5e3", "0x1p2", "1_0", "nan", "+Inf", "123456789.123456789", "1e999", "4.9e-324", "9007199254740993", ".", "1e+"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if !strings.ContainsAny(s, ",\"\n\r") {
			checkNumber(t, s)
		}
	})
}

// TestRandomTables compares random tables with encoding/csv, in blocks of any
// size.
func TestRandomTables(t *testing.T) {
	n := 3000
	if testing.Short() {
		n = 300
	}
	rng := rand.New(rand.NewPCG(5, 6))
	for range n {
		delimiter := []rune{',', ';', '\t', '|', ' ', '§'}[rng.IntN(6)]
		checkText(t, randomTable(rng, string(delimiter)), delimiter, 7+rng.IntN(200))
	}
}

func randomTable(rng *rand.Rand, delimiter string) string {
	width := 1 + rng.IntN(6)
	names := make([]string, width)
	for j := range names {
		names[j] = fmt.Sprintf("%c%d", "ants"[rng.IntN(4)], j)
	}
	ends := []string{"\n", "\n", "\r\n", "\n\n", "\n  \n"}
	end := ends[rng.IntN(len(ends))]
	var b bytes.Buffer
	b.WriteString(strings.Join(names, delimiter) + end)
	odd := []float64{0, 0.02, 0.3}[rng.IntN(3)]
	for range rng.IntN(60) {
		cells := width
		if rng.Float64() < odd/10 {
			cells += rng.IntN(3) - 1
		}
		for j := range cells {
			if j > 0 {
				b.WriteString(delimiter)
			}
			b.WriteString(randomCell(rng, odd, delimiter))
		}
		b.WriteString(end)
	}
	text := b.String()
	if rng.IntN(3) == 0 {
		text = strings.TrimSuffix(text, "\n")
	}
	return text
}

func randomCell(rng *rand.Rand, odd float64, delimiter string) string {
	if rng.Float64() >= odd {
		u := rng.NormFloat64()
		return []string{fmt.Sprintf("%.3f", 10*u), fmt.Sprint(u), fmt.Sprint(rng.IntN(1000) - 500), fmt.Sprintf("%.17g", u), fmt.Sprintf("%.2e", u)}[rng.IntN(5)]
	}
	cells := []string{"", "", "x", " 1", "2 ", "\"3\"", "\"a\"\"b\"", "\"" + delimiter + "\"", "\"l\nm\"", "\"c\r\nd\"", "NA", "inf", "1e999", "5e-324", "+7", "0x1", "1_0", "word", "Ärger", "\u00a08", "\t9",
		"12345678901234567890123", ".", "-", "1e5", "1e-400", "\"\"", "00012"}
	if rng.IntN(200) == 0 {
		cells = []string{"a\"b", "\"a\"b", "\"a"}
	}
	return cells[rng.IntN(len(cells))]
}

// TestRoom: memory is for the rows that there are, whatever the lines are like.
func TestRoom(t *testing.T) {
	short, long := strings.Repeat("1,2\n", 2_000_000), strings.Repeat("123456789,123456789\n", 400_000)
	for name, text := range map[string]string{"even": short, "long lines first": long + short, "short lines first": short + long, "blank lines": strings.Repeat("\n", 9_000_000) + short} {
		got := checkTable(t, "a,b\n"+text, 0)
		rows := strings.Count(text, ",")
		if got.Rows != rows || cap(got.Values) > 2*rows*21/20 && name != "blank lines" {
			t.Errorf("%s: %d rows of %d, room for %d", name, got.Rows, rows, cap(got.Values)/2)
		}
	}
}
