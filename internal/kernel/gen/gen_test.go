package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// directives returns the arguments of the generator in the package's go:generate
// lines.
func directives(t *testing.T) [][]string {
	sources, err := filepath.Glob("../*.go")
	if err != nil {
		t.Fatal(err)
	}
	var all [][]string
	for _, name := range sources {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			if args, ok := strings.CutPrefix(line, "//go:generate go -C gen run . "); ok {
				all = append(all, strings.Fields(args))
			}
		}
	}
	return all
}

// TestCommitted generates every file again, elsewhere, and compares it with the
// committed one byte for byte, but for the first line, which names the files.
func TestCommitted(t *testing.T) {
	all := directives(t)
	if committed, err := filepath.Glob("../*.s"); err != nil || len(all) != len(committed) {
		t.Fatalf("%d go:generate lines for %d files of assembly; %v", len(all), len(committed), err)
	}
	dir := t.TempDir()
	generator := filepath.Join(dir, "gen")
	if out, err := exec.Command("go", "build", "-o", generator, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, args := range all {
		var files []string
		for i, arg := range args {
			if strings.HasPrefix(arg, "../") {
				files = append(files, arg)
				args[i] = filepath.Join(dir, filepath.Base(arg))
			}
		}
		if out, err := exec.Command(generator, args...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
		for _, name := range files {
			want, got := body(t, name), body(t, filepath.Join(dir, filepath.Base(name)))
			if !bytes.Equal(got, want) {
				t.Errorf("%s is not what the generator writes: run go generate in internal/kernel", filepath.Base(name))
			}
		}
	}
}

// body returns a file without its first line.
func body(t *testing.T, name string) []byte {
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return b[bytes.IndexByte(b, '\n')+1:]
}
