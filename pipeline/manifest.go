package pipeline

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/saved"
)

// Errors of loading a model, for errors.Is.
var (
	ErrVersion = saved.ErrVersion // a newer program wrote it
	ErrDamaged = saved.ErrDamaged // it is not what was written
)

// ModelVersion is the version of the model folder that this package writes. It
// rises when the meaning of a field changes; older versions can be read. Version 2
// added the checksum of the manifest.
const ModelVersion = 2

const (
	manifestName = "manifest.json"
	manifestType = "fspca.pipeline"
)

// manifest is the file that makes a folder a model: it is written last, and
// names every other file with its hash.
type manifest struct {
	Version int            `json:"version"`
	Type    string         `json:"type"`
	Inputs  []input        `json:"inputs"`
	Class   *manifestClass `json:"class,omitempty"`

	Reading dataset.Reading `json:"reading,omitzero"` // of the training rows

	Steps []manifestStep `json:"steps"`

	// Around are the steps before an fspca step with a decoder, for all columns that come to it, and what
	// they need.
	Around *manifestAround `json:"around,omitempty"`

	Checksum string `json:"checksum,omitempty"` // of the rest; the last field
}

// text returns the file, with its checksum.
func (m manifest) text() ([]byte, error) {
	m.Checksum = ""
	b, err := json.Marshal(m)
	if err != nil {
		return nil, err
	}
	if m.Checksum, err = saved.Sum(b); err != nil {
		return nil, err
	}
	b, err = json.MarshalIndent(m, "", "  ")
	return append(b, '\n'), err
}

type manifestClass struct {
	Name   string   `json:"name"`
	Levels []string `json:"levels"`
}

type manifestAround struct {
	Inputs []input        `json:"inputs"`
	Steps  []manifestStep `json:"steps"`
}

// manifestStep is one step: File holds its state, SHA256 is the file's hash.
type manifestStep struct {
	Name   string `json:"name"`
	Kind   string `json:"kind"`
	File   string `json:"file"`
	SHA256 string `json:"sha256"`
}

// modelFile is one file of a saved model.
type modelFile struct {
	name string
	data []byte
}

// files writes the fitted pipeline as files, the manifest last.
func (p *Pipeline) files() ([]modelFile, error) {
	c := p.fitted.Load()
	if c == nil {
		return nil, errNotFitted
	}
	m := manifest{Version: ModelVersion, Type: manifestType, Inputs: c.inputs, Reading: c.reading}
	if c.class != nil {
		m.Class = &manifestClass{c.class.name, c.class.levels}
	}
	var files, whole []modelFile
	var err error
	if m.Steps, files, err = saveSteps(c.steps(), ""); err != nil {
		return nil, err
	}
	if a := c.around; a != nil {
		m.Around = &manifestAround{Inputs: a.inputs}
		if m.Around.Steps, whole, err = saveSteps(a.steps, "-whole"); err != nil {
			return nil, err
		}
	}
	b, err := m.text()
	return slices.Concat(files, whole, []modelFile{{manifestName, b}}), err
}

// saveSteps writes fitted steps as files, whose names end in mark.
func saveSteps(steps []NamedStep, mark string) ([]manifestStep, []modelFile, error) {
	told, files := make([]manifestStep, len(steps)), make([]modelFile, len(steps))
	for i, s := range steps {
		var err error
		if told[i], files[i], err = saveStep(i, s, mark); err != nil {
			return nil, nil, err
		}
	}
	return told, files, nil
}

// saveStep writes a fitted step as a file, whose name ends in mark.
func saveStep(i int, s NamedStep, mark string) (manifestStep, modelFile, error) {
	kind := kindOf(s)
	if kind == "" {
		return manifestStep{}, modelFile{}, &stepError{stepLabel(i, s.Name), s.Name, errors.New("cannot be saved: its kind is not registered; see pipeline.Register")}
	}
	var b bytes.Buffer
	err := runStep(i, s.Name, func() error {
		if s.Classifier != nil {
			return s.Classifier.SaveTo(&b)
		}
		return s.Transformer.Save(&b)
	})
	sum := sha256.Sum256(b.Bytes())
	file := modelFile{fmt.Sprintf("%d-%s%s.json", i+1, kind, mark), b.Bytes()}
	return manifestStep{s.Name, kind, file.name, hex.EncodeToString(sum[:])}, file, err
}

// steps are the fitted steps with the classifier.
func (c *chain) steps() []NamedStep {
	steps := slices.Clone(c.transformers)
	if c.classifier != nil {
		steps = append(steps, *c.classifier)
	}
	return steps
}
