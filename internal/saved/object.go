package saved

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// OnColumns is the type of a step that works on some columns alone, saved with the step inside it.
const OnColumns = "columns"

// Type returns the field "type" of a JSON object, "" without one.
func Type(object []byte) string {
	var h struct {
		Type string `json:"type"`
	}
	if json.Unmarshal(object, &h) != nil {
		return ""
	}
	return h.Type
}

// Header reads the fields "version" and "type" that begin a JSON object. The type must be kind, and the
// version from 1 to newest. what is the subject of the errors, such as "the saved step".
func Header(object []byte, what, kind string, newest int) (version int, err error) {
	var h struct {
		Version json.RawMessage `json:"version"`
		Type    *string         `json:"type"`
	}
	if err := json.Unmarshal(object, &h); err != nil {
		return 0, Damaged(what, err)
	}
	if h.Version == nil {
		return 0, missing(what, "version")
	}
	if err := Version(what, string(h.Version), newest); err != nil {
		return 0, err
	}
	switch {
	case h.Type == nil:
		return 0, missing(what, "type")
	case *h.Type != kind:
		return 0, fmt.Errorf("%s is of type %q, want %q", what, *h.Type, kind)
	}
	err = json.Unmarshal(h.Version, &version)
	return version, err
}

// missing is the error of a header without a field.
func missing(what, field string) error {
	return &fileError{kind: ErrDamaged, text: fmt.Sprintf("the field %q is missing: this is not a %s", field, strings.TrimPrefix(what, "the "))}
}

// Decode reads a JSON object with a header into what into returns for its version. A file of a later
// version is thus refused for its version, not for a field that the version added.
func Decode(object []byte, what, kind string, newest int, into func(version int) any) (version int, err error) {
	if version, err = Header(object, what, kind, newest); err != nil {
		return 0, err
	}
	return version, Damaged(what, Strict(object, into(version)))
}

// Strict decodes a JSON value into a Go value, and refuses fields that the latter does not have. What follows
// the value is not looked at.
func Strict(text []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	return d.Decode(into)
}
