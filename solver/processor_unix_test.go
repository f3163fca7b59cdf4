//go:build unix

package solver

import (
	"context"
	"syscall"
	"time"
)

// Where it can be told, the time of a case is that of the processors: two have a
// minute where both are at work for half of one, whatever else runs.
func init() {
	withCPU = func(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
		ctx, cancel := context.WithCancel(ctx)
		until := processorTime() + limit
		go func() {
			for processorTime() < until && ctx.Err() == nil {
				time.Sleep(20 * time.Millisecond)
			}
			cancel()
		}()
		return ctx, cancel
	}
	usedCPU = processorTime
}

// processorTime is what the process has used.
func processorTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
