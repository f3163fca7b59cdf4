package dataset

import (
	"compress/bzip2"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
)

// ErrTrailing is what the error of reading a compressed file wraps if bytes stand behind the end of the compressed
// ones: they were added, or are what is left of a damaged file.
var ErrTrailing = errors.New("bytes stand behind the end of the compressed ones")

// trailingBzip2 is the same of the standard library.
const trailingBzip2 = bzip2.StructuralError("bad magic value in continuation file")

// undamaged returns the text of a compressed file: what its decompressor, of the layer such as gzip, finds wrong
// becomes an error that says so, and stays. The libraries' readers may say something else when asked again.
func undamaged(r io.Reader, layer string) io.Reader { return &unpacked{r: r, layer: layer} }

type unpacked struct {
	r     io.Reader
	layer string
	err   error
}

// Read reads.
func (u *unpacked) Read(p []byte) (n int, err error) {
	if u.err == nil {
		if n, err = u.r.Read(p); err != nil {
			u.err = damaged(u.layer, err)
		}
	}
	return n, u.err
}

// damaged says that err of a decompressor is of what it read, unless the file ends early, or err came
// from below: the system, the end of a context, a layer beneath.
func damaged(layer string, err error) error {
	if layer == "zip" && errors.Is(err, io.ErrUnexpectedEOF) { // the archive itself is whole
		err = errors.New("the content ends early")
	}
	var beneath *damagedError
	var system *fs.PathError
	if err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) || errors.As(err, &beneath) || errors.As(err, &system) ||
		errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	if errors.Is(err, trailingBzip2) {
		err = ErrTrailing
	}
	return &damagedError{layer, err}
}

// damagedError is a compressed file of which the bytes cannot be right, or that is not read: what was read of it
// may be garbage.
type damagedError struct {
	layer string
	err   error
}

// Error says that the file is damaged, or how it may still be read.
func (e *damagedError) Error() string {
	if errors.Is(e.err, ErrTrailing) {
		return fmt.Sprintf("%s: %v: if they were added to the file, decompress it first; if not, copy or download it again", e.layer, ErrTrailing)
	}
	if errors.Is(e.err, errors.ErrUnsupported) {
		return fmt.Sprintf("%s: %v", e.layer, e.err)
	}
	return fmt.Sprintf("the file is damaged: %s: %s: copy or download it again", e.layer, strings.TrimPrefix(e.err.Error(), e.layer+": "))
}

// Unwrap returns the decompressor's error.
func (e *damagedError) Unwrap() error { return e.err }
