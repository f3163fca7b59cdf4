// Package zstd makes dataset read and write files compressed by Zstandard (.zst):
//
//	import _ "github.com/fspca/fspca/dataset/zstd"
//
// The decoding is that of https://github.com/klauspost/compress. A frame may ask for a window of at
// most 128 MiB, as the zstd program allows without being told.
package zstd

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"

	"github.com/fspca/fspca/dataset"
)

// maxWindow bounds the memory that a frame may ask for.
const maxWindow = 128 << 20

func init() {
	err := dataset.RegisterCompression(dataset.Compression{
		Name:   "zstd",
		Ending: ".zst",
		Is:     isFrame,
		NewReader: func(r io.Reader) (io.ReadCloser, error) {
			d, err := zstd.NewReader(r, zstd.WithDecoderMaxWindow(maxWindow), zstd.WithDecoderConcurrency(2))
			if err != nil {
				return nil, err
			}
			return frames{d.IOReadCloser()}, nil
		},
		NewWriter: func(w io.Writer) (io.WriteCloser, error) { return zstd.NewWriter(w) },
	})
	if err != nil {
		panic(err) // cannot be: it is complete
	}
}

// frames are the frames of a file, one behind the other.
type frames struct{ io.ReadCloser }

// Read reads; the first frame starts as Is wants it, so what does not start like one comes behind another.
func (f frames) Read(p []byte) (int, error) {
	n, err := f.ReadCloser.Read(p)
	switch {
	case errors.Is(err, zstd.ErrMagicMismatch):
		err = fmt.Errorf("%w: %w", dataset.ErrTrailing, err)
	case errors.Is(err, zstd.ErrWindowSizeExceeded):
		err = unread("it takes a window of more than 128 MiB (--long): decompress it with zstd -d --long=31, or compress it again without that")
	case errors.Is(err, zstd.ErrUnknownDictionary):
		err = unread("it takes a dictionary: decompress it with zstd -d -D DICTIONARY")
	}
	return n, err
}

// unread says why a file is not read that the zstd program reads.
type unread string

// Error says why, and what to do.
func (u unread) Error() string { return string(u) }

// Is makes it errors.ErrUnsupported.
func (u unread) Is(target error) bool { return target == errors.ErrUnsupported }

// isFrame reports whether a file starts with a frame, which may be one to skip, as pzstd writes it.
func isFrame(start []byte) bool {
	return bytes.HasPrefix(start, []byte("\x28\xb5\x2f\xfd")) || len(start) >= 4 && start[0]&0xf0 == 0x50 && string(start[1:4]) == "\x2a\x4d\x18"
}
