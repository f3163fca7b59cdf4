package solver

import (
	"context"
	"errors"
)

// Status says why the search ended.
type Status string

// The states.
const (
	Converged      Status = "converged"       // the support repeats
	IterationLimit Status = "iteration_limit" // MaxIterations reached; the solution is usable
	Deadline       Status = "deadline"        // the context's deadline passed; the best so far
	Cancelled      Status = "cancelled"       // the context was cancelled; the best so far
	Cycle          Status = "cycle"           // a method without ascent returned to an earlier support
	MemoryLimit    Status = "memory_limit"    // Params.MemoryLimit reached; the best so far
	Proved         Status = "proved"          // no support of this size is better
	NoneFound      Status = "none_found"      // no k columns that the limits permit together; the most that were found
)

// Early reports whether the search stopped before its own criterion was met.
func (s Status) Early() bool {
	return s == IterationLimit || s == Deadline || s == Cancelled || s == Cycle || s == MemoryLimit || s == NoneFound
}

// EndOf returns the status of a result that the end of ctx cut short.
func EndOf(ctx context.Context) Status {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return Deadline
	}
	return Cancelled
}
