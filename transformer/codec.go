package transformer

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"github.com/fspca/fspca/internal/files"
	"github.com/fspca/fspca/internal/saved"
)

// Errors of loading a saved step, for errors.Is.
var (
	ErrVersion = saved.ErrVersion // a newer program wrote it
	ErrDamaged = saved.ErrDamaged // it is not what was written
)

// fileVersion is the version of every saved step of this package that does not say otherwise.
const fileVersion = 1

// header begins every saved step.
type header struct {
	Version int    `json:"version"`
	Type    string `json:"type"`
}

func headerOf(step string) header { return header{Version: fileVersion, Type: step} }

// encode writes a saved step. Go's encoder writes the shortest text that reads back as the same
// float64.
func encode(w io.Writer, step string, file any) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	if err := e.Encode(file); err != nil {
		return wrapped(step, "cannot save", err)
	}
	return wrapped(step, "cannot save", files.WriteAll(w, b.Bytes()))
}

// decode reads a saved step into file after a check of its version and type.
func decode(r io.Reader, step string, file any) error {
	return decodeUpTo(fileVersion, r, step, file)
}

// decodeUpTo is decode for a step that has had several versions, all of which it reads.
func decodeUpTo(newest int, r io.Reader, step string, file any) error {
	b, err := files.ReadAll(r)
	if err == nil {
		_, err = saved.Decode(b, "the saved step", step, newest, func(int) any { return file })
	}
	return wrapped(step, "cannot load", err)
}

// damaged wraps what was found wrong with the content of a saved step.
func damaged(step string, problems ...error) error {
	return wrapped(step, "cannot load", saved.Damaged("the saved step", problems...))
}

// wrapped says of an error in which step it is and what cannot be; nil for nil.
func wrapped(step, what string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %s: %w", step, what, err)
}
