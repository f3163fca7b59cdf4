package files

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/fspca/fspca/internal/must"
)

// From Halt on nothing takes the place of what is there; what is being put in place is waited for.
func TestHalt(t *testing.T) {
	dir := t.TempDir()
	file, folder := filepath.Join(dir, "a.csv"), filepath.Join(dir, "model")
	must.OK(t, Write(file, text("old")))
	resume := Halt()
	if err := Write(file, text("new")); !errors.Is(err, ErrHalted) || !errors.Is(err, context.Canceled) {
		t.Errorf("a file: %v", err)
	}
	if err := WriteFolder(folder, func(string) error { return nil }); !errors.Is(err, ErrHalted) {
		t.Errorf("a folder: %v", err)
	}
	r, err := OpenResults(filepath.Join(dir, "results"), "one")
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Commit(); !errors.Is(err, ErrHalted) {
		t.Errorf("results: %v", err)
	}
	r.Close()
	only(t, dir, "a.csv")
	resume()
	inPlace := make(chan struct{})
	halted := make(chan struct{})
	err = place(func() error {
		go func() {
			close(inPlace)
			Halt()()
			close(halted)
		}()
		<-inPlace
		select {
		case <-halted:
			t.Error("Halt did not wait")
		default:
		}
		return Write(file, text("new")) // part of what is being put in place
	})
	<-halted
	if err != nil {
		t.Error(err)
	}
	only(t, dir, "a.csv")
}

// Abandon leaves nothing of what writers have under construction.
func TestAbandon(t *testing.T) {
	dir := t.TempDir()
	scratch, _, err := Scratch("fspca-test-")
	if err != nil {
		t.Fatal(err)
	}
	r := must.Get(OpenResults(filepath.Join(dir, "made", "results"), "one"))(t)
	defer r.Close()
	must.OK(t, Write(r.Path("one"), text("new")))
	err = Write(filepath.Join(dir, "a.csv"), func(io.Writer) error {
		return WriteFolder(filepath.Join(dir, "model"), func(string) error {
			Abandon()
			underway.Lock()
			underway.halted = false
			underway.Unlock()
			only(t, dir)
			return nil
		})
	})
	if err == nil {
		t.Error("what was abandoned was written")
	}
	only(t, dir)
	if _, err := os.Stat(scratch); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the scratch folder: %v", err)
	}
}

// only checks what a folder holds.
func only(t *testing.T, dir string, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != len(want) {
		t.Fatalf("the folder holds %v, %v, want %v", entries, err, want)
	}
	for i, e := range entries {
		if e.Name() != want[i] {
			t.Errorf("the folder holds %v, want %v", entries, want)
		}
	}
}

// text writes a text.
func text(s string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, s)
		return err
	}
}
