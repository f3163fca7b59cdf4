package selector

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/fspca/fspca/internal/bounded"
	"github.com/fspca/fspca/internal/files"
	"github.com/fspca/fspca/internal/saved"
)

// Errors of reading a model file or a saved step, for errors.Is, in addition to those of the
// file system.
var (
	ErrVersion = saved.ErrVersion // a newer program wrote it
	ErrDamaged = saved.ErrDamaged // it is not what was written
)

// modelFile is the subject of the messages.
const modelFile = "the model file"

// memoryUnit is the number of bytes in the unit of memory_limit.
func memoryUnit(version string) float64 {
	if version == "1" {
		return 1
	}
	return 1 << 20
}

// ReadModel reads a model file. If it is not a sound model of a known version, the error names each
// wrong field.
func ReadModel(r io.Reader) (*Model, error) {
	b, err := files.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("cannot read the model: %w", err)
	}
	return parseModel(b)
}

// ReadModelFS reads the model file of that name in a file system, such as one of go:embed; its
// errors begin with the name.
func ReadModelFS(fsys fs.FS, name string) (*Model, error) {
	if files.Absent(fsys) {
		return nil, errors.New("there is no file system to read from")
	}
	b, err := bounded.ReadFS(fsys, name, maxModel, "a model")
	if err != nil {
		return nil, err
	}
	return parseNamed(name, b)
}

// parseNamed is parseModel, with the name of the file before an error.
func parseNamed(name string, b []byte) (*Model, error) {
	m, err := parseModel(b)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return m, nil
}

// maxModel is the most bytes that a model file may have.
const maxModel = 2e9

// LoadModel reads the model file at path; its errors begin with the path.
func LoadModel(path string) (*Model, error) {
	b, err := bounded.ReadFile(path, maxModel, "a model")
	if err != nil {
		return nil, err
	}
	return parseNamed(path, b)
}

// IsModelFile reports whether the file at path claims to be a model file, of any version, sound
// or damaged.
func IsModelFile(path string) bool {
	b, err := bounded.ReadFile(path, maxModel, "a model")
	return err == nil && checkFormat(b) == nil
}

// checkFormat tells a model file from other files.
func checkFormat(b []byte) error {
	var head struct {
		Format any `json:"format"`
		Type   any `json:"type"`
	}
	err := json.Unmarshal(b, &head)
	var syntax *json.SyntaxError
	switch {
	case head.Format == fileFormat:
		return nil
	case errors.As(err, &syntax) && bytes.Contains(b, []byte(`"`+fileFormat+`"`)):
		return saved.Damaged(modelFile, fmt.Errorf("%w at byte %d of %d", err, syntax.Offset, len(b)))
	case err != nil:
		return saved.Unreadable("not a model file: it is not a JSON object")
	case head.Format != nil:
		return fmt.Errorf(`not a model file: its field "format" is %q, want %q`, fmt.Sprint(head.Format), fileFormat)
	case head.Type != nil:
		return fmt.Errorf(`not a model file: it is a saved step of type %q; give the folder that it is in`, fmt.Sprint(head.Type))
	}
	return errors.New(`not a model file: it is JSON without the field "format"`)
}

func parseModel(b []byte) (*Model, error) {
	if err := checkFormat(b); err != nil {
		return nil, err
	}
	var problems []error
	o, err := parseObject("", b, &problems)
	if err != nil {
		return nil, saved.Damaged(modelFile, err)
	}
	var format string
	o.get("format", &format)
	version := o.version()
	if err := saved.Version(modelFile, version, fileVersion); err != nil {
		return nil, err
	}
	m := &Model{}
	m.readParts(o, memoryUnit(version))
	if version != "1" { // fields that are wrong say more than the checksum
		o.has("checksum")
	}
	o.done()
	if problems == nil {
		problems = m.check()
	}
	if problems == nil && version != "1" {
		problems = append(problems, saved.Verify(b))
	}
	if err := saved.Damaged(modelFile, problems...); err != nil {
		return nil, err
	}
	m.prepare()
	return m, nil
}
