package delimited

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
	"strings"
	"unicode/utf8"
)

// A cell of a numeric column that is not a number is a NaN. Its low bits hold 1
// for a missing cell, as in math.NaN(), else textCode plus its code in the
// dictionary of the column.
const (
	nanBits  = 0x7ff8000000000000
	textCode = 2
)

func textNaN(code int32) float64 { return math.Float64frombits(nanBits | uint64(code) + textCode) }

// TextCode returns the code of a cell of text in [Table.Values]; false if it is a
// missing cell or a number.
func TextCode(v float64) (int32, bool) {
	low := math.Float64bits(v) &^ nanBits
	return int32(low - textCode), v != v && low >= textCode
}

// A block is a piece of the text on its way to the table.
type block struct {
	scanner
	number int // in the order of the text

	rows   int
	values []float64 // rows × numbers
	codes  []int32   // rows × texts; −1 for a missing cell
	starts []int     // for each row that does not follow the one before it on the next line: row, line
	ragged []Run     // lines of the block, from 0

	// The dictionaries of the columns of numbers and then of texts. Those in use
	// are listed; the others are nil.
	dictionaries []*dictionary
	used         []int32

	empty  bool    // the last cell of the row has no text
	buffer []byte  // of a notation
	share  float64 // of the input that was read with it, 0 when not known
	zeroAt int     // the line of the first zero byte, −1 for none
}

// A Run is lines with the same wrong number of cells, and only right ones between
// them.
type Run struct {
	First, Last, Lines, Got int
	Carriage, Zero          bool // the first line has a carriage return or a zero byte inside
	Initial                 rune // what the first line starts with, but for a quote
	Row                     int  // rows before the last line
}

// parse reads the whole block.
func (b *block) parse(l *layout) {
	b.stop = len(b.buf)
	b.buf = b.buf[:b.stop+back]
	b.at, b.line, b.err, b.carried, b.zeroAt = front, 0, nil, -1, -1
	b.rows, b.values, b.codes, b.starts, b.ragged = 0, b.values[:0], b.codes[:0], b.starts[:0], b.ragged[:0]
	if b.dictionaries == nil {
		b.dictionaries = make([]*dictionary, l.numbers+l.texts)
	}
	for _, i := range b.used {
		b.dictionaries[i] = nil
	}
	b.used = b.used[:0]
	expected := -1
	for b.skipBlank() && b.err == nil {
		start := b.at
		n := l.numbers * b.rows
		b.values = slices.Grow(b.values, l.numbers)[:n+l.numbers]
		m := l.texts * b.rows
		b.codes = slices.Grow(b.codes, l.texts)[:m+l.texts]
		got := b.row(l, b.values[n:], b.codes[m:])
		switch {
		case b.err != nil:
		case got != l.Fields:
			if got != 1 || !b.empty { // a line of space is no record
				b.addRagged(start, got)
			}
		default:
			if b.record != expected {
				b.starts = append(b.starts, b.rows, b.record)
			}
			b.rows++
			expected = b.record + 1
		}
	}
	b.values, b.codes = b.values[:b.rows*l.numbers], b.codes[:b.rows*l.texts]
}

func (b *block) addRagged(start, got int) {
	line := bytes.TrimSpace(b.buf[start:b.at])
	initial, _ := utf8.DecodeRune(bytes.TrimLeft(line, `"`))
	b.ragged = withRun(b.ragged, Run{First: b.record, Last: b.record, Lines: 1, Got: got, Row: b.rows,
		Carriage: bytes.IndexByte(line, '\r') >= 0, Zero: bytes.IndexByte(line, 0) >= 0, Initial: initial})
}

// withRun adds a run to others, or to the last of them, which it goes on.
func withRun(runs []Run, r Run) []Run {
	if len(runs) == 0 || runs[len(runs)-1].Got != r.Got {
		return append(runs, r)
	}
	last := &runs[len(runs)-1]
	last.Lines, last.Last, last.Row = last.Lines+r.Lines, r.Last, r.Row
	return runs
}

