// Package files holds what the command and the packages share about files: one is written as a
// whole or not at all, and ~ is the home folder.
package files

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// Write writes a file as a whole or not at all: write fills a temporary file
// beside it, which is synced and then renamed to path, and removed if anything
// fails. An existing file keeps its permissions, and a symbolic link stays one. A
// path that is neither a file nor free, as a device or a pipe, is written
// directly.
func Write(path string, write func(io.Writer) error) error {
	return replace(path, func(file *os.File) error { return writeBuffered(file, write) })
}

// WriteNamed is Write for a library that wants a file's name instead of a
// writer.
func WriteNamed(path string, write func(name string) error) error {
	return replace(path, func(file *os.File) error { return write(file.Name()) })
}

func replace(path string, write func(*os.File) error) error {
	info, err := os.Stat(path) // of a link to an open pipe, as /dev/fd/3, the system alone knows the end
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	case info.IsDir():
		return fmt.Errorf("%s is a directory: want a file name", path)
	case !info.Mode().IsRegular():
		return writeDirectly(path, write)
	}
	target := resolved(path)
	cleanBeside(target)
	temporary, err := createBeside(target)
	if err != nil {
		return inPlaceOf(path, "", err)
	}
	defer begin(func() { // also after a panic of write
		temporary.Close()
		os.Remove(temporary.Name())
	})()
	if info != nil {
		if err := temporary.Chmod(info.Mode().Perm()); err != nil {
			return err
		}
	}
	if err := write(temporary); err != nil {
		return inPlaceOf(path, temporary.Name(), err)
	}
	if err := errors.Join(temporary.Sync(), temporary.Close()); err != nil {
		return inPlaceOf(path, temporary.Name(), err)
	}
	if err := place(func() error { return os.Rename(temporary.Name(), target) }); err != nil {
		return inPlaceOf(path, "", err)
	}
	syncDirectory(filepath.Dir(target))
	return nil
}

// createBeside makes a new file in the directory of path, with the permissions
// that any new file gets, and holds it: see cleanBeside.
func createBeside(path string) (*os.File, error) {
	dir, name := filepath.Split(path)
	for {
		beside := fmt.Sprintf("%s.%s.%08x.tmp", dir, name, rand.Uint32())
		file, err := os.OpenFile(beside, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		switch {
		case errors.Is(err, fs.ErrExist):
		case err != nil:
			return nil, err
		case held(file):
			return file, nil
		default:
			file.Close()
		}
	}
}

// held takes the lock of a file or folder that was just made. It reports false
// if another writer took it for litter in the moment before.
func held(file *os.File) bool {
	if free, err := lock(file); err != nil || !free {
		return err != nil // a file system without locks; nobody cleans there either
	}
	opened, err := file.Stat()
	if err != nil {
		return false
	}
	named, err := os.Stat(file.Name())
	return err == nil && os.SameFile(opened, named)
}

// cleanBeside removes what killed writers of path left beside it.
func cleanBeside(path string) {
	dir, name := filepath.Split(path)
	entries, err := os.ReadDir(filepath.Clean(dir))
	if err != nil {
		return
	}
	for _, e := range entries {
		rest, ok := strings.CutPrefix(e.Name(), "."+name+".")
		if code, tmp := strings.CutSuffix(rest, ".tmp"); ok && tmp && len(code) == 8 && e.Type().IsRegular() && strings.Trim(code, "0123456789abcdef") == "" {
			removeUnheld(dir + e.Name())
		}
	}
}

// inPlaceOf turns an error of the temporary file ("" if it could not be made) into
// one about path, the name that the caller knows.
func inPlaceOf(path, temporary string, err error) error {
	var file *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &file):
		if temporary != "" && file.Path != temporary { // of another file, from inside write
			return err
		}
		if dir := filepath.Dir(path); errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("cannot write %s: there is no folder %s: create it, or write elsewhere: %w", path, dir, file.Err)
		} else if info, lost := os.Stat(dir); lost == nil && !info.IsDir() {
			return fmt.Errorf("cannot write %s: %s is not a folder: %w", path, dir, file.Err)
		}
		return fmt.Errorf("cannot write %s: %w", path, file.Err)
	case errors.As(err, &link):
		return fmt.Errorf("cannot write %s: %w", path, link.Err)
	}
	return err
}

func writeBuffered(file *os.File, write func(io.Writer) error) error {
	out := bufio.NewWriterSize(file, 1<<16)
	if err := write(out); err != nil {
		return err
	}
	return out.Flush()
}

func writeDirectly(path string, write func(*os.File) error) error {
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return errors.Join(write(file), file.Close())
}

// syncDirectory makes a rename in a directory last. Not all systems can sync a
// directory, and the file is whole in any case, so this cannot fail.
func syncDirectory(dir string) {
	if d, err := os.Open(dir); err == nil {
		d.Sync()
		d.Close()
	}
}

// copyFile copies a file to a path, as a whole.
func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	return Write(to, func(w io.Writer) error {
		_, err := io.Copy(w, in)
		return err
	})
}
