package pipeline

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/sjwhitworth/golearn/base"

	"github.com/fspca/fspca/internal/bounded"
	"github.com/fspca/fspca/internal/files"
	"github.com/fspca/fspca/internal/golearn"
)

// SaveDir writes the fitted pipeline as a folder: a JSON file for each step and
// manifest.json, which names them. A temporary folder is written and renamed to
// dir, so that dir is never half a model. It replaces an older model. Any other
// file or folder in its place is an error and is not changed.
func (p *Pipeline) SaveDir(dir string) error {
	parts, err := p.files()
	if err != nil {
		return err
	}
	if err := CheckDir(dir); err != nil {
		return err
	}
	return files.WriteFolder(dir, func(building string) error {
		for _, f := range parts {
			if err := f.writeTo(building); err != nil {
				return err
			}
		}
		return nil
	})
}

func (f *modelFile) writeTo(dir string) error {
	return files.Write(filepath.Join(dir, f.name), func(w io.Writer) error {
		_, err := w.Write(f.data)
		return err
	})
}

// CheckDir returns nil if SaveDir may write at dir: it does not exist, is an
// empty folder, or is a model. Otherwise the error says what is there.
func CheckDir(dir string) error {
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("%s is not a folder that a model can be written to: %w", dir, err)
	case len(entries) > 0 && !isManifest(filepath.Join(dir, manifestName)):
		return fmt.Errorf("%s is not empty and holds no model: choose another folder, or remove it", dir)
	}
	return foreign(dir, entries)
}

// foreign returns an error if a model folder holds something that no model has,
// and that would be lost with the folder.
func foreign(dir string, entries []os.DirEntry) error {
	for _, e := range entries {
		step, _ := filepath.Match("[0-9]*-*.json", e.Name())
		if e.Name() != manifestName && !step {
			return fmt.Errorf("%s holds %q, which is no part of a model: move it away, or choose another folder", dir, e.Name())
		}
	}
	return nil
}

// LoadDir reads a folder that SaveDir wrote. The errors say what is missing,
// damaged or of another version.
func LoadDir(dir string) (*Pipeline, error) {
	return loadFolder(os.DirFS(dir), ".", dir)
}

// LoadFS reads a folder that SaveDir wrote from a file system, such as one that is
// embedded in the program; "." is its root.
func LoadFS(fsys fs.FS, dir string) (*Pipeline, error) {
	if files.Absent(fsys) {
		return nil, errors.New("the file system is nil")
	}
	return loadFolder(fsys, dir, dir)
}

// loadFolder reads the folder dir; errors call it by the name.
func loadFolder(fsys fs.FS, dir, name string) (*Pipeline, error) {
	p, err := fromFiles(func(name string) ([]byte, error) {
		b, err := bounded.ReadFS(fsys, path.Join(dir, name), maxPart, "a part of a model")
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("there is no %s: %w", name, fs.ErrNotExist)
		}
		return b, err
	})
	if err != nil {
		return nil, fmt.Errorf("model folder %s: %w", name, err)
	}
	return p, nil
}

// IsModelDir reports whether path is a folder with a manifest. LoadDir checks
// the rest.
func IsModelDir(path string) bool {
	info, err := os.Stat(filepath.Join(path, manifestName))
	return err == nil && info.Mode().IsRegular()
}

// maxPart is the most bytes that a file of a model may have.
const maxPart = 1e9

// isManifest says whether a file is a manifest, of whatever version.
func isManifest(path string) bool {
	b, err := bounded.ReadFile(path, maxPart, "a manifest")
	var header struct {
		Type string `json:"type"`
	}
	return err == nil && json.Unmarshal(b, &header) == nil && header.Type == manifestType
}

// Save writes golearn's model archive, a compressed tar; it implements
// base.Classifier. The file is written whole or not at all.
func (p *Pipeline) Save(path string) error {
	parts, err := p.files()
	if err != nil {
		return err
	}
	return files.WriteNamed(path, func(name string) error {
		w, err := base.CreateSerializedClassifierStub(name, p.GetMetadata())
		if err != nil {
			return err
		}
		return errors.Join(writeArchive(w, "", parts), w.Close())
	})
}

// Load reads what Save wrote.
func (p *Pipeline) Load(path string) error {
	r, err := golearn.OpenArchive(path)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	defer r.Close()
	if err := p.LoadWithPrefix(r, ""); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// GetMetadata describes the pipeline to golearn.
func (p *Pipeline) GetMetadata() base.ClassifierMetadataV1 {
	return golearn.Metadata(manifestType)
}

// SaveWithPrefix writes the pipeline into an archive of several classifiers.
func (p *Pipeline) SaveWithPrefix(w *base.ClassifierSerializer, prefix string) error {
	parts, err := p.files()
	if err != nil {
		return err
	}
	return golearn.Guard("save", func() error {
		if prefix != "" { // without one, the archive has its metadata already
			if err := w.WriteMetadataAtPrefix(prefix, p.GetMetadata()); err != nil {
				return err
			}
		}
		return writeArchive(w, prefix, parts)
	})
}

func writeArchive(w *base.ClassifierSerializer, prefix string, parts []modelFile) error {
	for _, f := range parts {
		if err := w.WriteBytesForKey(w.Prefix(prefix, f.name), f.data); err != nil {
			return err
		}
	}
	return nil
}

// LoadWithPrefix reads what SaveWithPrefix wrote.
func (p *Pipeline) LoadWithPrefix(r *base.ClassifierDeserializer, prefix string) error {
	loaded, err := fromFiles(func(name string) ([]byte, error) {
		return golearn.Part(r, prefix, name, "pipeline")
	})
	if err != nil {
		return err
	}
	p.Steps = loaded.Steps
	p.fitted.Store(loaded.fitted.Load())
	return nil
}

var _ base.Classifier = (*Pipeline)(nil)
