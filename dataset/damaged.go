package dataset

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
)

// undamaged is the text of a compressed file: what its decompressor finds wrong becomes an error that
// says so.
type undamaged struct {
	io.Reader
	layer string // such as gzip
}

// Read reads.
func (u undamaged) Read(p []byte) (int, error) {
	n, err := u.Reader.Read(p)
	if err != nil {
		err = damaged(u.layer, err)
	}
	return n, err
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
	return &damagedError{layer, err}
}

// damagedError is a compressed file of which the bytes cannot be right: what was read of it may be garbage.
type damagedError struct {
	layer string
	err   error
}

// Error says that the file is damaged.
func (e *damagedError) Error() string {
	return fmt.Sprintf("the file is damaged: %s: %s: copy or download it again", e.layer, strings.TrimPrefix(e.err.Error(), e.layer+": "))
}

// Unwrap returns the decompressor's error.
func (e *damagedError) Unwrap() error { return e.err }
