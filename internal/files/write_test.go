package files

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/fspca/fspca/internal/must"
)

var errFull = errors.New("the disk is full")

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out.csv")
	text := func(s string) func(io.Writer) error {
		return func(w io.Writer) error { _, err := io.WriteString(w, s); return err }
	}
	check := func(path, want string) {
		t.Helper()
		if got, err := os.ReadFile(path); err != nil || string(got) != want {
			t.Errorf("%s: got %q, %v, want %q", path, got, err, want)
		}
		if entries, _ := os.ReadDir(dir); len(entries) > 2 {
			t.Errorf("left behind: %v", entries)
		}
	}
	must.OK(t, Write(path, text("one")))
	check(path, "one")
	must.OK(t, os.Chmod(path, 0o640))
	must.OK(t, Write(path, text("two")))
	check(path, "two")
	if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o640 {
		t.Errorf("permissions: got %v, %v", info.Mode(), err)
	}
	err := Write(path, func(w io.Writer) error {
		fmt.Fprint(w, strings.Repeat("three", 1<<16))
		return errFull
	})
	if !errors.Is(err, errFull) {
		t.Errorf("got %v", err)
	}
	check(path, "two")
	func() {
		defer func() { recover() }()
		Write(path, func(io.Writer) error { panic("bug") })
	}()
	check(path, "two")

	if runtime.GOOS != "windows" {
		link := filepath.Join(dir, "link.csv")
		must.OK(t, os.Symlink("out.csv", link))
		must.OK(t, Write(link, text("four")))
		check(path, "four")
		if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
			t.Error("the link is gone")
		}
		if err := Write(os.DevNull, text("five")); err != nil {
			t.Error(err)
		}
		if info, err := os.Stat(os.DevNull); err != nil || info.Mode().IsRegular() {
			t.Error("the null device is gone")
		}
	}
	if err := Write(dir, text("six")); err == nil || !strings.Contains(err.Error(), "is a directory") {
		t.Errorf("got %v", err)
	}
	if err := Write(filepath.Join(dir, "none", "out.csv"), text("seven")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v", err)
	}
	// The message names the file that was asked for, not the one beside it.
	none := filepath.Join(dir, "none")
	want := fmt.Sprintf("cannot write %s: there is no folder %s: create it, or write elsewhere: ", filepath.Join(none, "out.csv"), none)
	if err := Write(filepath.Join(none, "out.csv"), text("eight")); err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("got %v, want %s…", err, want)
	}
	other := &os.PathError{Op: "read", Path: "other", Err: errFull}
	if err := Write(path, func(io.Writer) error { return other }); err != other {
		t.Errorf("an error of another file: got %v", err)
	}
	full := &os.PathError{Op: "write", Path: "beside", Err: errFull}
	if err := inPlaceOf("out.csv", "beside", full); err == nil || err.Error() != "cannot write out.csv: "+errFull.Error() || !errors.Is(err, errFull) {
		t.Errorf("got %v", err)
	}
}

// TestWriteToOpenPipe: the system's name of an open pipe is written to, though its link leads to no name.
func TestWriteToOpenPipe(t *testing.T) {
	r, w := must.Two(os.Pipe())(t)
	defer r.Close()
	path := fmt.Sprintf("/proc/self/fd/%d", w.Fd())
	if _, err := os.Stat(path); err != nil {
		t.Skip("this system has no such names")
	}
	err := Write(path, func(w io.Writer) error {
		_, err := io.WriteString(w, "text")
		return err
	})
	must.OK(t, errors.Join(err, w.Close()))
	if got := must.Get(io.ReadAll(r))(t); string(got) != "text" {
		t.Errorf("got %q", got)
	}
}

func TestHome(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	for path, want := range map[string]string{
		"~": home, "~/a/b.csv": filepath.Join(home, "a", "b.csv"), "~other/a": "~other/a", "a/~": "a/~", "": "", "./~": "./~",
	} {
		if got := Home(path); got != want {
			t.Errorf("Home(%q) = %q, want %q", path, got, want)
		}
	}
}
