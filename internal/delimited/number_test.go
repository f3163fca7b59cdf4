package delimited

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/fspca/fspca/internal/must"
)

// expected is what ParseNumber has to return, by strconv.
func expected(s string) (float64, Kind) {
	word := strings.ToLower(strings.TrimLeft(s, "+-"))
	if strings.ContainsAny(s, "_xX") {
		return 0, Text
	}
	v, err := strconv.ParseFloat(s, 64)
	switch {
	case (word == "inf" || word == "infinity" || word == "nan") && len(s)-len(word) < 2, errors.Is(err, strconv.ErrRange) && math.IsInf(v, 0):
		return v, NonFinite
	case err != nil && !errors.Is(err, strconv.ErrRange):
		return 0, Text
	}
	return v, Number
}

func checkNumber(t *testing.T, s string) {
	t.Helper()
	want, kind := expected(s)
	got, gotKind := ParseNumber([]byte(s))
	if gotKind != kind || kind == Number && math.Float64bits(got) != math.Float64bits(want) {
		t.Fatalf("ParseNumber(%q): got %v (kind %d), want %v (kind %d)", s, got, gotKind, want, kind)
	}
	// As a cell of a table, where other code reads it.
	if kind != Number || strings.TrimSpace(s) != s {
		return
	}
	cells := checkTable(t, "a,b,c\n"+s+","+s+","+s+"\n", 0)
	for _, got := range cells.Values {
		if math.Float64bits(got) != math.Float64bits(want) {
			t.Fatalf("cell %q: got %v, want %v", s, got, want)
		}
	}
}

// checkTable reads a table of numeric columns, the first line being the header.
func checkTable(t *testing.T, text string, block int) *Table {
	t.Helper()
	s := must.Get(Open(Input{Reader: strings.NewReader(text), Block: block}))(t)
	head := must.Get(s.Head(Format{Delimiter: ','}, 1))(t)
	plan := Plan{Fields: len(head[0].Fields)}
	for j := range plan.Fields {
		plan.Columns = append(plan.Columns, Column{Field: j})
	}
	s.Skip(head[0])
	return s.Read(Format{Delimiter: ','}, plan)
}

func TestParseNumber(t *testing.T) {
	for _, s := range []string{"", "+", "-", ".", "-.", "e", "1e", "1e+", ".e1", "1.", ".5", "-.5", "+2", "-0", "0", "00012", "1e3", "1E-2", "1e+05", "1.5e308", "1.8e308", "1e999", "-1e999",
		"1e-999", "4.9e-324", "2.4703282292062327e-324", "2.4703282292062328e-324", "2.2250738585072011e-308", "2.2250738585072014e-308", "1.7976931348623157e308", "1.7976931348623159e308",
		"9007199254740993", "9007199254740992.5", "9007199254740993.00000000000000000000000000000001", "123456789012345678901234567890", "0.000000000000000000000000000001234567890123456789012345678901234567890",
		"1_000", "0x1p-2", "inf", "+Inf", "-INFINITY", "nan", "NaN", "+nan", "infinit", "1.2.3", "--1", "1-", "1 2", "1e5.5", "1,5", "0.1", "7.2057594037927933e16", "1e22", "1e23", "123456789e-30", "1e00000000000000000000001",
		"1e-00000000000000000000001", "00000000000000000000000000000000001.50", "8.5", "12345678", "-1234567", "1234567.", ".1234567", "-.123456", "12345678.12345678", "-123456789.1234567890123", "0.12345678901234567", "-0.0012345678901234567",
		"1e1000000000000000000000", "0e999", "-0e-999", "9223372036854775808", "18446744073709551616", "5e-324", "1٣", "\x00", "1\x00", "\xff"} {
		checkNumber(t, s)
	}
}

