//go:build unix

package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/fspca/fspca/internal/countdown"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/cli"
	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/solver"
)

// interrupted runs a command that would take minutes and interrupts it at a step of its fit, from
// which on it waits until the command has heard the signal.
func interrupted(t *testing.T, sig syscall.Signal, step int, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	came := make(chan struct{})
	defer func(before func(solver.Progress), after time.Duration, hear func()) {
		reported, grace, heard = before, after, hear
	}(reported, grace, heard)
	heard = sync.OnceFunc(func() { close(came) })
	grace = time.Hour // on a busy machine too the command itself has to stop
	reported = func(solver.Progress) {
		if step--; step == 0 {
			if err := syscall.Kill(os.Getpid(), sig); err != nil {
				t.Error(err)
			}
			<-came
		}
	}
	return quiet(args...)
}

// After Ctrl-C fit writes the best choice so far, and says so by its exit code.
func TestInterruptedFit(t *testing.T) {
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		for _, long := range [][]string{{"--method", "brute_force"}, {"--init", "random", "--restarts", "500000"}} {
			model := filepath.Join(t.TempDir(), "model.json")
			code, stdout, stderr := interrupted(t, sig, 300, append([]string{"fit", digits, "--label", "digit", "-k", "6", "-m", "3", "-o", model}, long...)...)
			if code != cli.ExitFailure || !strings.Contains(stdout, "cancelled") || !strings.Contains(stderr, "interrupted") {
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
	must.OK(t, os.WriteFile(config, []byte(`version: 1
data: {source: "builtin:digits"}
split: {folds: 5}
steps:
  - fspca: {features: 6, components: 3, method: brute_force}
  - knn
`), 0o600))
	out := filepath.Join(dir, "out")
	code, stdout, stderr := interrupted(t, syscall.SIGINT, 2, "run", config, "--out", out)
	if code != cli.ExitFailure || stdout != "" || !strings.HasPrefix(stderr, "fspca: interrupted, nothing was written") {
		t.Errorf("code %d, stdout %q, stderr %q", code, stdout, stderr)
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("there is an output folder")
	}
}

// late is the context of a command that a deadline ends.
type late struct {
	context.Context
	watch *watch
}

func (l late) Value(key any) any {
	if key == (watchKey{}) {
		return l.watch
	}
	return l.Context.Value(key)
}

// At a deadline, here the fifth event of the fit, fit and path write the best so far with exit code 0.
func TestDeadline(t *testing.T) {
	defer func(before func(solver.Progress)) { reported = before }(reported)
	for _, long := range [][]string{
		{"fit", "-k", "6", "--method", "brute_force"},
		{"fit", "-k", "6", "--init", "random", "--restarts", "100000"},
		{"fit", "-k", "20", "--effort", "exact"},
		{"path", "-k", "6,7,8", "--init", "random", "--restarts", "100000"},
	} {
		ctx, end := countdown.Event()
		w := &watch{}
		w.ctx = late{ctx, w}
		events := 0
		reported = func(solver.Progress) {
			if events++; events == 5 {
				end()
			}
		}
		var stdout, stderr bytes.Buffer
		code := execute(w, append(long, digits, "--label", "digit", "-m", "3", "--json"), &stdout, &stderr)
		if code != 0 || !strings.Contains(stdout.String(), `"status": "deadline"`) {
			t.Errorf("%v: code %d, stdout %q, stderr %q", long, code, &stdout, &stderr)
		}
		if events > 100 {
			t.Errorf("%v: %d events, of which the fifth was to be among the last", long, events)
		}
	}
}

// A fit in blocks that is interrupted while it reads, in the first pass or where A is
// formed no more, leaves nothing: no model, no temporary file.
func TestInterruptedStream(t *testing.T) {
	dir, temporary := t.TempDir(), t.TempDir()
	t.Setenv("TMPDIR", temporary)
	x := mat.NewDense(80000, 120, nil)
	for i := range 80000 {
		for j := range 120 {
			x.Set(i, j, float64((i*i+j*j*i)%997))
		}
	}
	f := must.Get(dataset.New(nil, x))(t)
	for _, name := range []string{"t.npy", "t.csv"} {
		data := filepath.Join(dir, name)
		var b bytes.Buffer
		must.OK(t, errors.Join(dataset.WriteAs(&b, name, f), os.WriteFile(data, b.Bytes(), 0o600)))
	}
	x, f = nil, nil
	for _, name := range []string{"t.npy", "t.csv"} {
		data, model := filepath.Join(dir, name), filepath.Join(dir, "model.json")
		for _, step := range []int{1, 3} {
			debug.FreeOSMemory() // what other tests left counts against --memory
			var held runtime.MemStats
			runtime.ReadMemStats(&held)
			limit := strconv.FormatUint(76+(held.HeapAlloc>>20), 10) + "MiB"
			code, stdout, stderr := interrupted(t, syscall.SIGINT, step, "fit", data, "-k", "5", "-m", "2", "--memory", limit, "-o", model)
			if code != cli.ExitFailure || stdout != "" || !strings.Contains(stderr, "read in blocks") || !strings.Contains(stderr, "interrupted") {
				t.Errorf("%s, step %d: code %d, stdout %q, stderr %q", name, step, code, stdout, stderr)
			}
			if _, err := os.Stat(model); err == nil {
				t.Errorf("%s, step %d: there is a model", name, step)
			}
			if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
				t.Errorf("%s, step %d: %v is left (%v)", name, step, left, err)
			}
		}
	}
}
