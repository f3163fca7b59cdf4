package delimited

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Whitespace as a delimiter is any run of spaces and tabs; those at the ends of a
// line do not count.
const Whitespace rune = -1

// A Format says how cells are written.
type Format struct {
	Delimiter rune
	// Comment starts lines that are left out; "" for none.
	Comment string
	// Header, unless nil, are the names of the columns: lines that repeat most of them, in whatever
	// case, are left out.
	Header  []string
	Numbers Notation
}

// ValidDelimiter reports whether r can stand between cells.
func ValidDelimiter(r rune) bool {
	return r == Whitespace || r != '"' && r != '\r' && r != '\n' && r != utf8.RuneError && r != 0 && utf8.ValidRune(r)
}

// format is a Format ready for use.
type format struct {
	delimiter []byte // empty for white space
	first     byte   // of the delimiter; a space for white space
	trim      bool   // space before a cell does not belong to it
	comment   []byte
	header    []string
	initial   byte      // what a line that repeats the header starts with, in lower case
	notation  *notation // nil for plain numbers

	// What ends a number that is read by the fast way: a byte below a limit, or
	// the delimiter. Both stand in every byte of a word.
	limit, end uint64
	point      uint64 // the decimal point, likewise
}

func (f Format) compile() *format {
	c := &format{comment: []byte(f.Comment), notation: f.Numbers.compile(), trim: true}
	if f.Delimiter == Whitespace {
		c.first = ' '
	} else {
		c.delimiter = utf8.AppendRune(nil, f.Delimiter)
		c.first = c.delimiter[0]
		c.trim = !unicode.IsSpace(f.Delimiter) // between tabs, an empty cell would be space before the next
	}
	c.limit, c.point, c.end = ones*'-', ones*'.', ones*uint64(c.first)
	if c.notation != nil && c.notation.decimal != '.' {
		c.limit, c.point = ones*',', ones*uint64(c.notation.decimal)
	}
	if c.header = f.Header; len(f.Header) > 0 {
		if c.initial = c.first; f.Header[0] != "" {
			c.initial = lower(f.Header[0][0])
		}
	}
	return c
}

func lower(b byte) byte {
	if 'A' <= b && b <= 'Z' {
		return b + 'a' - 'A'
	}
	return b
}

// isHeader reports whether a line repeats the header. Most lines do not start like it.
func (f *format) isHeader(line []byte) bool {
	if len(f.header) == 0 {
		return false
	}
	const around = " \t\"\ufeff\r\n"
	start := bytes.TrimLeft(line, around)
	if len(start) == 0 || lower(start[0]) != f.initial {
		return false
	}
	if i := bytes.IndexByte(start, '\n'); i >= 0 {
		start = start[:i]
	}
	same := 0
	cells := bytes.Fields(start)
	if !f.whitespace() {
		cells = bytes.Split(start, f.delimiter)
	}
	for i, cell := range cells {
		if i < len(f.header) && strings.EqualFold(string(bytes.Trim(cell, around)), f.header[i]) {
			same++
		}
	}
	return 2*same > len(f.header)
}

func (f *format) whitespace() bool { return len(f.delimiter) == 0 }

// cut returns the length of the whole records at the start of b, which starts
// with a record.
func (f *format) cut(b []byte) int {
	if bytes.IndexByte(b, '"') < 0 {
		return lastLineEnd(b) + 1
	}
	if len(f.comment) > 0 {
		return f.cutForward(b)
	}
	// A line end is outside of quotes if an even number of them stands before it.
	// After a quote at a wrong place that need not be so, but nothing after it counts.
	before := bytes.Count(b, []byte{'"'})
	for {
		i := lastLineEnd(b)
		if i < 0 {
			return 0
		}
		before -= bytes.Count(b[i:], []byte{'"'})
		if before%2 == 0 {
			return i + 1
		}
		b = b[:i]
	}
}

// lastLineEnd returns the place of the last line end in b, or −1. Forward, several bytes are looked at
// in one step, which lines of megabytes need.
func lastLineEnd(b []byte) int {
	const step = 16 << 10
	for {
		from := max(0, len(b)-step)
		if bytes.IndexByte(b[from:], '\n') >= 0 {
			return from + bytes.LastIndexByte(b[from:], '\n')
		}
		if b = b[:from]; from == 0 {
			return -1
		}
	}
}

// cutForward is cut for text that may have quotes in comments.
func (f *format) cutForward(b []byte) int {
	cut, quoted := 0, false
	for at := 0; ; {
		i := bytes.IndexByte(b[at:], '\n')
		if i < 0 {
			return cut
		}
		line := b[at : at+i+1]
		at += i + 1
		if !quoted && f.isComment(line) {
			cut = at
			continue
		}
		if bytes.Count(line, []byte{'"'})%2 == 1 {
			quoted = !quoted
		}
		if !quoted {
			cut = at
		}
	}
}

// isComment reports whether a line is to be left out.
func (f *format) isComment(line []byte) bool {
	return len(f.comment) > 0 && bytes.HasPrefix(bytes.TrimLeft(line, " \t"), f.comment)
}
