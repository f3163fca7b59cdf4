package selector

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

const (
	stepType    = "fspca"
	stepVersion = 1
)

// Save writes the fitted selector as a step: a JSON object with "version", "type" ("fspca"), what it
// yields, and the model as in a model file.
func (s *FSPCA) Save(w io.Writer) error {
	if s.state == nil {
		return notFitted()
	}
	model, err := s.state.model.text()
	if err != nil {
		return err
	}
	t := &writer{}
	t.open()
	t.field("version", stepVersion)
	t.field("type", stepType)
	t.field("output", s.state.output)
	t.field("outputs", namesOf(s.state.outputs))
	t.key("model")
	t.b.Write(model[:len(model)-1]) // without the line break at its end
	t.close()
	if t.err != nil {
		return fmt.Errorf("fspca: cannot save: %w", t.err)
	}
	_, err = w.Write(t.b.Bytes())
	return err
}

// Load reads what Save wrote; the options become those of the fit. An error leaves the selector as
// it was.
func (s *FSPCA) Load(r io.Reader) error {
	b, err := io.ReadAll(r)
	if err != nil {
		return fmt.Errorf("fspca: cannot load: %w", err)
	}
	loaded, err := parseStep(b)
	if err != nil {
		return fmt.Errorf("fspca: cannot load: %w", err)
	}
	progress := s.Progress
	s.Options, s.state = loaded.model.options, loaded
	s.Options.Output, s.Options.Progress = loaded.output, progress
	return nil
}

func parseStep(b []byte) (*state, error) {
	var problems []error
	o, err := parseObject("", b, &problems)
	if err != nil {
		return nil, fmt.Errorf("the saved step is damaged: %w", err)
	}
	if version := o.version(); version != fmt.Sprint(stepVersion) {
		return nil, fmt.Errorf("the saved step has version %.40s and this program reads version %d: use the program that wrote it, or a newer one", version, stepVersion)
	}
	var kind string
	o.get("type", &kind)
	if kind != stepType {
		return nil, fmt.Errorf("the saved step is of type %q, want %q", kind, stepType)
	}
	var output Output
	var outputs []string
	var text json.RawMessage
	o.get("output", &output)
	o.get("outputs", &outputs)
	o.get("model", &text)
	o.done()
	if problems != nil {
		return nil, fmt.Errorf("the saved step is damaged: %w", errors.Join(problems...))
	}
	model, err := parseModel(text)
	if err != nil {
		return nil, fmt.Errorf("the field \"model\": %w", err)
	}
	if err := (Options{Features: 1, Components: 1, Output: output}).check(); err != nil || output == "" {
		return nil, fmt.Errorf("the saved step is damaged: the field \"output\" is %q, want %q, %q or %q", output, Selected, Projection, Both)
	}
	whole, err := newState(model, output)
	if err != nil {
		return nil, err
	}
	return whole.narrow(outputs)
}
