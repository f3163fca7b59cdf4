package delimited

import (
	"bytes"
	"errors"
	"io"
	"slices"
)

// blockSize is how many bytes a worker reads at once: small enough that a block
// and its numbers stay in the cache.
const blockSize = 512 << 10

// An Input is delimited text to read.
type Input struct {
	Reader io.Reader
	// Share returns how much of the input has been read, from 0 to 1; nil when not
	// known. It is not needed where Reader is a file or has its text in memory.
	Share func() float64
	// Block is the size of a block in bytes; 0 chooses. Nothing depends on it.
	Block int
	// SkipFooter leaves out as many lines at the end; blank ones do not count.
	SkipFooter int
}

// A Source is text of which the first records can be looked at before the rest
// is read.
type Source struct {
	in       io.Reader
	lent     Input
	size     int
	rest     []byte // read but not yet parsed, and room before and after
	eof      bool
	err      error // of in, after rest
	line     int   // number of the first line of rest, from 1
	whole    text  // from the start, if it can be read twice
	lines    int   // of the whole, or a few more; 0 when not known
	consumed int64 // bytes read
}

// front and back are how many bytes stand before and after a block, so that
// words that reach over its ends can be loaded.
const (
	front = 32
	back  = 32
)

// Open starts to read text. UTF-8 byte order marks at its start are left out.
func Open(in Input) (*Source, error) {
	s := &Source{in: in.Reader, lent: in, size: in.Block, line: 1}
	if s.size == 0 {
		s.size = blockSize
	}
	s.whole = rereadable(in.Reader)
	s.lines = s.whole.expectedLines()
	if in.SkipFooter > 0 {
		s.in = &footerReader{in: in.Reader, lines: in.SkipFooter}
	}
	s.rest = make([]byte, front, front+s.size+back)
	s.fill(max(s.size, 16))
	mark := []byte("\ufeff") // files put together from others may start with several
	for bytes.HasPrefix(s.text(), mark) {
		s.drop(len(mark))
	}
	if t := s.text(); bytes.HasPrefix(t, []byte("\xff\xfe")) || bytes.HasPrefix(t, []byte("\xfe\xff")) {
		return nil, errors.New("the text is UTF-16: convert it to UTF-8")
	}
	if len(s.text()) == 0 && s.err != nil {
		return nil, s.err
	}
	return s, nil
}

// text is what was read but not yet parsed.
func (s *Source) text() []byte { return s.rest[front:] }

// drop leaves out the first n bytes of the text.
func (s *Source) drop(n int) { s.rest = slices.Delete(s.rest, front, front+n) }

// fill reads until the text has n bytes or ends.
func (s *Source) fill(n int) {
	have := len(s.text())
	if s.eof || have >= n {
		return
	}
	s.rest = slices.Grow(s.rest, n-have+back)[:front+n]
	got := s.readFull(s.rest[front+have:])
	s.rest = s.rest[:front+have+got]
}

// readFull fills b, or reads what there is and notes the end. (io.ReadFull would
// not tell an end from text that is cut short.)
func (s *Source) readFull(b []byte) int {
	n := 0
	for n < len(b) && !s.eof {
		got, err := s.in.Read(b[n:])
		n += got
		s.consumed += int64(got)
		if err != nil {
			s.eof = true
			if err != io.EOF {
				s.err = err
			}
		}
	}
	return n
}

// SkipLines leaves out the first n lines.
func (s *Source) SkipLines(n int) {
	for ; n > 0; n-- {
		i := bytes.IndexByte(s.text(), '\n')
		for i < 0 && !s.eof {
			from := len(s.text())
			s.fill(2*from + s.size)
			if i = bytes.IndexByte(s.text()[from:], '\n'); i >= 0 {
				i += from
			}
		}
		if i < 0 {
			i = len(s.text()) - 1
		}
		s.drop(i + 1)
		s.line++
	}
}

// FirstLine returns the first line of the text, or as much as is at hand.
func (s *Source) FirstLine() string {
	line, _, _ := bytes.Cut(s.text(), []byte("\n"))
	return string(bytes.TrimSuffix(line, []byte("\r")))
}

// next reads the next block into b: whole records, the last one with its line
// end. It returns false at the end of the text.
func (s *Source) next(b *block, f *format) bool {
	for size := s.size; ; size *= 2 {
		b.buf = append(b.buf[:0], s.rest...)
		have := len(b.buf)
		if want := front + size; want > have && !s.eof {
			b.buf = slices.Grow(b.buf, want-have+back)[:want]
			b.buf = b.buf[:have+s.readFull(b.buf[have:])]
		}
		if s.eof {
			b.buf = endLine(b.buf)
			s.rest = s.rest[:front]
			break
		}
		cut := f.cut(b.buf[front:])
		s.rest = append(s.rest[:front], b.buf[front+cut:]...)
		b.buf = b.buf[:front+cut]
		if cut > 0 {
			break
		}
		s.size = size
	}
	b.buf = slices.Grow(b.buf, back)
	b.share = s.share()
	return len(b.buf) > front
}

// endLine gives the last line a line end, which it may lack.
func endLine(b []byte) []byte {
	if len(b) == front || b[len(b)-1] == '\n' {
		return b
	}
	if b[len(b)-1] == '\r' {
		b = b[:len(b)-1]
	}
	return append(b, '\n')
}
