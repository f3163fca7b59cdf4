package delimited

import (
	"math"
	"strconv"
	"unsafe"
)

// A Kind is what the text of a cell is.
type Kind uint8

const (
	Text      Kind = iota
	Number         // a finite decimal number
	NonFinite      // "inf", "NaN", "1e999": a number or a text, as the rest of the column is
)

// ParseNumber reads a text, without space around it, as strconv.ParseFloat does,
// bit for bit, but takes decimal notation only: hexadecimal numbers and "_"
// between digits are text.
func ParseNumber(s []byte) (float64, Kind) {
	var d decimal
	if !d.scan(s) {
		if isNonFiniteWord(s) {
			return math.NaN(), NonFinite
		}
		return 0, Text
	}
	v, ok := d.value()
	if !ok {
		// ParseFloat keeps no part of its argument: its errors clone the text.
		v, _ = strconv.ParseFloat(unsafe.String(unsafe.SliceData(s), len(s)), 64)
	}
	if math.IsInf(v, 0) {
		return v, NonFinite
	}
	return v, Number
}

// AppendNumber appends the shortest text that ParseNumber reads as exactly v, without an exponent for
// magnitudes from 1e−6 to below 1e21. All that is written as a table writes numbers like this.
func AppendNumber(dst []byte, v float64) []byte {
	format := byte('f')
	if a := max(v, -v); a != 0 && (a < 1e-6 || a >= 1e21) {
		format = 'e'
	}
	return strconv.AppendFloat(dst, v, format, -1, 64)
}

// isNonFiniteWord reports whether s spells an infinity or not-a-number.
func isNonFiniteWord(s []byte) bool {
	if len(s) > 0 && (s[0] == '+' || s[0] == '-') {
		s = s[1:]
	}
	switch len(s) {
	case 3:
		return equalFold(s, "inf") || equalFold(s, "nan")
	case 8:
		return equalFold(s, "infinity")
	}
	return false
}

// equalFold compares s with a word in lower-case letters.
func equalFold(s []byte, word string) bool {
	for i := range word {
		if s[i]|0x20 != word[i] {
			return false
		}
	}
	return true
}

// mostDigits is how many decimal digits a uint64 always holds.
const mostDigits = 19

// decimal is a number in decimal notation: ±mantissa·10^exponent, or a little
// more if digits were left out.
type decimal struct {
	mantissa uint64
	exponent int
	negative bool
	cut      bool // digits after the 19th significant one are left out
}

// scan reads s whole; false if it is no number in decimal notation.
func (d *decimal) scan(s []byte) bool {
	i := 0
	if i < len(s) && (s[i] == '+' || s[i] == '-') {
		d.negative = s[i] == '-'
		i++
	}
	start := i
	i = d.digits(s, i, 0)
	count := i - start
	if i < len(s) && s[i] == '.' {
		start = i + 1
		i = d.digits(s, start, 1)
		count += i - start
	}
	if count == 0 {
		return false
	}
	if i < len(s) && s[i]|0x20 == 'e' {
		return d.scanExponent(s[i+1:])
	}
	return i == len(s)
}

// digits appends the digits of s from i on, of which each lowers the exponent by
// down, and returns where they end.
func (d *decimal) digits(s []byte, i, down int) int {
	for i+8 <= len(s) && d.mantissa < 1e11 { // 8 more fit
		x := load(s, i)
		if !areDigits(x) {
			break
		}
		d.mantissa = d.mantissa*1e8 + digits8(x)
		d.exponent -= 8 * down
		i += 8
	}
	for ; i < len(s) && s[i]-'0' <= 9; i++ {
		if d.mantissa < 1e18 {
			d.mantissa = d.mantissa*10 + uint64(s[i]-'0')
			d.exponent -= down
			continue
		}
		d.cut = d.cut || s[i] != '0'
		d.exponent += 1 - down
	}
	return i
}

func (d *decimal) scanExponent(s []byte) bool {
	sign := 1
	if len(s) > 0 && (s[0] == '+' || s[0] == '-') {
		if s[0] == '-' {
			sign = -1
		}
		s = s[1:]
	}
	e := 0
	for _, c := range s {
		if c-'0' > 9 {
			return false
		}
		if e < 100_000_000 {
			e = e*10 + int(c-'0')
		}
	}
	d.exponent += sign * e
	return len(s) > 0
}

// value returns the nearest float64, ties to even; false if strconv must find it.
func (d *decimal) value() (float64, bool) {
	v, ok := convert(d.mantissa, d.exponent)
	if ok && d.cut {
		above, same := convert(d.mantissa+1, d.exponent)
		ok = same && above == v
	}
	if d.negative {
		v = -v
	}
	return v, ok
}

// convert returns the float64 that is nearest to mantissa·10^exponent.
func convert(mantissa uint64, exponent int) (float64, bool) {
	switch {
	case mantissa == 0:
		return 0, true
	case mantissa < 1<<53 && exponent == 0:
		return float64(mantissa), true
	case mantissa < 1<<53 && -22 <= exponent && exponent < 0:
		return float64(mantissa) / tens[-exponent], true // both exact: one rounding
	case mantissa < 1<<53 && 0 < exponent && exponent <= 22:
		return float64(mantissa) * tens[exponent], true
	}
	return eiselLemire(mantissa, exponent)
}

// convertLong is convert for mantissa·10^−scale of mostly more than 15 digits, which tries first what that
// takes: numbers with fewer among them would mislead the processor.
func convertLong(mantissa uint64, scale int) (float64, bool) {
	if mantissa > 0 {
		if v, ok := eiselLemire(mantissa, -scale); ok {
			return v, true
		}
	}
	return convert(mantissa, -scale)
}

// tens are the powers of ten that a float64 holds exactly.
var tens = [...]float64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
	1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}
