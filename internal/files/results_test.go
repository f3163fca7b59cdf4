package files

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/must"
)

// put writes new results: report.json, the folder model, and the files that are named.
func put(t *testing.T, dir, content string, more ...string) error {
	t.Helper()
	r, err := OpenResults(dir, "report.json", "model", "predictions.csv", "projection.csv")
	if err != nil {
		return err
	}
	defer r.Close()
	must.OK(t, os.Mkdir(r.Path("model"), 0o777))
	for _, name := range append(more, "report.json", "model/manifest.json") {
		must.OK(t, os.WriteFile(r.Path(name), []byte(content), 0o666))
	}
	return r.Commit()
}

// holds checks that the results are all of one content, and that no others are there.
func holds(t *testing.T, dir, content string, names ...string) {
	t.Helper()
	for _, name := range names {
		if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(got) != content {
			t.Errorf("%s: got %q, %v, want %q", name, got, err, content)
		}
	}
	entries := must.Get(os.ReadDir(dir))(t)
	seen := lists.Count(entries, func(e os.DirEntry) bool { return e.Name() != StoreName && e.Name() != "mine" && e.Name() != "mine.txt" })
	if want := len(names); seen != want {
		t.Errorf("%s holds %v, want %v", dir, entries, names)
	}
	versions, _ := filepath.Glob(filepath.Join(dir, StoreName, versionMark+"*"))
	if len(versions) > 1 {
		t.Errorf("versions left: %v", versions)
	}
	if left, _ := filepath.Glob(dir + workshopMark + "*"); len(left) > 0 {
		t.Errorf("left beside: %v", left)
	}
}

// eachMode runs a test with a folder that can be swapped, and with one that cannot since it holds a
// folder of somebody else.
func eachMode(t *testing.T, test func(t *testing.T, dir string)) {
	t.Run("swap", func(t *testing.T) { test(t, filepath.Join(t.TempDir(), "a", "out")) })
	t.Run("links", func(t *testing.T) {
		dir := filepath.Join(t.TempDir(), "out")
		must.OK(t, os.MkdirAll(filepath.Join(dir, "mine"), 0o777))
		test(t, dir)
		if absent(filepath.Join(dir, "mine")) {
			t.Error("somebody else's folder is gone")
		}
	})
}

func TestResults(t *testing.T) {
	eachMode(t, func(t *testing.T, dir string) {
		must.OK(t, put(t, dir, "one", "predictions.csv"))
		holds(t, dir, "one", "report.json", "model/manifest.json", "predictions.csv")
		mine := filepath.Join(dir, "mine.txt")
		must.OK(t, os.WriteFile(mine, []byte("mine"), 0o640))
		must.OK(t, put(t, dir, "two", "projection.csv"))
		holds(t, dir, "two", "report.json", "model/manifest.json", "projection.csv")
		if got, err := os.ReadFile(mine); err != nil || string(got) != "mine" {
			t.Errorf("somebody else's file: %q, %v", got, err)
		}
	})
}

func TestResultsGivenUp(t *testing.T) {
	eachMode(t, func(t *testing.T, dir string) {
		before, _ := os.ReadDir(filepath.Dir(filepath.Dir(dir)))
		r := must.Get(OpenResults(dir, "report.json"))(t)
		if _, err := OpenResults(dir, "report.json"); runtime.GOOS == "linux" && !errors.Is(err, ErrBusy) {
			t.Errorf("a second writer: got %v, want ErrBusy", err)
		}
		r.Close()
		if after, _ := os.ReadDir(filepath.Dir(filepath.Dir(dir))); len(after) != len(before) {
			t.Errorf("left behind: %v", after)
		}
		must.OK(t, put(t, dir, "one"))
		r = must.Get(OpenResults(dir, "report.json"))(t)
		r.Close()
		holds(t, dir, "one", "report.json", "model/manifest.json")
	})
}

