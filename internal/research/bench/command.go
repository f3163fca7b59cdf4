//go:build linux

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// ended is what came of a command.
type ended struct {
	out          []byte // its standard output
	said         string // its standard error
	seconds, cpu float64
	peak         int64 // bytes
}

// execute runs a command, and watch beside it, if there is one, until the command ends.
func execute(cmd *exec.Cmd, watch func(pid int, end <-chan struct{})) (*ended, error) {
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	start := time.Now()
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	var watching sync.WaitGroup
	end := make(chan struct{})
	if watch != nil {
		watching.Go(func() { watch(cmd.Process.Pid, end) })
	}
	err := cmd.Wait()
	e := &ended{seconds: time.Since(start).Seconds(), out: out.Bytes(), said: strings.TrimSpace(said.String())}
	close(end)
	watching.Wait()
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %s", strings.Join(cmd.Args, " "), err, e.said)
	}
	e.cpu = (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
	if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		e.peak = int64(usage.Maxrss) << 10
	}
	return e, nil
}

// answer runs a command and reads the last line that it prints, which is JSON.
func answer[T any](cmd *exec.Cmd) (v T, e *ended, err error) {
	if e, err = execute(cmd, nil); err != nil {
		return v, nil, err
	}
	lines := bytes.Split(bytes.TrimSpace(e.out), []byte("\n"))
	if err := json.Unmarshal(lines[len(lines)-1], &v); err != nil {
		return v, nil, fmt.Errorf("%s printed %q: %w", cmd.Args[0], e.out, err)
	}
	return v, e, nil
}

// command returns a command with more variables of the environment. Those that pin an old kernel of
// OpenBLAS are taken out.
func command(ctx context.Context, args []string, variables ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Env = append(slices.DeleteFunc(os.Environ(), func(e string) bool {
		return strings.HasPrefix(e, "OPENBLAS_") || strings.HasPrefix(e, "GOMAXPROCS=")
	}), variables...)
	return cmd
}

// once runs a command on so many threads.
func once(ctx context.Context, args []string, threads int) (result, error) {
	n := strconv.Itoa(threads)
	r, _, err := answer[result](command(ctx, args, "OPENBLAS_NUM_THREADS="+n, "OMP_NUM_THREADS="+n, "GOMAXPROCS="+n))
	return r, err
}

// build makes the command in a folder and returns its path.
func build(ctx context.Context, dir string) (string, error) {
	path := dir + "/fspca"
	_, err := execute(exec.CommandContext(ctx, "go", "build", "-o", path, "./cmd/fspca"), nil)
	return path, err
}

// statusOf returns the resident memory of a process and its peak, in MiB.
func statusOf(pid string) (resident, peak float64, err error) {
	text, err := os.ReadFile("/proc/" + pid + "/status")
	if err != nil {
		return 0, 0, err
	}
	for key, to := range map[string]*float64{"VmRSS:": &resident, "VmHWM:": &peak} {
		_, rest, _ := strings.Cut(string(text), "\n"+key)
		var kib int64
		if _, err := fmt.Sscan(rest, &kib); err != nil {
			return 0, 0, fmt.Errorf("no %s in the process's status", key)
		}
		*to = float64(kib) / 1024
	}
	return resident, peak, nil
}
