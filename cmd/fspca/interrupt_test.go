//go:build unix

package main

import (
	"bytes"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// interrupted runs a command that would take minutes and interrupts it until it
// ends.
func interrupted(t *testing.T, sig syscall.Signal, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	ours := make(chan os.Signal, 1) // lest a signal outside of run end the test
	signal.Notify(ours, sig)
	defer signal.Stop(ours)
	var out, errs bytes.Buffer
	done := make(chan int)
	go func() { done <- run(args, &out, &errs) }()
	for {
		select {
		case code = <-done:
			return code, out.String(), errs.String()
		case <-time.After(300 * time.Millisecond):
			if err := syscall.Kill(os.Getpid(), sig); err != nil {
				t.Fatal(err)
			}
		}
	}
}

const digits = "../../dataset/builtin/digits.csv.gz"

// After Ctrl-C fit writes the best choice so far, and says so by its exit code.
func TestInterruptedFit(t *testing.T) {
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		for _, long := range [][]string{{"--method", "brute_force"}, {"--init", "random", "--restarts", "500000"}} {
			model := filepath.Join(t.TempDir(), "model.json")
			code, stdout, stderr := interrupted(t, sig, append([]string{"fit", digits, "--label", "digit", "-k", "6", "-m", "3", "-o", model}, long...)...)
			if code != exitFailure || !strings.Contains(stdout, "cancelled") || !strings.Contains(stderr, "interrupted") {
				t.Errorf("%v, %v: code %d, stdout %q, stderr %q", sig, long, code, stdout, stderr)
			}
			if code, stdout, stderr := quiet("inspect", model, "--json"); code != 0 || !strings.Contains(stdout, `"status": "cancelled"`) {
				t.Errorf("%v, %v: the model: code %d, %s", sig, long, code, stderr)
			}
		}
	}
}

// A run that is interrupted leaves nothing.
func TestInterruptedRun(t *testing.T) {
	dir := t.TempDir()
	config := filepath.Join(dir, "long.yaml")
	err := os.WriteFile(config, []byte(`version: 1
data: {source: "builtin:digits"}
split: {folds: 5}
steps:
  - fspca: {features: 6, components: 3, method: brute_force}
  - knn
`), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "out")
	code, stdout, stderr := interrupted(t, syscall.SIGINT, "run", config, "--out", out)
	if code != exitFailure || stdout != "" || !strings.HasPrefix(stderr, "fspca: interrupted, nothing was written: ") {
		t.Errorf("code %d, stdout %q, stderr %q", code, stdout, stderr)
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("there is an output folder")
	}
}
