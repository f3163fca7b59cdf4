package files

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// workshopMark is what the name of a folder under construction has behind the name of the folder
// that it is to replace.
const workshopMark = ".new-"

// WriteFolder makes the folder dir as a whole or not at all: fill writes the new content into an
// empty folder beside it, which then takes dir's place. What was there is removed. A symbolic link
// at dir stays one, and the folder that it names is replaced. The caller has made sure that nothing
// of the user's is lost.
func WriteFolder(dir string, fill func(building string) error) error {
	dir = resolved(filepath.Clean(dir))
	if err := os.MkdirAll(filepath.Dir(dir), 0o777); err != nil {
		return err
	}
	cleanWorkshops(dir)
	workshop, hold, err := newWorkshop(dir)
	if err != nil {
		return err
	}
	defer hold.Close()
	defer begin(func() { removeWritten(workshop) })()
	building := filepath.Join(workshop, "new")
	if err := os.Mkdir(building, 0o777); err != nil {
		return err
	}
	if err := fill(building); err != nil {
		return err
	}
	syncDirectory(building)
	return place(func() error { return replaceFolder(building, dir, filepath.Join(workshop, "old")) })
}

// newWorkshop makes a folder beside dir and holds it: see cleanWorkshops.
func newWorkshop(dir string) (path string, hold *os.File, err error) {
	for {
		if path, err = os.MkdirTemp(filepath.Dir(dir), filepath.Base(dir)+workshopMark); err != nil {
			return "", nil, err
		}
		if hold, err = os.Open(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", nil, errors.Join(err, os.Remove(path))
		}
		if err == nil && held(hold) {
			return path, hold, nil
		}
		hold.Close()
	}
}

// resolved is the path that a chain of symbolic links ends at, path itself where there is none.
// The end need not exist.
func resolved(path string) string {
	for range 40 {
		target, err := os.Readlink(path)
		if err != nil {
			return path
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(filepath.Dir(path), target)
		}
		path = target
	}
	return path
}

// replaceFolder puts the folder from in the place of to. Where the system can swap two names, no
// moment is without a folder at to; elsewhere the old one waits at old in between.
func replaceFolder(from, to, old string) error {
	err := exchange(from, to)
	switch {
	case err == nil:
		return finish(to)
	case errors.Is(err, fs.ErrNotExist): // nothing at to
		if err := os.Rename(from, to); err != nil {
			return err
		}
		return finish(to)
	}
	if err := os.Rename(to, old); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.Rename(from, to); err != nil {
		return errors.Join(err, os.Rename(old, to))
	}
	return finish(to)
}

func finish(path string) error {
	syncDirectory(filepath.Dir(path))
	return nil
}

// cleanWorkshops removes what killed writers of the folder dir left beside it. A folder that lacks
// the shape of a workshop, or that a living process holds, stays.
func cleanWorkshops(dir string) {
	entries, err := os.ReadDir(filepath.Dir(dir))
	if err != nil {
		return
	}
	for _, e := range entries {
		suffix, ok := strings.CutPrefix(e.Name(), filepath.Base(dir)+workshopMark)
		if path := filepath.Join(filepath.Dir(dir), e.Name()); ok && e.IsDir() && digits(suffix) && isWorkshop(path) {
			removeUnheld(path)
		}
	}
}

func digits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// isWorkshop reports whether a folder holds nothing but what WriteFolder puts there.
func isWorkshop(path string) bool {
	entries, err := os.ReadDir(path)
	if err != nil {
		return false
	}
	for _, e := range entries {
		if !e.IsDir() || e.Name() != "new" && e.Name() != "old" {
			return false
		}
	}
	return true
}

// removeUnheld removes a file or a folder of an earlier process unless a living one holds it.
func removeUnheld(path string) {
	held, err := os.Open(path)
	if err != nil {
		return
	}
	defer held.Close()
	if free, err := lock(held); free && err == nil {
		_ = os.RemoveAll(path)
	}
}

// Same reports whether two paths name the same existing file or folder, through links too.
func Same(a, b string) bool {
	if a == "" || b == "" {
		return false
	}
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

// SamePlace reports whether two paths name one file, which may not exist yet.
func SamePlace(a, b string) bool {
	if Same(a, b) {
		return true
	}
	a, b = resolved(filepath.Clean(a)), resolved(filepath.Clean(b))
	return filepath.Base(a) == filepath.Base(b) && Same(filepath.Dir(a), filepath.Dir(b))
}

// Within reports whether the existing file path lies in the folder dir, through links too.
func Within(path, dir string) bool {
	if path == "" || dir == "" {
		return false
	}
	path, err := filepath.EvalSymlinks(path)
	if err != nil {
		return false
	}
	if path, err = filepath.Abs(path); err != nil {
		return false
	}
	for {
		parent := filepath.Dir(path)
		if parent == path {
			return false
		}
		if Same(parent, dir) {
			return true
		}
		path = parent
	}
}

// CheckWritable returns an error, before any work, if the file path cannot be written: there is no
// folder for it, or the folder does not let a file be made. "" is no file.
func CheckWritable(path string) error {
	if path == "" {
		return nil
	}
	target := resolved(path)
	info, err := os.Stat(target)
	switch {
	case err == nil && info.IsDir():
		return fmt.Errorf("cannot write %s: it is a directory, want a file name", path)
	case err == nil && !info.Mode().IsRegular():
		return nil // a device or a pipe
	}
	probe, err := createBeside(target)
	if err != nil {
		return inPlaceOf(path, "", err)
	}
	return errors.Join(probe.Close(), os.Remove(probe.Name()))
}