// row reads the cells of a record and returns their number.
func (b *block) row(l *layout, values []float64, codes []int32) int {
	field := 0
	plain := len(l.delimiter) == 1 && len(l.Suspects) == 0
	for ; field < len(l.roles); field++ {
		if plain {
			if field = b.numbers(l, field, values); field == len(l.roles) {
				break
			}
		}
		role := l.roles[field]
		if !role.text && role.place >= 0 {
			if ok, last := b.numberCell(l, &values[role.place]); last {
				return field + 1
			} else if ok {
				continue
			}
		}
		text, last := b.cell()
		if b.err != nil {
			return 0
		}
		switch {
		case role.place < 0:
		case role.text:
			codes[role.place] = b.text(l, l.numbers+int(role.place), text)
		default:
			values[role.place] = b.value(l, int(role.place), text)
		}
		if last {
			b.empty = len(text) == 0
			return field + 1
		}
	}
	for last := false; !last; field++ { // too many cells
		if _, last = b.cell(); b.err != nil {
			return 0
		}
	}
	return field
}

// numberCell reads a number by the quick way, with what ends it, and reports whether it could and whether the record
// ends.
func (b *block) numberCell(l *layout, to *float64) (ok, last bool) {
	v, end, ok := b.quick(l, b.at)
	if !ok {
		return false, false
	}
	switch c := b.buf[end]; {
	case c == l.first && len(l.delimiter) == 1:
		b.at = end + 1
	case c == '\n' || c == '\r' && b.buf[end+1] == '\n':
		b.at = end + 1 + int(c>>2&1) // '\r' is 13, '\n' is 10
		b.line++
		b.empty, last = false, true
	default:
		return false, false
	}
	*to = v
	return true, last
}

// numbers reads numbers as long as a delimiter follows, and returns the first field
// that is something else. It is quick with all that it needs at hand.
func (b *block) numbers(l *layout, field int, values []float64) int {
	buf, at, roles := b.buf, b.at, l.roles
	limit, end, point := l.limit, l.end, l.point
	for ; field < len(roles); field++ {
		role := roles[field]
		if role.text || role.place < 0 {
			break
		}
		x := binary.LittleEndian.Uint64(buf[at : at+8])
		n := bits.TrailingZeros64((x-limit)&^x&highs|zeroBytes(x^end)) &^ 7 // in bits
		if n > 56 {
			v, to, ok := b.long(l, at, x)
			if !ok || buf[to] != byte(end) {
				break
			}
			values[role.place] = v
			at = to + 1
			continue
		}
		if n == 0 || byte(x>>n) != byte(end) {
			break
		}
		next := at + n>>3 + 1
		var sign uint64
		if byte(x) == '-' {
			sign = 1
		}
		x <<= 64 - n // the last character is the highest byte now
		n -= int(8 * sign)
		scale := 0
		if z := zeroBytes(x ^ point); z != 0 {
			p := bits.TrailingZeros64(z) &^ 7
			below := uint64(1)<<p - 1
			x = x&below<<8 | x&^(below<<8|0xff)
			scale = 7 - p>>3
			n -= 8
		}
		if n <= 0 {
			break
		}
		mask := uint64(1)<<(64-n) - 1
		if x = x&^mask | zeros&mask; !areDigits(x) {
			break
		}
		v := float64(digits8(x))
		if scale > 0 { // a division takes as long as all the rest
			v /= tens[scale] // both exact: one rounding
		}
		values[role.place] = math.Float64frombits(math.Float64bits(v) | sign<<63)
		at = next
	}
	b.at = at
	return field
}

// value returns the number of a cell, or the NaN that stands for its text.
func (b *block) value(l *layout, column int, text []byte) float64 {
	if len(text) == 0 {
		return math.NaN()
	}
	var v float64
	var kind Kind
	if l.notation == nil {
		v, kind = ParseNumber(text)
	} else {
		v, kind, b.buffer = l.notation.parse(text, b.buffer)
	}
	if kind == Number && (!slices.Contains(l.Suspects, v) || !l.Missing(string(text))) {
		return v
	}
	if kind == Number {
		return math.NaN()
	}
	if code := b.text(l, column, text); code >= 0 {
		return textNaN(code)
	}
	return math.NaN()
}

// text returns the code of a text in the dictionary of the block, −1 if it stands
// for a missing cell.
func (b *block) text(l *layout, column int, text []byte) int32 {
	if len(text) == 0 {
		return -1
	}
	d := b.dictionaries[column]
	if d == nil {
		d = new(dictionary)
		b.dictionaries[column] = d
		b.used = append(b.used, int32(column))
	}
	if code, ok := d.codes[string(text)]; ok {
		return code
	}
	s := strings.Clone(string(text))
	if b.zeroAt < 0 && strings.IndexByte(s, 0) >= 0 {
		b.zeroAt = b.record
	}
	if l.Missing(s) {
		if d.codes == nil {
			d.codes = make(map[string]int32)
		}
		d.codes[s] = -1
		return -1
	}
	return d.add(s)
}
