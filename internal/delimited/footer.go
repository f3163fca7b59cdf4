package delimited

import (
	"bytes"
	"io"
)

// A footerReader leaves out the last lines of a text; blank ones do not count.
type footerReader struct {
	in    io.Reader
	lines int
	limit int64  // of bytes that are held
	held  []byte // read but not given away
	ready int    // bytes of held that cannot be of the footer
	err   error
}

func (f *footerReader) Read(p []byte) (int, error) {
	for f.ready == 0 && f.err == nil {
		from := len(f.held)
		if int64(from) > f.limit {
			f.err = &LongError{Limit: f.limit}
			break
		}
		f.held = append(f.held, make([]byte, max(64<<10, from))...)
		n, err := f.in.Read(f.held[from:])
		f.held, f.err = f.held[:from+n], err
		if n > 0 || err != nil {
			f.ready = footerStart(f.held, f.lines)
		}
	}
	n := copy(p, f.held[:f.ready])
	f.held, f.ready = f.held[n:], f.ready-n
	if n == 0 && len(p) > 0 {
		return 0, f.err
	}
	return n, nil
}

// footerStart returns where the last lines that are not blank start.
func footerStart(b []byte, lines int) int {
	end := len(b)
	for end > 0 {
		start := bytes.LastIndexByte(b[:end-1], '\n') + 1
		if len(bytes.TrimSpace(b[start:end])) > 0 {
			if lines--; lines == 0 {
				return start
			}
		}
		end = start
	}
	return 0
}
