//go:build linux

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/solver"
)

// result is the line of JSON that every tool prints.
type result struct {
	Seconds   []float64 `json:"seconds"`
	CPU       []float64 `json:"cpu,omitempty"` // seconds of the processors
	ExtraMiB  float64   `json:"extra_mib"`
	Objective float64   `json:"objective,omitempty"`
	Support   []int     `json:"support,omitempty"`
	Route     string    `json:"route,omitempty"`
	Reason    string    `json:"reason,omitempty"` // why that route
	Passes    int       `json:"passes,omitempty"` // readings of X
	Steps     int       `json:"steps,omitempty"`
}

// paper is the word for a fit with the effort ipu and no bound.
const paper = "paper"

// fitChild runs fits in this process: FILE M K REPEATS [paper].
func fitChild(ctx context.Context, args []string) error {
	if len(args) != 4 && (len(args) != 5 || args[4] != paper) {
		return fmt.Errorf("fit takes FILE M K REPEATS [%s]", paper)
	}
	var numbers [3]int
	for i, a := range args[1:4] {
		v, err := strconv.Atoi(a)
		if err != nil {
			return err
		}
		numbers[i] = v
	}
	f, err := dataset.Read(args[0], dataset.ReadOptions{})
	if err != nil {
		return err
	}
	x := f.Numeric()
	debug.FreeOSMemory()
	before, err := resident("VmRSS")
	if err != nil {
		return err
	}
	var r result
	p := solver.Params{Components: numbers[0], Features: numbers[1]}
	if len(args) > 4 {
		p.Effort, p.Bound = solver.EffortIPU, solver.BoundNone
	}
	for i := range numbers[2] {
		start, spent := time.Now(), processors()
		a, err := solver.NewData(x, solver.DataOptions{})
		if err != nil {
			return err
		}
		s, err := solver.Solve(ctx, a, p)
		if err != nil {
			return err
		}
		r.Seconds, r.CPU = append(r.Seconds, time.Since(start).Seconds()), append(r.CPU, processors()-spent)
		if i == 0 { // later fits leave garbage that a first one has not
			peak, err := resident("VmRSS")
			if err != nil {
				return err
			}
			r.ExtraMiB = float64(peak-before) / 1024
		}
		r.Objective, r.Support, r.Route, r.Reason, r.Steps, r.Passes = s.Objective, s.Support, string(s.Route), s.RouteReason, s.Iterations, a.Passes()
	}
	return json.NewEncoder(os.Stdout).Encode(r)
}

// processors returns the seconds that this process has had of all processors.
func processors() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

// resident returns a line of the process's memory status, in KiB.
func resident(key string) (int, error) {
	b, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(b)) {
		if rest, ok := strings.CutPrefix(line, key+":"); ok {
			return strconv.Atoi(strings.Fields(rest)[0])
		}
	}
	return 0, fmt.Errorf("no %s in the process's status", key)
}
