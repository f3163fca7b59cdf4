package transformertest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/fspca/fspca/transformer"
)

// saved returns what Save writes.
func saved(s transformer.Transformer) ([]byte, error) {
	var b bytes.Buffer
	if err := s.Save(&b); err != nil {
		return nil, fmt.Errorf("method Save: %w", err)
	}
	return b.Bytes(), nil
}

func saveLoad(make maker, fx fixture) error {
	s, want, err := applied(make, fx)
	if err != nil {
		return err
	}
	first, err := saved(s)
	if err != nil {
		return err
	}
	twin, err := fitted(make, fx)
	if err != nil {
		return err
	}
	second, err := saved(twin)
	if err != nil {
		return err
	}
	if !bytes.Equal(first, second) {
		return errors.New("two steps fitted on the same table are saved as different bytes")
	}
	loaded := make()
	if err := loaded.Load(bytes.NewReader(first)); err != nil {
		return fmt.Errorf("method Load: %w", err)
	}
	if !slices.Equal(loaded.Inputs(), s.Inputs()) || !slices.Equal(loaded.Outputs(), s.Outputs()) {
		return fmt.Errorf("loaded, Inputs is %q and Outputs %q; want %q and %q", loaded.Inputs(), loaded.Outputs(), s.Inputs(), s.Outputs())
	}
	got, err := transform(loaded, fx.rows)
	if err != nil {
		return fmt.Errorf("loaded: %w", err)
	}
	if err := same("the loaded step", got, want); err != nil {
		return err
	}
	third, err := saved(loaded)
	if err != nil {
		return err
	}
	if !bytes.Equal(first, third) {
		return errors.New("a loaded step is saved as other bytes than it was loaded from")
	}
	return nil
}

// edited returns a saved step with one field replaced, or removed if value is nil.
func edited(file []byte, field string, value any) ([]byte, error) {
	var object map[string]any
	if err := json.Unmarshal(file, &object); err != nil {
		return nil, fmt.Errorf("what Save writes is not a JSON object: %w", err)
	}
	if object[field] == nil {
		return nil, fmt.Errorf("what Save writes has no field %q", field)
	}
	object[field] = value
	if value == nil {
		delete(object, field)
	}
	return json.Marshal(object)
}

func loadStrict(make maker, fx fixture) error {
	s, want, err := applied(make, fx)
	if err != nil {
		return err
	}
	file, err := saved(s)
	if err != nil {
		return err
	}
	bad := map[string][]byte{
		"an empty file":       nil,
		"text":                []byte("version: 1"),
		"null":                []byte("null"),
		"a list":              []byte("[]"),
		"an empty object":     []byte("{}"),
		"half of a file":      file[:len(file)/2],
		"a file and a second": slices.Concat(file, file),
	}
	for name, edit := range map[string]struct {
		field string
		value any
	}{
		"a later version": {"version", 1000}, "no version": {"version", nil}, "a version in words": {"version", "one"},
		"another type": {"type", "no such step"}, "no type": {"type", nil},
	} {
		if bad[name], err = edited(file, edit.field, edit.value); err != nil {
			return err
		}
	}
	var problems []error
	for name, b := range bad {
		if err := make().Load(bytes.NewReader(b)); err == nil {
			problems = append(problems, fmt.Errorf("method Load accepts %s", name))
		} else if name == "a later version" && !strings.Contains(err.Error(), "version") {
			problems = append(problems, fmt.Errorf("the error for %s does not speak of the version: %w", name, err))
		}
		fresh := make()
		_ = fresh.Load(bytes.NewReader(b))
		if _, err := fresh.Transform(fx.rows); !errors.Is(err, transformer.ErrNotFitted) {
			problems = append(problems, fmt.Errorf("%s fits an unfitted step: Transform gives the error %v", name, err))
		}
		_ = s.Load(bytes.NewReader(b))
		if got, err := transform(s, fx.rows); err != nil {
			problems = append(problems, fmt.Errorf("after Load of %s: %w", name, err))
		} else if err := same("after Load of "+name, got, want); err != nil {
			problems = append(problems, err)
		}
	}
	return errors.Join(problems...)
}
