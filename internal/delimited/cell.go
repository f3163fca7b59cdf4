package delimited

import (
	"bytes"
	"encoding/csv"
	"math/bits"
	"unicode"
	"unicode/utf8"
)

// A SyntaxError is a quote where none can be, after which nothing is read.
type SyntaxError struct {
	Line int
	Err  error // csv.ErrQuote or csv.ErrBareQuote
}

// Error returns the text of the error of encoding/csv.
func (e *SyntaxError) Error() string { return e.Err.Error() }

// Unwrap returns the error of encoding/csv.
func (e *SyntaxError) Unwrap() error { return e.Err }

// A scanner splits records into cells. Its text ends in a line end.
type scanner struct {
	*format
	buf     []byte // and back bytes more
	stop    int    // the end of the text in buf
	at      int
	line    int    // lines before at, in the block
	record  int    // lines before the record
	scratch []byte // of a cell with quotes inside

	err     *SyntaxError // with a line of the block, from 0
	carried int          // the line of the first bare carriage return, −1 for none
}

// skipBlank passes over blank lines and comments and reports whether a record
// follows.
func (s *scanner) skipBlank() bool {
	for s.at < s.stop {
		switch c := s.buf[s.at]; {
		case c == '\n':
			s.at++
		case c == '\r' && s.buf[s.at+1] == '\n':
			s.at += 2
		case s.isComment(s.buf[s.at:s.stop]), s.isHeader(s.buf[s.at:s.stop]), s.whitespace() && (c == ' ' || c == '\t') && s.blank():
			s.at += bytes.IndexByte(s.buf[s.at:], '\n') + 1
		default:
			s.record = s.line
			return true
		}
		s.line++
	}
	return false
}

// blank reports whether a line has only space.
func (s *scanner) blank() bool {
	line := s.buf[s.at : s.at+bytes.IndexByte(s.buf[s.at:], '\n')]
	return len(bytes.TrimSpace(line)) == 0
}

// cell returns the text of the next cell, without space around it, and whether it
// is the last one of its record. The text is valid until the next call. After an
// error it returns true.
func (s *scanner) cell() (text []byte, last bool) {
	if s.whitespace() {
		for s.buf[s.at] == ' ' || s.buf[s.at] == '\t' {
			s.at++
		}
	} else if s.trim {
		s.trimLeft()
	}
	if s.buf[s.at] == '"' {
		return s.quoted()
	}
	start := s.at
	s.at = s.endOfCell(start)
	end := s.at
	if s.buf[end] != '\n' {
		last = s.pastDelimiter()
	} else {
		last = true
		s.at++
		if end > start && s.buf[end-1] == '\r' {
			end--
		}
	}
	text = s.buf[start:end]
	if bytes.IndexByte(text, '"') >= 0 {
		s.err = &SyntaxError{s.line, csv.ErrBareQuote}
		return nil, true
	}
	if s.carried < 0 && bytes.IndexByte(text, '\r') >= 0 {
		s.carried = s.line
	}
	if last {
		s.line++
	}
	return trim(text), last
}

// trimLeft passes over the space before a cell.
func (s *scanner) trimLeft() {
	for {
		c := s.buf[s.at]
		if c > ' ' && c < utf8.RuneSelf || c == '\n' || c == '\r' && s.buf[s.at+1] == '\n' {
			return
		}
		r, size := utf8.DecodeRune(s.buf[s.at:])
		if !unicode.IsSpace(r) {
			return
		}
		s.at += size
	}
}

// endOfCell returns where the first delimiter or line end from i on is.
func (s *scanner) endOfCell(i int) int {
	const newlines = ones * '\n'
	if len(s.delimiter) == 1 {
		for ; ; i += 8 {
			x := load(s.buf, i)
			if m := zeroBytes(x^s.end) | zeroBytes(x^newlines); m != 0 {
				return i + bits.TrailingZeros64(m)>>3
			}
		}
	}
	for ; s.buf[i] != '\n'; i++ {
		if s.whitespace() && (s.buf[i] == ' ' || s.buf[i] == '\t') || !s.whitespace() && bytes.HasPrefix(s.buf[i:], s.delimiter) {
			break
		}
	}
	return i
}

// pastDelimiter passes over the delimiter at the current place and reports
// whether the record ends, as it may after white space.
func (s *scanner) pastDelimiter() (last bool) {
	if !s.whitespace() {
		s.at += len(s.delimiter)
		return false
	}
	for s.buf[s.at] == ' ' || s.buf[s.at] == '\t' {
		s.at++
	}
	if s.buf[s.at] == '\r' && s.buf[s.at+1] == '\n' {
		s.at++
	}
	if s.buf[s.at] != '\n' {
		return false
	}
	s.at++
	return true
}

// quoted is cell for a cell in quotes.
func (s *scanner) quoted() (text []byte, last bool) {
	s.at++
	s.scratch = s.scratch[:0]
	for {
		i := bytes.IndexByte(s.buf[s.at:s.stop], '"')
		if i < 0 {
			s.err = &SyntaxError{s.record, csv.ErrQuote}
			return nil, true
		}
		part := s.buf[s.at : s.at+i]
		s.at += i + 1
		s.line += bytes.Count(part, []byte{'\n'})
		s.scratch = append(s.scratch, part...)
		after := s.buf[s.at:s.stop]
		switch {
		case len(after) == 0:
			s.err = &SyntaxError{s.record, csv.ErrQuote}
			return nil, true
		case after[0] == '"':
			s.scratch = append(s.scratch, '"')
			s.at++
			continue
		case after[0] == '\n':
			s.at++
			last = true
		case after[0] == '\r' && after[1] == '\n':
			s.at += 2
			last = true
		case s.whitespace() && (after[0] == ' ' || after[0] == '\t'), !s.whitespace() && bytes.HasPrefix(after, s.delimiter):
			last = s.pastDelimiter()
		default:
			s.err = &SyntaxError{s.record, csv.ErrQuote}
			return nil, true
		}
		if last {
			s.line++
		}
		if bytes.IndexByte(s.scratch, '\r') >= 0 {
			s.scratch = bytes.ReplaceAll(s.scratch, []byte("\r\n"), []byte("\n"))
		}
		return trim(s.scratch), last
	}
}

// trim removes the space around a text; text without any costs two comparisons.
func trim(b []byte) []byte {
	if len(b) == 0 || b[0] > ' ' && b[0] < utf8.RuneSelf && b[len(b)-1] > ' ' && b[len(b)-1] < utf8.RuneSelf {
		return b
	}
	return bytes.TrimSpace(b)
}
