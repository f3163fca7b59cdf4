//go:build linux

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/solver"
	"gonum.org/v1/gonum/mat"
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
	var k, m, repeats int
	if _, err := fmt.Sscan(strings.Join(args[1:4], " "), &m, &k, &repeats); err != nil {
		return err
	}
	f, err := dataset.Read(args[0], dataset.ReadOptions{})
	if err != nil {
		return err
	}
	p := solver.Params{Components: m, Features: k}
	if len(args) > 4 {
		p.Effort, p.Bound = solver.EffortIPU, solver.BoundNone
	}
	var r result
	if err := r.measure(ctx, f.Numeric(), p, repeats); err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(r)
}

// measure fits again and again. Memory is that of the first fit: later ones leave garbage.
func (r *result) measure(ctx context.Context, x *mat.Dense, p solver.Params, repeats int) error {
	debug.FreeOSMemory()
	before, _, err := statusOf("self")
	if err != nil {
		return err
	}
	for i := range repeats {
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
		if i == 0 {
			after, _, err := statusOf("self")
			if err != nil {
				return err
			}
			r.ExtraMiB = after - before
		}
		r.Objective, r.Support, r.Route, r.Reason, r.Steps, r.Passes = s.Objective, s.Support, string(s.Route), s.RouteReason, s.Iterations, a.Passes()
	}
	return nil
}

// processors returns the seconds that this process has had of all processors.
func processors() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}