// TestResultsOfBefore: results that are plain files, and some that are half way to links.
func TestResultsOfBefore(t *testing.T) {
	eachMode(t, func(t *testing.T, dir string) {
		must.OK(t, os.MkdirAll(filepath.Join(dir, "model"), 0o777))
		names := []string{"report.json", "model/manifest.json", "predictions.csv"}
		for _, name := range names {
			must.OK(t, os.WriteFile(filepath.Join(dir, name), []byte("old"), 0o666))
		}
		l := newLinks(dir, []string{"report.json", "model", "predictions.csv", "projection.csv"})
		if err := errors.Join(l.open(), l.prepare()); err != nil { // and then it is killed
			t.Fatal(err)
		}
		for _, name := range names {
			if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(got) != "old" {
				t.Errorf("%s: got %q, %v", name, got, err)
			}
		}
		// A name that is a file again, as if the change to links had been cut off.
		report := filepath.Join(dir, "report.json")
		must.OK(t, errors.Join(os.Remove(report), os.WriteFile(report, []byte("old"), 0o666)))
		must.OK(t, put(t, dir, "new", "predictions.csv"))
		holds(t, dir, "new", names...)
	})
}

func TestResultsKeepALink(t *testing.T) {
	eachMode(t, func(t *testing.T, dir string) {
		elsewhere := filepath.Join(t.TempDir(), "m")
		must.OK(t, os.MkdirAll(dir, 0o777))
		if err := os.Symlink(elsewhere, filepath.Join(dir, "model")); err != nil {
			t.Skip(err)
		}
		for _, content := range []string{"one", "two"} {
			must.OK(t, put(t, dir, content))
			holds(t, dir, content, "report.json", "model/manifest.json")
			if got, err := os.ReadFile(filepath.Join(elsewhere, "manifest.json")); err != nil || string(got) != content {
				t.Errorf("behind the link: got %q, %v", got, err)
			}
			if target, _ := os.Readlink(filepath.Join(dir, "model")); target != elsewhere {
				t.Errorf("the link leads to %q", target)
			}
		}
	})
}

func TestWriteFolder(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, "model")
	litter := filepath.Join(root, "model.new-123")
	must.OK(t, os.MkdirAll(filepath.Join(litter, "new"), 0o777))
	for _, content := range []string{"one", "two"} {
		must.OK(t, WriteFolder(dir, func(building string) error {
			return os.WriteFile(filepath.Join(building, "a"), []byte(content), 0o666)
		}))
		if got, err := os.ReadFile(filepath.Join(dir, "a")); err != nil || string(got) != content {
			t.Errorf("got %q, %v", got, err)
		}
	}
	if err := WriteFolder(dir, func(string) error { return errFull }); !errors.Is(err, errFull) {
		t.Errorf("got %v", err)
	}
	if entries, _ := os.ReadDir(root); len(entries) != 1 {
		t.Errorf("left behind: %v", entries)
	}
}

func TestLitterOfWrite(t *testing.T) {
	dir := t.TempDir()
	litter, mine := filepath.Join(dir, ".a.csv.0123abcd.tmp"), filepath.Join(dir, ".a.csv.mine.tmp")
	for _, path := range []string{litter, mine} {
		must.OK(t, os.WriteFile(path, nil, 0o666))
	}
	must.OK(t, copyFile(mine, filepath.Join(dir, "a.csv")))
	if runtime.GOOS == "linux" && !absent(litter) {
		t.Error("the litter of a killed writer is still there")
	}
	if absent(mine) {
		t.Error("another file was removed")
	}
}

func TestSameAndWithin(t *testing.T) {
	dir := t.TempDir()
	a, b := filepath.Join(dir, "in", "a.csv"), filepath.Join(dir, "b.csv")
	must.OK(t, os.Mkdir(filepath.Dir(a), 0o777))
	must.OK(t, os.WriteFile(a, nil, 0o666))
	if err := os.Link(a, b); err != nil {
		t.Skip(err)
	}
	if !Same(a, b) || Same(a, dir) || Same(a, filepath.Join(dir, "none")) || Same("", "") {
		t.Error("Same")
	}
	if !Within(a, dir) || !Within(a, filepath.Dir(a)) || Within(b, filepath.Dir(a)) || Within("", dir) {
		t.Error("Within")
	}
}
