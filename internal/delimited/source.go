package delimited

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/fspca/fspca/internal/bounded"
	"github.com/fspca/fspca/internal/memory"
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
	// Limit is the most bytes that a record may have; 0 is DefaultLimit.
	Limit int64
	// Context, unless nil, ends the reading, which then fails with its error.
	Context context.Context
}

// DefaultLimit is the most bytes that a record may have where nothing else is said.
const DefaultLimit = 64 << 20

// A LongError is a record that is longer than the limit.
type LongError struct {
	Line  int // on which it starts, from 1; 0 where that is not known
	Limit int64
	Lines bool // it goes over several lines, as after a quote that does not end
}

// Error says how long a record may be.
func (e *LongError) Error() string {
	what := "the line is"
	if e.Lines {
		what = "a row that starts with this line, a quoted cell of which does not end before others, is"
	}
	return fmt.Sprintf("%s longer than %s: if the file is a table in text all the same, raise the limit (option line_limit, in MiB)", what, memory.Amount(e.Limit))
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
	if s.lent.Limit == 0 {
		s.lent.Limit = DefaultLimit
	}
	s.whole = rereadable(in.Reader)
	s.lines = s.whole.expectedLines()
	s.in = bounded.Reader(in.Context, s.in)
	if in.SkipFooter > 0 {
		s.in = &footerReader{in: s.in, lines: in.SkipFooter, limit: s.lent.Limit}
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
	if err := s.broken(); err != nil {
		return nil, err
	}
	return s, nil
}

// broken returns what ended the input, if that is neither its end, nor a record that is too long: what
// was read may be garbage.
func (s *Source) broken() error {
	var long *LongError
	if errors.Is(s.err, io.ErrUnexpectedEOF) || errors.As(s.err, &long) {
		return nil
	}
	return s.err
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

// fillMore reads about as much again as there is, but no more than a record may have: so that one
// which is too long is known before it is held.
func (s *Source) fillMore() {
	have := len(s.text())
	s.fill(have + int(max(1, min(int64(have+s.size), s.lent.Limit+1-int64(have)))))
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
			if s.tooLong(from, s.text()) {
				return
			}
			s.fillMore()
			if i = bytes.IndexByte(s.text()[from:], '\n'); i >= 0 {
				i += from
			}
		}
		if i < 0 {
			i = len(s.text()) - 1
		}
		s.drop(i + 1)
		s.line++
		if i < 0 && s.eof {
			return
		}
	}
}

// tooLong ends the text, with an error, if n bytes that start with b are more than a record may
// have.
func (s *Source) tooLong(n int, b []byte) bool {
	if int64(n) <= s.lent.Limit {
		return false
	}
	if s.err == nil {
		s.err = &LongError{Limit: s.lent.Limit, Lines: bytes.IndexByte(b, '\n') >= 0}
	}
	s.eof, s.rest = true, s.rest[:front]
	return true
}

// FirstLine returns the first line of the text, or as much as is at hand.
func (s *Source) FirstLine() string {
	line, _, _ := bytes.Cut(s.text(), []byte("\n"))
	return string(bytes.TrimSuffix(line, []byte("\r")))
}

// next reads the next block into b: whole records, the last one with its line
// end. It returns false at the end of the text.
func (s *Source) next(b *block, f *format) bool {
	b.buf, s.rest = s.rest, slices.Grow(b.buf[:0], front)[:front] // what is left of the last block is not copied again
	for size := s.size; ; size *= 2 {
		have := len(b.buf)
		if want := front + s.upTo(size); want > have && !s.eof {
			b.buf = slices.Grow(b.buf, want-have+back)[:want]
			b.buf = b.buf[:have+s.readFull(b.buf[have:])]
		}
		if s.eof {
			b.buf = endLine(b.buf)
			break
		}
		if cut := f.cut(b.buf[front:]); cut > 0 {
			s.rest = append(s.rest, b.buf[front+cut:]...)
			b.buf = b.buf[:front+cut]
			break
		}
		if s.tooLong(len(b.buf)-front, b.buf[front:]) {
			b.buf = b.buf[:front]
			return false
		}
		s.size = size
	}
	b.buf = slices.Grow(b.buf, back)
	b.share = s.share()
	return len(b.buf) > front
}

// upTo is a size for a block of records of which the first may be of the size, or too long.
func (s *Source) upTo(size int) int {
	if int64(size) > s.lent.Limit && size > s.size {
		return int(max(s.lent.Limit+1, int64(s.size)))
	}
	return size
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
