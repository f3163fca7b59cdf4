package main

import (
	"github.com/fspca/fspca/internal/cli"
	"github.com/fspca/fspca/internal/must"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What has no end, or claims more than it can hold, is refused in words.
func TestEndlessInput(t *testing.T) {
	if _, err := os.Stat("/dev/zero"); err != nil {
		t.Skip("there is no /dev/zero")
	}
	dir := t.TempDir()
	for _, ending := range []string{"csv", "tsv", "npy", "npz", "mtx", "svm", "parquet", "xlsx", "csv.gz", "csv.zst", "csv.bz2", "zip"} {
		path := filepath.Join(dir, "z."+ending)
		if err := os.Symlink("/dev/zero", path); err != nil {
			t.Skip(err)
		}
		if code, _, stderr := quiet("fit", path, "-k", "1", "-m", "1"); code != cli.ExitUsage || !strings.Contains(stderr, "the first 512 bytes are all zero") {
			t.Errorf("%s: code %d, %s", path, code, stderr)
		}
	}
	for name, text := range map[string]string{"d.csv": "a,b,y\n1,2,u\n2,1,v\n4,4,u\n0,3,v\n", "t.yaml": "version: 1\ndata: {source: d.csv, label: y}\nsplit: {test: 0.5}\nsteps: [{knn: {k: 1}}]\n"} {
		must.OK(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	data, model, run := filepath.Join(dir, "d.csv"), filepath.Join(dir, "m.json"), filepath.Join(dir, "run")
	for _, setup := range [][]string{{"fit", data, "--label", "y", "-k", "1", "-m", "1", "-o", model}, {"run", filepath.Join(dir, "t.yaml"), "--out", run}} {
		if code, _, stderr := quiet(setup...); code != 0 {
			t.Fatal(stderr)
		}
	}
	manifest := filepath.Join(run, "model", "manifest.json")
	must.OK(t, os.Remove(manifest))
	must.OK(t, os.Symlink("/dev/zero", manifest))
	for _, args := range [][]string{{"verify", model, data, "--label", "y", "--certificate", "/dev/zero"}, {"inspect", "/dev/zero"}, {"inspect", filepath.Join(run, "model")}} {
		if code, _, stderr := quiet(args...); code != cli.ExitUsage || !strings.Contains(stderr, "more than 64 MB") {
			t.Errorf("%v: code %d, %s", args, code, stderr)
		}
	}
	if code, _, stderr := quiet("validate", "/dev/zero"); code != cli.ExitUsage || !strings.Contains(stderr, "more than 10 MB") {
		t.Errorf("validate: code %d, %s", code, stderr)
	}
}

// A line has a limit, which can be raised; so has a row over several lines.
func TestLineLimit(t *testing.T) {
	path := filepath.Join(t.TempDir(), "long.csv")
	wide := strings.Repeat("1,", 1<<20) + "1\n"
	for text, want := range map[string]string{
		wide + wide:                                "long.csv:1: the line is longer than 1 MiB",
		strings.Repeat("1,", 3<<18):                "long.csv:1: the line is longer than 1 MiB", // to the end of the file
		"a,b\n\"" + strings.Repeat("x,y\n", 1<<19): "long.csv:2: a row that starts with this line",
	} {
		must.OK(t, os.WriteFile(path, []byte(text), 0o600))
		code, _, stderr := quiet("fit", path, "--line-limit", "1", "-k", "1", "-m", "1")
		if code != cli.ExitUsage || !strings.Contains(stderr, want) {
			t.Errorf("code %d, %s, want %s", code, stderr, want)
		}
	}
	if code, _, stderr := quiet("fit", path, "--line-limit", "0", "-k", "1", "-m", "1"); code != cli.ExitUsage || !strings.Contains(stderr, "--line-limit is 0: want 1 to") {
		t.Errorf("code %d, %s", code, stderr)
	}
}
