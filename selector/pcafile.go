package selector

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/fspca/fspca/internal/files"
	"github.com/fspca/fspca/internal/saved"
)

const (
	pcaType    = "pca"
	pcaVersion = 1
)

// filePCA is a saved PCA.
type filePCA struct {
	Version   int     `json:"version"`
	Type      string  `json:"type"`
	Whiten    bool    `json:"whiten"`
	Selection laidOut `json:"selection"`
}

// Save writes the fitted step: a JSON object with "version", "type" ("pca"), "whiten", and the
// selection of all columns as FSPCA.Save writes it.
func (p *PCA) Save(w io.Writer) error {
	if p.state == nil {
		return inPCA(notFitted())
	}
	var inside bytes.Buffer
	if err := p.state.selection.Save(&inside); err != nil {
		return inPCA(err)
	}
	text, err := layOut(filePCA{pcaVersion, pcaType, p.state.scale != nil, inside.Bytes()})
	if err != nil {
		return fmt.Errorf("pca: cannot save: %w", err)
	}
	return files.WriteAll(w, text)
}

// Load reads what Save wrote; the options become those of the fit. An error leaves the step as it was.
func (p *PCA) Load(r io.Reader) error {
	b, err := files.ReadAll(r)
	if err != nil {
		return fmt.Errorf("pca: cannot load: %w", err)
	}
	loaded, err := parsePCA(b)
	if err != nil {
		return fmt.Errorf("pca: cannot load: %w", err)
	}
	*p = *loaded
	return nil
}

func parsePCA(b []byte) (*PCA, error) {
	var problems []error
	o, err := parseSaved(b, pcaType, pcaVersion, &problems)
	if err != nil {
		return nil, err
	}
	var whiten bool
	var text json.RawMessage
	o.get("whiten", &whiten)
	o.get("selection", &text)
	o.done()
	if problems != nil {
		return nil, saved.Damaged(savedStep, problems...)
	}
	s := New(Options{})
	if err := s.Load(bytes.NewReader(text)); err != nil {
		return nil, fmt.Errorf("the field \"selection\": %w", err)
	}
	if s.Output != Projection || slices.ContainsFunc(s.state.outputs, func(c column) bool { return !c.component }) || len(s.Model().support) != s.Model().columns {
		return nil, saved.Damaged(savedStep, errors.New("the field \"selection\" is not one of all columns that yields components"))
	}
	return &PCA{Components: s.Components, Whiten: whiten, state: newPCAState(s, whiten)}, nil
}
