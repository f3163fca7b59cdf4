package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/fspca/fspca/internal/cli"
	"github.com/fspca/fspca/internal/memory"
	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/selector"
	"github.com/fspca/fspca/solver"
)

const digits = "../../dataset/builtin/digits.csv.gz"

// pretend makes the machine seem to have so many bytes left.
func pretend(t *testing.T, bytes int64) {
	t.Helper()
	before := available
	t.Cleanup(func() { available = before })
	available = func() (memory.Limit, bool) { return memory.Limit{Bytes: bytes, What: "ulimit -v"}, true }
}

// A fit for which there is no memory does not start.
func TestMemoryRefused(t *testing.T) {
	pretend(t, 50<<10)
	model := filepath.Join(t.TempDir(), "model.json")
	code, stdout, stderr := quiet("fit", digits, "--label", "digit", "-k", "6", "-m", "3", "-o", model)
	if code != cli.ExitFailure || stdout != "" || !strings.Contains(stderr, "1797 rows × 64 columns needs about 1 MiB") || !strings.Contains(stderr, "and 1 MiB are left (ulimit -v)") {
		t.Errorf("code %d, stdout %q, stderr %q", code, stdout, stderr)
	}
	if _, err := os.Stat(model); err == nil {
		t.Error("a model was written")
	}
}

// A fit that is refused leaves nothing behind: the collector's limit is as before.
func TestRefusedRestores(t *testing.T) {
	pretend(t, 50<<10)
	before := debug.SetMemoryLimit(-1)
	for _, args := range [][]string{
		{"fit", digits, "--label", "digit", "-k", "6", "-m", "3", "--memory", "1GiB"}, // no memory
		{"fit", digits, "--label", "digit", "-k", "6", "-m", "3", "--memory", "1GiB", "--report", filepath.Join(t.TempDir(), "r.html"), "--shape", "3x3"},
		{"fit", digits, "--label", "digt", "-k", "6", "-m", "3", "--memory", "1GiB"},
		{"path", digits, "--label", "digit", "-k", "6", "-m", "3", "--memory", "1GiB"},
	} {
		code, _, stderr := quiet(args...)
		if after := debug.SetMemoryLimit(-1); code == 0 || after != before {
			t.Errorf("%v: code %d, the limit %d is %d now; %s", args, code, before, after, stderr)
		}
	}
}

// A file of numbers that cannot fit is not read, whatever the command.
func TestFileRefused(t *testing.T) {
	before := debug.SetMemoryLimit(300 << 20)
	defer debug.SetMemoryLimit(before)
	dir := t.TempDir()
	path := filepath.Join(dir, "x.npy")
	const rows, columns = 1 << 18, 1 << 9
	header := fmt.Sprintf("{'descr': '<f8', 'fortran_order': False, 'shape': (%d, %d)}", rows, columns)
	head := append([]byte("\x93NUMPY\x01\x00"), byte(len(header)), 0)
	head = append(head, header...)
	must.OK(t, errors.Join(os.WriteFile(path, head, 0o600), os.Truncate(path, int64(len(head))+8*rows*columns)))
	config := filepath.Join(dir, "c.yaml")
	must.OK(t, os.WriteFile(config, []byte("version: 1\ndata: {source: x.npy}\nsteps: [center]\n"), 0o600))
	for _, args := range [][]string{{"fit", path, "-k", "1", "-m", "1"}, {"path", path, "-k", "1", "-m", "1"}} {
		code, _, stderr := quiet(args...)
		if code == 0 || !strings.Contains(stderr, "1.0 GiB, more than the memory of ") || !strings.Contains(stderr, "every column is constant") {
			t.Errorf("%v: code %d, stderr %q", args, code, stderr)
		}
	}
	code, _, stderr := quiet("run", config) // which takes the table as a whole
	if code != cli.ExitFailure || !strings.Contains(stderr, "the array needs about 1.0 GiB of memory, and ") || !strings.Contains(stderr, "(GOMEMLIMIT)") {
		t.Errorf("run: code %d, stderr %q", code, stderr)
	}
}

