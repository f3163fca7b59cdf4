package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// The names of links: what a reader opens, such as report.json, is a link to
// StoreName/current/report.json, and current is a link to one version. Renaming one link exchanges
// all results at once, also where the folder itself cannot be swapped.
const (
	StoreName   = ".fspca" // the folder of the versions
	currentName = "current"
	versionMark = "v"
)

// links is how Results replaces what is in a folder that cannot be swapped.
type links struct {
	dir, store string
	names      []string
	version    string // the folder that is being filled; "" when it is in place
	made       bool   // the store was not there
	plain      bool   // the file system has no symbolic links
}

func newLinks(dir string, names []string) *links {
	return &links{dir: dir, store: filepath.Join(dir, StoreName), names: names}
}

func (l *links) open() error {
	err := os.Mkdir(l.store, 0o777)
	l.made = err == nil
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	number, err := l.clean()
	if err != nil {
		return err
	}
	version := filepath.Join(l.store, versionMark+strconv.Itoa(number))
	if err := os.Mkdir(version, 0o777); err != nil {
		return err
	}
	l.version = version
	return nil
}

// clean removes the versions that are not current, and returns a number that is free.
func (l *links) clean() (free int, err error) {
	l.dropDangling()
	entries, err := os.ReadDir(l.store)
	if err != nil {
		return 0, err
	}
	current, _ := os.Readlink(filepath.Join(l.store, currentName))
	for _, e := range entries {
		path := filepath.Join(l.store, e.Name())
		number, isVersion := versionNumber(e.Name())
		switch {
		case e.Name() == current:
			free = max(free, number)
		case isVersion, strings.HasSuffix(e.Name(), ".tmp"):
			if err := os.RemoveAll(path); err != nil {
				return 0, err
			}
		}
	}
	return free + 1, nil
}

func versionNumber(name string) (int, bool) {
	digits, ok := strings.CutPrefix(name, versionMark)
	n, err := strconv.Atoi(digits)
	return n, ok && err == nil
}

// dropDangling removes the links to what the current version lacks.
func (l *links) dropDangling() {
	for _, name := range l.names {
		if at := filepath.Join(l.dir, name); l.ours(name) && absent(at) {
			_ = os.Remove(at)
		}
	}
}

// prepare sees to it that each name is a link to the current version, without a change of what a
// reader finds: results of before there were links become a version of their own first.
func (l *links) prepare() error {
	var loose []string // that are files and folders themselves
	for _, name := range l.names {
		at := filepath.Join(l.dir, name)
		info, err := os.Lstat(at)
		switch {
		case err == nil && info.Mode()&fs.ModeSymlink == 0:
			loose = append(loose, name)
		case err == nil || absent(l.path(name)):
		case !errors.Is(err, fs.ErrNotExist):
			return err
		default:
			if err := l.relink(linkTarget(name), at); err != nil {
				l.plain = true
				return nil
			}
		}
	}
	if len(loose) == 0 {
		return nil
	}
	return l.adopt(loose)
}

// adopt turns results that are files and folders themselves into links to a version that holds them
// and what is a link already.
func (l *links) adopt(loose []string) error {
	number, _ := versionNumber(filepath.Base(l.version))
	old := filepath.Join(l.store, versionMark+strconv.Itoa(number+1))
	if err := os.Mkdir(old, 0o777); err != nil {
		return err
	}
	for _, name := range l.names {
		at := filepath.Join(l.dir, name)
		if !l.ours(name) && !slices.Contains(loose, name) || absent(at) {
			continue
		}
		if err := duplicate(resolved(at), filepath.Join(old, name)); err != nil {
			return err
		}
	}
	if err := l.relink(filepath.Base(old), filepath.Join(l.store, currentName)); err != nil {
		l.plain = true
		return nil
	}
	for _, name := range loose {
		if err := l.replaceByLink(name); err != nil {
			return err
		}
	}
	return nil
}

// replaceByLink puts the link to the current version in the place of a file or folder that has the
// same content.
func (l *links) replaceByLink(name string) error {
	at := filepath.Join(l.dir, name)
	if info, err := os.Lstat(at); err != nil || !info.IsDir() {
		return errors.Join(err, l.relink(linkTarget(name), at))
	}
	aside := filepath.Join(l.store, name+".tmp")
	if err := os.RemoveAll(aside); err != nil {
		return err
	}
	if err := os.Symlink(linkTarget(name), aside); err != nil {
		return err
	}
	if err := exchange(aside, at); err != nil { // not one step, but the nearest to it
		if err := errors.Join(os.Remove(aside), os.Rename(at, aside)); err != nil {
			return err
		}
		if err := os.Symlink(linkTarget(name), at); err != nil {
			return errors.Join(err, os.Rename(aside, at))
		}
	}
	return os.RemoveAll(aside)
}

// commitPlainly replaces one name after the other, where the file system has no symbolic links. The
// first name goes first and comes back last: a folder that has it is complete.
func (l *links) commitPlainly() error {
	first := l.names[0]
	if err := os.RemoveAll(filepath.Join(l.dir, first)); err != nil {
		return err
	}
	for _, name := range append(slices.Clone(l.names[1:]), first) {
		at := filepath.Join(l.dir, name)
		if err := os.RemoveAll(at); err != nil {
			return err
		}
		if err := os.Rename(l.path(name), at); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	l.made = false
	syncDirectory(l.dir)
	return nil
}

// ours reports whether a name in the folder is a link to the current version.
func (l *links) ours(name string) bool {
	target, err := os.Readlink(filepath.Join(l.dir, name))
	return err == nil && target == linkTarget(name)
}

func linkTarget(name string) string { return filepath.Join(StoreName, currentName, name) }

// relink makes a symbolic link, or exchanges one or a file in a single step.
func (l *links) relink(target, path string) error {
	aside := filepath.Join(l.store, filepath.Base(path)+".tmp")
	if err := os.RemoveAll(aside); err != nil {
		return err
	}
	if err := os.Symlink(target, aside); err != nil {
		return err
	}
	if err := os.Rename(aside, path); err != nil {
		return errors.Join(err, os.Remove(aside))
	}
	return nil
}

func (l *links) path(name string) string { return filepath.Join(l.version, name) }

func (l *links) commit() error {
	syncDirectory(l.version)
	if err := l.prepare(); err != nil {
		return err
	}
	if l.plain {
		return l.commitPlainly()
	}
	if err := l.relink(filepath.Base(l.version), filepath.Join(l.store, currentName)); err != nil {
		return err
	}
	l.version, l.made = "", false
	syncDirectory(l.store)
	syncDirectory(l.dir)
	_, err := l.clean()
	return err
}

func (l *links) close() {
	if l.version != "" {
		_ = os.RemoveAll(l.version)
		l.dropDangling()
	}
	if l.made || l.plain {
		_ = os.Remove(l.store) // only where it is empty
	}
}
