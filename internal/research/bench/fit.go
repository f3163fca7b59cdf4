package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/solver"
)

// result is the line of JSON that every tool prints.
type result struct {
	Seconds   []float64 `json:"seconds"`
	ExtraMiB  float64   `json:"extra_mib"`
	Objective float64   `json:"objective,omitempty"`
	Support   []int     `json:"support,omitempty"`
	Route     string    `json:"route,omitempty"`
	Passes    int       `json:"passes,omitempty"` // readings of X
	Steps     int       `json:"steps,omitempty"`
}

// fitChild runs fits in this process: FILE M K REPEATS.
func fitChild(ctx context.Context, args []string) error {
	if len(args) != 4 {
		return fmt.Errorf("fit takes FILE M K REPEATS")
	}
	var numbers [3]int
	for i, a := range args[1:] {
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
	for i := range numbers[2] {
		start := time.Now()
		a, err := solver.NewData(x, solver.DataOptions{})
		if err != nil {
			return err
		}
		s, err := solver.Solve(ctx, a, solver.Params{Components: numbers[0], Features: numbers[1]})
		if err != nil {
			return err
		}
		r.Seconds = append(r.Seconds, time.Since(start).Seconds())
		if i == 0 { // later fits leave garbage that a first one has not
			peak, err := resident("VmRSS")
			if err != nil {
				return err
			}
			r.ExtraMiB = float64(peak-before) / 1024
		}
		r.Objective, r.Support, r.Route, r.Steps, r.Passes = s.Objective, s.Support, string(s.Route), s.Iterations, a.Passes()
	}
	return json.NewEncoder(os.Stdout).Encode(r)
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
