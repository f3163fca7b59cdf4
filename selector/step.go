package selector

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"github.com/fspca/fspca/internal/files"
	"github.com/fspca/fspca/internal/saved"
)

const (
	stepType    = "fspca"
	stepVersion = 1
)

// fileStep is a saved selector.
type fileStep struct {
	Version int      `json:"version"`
	Type    string   `json:"type"`
	Output  Output   `json:"output"`
	Outputs []string `json:"outputs"`
	Model   laidOut  `json:"model"`
}

// Save writes the fitted selector as a step: a JSON object with "version", "type" ("fspca"), its
// outputs, and the model as in a model file.
func (s *FSPCA) Save(w io.Writer) error {
	if s.state == nil {
		return notFitted()
	}
	model, err := s.state.model.text()
	if err != nil {
		return err
	}
	text, err := layOut(fileStep{stepVersion, stepType, s.state.output, namesOf(s.state.outputs), model})
	if err != nil {
		return fmt.Errorf("fspca: cannot save: %w", err)
	}
	return files.WriteAll(w, text)
}

// MarshalJSON returns what Save writes; before Fit, the options alone.
func (s *FSPCA) MarshalJSON() ([]byte, error) {
	if s.state == nil {
		return json.Marshal(struct {
			Version int     `json:"version"`
			Type    string  `json:"type"`
			Options Options `json:"options"`
		}{stepVersion, stepType, s.Options})
	}
	var b bytes.Buffer
	err := s.Save(&b)
	return b.Bytes(), err
}

// UnmarshalJSON reads what MarshalJSON returned. After an error s is unchanged.
func (s *FSPCA) UnmarshalJSON(b []byte) error {
	var unfitted struct {
		Version json.RawMessage `json:"version"`
		Type    string          `json:"type"`
		Options *Options        `json:"options"`
	}
	if err := json.Unmarshal(b, &unfitted); err != nil || unfitted.Options == nil {
		return s.Load(bytes.NewReader(b))
	}
	if err := saved.Version("the selector", string(unfitted.Version), stepVersion); err != nil {
		return err
	}
	unfitted.Options.Progress = s.Progress
	s.Options, s.state = *unfitted.Options, nil
	return nil
}

// Load reads what Save wrote; the options become those of the fit. After an error the selector is
// unchanged.
func (s *FSPCA) Load(r io.Reader) error {
	b, err := files.ReadAll(r)
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
	o, err := parseSaved(b, stepType, stepVersion, &problems)
	if err != nil {
		return nil, err
	}
	var output Output
	var outputs []string
	var text json.RawMessage
	o.get("output", &output)
	o.get("outputs", &outputs)
	o.get("model", &text)
	o.done()
	if problems != nil {
		return nil, saved.Damaged(savedStep, problems...)
	}
	model, err := parseModel(text)
	if err != nil {
		return nil, fmt.Errorf("the field \"model\": %w", err)
	}
	if err := (Options{Features: 1, Components: 1, Output: output}).check(); err != nil || output == "" {
		return nil, saved.Damaged(savedStep, fmt.Errorf("the field \"output\" is %q, want %q, %q or %q", output, Selected, Projection, Both))
	}
	whole, err := newState(model, output)
	if err != nil {
		return nil, err
	}
	return whole.narrow(outputs)
}