// The need is stated when it is large, or asked for, and then only.
func TestMemoryStated(t *testing.T) {
	code, _, stderr := quiet("fit", digits, "--label", "digit", "-k", "6", "-m", "3")
	if code != 0 || stderr != "" {
		t.Errorf("code %d, stderr %q", code, stderr)
	}
	code, _, stderr = quiet("fit", digits, "--label", "digit", "-k", "6", "-m", "3", "--verbose")
	if code != 0 || !strings.Contains(stderr, "1797 rows × 64 columns, 1 MiB; the fit needs about 1 MiB more; ") || !strings.Contains(stderr, "choosing, step 1") {
		t.Errorf("code %d, stderr %q", code, stderr)
	}
	var b strings.Builder
	d := newDemand(solver.Shape{Rows: 3000, Columns: 400000, Sparse: true, Entries: 1 << 20}, selector.Options{Features: 100, Components: 10})
	if err := d.state(&b, "words.svm", talk{}); err != nil || !strings.HasPrefix(b.String(), "fspca: words.svm: 3000 rows × 400000 columns with 1048576 entries, 13 MiB; the fit needs about 1.") {
		t.Errorf("%q (%v)", b.String(), err)
	}
}

// What is beside our own methods and one fit counts.
func TestDemand(t *testing.T) {
	shape := solver.Shape{Rows: 1000, Columns: 1000}
	plain := newDemand(shape, selector.Options{Features: 10, Components: 2})
	for name, o := range map[string]selector.Options{
		"relaxation": {Features: 10, Components: 2, Method: "convex_relaxation"},
		"start":      {Features: 10, Components: 2, Init: "convex_relaxation"},
		"bootstrap":  {Features: 10, Components: 2, Bootstrap: 5},
		"exact":      {Features: 10, Components: 2, Effort: "exact", MemoryLimit: 1 << 30},
	} {
		if d := newDemand(shape, o); d.need < plain.need+(8<<20) {
			t.Errorf("%s: %d bytes, and %d without it", name, d.need, plain.need)
		}
	}
}

// A path of many k counts the covariance matrix that it forms.
func TestPathDemand(t *testing.T) {
	const d = 900
	var text strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&text, "0 %d:%d %d:1\n", 1+i%(d-1), 1+i%7, d)
	}
	path := filepath.Join(t.TempDir(), "words.svm")
	must.OK(t, os.WriteFile(path, []byte(text.String()), 0o600))
	need := func(ks string) (mib float64) {
		code, _, stderr := quiet("path", path, "-k", ks, "-m", "1", "--verbose")
		_, said, _ := strings.Cut(stderr, "the fit needs about ")
		if _, err := fmt.Sscanf(said, "%f MiB more", &mib); err != nil || code != 0 {
			t.Fatalf("code %d, stderr %q: %v", code, stderr, err)
		}
		return mib
	}
	if few, many := need("2,3"), need("2,3,4,5,6"); many < few+8*d*d/(1<<20)-1 {
		t.Errorf("%v MiB for two k, %v for five", few, many)
	}
}

// A mistake in the options is told before memory that is short: more of it would not help.
func TestMistakesBeforeMemory(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.npy")
	const rows, columns = 100_000, 30
	header := fmt.Sprintf("{'descr': '<f8', 'fortran_order': False, 'shape': (%d, %d)}", rows, columns)
	head := append([]byte("\x93NUMPY\x01\x00"), byte(len(header)), 0)
	head = append(head, header...)
	must.OK(t, errors.Join(os.WriteFile(path, head, 0o600), os.Truncate(path, int64(len(head))+8*rows*columns)))
	mistakes := map[string][]string{
		`include names "nope", which is none of the `: {"-k", "6", "-m", "3", "--include", "nope"},
		`weight: no column "nope"`:                    {"-k", "6", "-m", "3", "--weight", "nope"},
		"is more than the d = ":                       {"-k", "65", "-m", "3"},
	}
	for want, args := range mistakes {
		code, _, stderr := quiet(append([]string{"fit", path, "--memory", "64MiB", "--effort", "exact"}, args...)...)
		if code == 0 || !strings.Contains(stderr, want) || strings.Contains(stderr, "raise --memory") {
			t.Errorf("in blocks: code %d, stderr %q, want %q", code, stderr, want)
		}
	}
	code, _, stderr := quiet("fit", path, "--memory", "64MiB", "--effort", "exact", "-k", "6", "-m", "3")
	if code == 0 || !strings.Contains(stderr, "raise --memory") {
		t.Errorf("without a mistake: code %d, stderr %q", code, stderr)
	}
	pretend(t, 50<<10)
	for want, args := range mistakes {
		code, _, stderr := quiet(append([]string{"fit", digits, "--label", "digit"}, args...)...)
		if code == 0 || !strings.Contains(stderr, want) || strings.Contains(stderr, "are left") {
			t.Errorf("in memory: code %d, stderr %q, want %q", code, stderr, want)
		}
	}
}
