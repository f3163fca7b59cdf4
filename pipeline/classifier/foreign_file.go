package classifier

import (
	"io"
	"os"
	"path/filepath"

	"github.com/fspca/fspca/internal/files"
	"github.com/fspca/fspca/internal/golearn"
)

// foreignState is the JSON of a saved foreign classifier.
type foreignState struct {
	stateHeader
	Features treeFeatures `json:"features"`
	Class    treeFeature  `json:"class"`
	Archive  []byte       `json:"archive"` // golearn's
}

// SaveTo writes golearn's archive within JSON.
func (c *foreign) SaveTo(w io.Writer) error {
	if c.fit == nil {
		return notFitted(c.name)
	}
	c.fit.mu.Lock()
	defer c.fit.mu.Unlock()
	archive, err := inFile(func(path string) error {
		return golearn.Guard(c.name+": save", func() error { return golearn.Archive(path, c.fit.model) })
	})
	if err != nil {
		return named(c.name, err)
	}
	return writeState(w, foreignState{stateHeader{stateVersion, c.name}, c.fit.table.features, c.fit.table.class, archive})
}

// inFile gives what write puts into a file: golearn saves to files alone.
func inFile(write func(path string) error) ([]byte, error) {
	dir, remove, err := files.Scratch("fspca-")
	if err != nil {
		return nil, err
	}
	defer remove()
	path := filepath.Join(dir, "model")
	if err := write(path); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
}

// LoadFrom reads what SaveTo wrote.
func (c *foreign) LoadFrom(r io.Reader) error {
	s, err := readState[foreignState](r, c.name, stateVersion)
	if err != nil {
		return err
	}
	fit := &foreignFit{table: foreignTable{features: s.Features, class: s.Class}}
	err = damaged(c.name,
		checkNames("features", fit.table.features.names(), 1),
		checkNames("classes", s.Class.Levels, 1))
	if err != nil {
		return err
	}
	fit.table.prepare()
	if fit.model, err = c.make(); err != nil {
		return err
	}
	_, err = inFile(func(path string) error {
		if err := os.WriteFile(path, s.Archive, 0o600); err != nil {
			return err
		}
		r, err := golearn.OpenArchive(path)
		if err != nil {
			return err
		}
		defer r.Close()
		return golearn.Guard(c.name+": load", func() error { return fit.model.LoadWithPrefix(r, "") })
	})
	if err != nil {
		return damaged(c.name, err)
	}
	c.fit = fit
	return nil
}
