package dataset

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/fspca/fspca/internal/bounded"
	"github.com/fspca/fspca/internal/delimited"
	"github.com/fspca/fspca/internal/files"
)

// openText returns r as text: decompressed if it starts as gzip does, without
// byte order marks. Size is the number of bytes left, 0 when not known.
func openText(r io.Reader, opt ReadOptions) (lines *lineReader, size int64, err error) {
	if files.Absent(r) {
		return nil, 0, files.ErrNoReader
	}
	size, known := sizeLeft(r)
	counter := &bounded.Counter{R: bounded.Reader(opt.ctx, r)}
	buffer := int64(1 << 16)
	if known {
		buffer = min(buffer, max(size, 512)) // many files are short
	}
	text := bufio.NewReaderSize(counter, int(buffer))
	if start, err := text.Peek(2); string(start) == "\x1f\x8b" {
		zip, err := gunzip(text, counter, size)
		if err != nil {
			return nil, 0, err
		}
		text, known = bufio.NewReaderSize(zip, 1<<18), false
	} else if err != nil && err != io.EOF {
		return nil, 0, err
	}
	if !known {
		size = 0
	}
	if err := skipMarks(text); err != nil {
		return nil, 0, err
	}
	return &lineReader{text: text, limit: opt.lineLimit()}, size, nil
}

// skipMarks passes over byte order marks: files put together from others may start with several.
func skipMarks(text *bufio.Reader) error {
	const mark = "\ufeff"
	for {
		start, _ := text.Peek(len(mark))
		if s := string(start); strings.HasPrefix(s, "\xff\xfe") || strings.HasPrefix(s, "\xfe\xff") {
			return errors.New("the text is UTF-16: convert it to UTF-8")
		} else if s != mark {
			return nil
		}
		if _, err := text.Discard(len(mark)); err != nil {
			return err
		}
	}
}

// gunzip decompresses text, the compressed bytes of which counter counts; size is how many there are,
// 0 when not known.
func gunzip(text io.Reader, counter *bounded.Counter, size int64) (io.Reader, error) {
	zip, err := gzip.NewReader(text)
	if err != nil {
		return nil, fmt.Errorf("gzip: %w", err)
	}
	return bounded.Expansion(zip, func() int64 { return counter.Count() }, size), nil
}

// lineLimit is the most bytes that a line may have.
func (o ReadOptions) lineLimit() int64 {
	if o.LineLimit == 0 {
		return delimited.DefaultLimit
	}
	return o.LineLimit
}

// lineReader splits text into lines.
type lineReader struct {
	text   *bufio.Reader
	limit  int64  // bytes of a line
	line   int    // number of the last one, from 1
	offset int64  // bytes read
	long   []byte // a line that does not fit the buffer of text
}

// next returns the next line without its end, valid until the call after it,
// or io.EOF.
func (l *lineReader) next() ([]byte, error) {
	b, err := l.text.ReadSlice('\n')
	if err == bufio.ErrBufferFull {
		l.long = append(l.long[:0], b...)
		for err == bufio.ErrBufferFull {
			if int64(len(l.long)) > l.limit {
				l.line++
				return nil, &delimited.LongError{Limit: l.limit}
			}
			b, err = l.text.ReadSlice('\n')
			l.long = append(l.long, b...)
		}
		b = l.long
	}
	l.offset += int64(len(b))
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, fmt.Errorf("the file is cut short: %w", err)
	}
	if err != nil && (err != io.EOF || len(b) == 0) {
		return nil, err
	}
	l.line++
	b = bytes.TrimSuffix(b, []byte("\n"))
	return bytes.TrimSuffix(b, []byte("\r")), nil
}

// cutField returns the first field of a line, which space surrounds, and what
// follows it; empty if there is none.
func cutField(b []byte) (field, rest []byte) {
	i := 0
	for i < len(b) && isSpace(b[i]) {
		i++
	}
	j := i
	for j < len(b) && !isSpace(b[j]) {
		j++
	}
	return b[i:j], b[j:]
}

func isSpace(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }
