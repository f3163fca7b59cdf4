package dataset

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/fspca/fspca/internal/bounded"
	"github.com/fspca/fspca/internal/delimited"
	"github.com/fspca/fspca/internal/files"
)

// unzippedText is a text, decompressed if packed says so.
type unzippedText struct {
	*bufio.Reader
	packed bool
	count  *bounded.Counter // of the bytes read, as they come
	size   int64            // how many there are, 0 when not known
}

// unzipped decompresses r if it starts as gzip does.
func unzipped(r io.Reader, ctx context.Context) (*unzippedText, error) {
	if files.Absent(r) {
		return nil, files.ErrNoReader
	}
	_, size, known := bounded.Left(r)
	t := &unzippedText{count: &bounded.Counter{R: bounded.Reader(ctx, r)}, size: size}
	buffer := int64(1 << 16)
	if known {
		buffer = min(buffer, max(size, 512)) // many files are short
	}
	t.Reader = bufio.NewReaderSize(t.count, int(buffer))
	start, err := t.Peek(len(gzipMagic))
	if t.packed = string(start) == gzipMagic; !t.packed {
		if err == io.EOF {
			err = nil
		}
		return t, err
	}
	zip, err := newGzip(t.Reader)
	if err != nil {
		return nil, fmt.Errorf("gzip: %w", err)
	}
	t.Reader = bufio.NewReaderSize(bounded.Expansion(undamaged(zip, "gzip"), t.count.Count, size), 1<<18)
	return t, nil
}

// openText returns r as text: decompressed if it starts as gzip does, without
// byte order marks. Size is the number of bytes left, 0 when not known.
func openText(r io.Reader, opt ReadOptions) (lines *lineReader, size int64, err error) {
	text, err := unzipped(r, opt.ctx)
	if err != nil {
		return nil, 0, err
	}
	if !text.packed {
		size = text.size
	}
	if err := skipMarks(text.Reader); err != nil {
		return nil, 0, err
	}
	return &lineReader{text: text.Reader, limit: opt.lineLimit()}, size, nil
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
		return nil, cutShort(err)
	}
	if err != nil && (err != io.EOF || len(b) == 0) {
		return nil, err
	}
	l.line++
	b = bytes.TrimSuffix(b, []byte("\n"))
	return bytes.TrimSuffix(b, []byte("\r")), nil
}

// each calls do with one line after another; the error is that of the reader, or the first of do.
func (l *lineReader) each(do func(line []byte) error) error {
	for {
		line, err := l.next()
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = do(line)
		}
		if err != nil {
			return err
		}
	}
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
