package files

import (
	"errors"
	"io"
	"reflect"
)

// Absent reports whether there is nothing behind an interface: nil, or a nil
// pointer.
func Absent(v any) bool {
	at := reflect.ValueOf(v)
	return !at.IsValid() || at.Kind() == reflect.Pointer && at.IsNil()
}

// errors of streams that are not there.
var (
	ErrNoReader = errors.New("there is no reader to read from")
	ErrNoWriter = errors.New("there is no writer to write to")
)

// ReadAll is io.ReadAll, with an error where there is no reader.
func ReadAll(r io.Reader) ([]byte, error) {
	if Absent(r) {
		return nil, ErrNoReader
	}
	return io.ReadAll(r)
}

// WriteAll writes b, with an error where there is no writer.
func WriteAll(w io.Writer, b []byte) error {
	if Absent(w) {
		return ErrNoWriter
	}
	_, err := w.Write(b)
	return err
}
