// Package saved has what all saved files share: the errors of a version that is too new and of
// damage, and a checksum that a file carries in itself.
package saved

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
)

// The kinds of error that reading a saved file gives; see errors.Is.
var (
	ErrVersion = errors.New("saved by a newer program")
	ErrDamaged = errors.New("damaged")
)

// fileError is an error of a kind with a text of its own.
type fileError struct {
	kind  error
	text  string
	cause error // nil for none
}

func (e *fileError) Error() string        { return e.text }
func (e *fileError) Is(target error) bool { return target == e.kind }
func (e *fileError) Unwrap() error        { return e.cause }

// Version returns nil if version, as it stands in the file, is from 1 to newest.
// Otherwise the error is ErrVersion for a higher version, and ErrDamaged for
// anything else. what is the subject of the message, such as "the model file".
func Version(what, version string, newest int) error {
	n, err := strconv.Atoi(version)
	switch {
	case err == nil && n >= 1 && n <= newest:
		return nil
	case err == nil && n > newest:
		return &fileError{kind: ErrVersion, text: fmt.Sprintf("%s has version %d and this program reads up to version %d: use a newer fspca", what, n, newest)}
	}
	return &fileError{kind: ErrDamaged, text: fmt.Sprintf("%s has version %.40s, want a whole number from 1 to %d", what, version, newest)}
}

// Unreadable returns an ErrDamaged with this text.
func Unreadable(text string) error { return &fileError{kind: ErrDamaged, text: text} }

// Damaged joins the problems to one ErrDamaged; nil if there are none.
func Damaged(what string, problems ...error) error {
	err := errors.Join(problems...)
	if err == nil {
		return nil
	}
	return &fileError{kind: ErrDamaged, text: fmt.Sprintf("%s is damaged: %v", what, err), cause: err}
}

// checksumField is the last field of a file with a checksum, as Sum writes it.
var checksumField = regexp.MustCompile(`,"checksum":"([^"]*)"}$`)

// Sum returns the value of the field "checksum" for a JSON object without that field, which has to
// become its last. It depends on the tokens alone: neither white space nor the way in which
// characters are escaped for HTML changes it.
func Sum(object []byte) (string, error) {
	var b, escaped bytes.Buffer
	if err := json.Compact(&b, object); err != nil {
		return "", err
	}
	json.HTMLEscape(&escaped, b.Bytes())
	return fmt.Sprintf("sha256:%x", sha256.Sum256(escaped.Bytes())), nil
}

// Verify checks the checksum of a JSON object whose last field it is.
func Verify(object []byte) error {
	var b bytes.Buffer
	if err := json.Compact(&b, object); err != nil {
		return err
	}
	field := checksumField.FindSubmatchIndex(b.Bytes())
	if field == nil {
		return errors.New(`the last field is not "checksum"`)
	}
	want := string(b.Bytes()[field[2]:field[3]])
	b.Truncate(field[0])
	b.WriteByte('}')
	got, err := Sum(b.Bytes())
	if err == nil && got != want {
		err = errors.New("the checksum does not fit: something was changed after the file was written")
	}
	return err
}