func TestParseNumberRandom(t *testing.T) {
	n := 300_000
	if testing.Short() {
		n = 20_000
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for range n {
		v := math.Float64frombits(rng.Uint64())
		if math.IsNaN(v) || math.IsInf(v, 0) {
			continue
		}
		u := rng.NormFloat64()
		for _, s := range []string{strconv.FormatFloat(v, 'g', -1, 64), strconv.FormatFloat(u, 'g', -1, 64), strconv.FormatFloat(u, 'f', 3, 64), strconv.FormatFloat(u, 'g', 17, 64),
			strconv.FormatFloat(1000*u, 'f', rng.IntN(20), 64), fmt.Sprint(rng.Int64() >> rng.IntN(63)), halfway(rng)} {
			want, _ := strconv.ParseFloat(s, 64)
			if got, kind := ParseNumber([]byte(s)); kind != Number || math.Float64bits(got) != math.Float64bits(want) {
				t.Fatalf("ParseNumber(%q): got %v (kind %d), want %v", s, got, kind, want)
			}
		}
	}
}

// halfway returns a number half-way between two floats, or next to it.
func halfway(rng *rand.Rand) string {
	m := 1<<52 + rng.Uint64N(1<<52)
	s := strconv.FormatUint(2*m+1, 10) // needs 54 bits
	switch rng.IntN(4) {
	case 0:
		return s + ".0000000000000000000001"
	case 1:
		return strconv.FormatUint(m, 10) + ".5"
	case 2:
		return strconv.FormatUint(m, 10) + ".49999999999999999999"
	}
	return s
}

// TestCellsRandom reads the same kinds of numbers as cells of tables.
func TestCellsRandom(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 30 {
		var text strings.Builder
		text.WriteString("a,b,c,d,e,f\n")
		var want []float64
		for range 500 {
			u := rng.NormFloat64()
			for j, s := range []string{strconv.FormatFloat(u, 'g', -1, 64), strconv.FormatFloat(u, 'f', 3, 64), strconv.FormatFloat(u, 'g', 17, 64),
				strconv.FormatFloat(1000*u, 'f', rng.IntN(20), 64), fmt.Sprint(rng.Int64() >> rng.IntN(63)), halfway(rng)} {
				v, _ := strconv.ParseFloat(s, 64)
				want = append(want, v)
				if j > 0 {
					text.WriteByte(',')
				}
				text.WriteString(s)
			}
			text.WriteByte('\n')
		}
		got := checkTable(t, text.String(), 7+rng.IntN(3000))
		if got.Rows != 500 {
			t.Fatalf("got %d rows", got.Rows)
		}
		for i, v := range got.Values {
			if math.Float64bits(v) != math.Float64bits(want[i]) {
				t.Fatalf("cell %d: got %v, want %v", i, v, want[i])
			}
		}
	}
}

// TestCellsAlmostNumbers reads digits with a point and other characters at any place, of all lengths that
// the quick ways take: they are what ParseNumber says.
func TestCellsAlmostNumbers(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	other := []byte("0123456789.-+eE/:;x ~_\x01\x7f\xb0\xff")
	for range 200 {
		var text strings.Builder
		var cells []string
		text.WriteString("a,b\n")
		for range 400 {
			cell := make([]byte, 1+rng.IntN(26))
			for i := range cell {
				cell[i] = '0' + byte(rng.IntN(10))
			}
			if rng.IntN(4) > 0 {
				cell[rng.IntN(len(cell))] = '.'
			}
			if rng.IntN(2) > 0 {
				cell[0] = '-'
			}
			if rng.IntN(3) == 0 {
				cell[rng.IntN(len(cell))] = other[rng.IntN(len(other))]
			}
			cells = append(cells, strings.TrimSpace(string(cell)))
			text.Write(cell)
			text.WriteByte(",\n"[len(cells)%2^1])
		}
		got := checkTable(t, text.String(), 7+rng.IntN(3000))
		if len(got.Values) != len(cells) {
			t.Fatalf("got %d cells, want %d", len(got.Values), len(cells))
		}
		for i, v := range got.Values {
			want, kind := ParseNumber([]byte(cells[i]))
			code, isText := TextCode(v)
			switch {
			case cells[i] == "":
				if v == v || isText {
					t.Fatalf("an empty cell is %v", v)
				}
			case kind == Number && math.Float64bits(v) != math.Float64bits(want), kind != Number && (!isText || got.Texts[i%2][code] != cells[i]):
				t.Fatalf("cell %q: got %v, want %v (kind %d)", cells[i], v, want, kind)
			}
		}
	}
}
