package pipeline

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/sjwhitworth/golearn/base"

	"github.com/fspca/fspca/internal/golearn"
)

// SaveDir writes the fitted pipeline as a folder: a JSON file for each step and
// manifest.json, which names them. The folder is built beside dir and renamed, so
// that dir is never half a model. A model that is there already is replaced;
// anything else that is there, or in its folder, is an error and stays.
func (p *Pipeline) SaveDir(dir string) error {
	files, err := p.files()
	if err != nil {
		return err
	}
	dir = filepath.Clean(dir)
	if err := CheckDir(dir); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o777); err != nil {
		return err
	}
	workshop, err := os.MkdirTemp(filepath.Dir(dir), filepath.Base(dir)+".new-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(workshop)
	building := filepath.Join(workshop, "new")
	if err := os.Mkdir(building, 0o777); err != nil {
		return err
	}
	for _, f := range files {
		if err := writeSynced(filepath.Join(building, f.name), f.data); err != nil {
			return err
		}
	}
	return swap(building, dir, filepath.Join(workshop, "old"))
}

// CheckDir says whether SaveDir may write at dir: nothing is there, an empty
// folder, or a model. Otherwise the error says what is in the way.
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

// swap puts the folder from in the place of to, and what was there at old.
func swap(from, to, old string) error {
	err := os.Rename(to, old)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if err := os.Rename(from, to); err != nil {
		return errors.Join(err, os.Rename(old, to))
	}
	return syncDir(filepath.Dir(to))
}

func writeSynced(path string, data []byte) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Sync(), f.Close())
}

// syncDir makes renames in a folder last; not every system can, so its failure is
// no error.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	_ = d.Sync()
	return d.Close()
}

// LoadDir reads a folder that SaveDir wrote. The errors say what is absent,
// damaged or of another version.
func LoadDir(dir string) (*Pipeline, error) {
	p, err := fromFiles(func(name string) ([]byte, error) {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if errors.Is(err, os.ErrNotExist) {
			return nil, fmt.Errorf("there is no %s: %w", name, os.ErrNotExist)
		}
		return b, err
	})
	if err != nil {
		return nil, fmt.Errorf("model folder %s: %w", dir, err)
	}
	return p, nil
}

// IsModelDir says whether path is a folder that looks like a model: it holds a
// manifest, which LoadDir then judges.
func IsModelDir(path string) bool {
	info, err := os.Stat(filepath.Join(path, manifestName))
	return err == nil && info.Mode().IsRegular()
}

// isManifest says whether a file is a manifest, of whatever version.
func isManifest(path string) bool {
	b, err := os.ReadFile(path)
	var header struct {
		Type string `json:"type"`
	}
	return err == nil && json.Unmarshal(b, &header) == nil && header.Type == manifestType
}

// Save writes golearn's model archive, a compressed tar; it implements
// base.Classifier. The file is written beside path and renamed.
func (p *Pipeline) Save(path string) error {
	files, err := p.files()
	if err != nil {
		return err
	}
	beside, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".new-")
	if err != nil {
		return err
	}
	defer os.Remove(beside.Name())
	if err := beside.Close(); err != nil {
		return err
	}
	w, err := base.CreateSerializedClassifierStub(beside.Name(), p.GetMetadata())
	if err != nil {
		return err
	}
	if err := errors.Join(writeArchive(w, "", files), w.Close()); err != nil {
		return err
	}
	return os.Rename(beside.Name(), path)
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
	files, err := p.files()
	if err != nil {
		return err
	}
	if prefix != "" { // without one, the archive has its metadata already
		if err := w.WriteMetadataAtPrefix(prefix, p.GetMetadata()); err != nil {
			return err
		}
	}
	return writeArchive(w, prefix, files)
}

func writeArchive(w *base.ClassifierSerializer, prefix string, files []modelFile) error {
	for _, f := range files {
		if err := w.WriteBytesForKey(w.Prefix(prefix, f.name), f.data); err != nil {
			return err
		}
	}
	return nil
}

// LoadWithPrefix reads what SaveWithPrefix wrote.
func (p *Pipeline) LoadWithPrefix(r *base.ClassifierDeserializer, prefix string) error {
	loaded, err := fromFiles(func(name string) (b []byte, err error) {
		err = golearn.Guard("load", func() error {
			b, err = r.GetBytesForKey(r.Prefix(prefix, name))
			return err
		})
		if err != nil {
			err = fmt.Errorf("the archive holds no pipeline, or half of one: %w", err)
		}
		return b, err
	})
	if err != nil {
		return err
	}
	p.Steps = loaded.Steps
	p.fitted.Store(loaded.fitted.Load())
	return nil
}

var _ base.Classifier = (*Pipeline)(nil)
