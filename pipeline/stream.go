package pipeline

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/fspca/fspca/internal/files"
	"github.com/fspca/fspca/internal/saved"
)

// WriteTo writes the fitted pipeline as one stream: a tar archive of the files that
// SaveDir writes. The same pipeline gives the same bytes. It implements
// io.WriterTo.
func (p *Pipeline) WriteTo(w io.Writer) (int64, error) {
	if files.Absent(w) {
		return 0, errors.New("there is nothing to write the pipeline to: the writer is nil")
	}
	parts, err := p.files()
	if err != nil {
		return 0, err
	}
	var b bytes.Buffer
	archive := tar.NewWriter(&b)
	for _, f := range parts {
		if err := archive.WriteHeader(&tar.Header{Name: f.name, Mode: 0o644, Size: int64(len(f.data))}); err != nil {
			return 0, err
		}
		if _, err := archive.Write(f.data); err != nil {
			return 0, err
		}
	}
	if err := archive.Close(); err != nil {
		return 0, err
	}
	return b.WriteTo(w)
}

// ReadPipeline reads a pipeline that WriteTo wrote, to the end of the archive. The errors
// are those of LoadDir.
func ReadPipeline(r io.Reader) (*Pipeline, error) {
	if files.Absent(r) {
		return nil, errors.New("there is nothing to read a pipeline from: the reader is nil")
	}
	parts := map[string][]byte{}
	for archive := tar.NewReader(r); ; {
		h, err := archive.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, damagedStream(err)
		}
		data, err := io.ReadAll(archive)
		if err != nil {
			return nil, damagedStream(err)
		}
		if _, twice := parts[h.Name]; twice {
			return nil, damagedStream(fmt.Errorf("%s comes twice", h.Name))
		}
		parts[h.Name] = data
	}
	if len(parts) == 0 {
		return nil, damagedStream(errors.New("it is empty"))
	}
	return fromFiles(func(name string) ([]byte, error) {
		data, ok := parts[name]
		if !ok {
			return nil, damagedStream(fmt.Errorf("there is no %s: %w", name, fs.ErrNotExist))
		}
		return data, nil
	})
}

// errNotJSON says what to use in place of JSON.
var errNotJSON = errors.New("a pipeline is not JSON: write it with WriteTo, SaveDir or Save, and read it with ReadPipeline, LoadDir or Load; its steps before Fit (Step) are JSON")

// MarshalJSON returns an error: the files of a fitted pipeline are not one JSON text.
// WriteTo writes them as one stream.
func (p *Pipeline) MarshalJSON() ([]byte, error) { return nil, errNotJSON }

// UnmarshalJSON returns an error, as MarshalJSON does: ReadPipeline reads what WriteTo
// wrote.
func (p *Pipeline) UnmarshalJSON([]byte) error { return errNotJSON }

func damagedStream(err error) error {
	return saved.Damaged("the stream of a pipeline", err)
}
