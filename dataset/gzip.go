package dataset

import (
	"bufio"
	"compress/gzip"
	"errors"
	"io"
)

// gzipMagic is what a gzip file starts with.
const gzipMagic = "\x1f\x8b"

// newGzip decompresses r: the parts that gzip compressed, one behind the other. The library's own way over the parts
// takes what follows the last for the start of one that is cut short.
func newGzip(r io.Reader) (io.ReadCloser, error) {
	src, ok := r.(*bufio.Reader)
	if !ok {
		src = bufio.NewReader(r)
	}
	zip, err := gzip.NewReader(src)
	if err != nil {
		return nil, err
	}
	zip.Multistream(false)
	return &gzipReader{zip, src}, nil
}

type gzipReader struct {
	*gzip.Reader
	src *bufio.Reader
}

// Read reads on in the next part where one ends.
func (g *gzipReader) Read(p []byte) (int, error) {
	n, err := g.Reader.Read(p)
	for n == 0 && err == io.EOF && len(p) > 0 {
		if err := g.next(); err != nil {
			return 0, err
		}
		n, err = g.Reader.Read(p)
	}
	if err == io.EOF { // the next call finds what follows
		err = nil
	}
	return n, err
}

// next opens the part that follows; io.EOF where there is none.
func (g *gzipReader) next() error {
	start, err := g.src.Peek(len(gzipMagic))
	switch {
	case string(start) == gzipMagic:
		err = g.Reset(g.src)
		g.Multistream(false)
		if errors.Is(err, gzip.ErrHeader) {
			err = ErrTrailing
		}
	case len(start) > 0 && (err == nil || err == io.EOF):
		err = ErrTrailing
	}
	return err
}
