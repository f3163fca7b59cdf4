package pipeline

import (
	"encoding/json"
	"fmt"

	"github.com/fspca/fspca/internal/clone"
	"github.com/fspca/fspca/internal/saved"
)

// Step is one step of a config: its name and its options, a pointer to the
// struct that belongs to the name (*FSPCAStep for fspca, …; NewStep makes one).
// Options nil means all defaults.
type Step struct {
	Name    string
	Options any
}

// NewStep returns a step with default options. The error for an unknown name
// suggests the nearest known one.
func NewStep(name string) (Step, error) {
	k, err := FindKind(name)
	if err != nil {
		return Step{}, err
	}
	return Step{Name: name, Options: k.options()}, nil
}

// Filled returns the step with a copy of its options, or new ones where there are none. Errors: an unknown name,
// and options of another kind of step.
func (s Step) Filled() (Step, error) {
	k, err := FindKind(s.Name)
	if err != nil {
		return s, err
	}
	options, err := k.filled(s.Options)
	if err != nil {
		return s, err
	}
	s.Options = clone.Options(options)
	return s, nil
}

// Build makes the unfitted step that the options describe.
func (s Step) Build() (NamedStep, error) {
	k, err := FindKind(s.Name)
	if err != nil {
		return NamedStep{}, err
	}
	return k.New(s.Options)
}

// MarshalJSON writes the step as a config holds it: {"fspca": {…}}.
func (s Step) MarshalJSON() ([]byte, error) {
	options := s.Options
	if options == nil {
		options = struct{}{}
	}
	return json.Marshal(map[string]any{s.Name: options})
}

// UnmarshalJSON reads what MarshalJSON wrote. It does not check the rules of the
// options; Config.Check does.
func (s *Step) UnmarshalJSON(b []byte) error {
	var name string
	if json.Unmarshal(b, &name) == nil && name != "" { // its bare name, as in a config
		read, err := NewStep(name)
		if err == nil {
			*s = read
		}
		return err
	}
	var parts map[string]json.RawMessage
	if err := json.Unmarshal(b, &parts); err != nil || len(parts) != 1 {
		return fmt.Errorf(`expected one step, like {"standardize": {}}, got %.60s`, b)
	}
	for name, text := range parts {
		read, err := NewStep(name)
		if err != nil {
			return err
		}
		if err := saved.Strict(text, read.Options); err != nil {
			return fmt.Errorf("step %s: %w", name, err)
		}
		*s = read
	}
	return nil
}
