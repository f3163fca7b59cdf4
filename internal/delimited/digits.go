package delimited

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
)

// quick reads a number of at most 23 characters at i in plain notation. It returns
// where it ends: before a character that is in no number, which the caller judges.
func (b *block) quick(l *layout, i int) (v float64, end int, ok bool) {
	x := load(b.buf, i)
	m := l.ends(x)
	if m == 0 {
		return b.long(l, i, x)
	}
	n := bits.TrailingZeros64(m) >> 3
	if n == 0 {
		return 0, 0, false
	}
	end = i + n
	var sign uint64
	if byte(x) == '-' {
		sign = 1
	}
	n -= int(sign)
	x <<= 64 - 8*(uint(n)+uint(sign)) // the last character is the highest byte now
	scale := 0
	if z := zeroBytes(x ^ l.point); z != 0 {
		at := uint(bits.TrailingZeros64(z)) &^ 7
		below := uint64(1)<<at - 1
		x = x&below<<8 | x&^(below<<8|0xff)
		scale = 7 - int(at>>3)
		n--
	}
	if n <= 0 {
		return 0, 0, false
	}
	x = lastDigits(x, n)
	if !areDigits(x) {
		return 0, 0, false
	}
	v = float64(digits8(x)) / tens[scale] // both exact: one rounding
	v = math.Float64frombits(math.Float64bits(v) | sign<<63)
	return v, end, len(l.Suspects) == 0 || !slices.Contains(l.Suspects, v)
}

// ends marks the bytes of x that are in no number, the first of them rightly.
func (l *layout) ends(x uint64) uint64 {
	return (x-l.limit)&^x&highs | zeroBytes(x^l.end)
}

// long is quick for numbers of 8 to 23 characters; x holds the first eight.
func (b *block) long(l *layout, i int, x uint64) (v float64, end int, ok bool) {
	next := b.buf[i+8 : i+24]
	m, end := l.ends(binary.LittleEndian.Uint64(next)), i+8
	if m == 0 {
		m, end = l.ends(binary.LittleEndian.Uint64(next[8:])), i+16
		if m == 0 {
			return 0, 0, false
		}
	}
	end += bits.TrailingZeros64(m) >> 3
	start := i
	var sign uint64
	if byte(x) == '-' {
		sign = 1
		start++
	}
	p := zeroBytes(x ^ l.point)
	point := i + bits.TrailingZeros64(p)>>3
	scale := end - point - 1
	if p == 0 || point != start+1 || scale > mostDigits {
		if p == 0 {
			point = end
			if at := bytes.IndexByte(b.buf[start:end], byte(l.point)); at >= 0 {
				point = start + at
			}
		}
		v, ok = b.unusual(start, point, end)
	} else {
		mantissa, valid := b.decimals(end, scale)
		whole := uint64(b.buf[start] ^ '0')
		if valid && whole == 0 || valid && whole <= 9 && scale < mostDigits {
			v, ok = convertLong(mantissa+whole*integerTens[scale], scale)
		}
	}
	v = math.Float64frombits(math.Float64bits(v) | sign<<63)
	return v, end, ok && (len(l.Suspects) == 0 || !slices.Contains(l.Suspects, v))
}

// decimals returns the value of the n ≤ 19 characters before end, and whether all are digits.
func (b *block) decimals(end, n int) (v uint64, ok bool) {
	text, kept := b.buf[end-24:end], &lastOf[n]
	x := (binary.LittleEndian.Uint64(text[16:]) ^ zeros) & kept[0]
	y := (binary.LittleEndian.Uint64(text[8:]) ^ zeros) & kept[1]
	z := (binary.LittleEndian.Uint64(text) ^ zeros) & kept[2]
	const aboveNine = ones * (0x7f - 9) // carries into the highest bit of a byte above 9
	wrong := x | (x + aboveNine) | y | (y + aboveNine) | z | (z + aboveNine)
	return digitValues(x) + 1e8*digitValues(y) + 1e16*digitValues(z), wrong&highs == 0
}

// lastOf says which bytes of the last three words of a text hold its last n ≤ 19 characters; the first of
// the three masks is that of the last word.
var lastOf = func() (kept [mostDigits + 1][3]uint64) {
	for n := range kept {
		for w := range kept[n] {
			if in := min(8, n-8*w); in > 0 {
				kept[n][w] = ^uint64(0) << (64 - 8*in)
			}
		}
	}
	return kept
}()

// unusual reads an unsigned number of up to 23 characters with other than one digit before the point, which may
// be its end.
func (b *block) unusual(start, point, end int) (v float64, ok bool) {
	whole, scale := point-start, max(0, end-point-1)
	if whole == 1 && scale == 0 || whole+scale > mostDigits {
		return 0, false
	}
	mantissa, valid := b.decimals(end, scale)
	high, alsoValid := b.decimals(point, whole)
	if !valid || !alsoValid {
		return 0, false
	}
	return convert(mantissa+high*integerTens[scale], -scale)
}

var integerTens = [...]uint64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19}
