package delimited

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// A Notation says how numbers are written where that is not in plain decimal
// notation. The zero value is plain.
type Notation struct {
	Decimal   string // the decimal sign: "." (or "") or ","
	Thousands string // what groups digits by three: ".", ",", " ", "'", "_"; "" for nothing
	Percent   bool   // "12.5%" is 0.125
	Fortran   bool   // "1.5D+03" and "1.5+103" have exponents
}

// notation is a Notation ready for use.
type notation struct {
	decimal   byte
	thousands []string // the signs that are taken for one
	percent   bool
	fortran   bool
}

// sameGroups are the signs that stand for another between digits.
var sameGroups = map[string][]string{
	" ": {" ", "\u00a0", "\u202f", "\u2009"}, // no-break, narrow no-break and thin space
	"'": {"'", "\u2019"},
}

// compile returns nil for plain numbers.
func (n Notation) compile() *notation {
	if (n.Decimal == "" || n.Decimal == ".") && n.Thousands == "" && !n.Percent && !n.Fortran {
		return nil
	}
	c := &notation{decimal: '.', percent: n.Percent, fortran: n.Fortran}
	if n.Decimal != "" {
		c.decimal = n.Decimal[0]
	}
	if n.Thousands != "" {
		c.thousands = sameGroups[n.Thousands]
		if c.thousands == nil {
			c.thousands = []string{n.Thousands}
		}
	}
	return c
}

// Parse reads a text, without space around it, as a number of the notation. A
// plain number is one of every notation, but for its decimal sign and groups.
func (n Notation) Parse(s string) (float64, Kind) {
	c := n.compile()
	if c == nil {
		return ParseNumber([]byte(s))
	}
	v, kind, _ := c.parse([]byte(s), nil)
	return v, kind
}

// parse reads a number; scratch is memory that it may use and returns.
func (n *notation) parse(s, scratch []byte) (float64, Kind, []byte) {
	percent := false
	if n.percent {
		if cut, ok := bytes.CutSuffix(s, []byte("%")); ok {
			s, percent = bytes.TrimSpace(cut), true
		}
	}
	b, ok := n.plain(append(scratch[:0], s...))
	if !ok {
		return 0, Text, b
	}
	if percent {
		if _, kind := ParseNumber(b); kind != Number || bytes.ContainsAny(b, "eE") {
			return 0, Text, b
		}
		b = append(b, "e-2"...)
	}
	v, kind := ParseNumber(b)
	return v, kind, b
}

// plain turns a number into plain decimal notation, in place; false if it is not
// of this notation.
func (n *notation) plain(b []byte) ([]byte, bool) {
	if len(n.thousands) > 0 {
		var ok bool
		if b, ok = n.ungroup(b); !ok {
			return b, false
		}
	}
	if n.decimal != '.' {
		if bytes.IndexByte(b, '.') >= 0 {
			return b, false
		}
		if i := bytes.IndexByte(b, n.decimal); i >= 0 {
			b[i] = '.'
		}
	}
	if n.fortran {
		b = fortranExponent(b)
	}
	return b, true
}

// ungroup removes the signs between groups of three digits; false if the groups
// are not of three, or the first starts with 0, as "0.123" does: that is a
// fraction in another notation.
func (n *notation) ungroup(b []byte) ([]byte, bool) {
	start := 0
	if len(b) > 0 && (b[0] == '+' || b[0] == '-') {
		start = 1
	}
	to, run, groups, sign := start, 0, 0, ""
	i := start
	for i < len(b) {
		if b[i]-'0' <= 9 {
			b[to] = b[i]
			to++
			i++
			run++
			continue
		}
		group := n.groupAt(b[i:])
		if group == "" {
			break
		}
		if groups == 0 && (run < 1 || run > 3 || b[start] == '0') || groups > 0 && (run != 3 || group != sign) {
			return b, false
		}
		groups, run, sign = groups+1, 0, group
		i += len(group)
	}
	if groups > 0 && run != 3 {
		return b, false
	}
	return append(b[:to], b[i:]...), true
}

// groupAt returns the sign of thousands at the start of b, "" without one.
func (n *notation) groupAt(b []byte) string {
	for _, sign := range n.thousands {
		if bytes.HasPrefix(b, []byte(sign)) {
			return sign
		}
	}
	return ""
}

// fortranExponent writes e for the d or q of an exponent, or puts it where a
// Fortran program leaves it out: before a sign that follows a digit or point.
func fortranExponent(b []byte) []byte {
	for i, c := range b {
		switch {
		case i > 0 && strings.IndexByte("dDqQ", c) >= 0 && i+1 < len(b):
			b[i] = 'e'
			return b
		case i > 0 && (c == '+' || c == '-') && (b[i-1] == '.' || b[i-1]-'0' <= 9):
			b = append(b, 0)
			copy(b[i+1:], b[i:])
			b[i] = 'e'
			return b
		case c >= utf8.RuneSelf || c|0x20 == 'e':
			return b
		}
	}
	return b
}
