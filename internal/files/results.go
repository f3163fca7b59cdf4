package files

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// The names inside a folder of results. What a reader opens, such as report.json, is a link to
// store/current/report.json, and current is a link to one version: renaming one link exchanges all
// results at once, also where the folder is a mount point.
const (
	storeName   = ".fspca"
	currentName = "current"
	lockName    = "lock"
	versionMark = "v"
)

// ErrBusy is wrapped by OpenResults where another process writes to the folder.
var ErrBusy = errors.New("another run is writing to it: wait for it, or choose another folder")

// Results is a folder of results of which a writer replaces some names, all of them in one step.
// Other files in the folder stay as they are.
type Results struct {
	dir, store string
	names      []string // that are replaced together
	version    string   // the folder that is being filled
	made       []string // folders that did not exist, the innermost first
	lock       *os.File
	plain      bool // the file system has no symbolic links
}

// OpenResults makes the folder if there is none, locks it against other writers, removes what killed
// writers left, and gives a place for new results under some of the names. The first of them is what
// makes a folder complete. Close must follow.
func OpenResults(dir string, names ...string) (*Results, error) {
	r := &Results{dir: dir, store: filepath.Join(dir, storeName), names: names}
	if err := r.open(); err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

func (r *Results) open() error {
	for at := r.store; ; at = filepath.Dir(at) {
		if _, err := os.Stat(at); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		r.made = append(r.made, at)
	}
	if err := os.MkdirAll(r.store, 0o777); err != nil {
		return err
	}
	if err := r.takeLock(); err != nil {
		return err
	}
	number, err := r.clean()
	if err != nil {
		return err
	}
	version := filepath.Join(r.store, versionMark+strconv.Itoa(number))
	if err := os.Mkdir(version, 0o777); err != nil {
		return err
	}
	r.version = version
	return nil
}

func (r *Results) takeLock() error {
	for {
		f, err := os.OpenFile(filepath.Join(r.store, lockName), os.O_RDWR|os.O_CREATE, 0o666)
		if err != nil {
			return err
		}
		if free, err := lock(f); err == nil && !free {
			r.made = nil // the other writer's
			f.Close()
			return fmt.Errorf("the folder %s: %w", r.dir, ErrBusy)
		}
		if r.lock = f; held(f) {
			return nil
		}
		f.Close() // another writer removed it in the moment before
	}
}

// clean removes the versions that are not current, and returns a number that is free.
func (r *Results) clean() (free int, err error) {
	r.dropDangling()
	entries, err := os.ReadDir(r.store)
	if err != nil {
		return 0, err
	}
	current, _ := os.Readlink(filepath.Join(r.store, currentName))
	for _, e := range entries {
		path := filepath.Join(r.store, e.Name())
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

// Path is where the new content of a name is to be written: a file, or a folder of files.
func (r *Results) Path(name string) string { return filepath.Join(r.version, name) }

// Commit puts what was written in place of the old results, and removes the old results of the names
// that were not written now. Before it, and after an error, all old results stand; after it, all new
// ones.
func (r *Results) Commit() error {
	if err := r.keepLinks(); err != nil {
		return err
	}
	syncDirectory(r.version)
	if err := r.prepare(); err != nil {
		return err
	}
	if r.plain {
		return r.commitPlainly()
	}
	if err := r.relink(filepath.Base(r.version), filepath.Join(r.store, currentName)); err != nil {
		return err
	}
	r.version, r.made = "", nil
	syncDirectory(r.store)
	syncDirectory(r.dir)
	_, err := r.clean()
	return err
}

// dropDangling removes the links to what the current version lacks.
func (r *Results) dropDangling() {
	for _, name := range r.names {
		if at := filepath.Join(r.dir, name); r.ours(name) && absent(at) {
			_ = os.Remove(at)
		}
	}
}

// absent reports whether nothing is at path, where a link leads.
func absent(path string) bool {
	_, err := os.Stat(path)
	return errors.Is(err, fs.ErrNotExist)
}

// keepLinks writes through the symbolic links that the user has put in the place of a folder or a
// file. They lie elsewhere, so that they cannot change in the same step.
func (r *Results) keepLinks() error {
	for _, name := range r.names {
		if _, err := os.Readlink(filepath.Join(r.dir, name)); err != nil || r.ours(name) {
			continue
		}
		if absent(r.Path(name)) {
			continue
		}
		at := filepath.Join(r.dir, name)
		if err := move(r.Path(name), resolved(at)); err != nil {
			return err
		}
	}
	return nil
}

// move copies a file or a folder of files to a path, as a whole.
func move(from, to string) error {
	info, err := os.Stat(from)
	if err != nil {
		return err
	}
	if info.IsDir() {
		return WriteFolder(to, func(building string) error { return os.CopyFS(building, os.DirFS(from)) })
	}
	return copyFile(from, to)
}

// prepare sees to it that each name is a link to the current version, without a change of what a
// reader finds: results of before there were links become a version of their own first.
func (r *Results) prepare() error {
	var loose []string // that are files and folders themselves
	for _, name := range r.names {
		at := filepath.Join(r.dir, name)
		info, err := os.Lstat(at)
		switch {
		case err == nil && info.Mode()&fs.ModeSymlink == 0:
			loose = append(loose, name)
		case err == nil || absent(r.Path(name)):
		case !errors.Is(err, fs.ErrNotExist):
			return err
		default:
			if err := r.relink(linkTarget(name), at); err != nil {
				r.plain = true
				return nil
			}
		}
	}
	if len(loose) == 0 {
		return nil
	}
	return r.adopt(loose)
}

// adopt turns results that are files and folders themselves into links to a version that holds them
// and what is a link already.
func (r *Results) adopt(loose []string) error {
	number, _ := versionNumber(filepath.Base(r.version))
	old := filepath.Join(r.store, versionMark+strconv.Itoa(number+1))
	if err := os.Mkdir(old, 0o777); err != nil {
		return err
	}
	for _, name := range r.names {
		at := filepath.Join(r.dir, name)
		if !r.ours(name) && !slices.Contains(loose, name) || absent(at) {
			continue
		}
		if err := duplicate(resolved(at), filepath.Join(old, name)); err != nil {
			return err
		}
	}
	if err := r.relink(filepath.Base(old), filepath.Join(r.store, currentName)); err != nil {
		r.plain = true
		return nil
	}
	for _, name := range loose {
		if err := r.replaceByLink(name); err != nil {
			return err
		}
	}
	return nil
}

// replaceByLink puts the link to the current version in the place of a file or folder that has the
// same content.
func (r *Results) replaceByLink(name string) error {
	at := filepath.Join(r.dir, name)
	if info, err := os.Lstat(at); err != nil || !info.IsDir() {
		return errors.Join(err, r.relink(linkTarget(name), at))
	}
	aside := filepath.Join(r.store, name+".tmp")
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

// duplicate makes a second name for a file, or for each file of a folder.
func duplicate(from, to string) error {
	info, err := os.Lstat(from)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		if err := os.Link(from, to); err != nil {
			return copyFile(from, to)
		}
		return nil
	}
	if err := os.Mkdir(to, 0o777); err != nil {
		return err
	}
	entries, err := os.ReadDir(from)
	for _, e := range entries {
		err = errors.Join(err, duplicate(filepath.Join(from, e.Name()), filepath.Join(to, e.Name())))
	}
	return err
}

// commitPlainly replaces one name after the other, where the file system has no symbolic links. The
// first name goes first and comes back last: a folder that has it is complete.
func (r *Results) commitPlainly() error {
	first := r.names[0]
	if err := os.RemoveAll(filepath.Join(r.dir, first)); err != nil {
		return err
	}
	for _, name := range append(slices.Clone(r.names[1:]), first) {
		at := filepath.Join(r.dir, name)
		if err := os.RemoveAll(at); err != nil {
			return err
		}
		if err := os.Rename(r.Path(name), at); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	r.made = nil
	syncDirectory(r.dir)
	return nil
}

// ours reports whether a name in the folder is a link to the current version.
func (r *Results) ours(name string) bool {
	target, err := os.Readlink(filepath.Join(r.dir, name))
	return err == nil && target == linkTarget(name)
}

func linkTarget(name string) string { return filepath.Join(storeName, currentName, name) }

// relink makes a symbolic link, or exchanges one or a file in a single step.
func (r *Results) relink(target, path string) error {
	aside := filepath.Join(r.store, filepath.Base(path)+".tmp")
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

// Close gives up what was not committed and lets other writers in. Folders that were made for
// nothing are removed.
func (r *Results) Close() {
	if r.version != "" {
		_ = os.RemoveAll(r.version)
		r.dropDangling()
	}
	if r.lock != nil {
		if len(r.made) > 0 || r.plain {
			_ = os.Remove(r.lock.Name())
		}
		r.lock.Close()
	}
	for _, dir := range r.made {
		_ = os.Remove(dir) // only where it is empty
	}
	if r.plain {
		_ = os.Remove(r.store)
	}
	*r = Results{}
}
