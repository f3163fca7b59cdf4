package pipeline

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares got with a file, or writes the file.
func golden(t *testing.T, path string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; run the test with -update", err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s differs (-want +got):\n%s", path, diff)
	}
}

func configFiles(t *testing.T, sort string) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("testdata", "config", "*."+sort+".yaml"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no %s configs: %v", sort, err)
	}
	return paths
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestGoodConfigs(t *testing.T) {
	for _, path := range configFiles(t, "good") {
		t.Run(filepath.Base(path), func(t *testing.T) {
			c, err := ParseConfig(filepath.Base(path), read(t, path))
			if err != nil {
				t.Fatal(err)
			}
			if err := c.Check(); err != nil {
				t.Errorf("the file is good, but not the config made of it: %v", err)
			}
			got, err := json.MarshalIndent(c, "", "  ")
			if err != nil {
				t.Fatal(err)
			}
			golden(t, strings.TrimSuffix(path, "yaml")+"json", append(got, '\n'))
		})
	}
}

func TestBadConfigs(t *testing.T) {
	for _, path := range configFiles(t, "bad") {
		t.Run(filepath.Base(path), func(t *testing.T) {
			c, err := ParseConfig(filepath.Base(path), read(t, path))
			if err == nil {
				t.Fatalf("no error; got %+v", c)
			}
			golden(t, strings.TrimSuffix(path, "yaml")+"txt", []byte(err.Error()+"\n"))
		})
	}
}

func TestConfigIsReadByLines(t *testing.T) {
	path := filepath.Join("testdata", "config", "holdout.good.yaml")
	want, err := ParseConfig("a", read(t, path))
	if err != nil {
		t.Fatal(err)
	}
	got, err := ParseConfig("a", append([]byte("\uFEFF"), bytes.ReplaceAll(read(t, path), []byte("\n"), []byte("\r\n"))...))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("a byte order mark and CRLF change the config:\n%s", diff)
	}
}

func TestLoadConfigKnowsItsFolder(t *testing.T) {
	path := filepath.Join("testdata", "config", "folds.good.yaml")
	c, err := LoadConfig(path)
	if err != nil {
		t.Fatal(err)
	}
	if want := filepath.Dir(path); c.Dir != want {
		t.Errorf("Dir is %q, want %q", c.Dir, want)
	}
	if _, err := LoadConfig(filepath.Join("testdata", "absent.yaml")); !os.IsNotExist(err) {
		t.Errorf("absent file: %v", err)
	}
}

// FuzzParseConfig looks for panics, for configs that pass once and not twice,
// and for mistakes without a place.
func FuzzParseConfig(f *testing.F) {
	for _, sort := range []string{"good", "bad"} {
		paths, _ := filepath.Glob(filepath.Join("testdata", "config", "*."+sort+".yaml"))
		for _, path := range paths {
			b, err := os.ReadFile(path)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(b, "split.seed=7")
			f.Add(b, "steps.fspca.features=30")
		}
	}
	f.Fuzz(func(t *testing.T, b []byte, set string) {
		c, err := ParseConfig("f", b, set)
		if err == nil {
			if err := c.Check(); err != nil {
				t.Fatalf("read without an error, but checked: %v", err)
			}
			return
		}
		problems := err.(*ConfigError).Problems
		lines := 1
		for _, end := range []string{"\n", "\r", "\u0085", "\u2028", "\u2029"} { // all of YAML's
			lines += bytes.Count(b, []byte(end))
		}
		for _, p := range problems {
			if p.Message == "" || p.Line < 0 || p.Line > lines || p.File == "" || (p.Line > 0) != (p.Column > 0) || p.Line == 0 && p.File == "f" {
				t.Fatalf("no place or message: %+v", p)
			}
		}
		if !slices.IsSortedFunc(problems, func(a, b Problem) int {
			if a.Line == 0 || b.Line == 0 {
				return 0
			}
			return (a.Line-b.Line)<<16 + a.Column - b.Column
		}) {
			t.Fatalf("not in order: %v", problems)
		}
	})
}
