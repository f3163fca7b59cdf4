package beam

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/files"
)

// Paths with a scheme, such as gs://bucket/x, belong to a file system that is registered with Beam.
// All others are files that the submitter and every worker see under the same name.
func remote(path string) bool { return strings.Contains(path, "://") }

// withSystem calls f with the file system of a path.
func withSystem(ctx context.Context, path string, f func(filesystem.Interface) error) error {
	system, err := filesystem.New(ctx, path)
	if err != nil {
		return err
	}
	return errors.Join(f(system), system.Close())
}

// list returns the files that a pattern fits, sorted; a name that is no pattern fits itself.
func list(ctx context.Context, pattern string) (found []string, err error) {
	if !remote(pattern) {
		return filepath.Glob(pattern)
	}
	err = withSystem(ctx, pattern, func(system filesystem.Interface) (err error) {
		found, err = system.List(ctx, pattern)
		return err
	})
	return found, err
}

// stat returns the size of a file and when it was written, if that is known.
func stat(ctx context.Context, path string) (size int64, written time.Time, err error) {
	if !remote(path) {
		info, err := os.Stat(path)
		switch {
		case err != nil:
			return 0, written, err
		case !info.Mode().IsRegular():
			return 0, written, fmt.Errorf("%s is not a file", path)
		}
		return info.Size(), info.ModTime(), nil
	}
	err = withSystem(ctx, path, func(system filesystem.Interface) (err error) {
		if size, err = system.Size(ctx, path); err != nil {
			return err
		}
		if s, ok := system.(filesystem.LastModifiedGetter); ok {
			written, err = s.LastModified(ctx, path)
		}
		return err
	})
	return size, written, err
}

// withFile opens a table that errors call name.
func withFile(ctx context.Context, path, name, format string, f func(*dataset.File) error) error {
	return withReader(ctx, path, func(r io.Reader) error {
		in, err := dataset.OpenReaderContext(ctx, r, name, format)
		if err != nil {
			return err
		}
		return errors.Join(f(in), in.Close())
	})
}

// withReader opens a file.
func withReader(ctx context.Context, path string, f func(io.Reader) error) error {
	use := func(r io.ReadCloser, err error) error {
		if err != nil {
			return err
		}
		defer r.Close()
		return f(r)
	}
	if !remote(path) {
		r, err := os.Open(path)
		return use(r, err)
	}
	return withSystem(ctx, path, func(system filesystem.Interface) error {
		return use(system.OpenRead(ctx, path))
	})
}

func readFile(ctx context.Context, path string) (data []byte, err error) {
	err = withReader(ctx, path, func(r io.Reader) error {
		data, err = io.ReadAll(r)
		return err
	})
	return data, err
}

// writeFile writes a file as a whole or not at all: an object of a store is there once it is closed.
func writeFile(ctx context.Context, path string, write func(io.Writer) error) error {
	if !remote(path) {
		return files.Write(path, write)
	}
	var b bytes.Buffer // nothing is opened before all of it is known
	if err := write(&b); err != nil {
		return err
	}
	return withSystem(ctx, path, func(system filesystem.Interface) error {
		w, err := system.OpenWrite(ctx, path)
		if err != nil {
			return err
		}
		_, err = w.Write(b.Bytes())
		return errors.Join(err, w.Close())
	})
}

// writeBytes writes a file of a job, whole: under another name first. It need not outlive the machine.
func writeBytes(ctx context.Context, path string, data []byte) error {
	if !remote(path) {
		beside := fmt.Sprintf("%s.%016x", path, rand.Uint64())
		err := os.WriteFile(beside, data, 0o666)
		if err == nil {
			err = os.Rename(beside, path)
		}
		if err != nil {
			os.Remove(beside)
		}
		return err
	}
	return writeFile(ctx, path, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// newFolder makes a folder for a job in parent, "" for the system's for temporary files.
func newFolder(parent string) (string, error) {
	if remote(parent) {
		return fmt.Sprintf("%s/fspca-job-%016x", strings.TrimSuffix(parent, "/"), rand.Uint64()), nil
	}
	dir, err := os.MkdirTemp(parent, "fspca-job-*")
	if err != nil {
		return "", err
	}
	return filepath.Abs(dir)
}

// removeFolder removes a folder of a job; what cannot be removed is left. Workers may still be at
// work after a job that was cancelled. So the folder takes another name first: what they write under
// the old one fails, and cannot make the folder not empty while it is removed. A file that was on its
// way then still can, so there are some attempts.
func removeFolder(ctx context.Context, dir string) {
	if !remote(dir) {
		if away := dir + ".ended"; os.Rename(dir, away) == nil {
			dir = away
		}
		for attempts := 100; os.RemoveAll(dir) != nil && attempts > 0; attempts-- {
			time.Sleep(10 * time.Millisecond)
		}
		return
	}
	found, err := list(ctx, dir+"/*")
	if err != nil {
		return
	}
	removeFiles(ctx, found)
}

// removeFiles removes files of a file system of Beam's, as far as it can.
func removeFiles(ctx context.Context, paths []string) {
	for _, path := range paths {
		_ = withSystem(ctx, path, func(system filesystem.Interface) error {
			if r, ok := system.(filesystem.Remover); ok {
				return r.Remove(ctx, path)
			}
			return nil
		})
	}
}

// join returns the path of a file in a folder.
func join(dir, name string) string {
	if remote(dir) {
		return dir + "/" + name
	}
	return filepath.Join(dir, name)
}

// exists reports whether a file is there; an error of a store counts as yes.
func exists(ctx context.Context, path string) bool {
	if !remote(path) {
		_, err := os.Stat(path)
		return !errors.Is(err, fs.ErrNotExist)
	}
	found, err := list(ctx, path)
	return err != nil || len(found) > 0
}
