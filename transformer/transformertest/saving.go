package transformertest

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/fspca/fspca/transformer"
)

// saved returns what Save writes.
func saved(s transformer.Transformer) []byte {
	var b bytes.Buffer
	ok("method Save", s.Save(&b))
	return b.Bytes()
}

func saveLoad(make maker, fx fixture) {
	s, want := applied(make, fx)
	file := saved(s)
	if !bytes.Equal(file, saved(fitted(make, fx))) {
		fail("two steps fitted on the same table are saved as different bytes")
	}
	again := loaded(make, file)
	if !slices.Equal(again.Inputs(), s.Inputs()) || !slices.Equal(again.Outputs(), s.Outputs()) {
		fail("loaded, Inputs is %q and Outputs %q; want %q and %q", again.Inputs(), again.Outputs(), s.Inputs(), s.Outputs())
	}
	same("the loaded step", transform("loaded", again, fx.rows), want)
	if !bytes.Equal(file, saved(again)) {
		fail("a loaded step is saved as other bytes than it was loaded from")
	}
}

// edited returns a saved step with one field replaced, or removed if value is nil.
func edited(file []byte, field string, value any) []byte {
	var object map[string]any
	if err := json.Unmarshal(file, &object); err != nil {
		fail("what Save writes is not a JSON object: %w", err)
	}
	if object[field] == nil {
		fail("what Save writes has no field %q", field)
	}
	object[field] = value
	if value == nil {
		delete(object, field)
	}
	text, err := json.Marshal(object)
	ok("", err)
	return text
}

func loadStrict(make maker, fx fixture) {
	s, want := applied(make, fx)
	file := saved(s)
	for name, b := range map[string][]byte{
		"an empty file":       nil,
		"text":                []byte("version: 1"),
		"null":                []byte("null"),
		"a list":              []byte("[]"),
		"an empty object":     []byte("{}"),
		"half of a file":      file[:len(file)/2],
		"a file and a second": slices.Concat(file, file),
		"a later version":     edited(file, "version", 1000),
		"no version":          edited(file, "version", nil),
		"a version in words":  edited(file, "version", "one"),
		"another type":        edited(file, "type", "no such step"),
		"no type":             edited(file, "type", nil),
	} {
		fresh := make()
		if err := fresh.Load(bytes.NewReader(b)); err == nil {
			fail("method Load accepts %s", name)
		} else if name == "a later version" && !strings.Contains(err.Error(), "version") {
			fail("the error for %s does not speak of the version: %w", name, err)
		}
		if _, err := fresh.Transform(fx.rows); !errors.Is(err, transformer.ErrNotFitted) {
			fail("%s fits an unfitted step: Transform gives the error %v", name, err)
		}
		_ = s.Load(bytes.NewReader(b))
		same("after Load of "+name, transform("after Load of "+name, s, fx.rows), want)
	}
}
