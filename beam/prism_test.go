package beam_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/beam"
	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/selector"
)

// startPrism starts Prism as a process of its own, for the test, and returns its id.
func startPrism(t testing.TB, environment string) (pid int) {
	t.Helper()
	path, err := exec.Command("go", "tool", "-n", "prism").Output()
	if err != nil {
		t.Skipf("Prism cannot be built here: %v", err)
	}
	cmd := exec.Command(strings.TrimSpace(string(path)), "--job_port=0", "--serve_http=false", "--log_kind=json", "--idle_shutdown_timeout=5m")
	out, err := cmd.StderrPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	endpoint := make(chan string, 1)
	go func() {
		for lines := bufio.NewScanner(out); lines.Scan(); {
			var line struct{ Msg, Endpoint string }
			if json.Unmarshal(lines.Bytes(), &line) == nil && line.Endpoint != "" {
				endpoint <- line.Endpoint
				break
			}
		}
		close(endpoint)
		_, _ = bufio.NewReader(out).WriteTo(new(bytes.Buffer))
	}()
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	before := [...]string{*jobopts.Endpoint, *jobopts.EnvironmentType, *jobopts.EnvironmentConfig}
	t.Cleanup(func() {
		*jobopts.Endpoint, *jobopts.EnvironmentType, *jobopts.EnvironmentConfig = before[0], before[1], before[2]
	})
	if *jobopts.Endpoint = <-endpoint; *jobopts.Endpoint == "" {
		t.Fatal("Prism has not told where it listens")
	}
	*jobopts.EnvironmentType, *jobopts.EnvironmentConfig = environment, ""
	return cmd.Process.Pid
}

// TestPrism: a server of its own, with the workers in this process or in one of their own, gives the
// bytes that one in this process gives.
func TestPrism(t *testing.T) {
	in := table(cut(t, digits(t), 7, ".csv"), ".csv")
	opt := selector.Options{Features: 12, Components: 5, Ledger: true}
	want := modelBytes(t, fit(t, in, beam.Options{}, opt))
	for _, environment := range []string{"LOOPBACK", "PROCESS"} {
		t.Run(environment, func(t *testing.T) {
			startPrism(t, environment)
			for _, runner := range []string{"prism", "universal"} {
				if got := modelBytes(t, fit(t, in, beam.Options{Runner: runner}, opt)); !bytes.Equal(got, want) {
					t.Errorf("%s: other bytes", runner)
				}
			}
		})
	}
}

// large is a table that takes a while to read.
func large(t testing.TB, shards int) beam.Table {
	t.Helper()
	const n, d = 6000, 40
	dir := t.TempDir()
	for s := range shards {
		x := mat.NewDense(n, d, nil)
		for i := range n {
			for j := range d {
				x.Set(i, j, math.Sin(float64(i*(j+3)+s*j*j)))
			}
		}
		f := must.Get(dataset.New(nil, x))(t)
		write(t, filepath.Join(dir, fmt.Sprintf("s%02d.csv", s)), f)
	}
	return beam.Table{Shards: []string{filepath.Join(dir, "*.csv")}}
}

// whenFirstPart calls f once a part of a job is in temp, unless the test ends before.
func whenFirstPart(t testing.TB, temp string, f func()) {
	done := make(chan struct{})
	t.Cleanup(func() { close(done) })
	go func() {
		for {
			if found, _ := filepath.Glob(filepath.Join(temp, "*", "part-*")); len(found) > 0 {
				f()
				return
			}
			select {
			case <-done:
				return
			case <-time.After(2 * time.Millisecond):
			}
		}
	}()
}

// killWorkers kills the processes that Prism has started.
func killWorkers(prism int) (killed int) {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range stats {
		text, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
		if len(fields) > 1 && fields[1] == strconv.Itoa(prism) {
			if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(path))); err == nil && syscall.Kill(pid, syscall.SIGKILL) == nil {
				killed++
			}
		}
	}
	return killed
}

// TestKilledWorker: a worker that is killed in the middle ends in an error that names the stage, within
// the deadline, and leaves nothing. The same job then gives the same bytes.
func TestKilledWorker(t *testing.T) {
	if _, err := os.Stat("/proc/self/stat"); err != nil {
		t.Skip("there is no /proc to find the worker in")
	}
	in, opt := large(t, 40), selector.Options{Features: 5, Components: 2}
	want := modelBytes(t, fit(t, in, beam.Options{}, opt))
	prism := startPrism(t, "PROCESS")
	temp := t.TempDir()
	killed := make(chan int, 1)
	whenFirstPart(t, temp, func() { killed <- killWorkers(prism) })
	_, err := beam.NewCovariance(context.Background(), in, beam.Options{Deadline: 10 * time.Second, Temp: temp})
	if n := <-killed; n != 1 {
		t.Fatalf("%d workers were killed", n)
	}
	var job *beam.JobError
	if !errors.As(err, &job) || job.Stage != "moments" || !strings.Contains(err.Error(), `the job "moments" failed`) || job.Groups != 40 || job.Done >= 40 {
		t.Fatalf("got %v", err)
	}
	t.Log(err)
	if left, _ := filepath.Glob(filepath.Join(temp, "*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	if got := modelBytes(t, fit(t, in, beam.Options{}, opt)); !bytes.Equal(got, want) {
		t.Error("after a killed worker the job gives other bytes")
	}
}

// TestNoWorker: a worker that does not start ends in an error at the deadline.
func TestNoWorker(t *testing.T) {
	startPrism(t, "PROCESS")
	*jobopts.EnvironmentConfig = `{"command":"/bin/false"}`
	in := table(cut(t, digits(t), 3, ".csv"), ".csv")
	_, err := beam.NewCovariance(context.Background(), in, beam.Options{Deadline: 3 * time.Second})
	var job *beam.JobError
	if !errors.As(err, &job) || !errors.Is(err, context.DeadlineExceeded) || job.Done != 0 || len(job.Missing) != 3 {
		t.Fatalf("got %v", err)
	}
	t.Log(err)
}

// TestCancel: a job that is cancelled ends soon and leaves nothing; workers stop too.
func TestCancel(t *testing.T) {
	in := large(t, 40)
	for _, environment := range []string{"", "PROCESS"} {
		if environment != "" {
			startPrism(t, environment)
		}
		temp := t.TempDir()
		ctx, cancel := context.WithCancel(context.Background())
		whenFirstPart(t, temp, cancel)
		_, err := beam.NewCovariance(ctx, in, beam.Options{Temp: temp})
		if !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), `"moments"`) {
			t.Errorf("got %v", err)
		}
		if left, _ := filepath.Glob(filepath.Join(temp, "*")); len(left) > 0 {
			t.Errorf("left behind: %v", left)
		}
	}
}
