package main

import (
	"github.com/fspca/fspca/internal/cli"
	"github.com/fspca/fspca/internal/must"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// judged checks that a command on odd data succeeds, or says in words that the data are wrong.
func judged(t *testing.T, args ...string) {
	t.Helper()
	code, stdout, stderr := quiet(args...)
	switch {
	case code == 0 && stdout != "":
	case code == cli.ExitUsage && strings.HasPrefix(stderr, "fspca: ") && stdout == "":
	default:
		t.Fatalf("%v: code %d, stdout %q, stderr %q", args, code, stdout, stderr)
	}
}

// FuzzCovariance: a fit of any bytes as a covariance gives a choice or an error.
func FuzzCovariance(f *testing.F) {
	for _, text := range []string{"a,b\n2,1\n1,2\n", "a,b\n2,1\n1.5,2\n", "a,b\n1,2\n2,1\n", "a,b,c\n1e300,0,0\n0,1e-300,0\n0,0,1\n", "row,a,b\na,2,1\nb,1,2\n", "a\n-1\n", "a,b\n1,2\n", "a,a\n1,0\n0,1\n", "a,b\n,1\n1,2\n", ""} {
		f.Add([]byte(text))
	}
	path := filepath.Join(f.TempDir(), "c.csv")
	f.Fuzz(func(t *testing.T, text []byte) {
		must.OK(t, os.WriteFile(path, text, 0o600))
		judged(t, "fit", "--covariance", path, "-k", "1", "-m", "1", "--json")
	})
}

// FuzzTransform: any bytes as new rows are projected, or refused.
func FuzzTransform(f *testing.F) {
	dir := f.TempDir()
	data, model := filepath.Join(dir, "d.csv"), filepath.Join(dir, "m.json")
	must.OK(f, os.WriteFile(data, []byte("a,b,c\n1,2,3\n2,1,5\n4,4,4\n0,3,1\n"), 0o600))
	if code, _, stderr := quiet("fit", data, "-k", "2", "-m", "1", "-o", model); code != 0 {
		f.Fatal(stderr)
	}
	for _, text := range []string{"a,b,c\n1,2,3\n", "c,b,a\n1,2,x\n", "a,b\n1,2\n", "a;b;c\n1;2;3\n", "a,b,c\n1,,3\n", "a,b,c\n1e999,1,1\n", "1,2,3\n", "\x1f\x8b", "PK\x03\x04", "%%MatrixMarket matrix coordinate real general\n1 3 1\n1 1 1\n"} {
		f.Add([]byte(text))
	}
	path := filepath.Join(dir, "n.csv")
	f.Fuzz(func(t *testing.T, text []byte) {
		must.OK(t, os.WriteFile(path, text, 0o600))
		judged(t, "transform", model, path)
	})
}
