package files

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// ErrBusy is wrapped by OpenResults where another process writes to the folder.
var ErrBusy = errors.New("another run is writing to it: wait for it, or choose another folder")

// Results is a folder of results of which a writer replaces some names, all of them in one step.
// Other files in the folder stay as they are.
//
// Where it can, the writer builds the whole folder anew beside it, with second names for
// other files, and swaps the two. In three cases the results are links to
// versions inside the folder (see links): it is a mount point or holds one; its parent is read
// only; it holds the working directory or folders of somebody else.
type Results struct {
	dir      string
	names    []string // that are replaced together
	lock     *os.File // the folder itself, held
	made     []string // folders that did not exist, the innermost first
	workshop string   // the folder beside; "" with links
	hold     *os.File // which keeps the workshop
	links    *links   // nil where the folder is swapped
	discard  func()   // gives up what was not committed
}

// OpenResults makes the folder if there is none, locks it against other writers,
// and removes what killed writers left. It returns a place for new results under
// some of the names. The first of them is what makes a folder complete. Close must
// follow.
func OpenResults(dir string, names ...string) (*Results, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	r := &Results{dir: resolved(dir), names: names}
	r.discard = begin(r.giveUp)
	if err := r.open(); err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

func (r *Results) open() error {
	for at := r.dir; absent(at); at = filepath.Dir(at) {
		r.made = append(r.made, at)
	}
	if err := os.MkdirAll(r.dir, 0o777); err != nil {
		return err
	}
	if err := r.takeLock(); err != nil {
		return err
	}
	cleanWorkshops(r.dir)
	err := errors.ErrUnsupported
	if r.swappable() {
		r.workshop, r.hold, err = newWorkshop(r.dir)
	}
	if err != nil {
		r.links = newLinks(r.dir, r.names)
		return r.links.open()
	}
	info, err := os.Stat(r.dir)
	if err != nil {
		return err
	}
	return os.Mkdir(r.building(), info.Mode().Perm())
}

// swappable reports whether the folder can be exchanged for another without harm.
func (r *Results) swappable() bool {
	others, err := r.foreign(r.dir)
	if err != nil || slices.ContainsFunc(others, os.DirEntry.IsDir) || filepath.Dir(r.dir) == r.dir {
		return false
	}
	here, err := os.Getwd()
	return err == nil && !Same(here, r.dir) && !Within(here, r.dir) && !mounted(r.dir)
}

// takeLock holds the folder itself.
func (r *Results) takeLock() error {
	for {
		f, err := os.Open(r.dir)
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
		f.Close() // another writer swapped it in the moment before
	}
}

func (r *Results) building() string { return filepath.Join(r.workshop, "new") }

// Path is where the new content of a name is to be written: a file, or a folder of files.
func (r *Results) Path(name string) string {
	if r.links != nil {
		return r.links.path(name)
	}
	return filepath.Join(r.building(), name)
}

// Commit puts what was written in place of the old results, and removes the old results of the names
// that were not written now. Before it, and after an error, all old results stand; after it, all new
// ones.
func (r *Results) Commit() error { return place(r.commit) }

func (r *Results) commit() error {
	if err := r.keepLinks(); err != nil {
		return err
	}
	if r.links != nil {
		if err := r.links.commit(); err != nil {
			return err
		}
		r.made = nil
		return nil
	}
	if err := r.carry(); err != nil {
		return err
	}
	syncDirectory(r.building())
	old := filepath.Join(r.workshop, "old")
	if err := replaceFolder(r.building(), r.dir, old); err != nil {
		return err
	}
	r.made = nil
	for _, left := range []string{r.building(), old} {
		if err := r.rescue(left); err != nil {
			return err
		}
	}
	return nil
}

// foreign lists what is in a folder and neither a result nor made by links.
func (r *Results) foreign(dir string) ([]os.DirEntry, error) {
	entries, err := os.ReadDir(dir)
	return slices.DeleteFunc(entries, func(e os.DirEntry) bool {
		return e.Name() == StoreName || slices.Contains(r.names, e.Name())
	}), err
}

// carry gives the files that are not the writer's a second name in the new folder.
func (r *Results) carry() error {
	others, err := r.foreign(r.dir)
	for _, e := range others {
		err = errors.Join(err, duplicate(filepath.Join(r.dir, e.Name()), filepath.Join(r.building(), e.Name())))
	}
	return err
}

// rescue moves what somebody put into the old folder while it was swapped.
func (r *Results) rescue(old string) error {
	others, err := r.foreign(old)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, e := range others {
		if at := filepath.Join(r.dir, e.Name()); absent(at) {
			err = errors.Join(err, os.Rename(filepath.Join(old, e.Name()), at))
		}
	}
	return err
}

// keepLinks writes through the symbolic links that the user has put in the place of a folder or a
// file. They lead elsewhere, so that what is there cannot change in the same step.
func (r *Results) keepLinks() error {
	for _, name := range r.names {
		at := filepath.Join(r.dir, name)
		target, err := os.Readlink(at)
		if err != nil || target == linkTarget(name) || absent(r.Path(name)) {
			continue
		}
		if err := move(r.Path(name), resolved(at)); err != nil {
			return err
		}
		if r.links != nil {
			continue
		}
		if err := errors.Join(os.RemoveAll(r.Path(name)), os.Symlink(target, r.Path(name))); err != nil {
			return err
		}
	}
	return nil
}

// Close gives up what was not committed and lets other writers in. Folders that were made for
// nothing are removed.
func (r *Results) Close() {
	if r.discard == nil {
		return // closed before
	}
	r.discard()
	if r.hold != nil {
		r.hold.Close()
	}
	if r.lock != nil {
		r.lock.Close()
	}
	*r = Results{}
}

func (r *Results) giveUp() {
	if r.links != nil {
		r.links.close()
	}
	if r.workshop != "" {
		removeWritten(r.workshop)
	}
	for _, dir := range r.made {
		_ = os.Remove(dir) // only where it is empty
	}
}

// absent reports whether nothing is at path, where a link leads.
func absent(path string) bool {
	_, err := os.Stat(path)
	return errors.Is(err, fs.ErrNotExist)
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

// duplicate makes a second name for a file, or for each file of a folder; a link is made again.
func duplicate(from, to string) error {
	info, err := os.Lstat(from)
	switch {
	case err != nil:
		return err
	case info.Mode()&fs.ModeSymlink != 0:
		target, err := os.Readlink(from)
		return errors.Join(err, os.Symlink(target, to))
	case !info.IsDir():
		if err := os.Link(from, to); err != nil {
			return copyFile(from, to)
		}
		return nil
	}
	if err := os.Mkdir(to, info.Mode().Perm()); err != nil {
		return err
	}
	entries, err := os.ReadDir(from)
	for _, e := range entries {
		err = errors.Join(err, duplicate(filepath.Join(from, e.Name()), filepath.Join(to, e.Name())))
	}
	return err
}
