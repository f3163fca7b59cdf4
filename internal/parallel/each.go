// Package parallel runs independent tasks on all processors. Tasks of microseconds are
// for internal/kernel, which shares its goroutines' work more closely.
package parallel

import (
	"context"
	"runtime"
	"sync"
)

// Each calls work(i) once for each 0 ≤ i < n. The calls start in ascending order.
// They use at most GOMAXPROCS goroutines, and at most limit (0 for no limit). It
// returns when all that have begun are done. After an error, and when ctx ends,
// none is begun any more. The error is that of the lowest i, which does not depend
// on how many run at once; else that of ctx if tasks were left out for it.
func Each(ctx context.Context, n, limit int, work func(i int) error) error {
	workers := min(n, runtime.GOMAXPROCS(0))
	if limit > 0 {
		workers = min(workers, limit)
	}
	l := loop{n: n, failed: n}
	if workers == 1 { // on the caller's goroutine
		l.run(ctx, work)
		return l.end(ctx)
	}
	var group sync.WaitGroup
	for range workers {
		group.Go(func() { l.run(ctx, work) })
	}
	group.Wait()
	return l.end(ctx)
}

// end returns the error of the loop.
func (l *loop) end(ctx context.Context) error {
	if l.first == nil && l.next < l.n {
		return ctx.Err()
	}
	return l.first
}

// loop is what the goroutines of Each share.
type loop struct {
	n int

	mu     sync.Mutex
	next   int   // the first task that nobody has taken
	failed int   // the lowest that failed, n if none has
	first  error // its error
}

// run does tasks until none is left to take.
func (l *loop) run(ctx context.Context, work func(i int) error) {
	for i, ok := l.take(ctx); ok; i, ok = l.take(ctx) {
		if err := work(i); err != nil {
			l.fail(i, err)
		}
	}
}

func (l *loop) take(ctx context.Context) (int, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.next == l.n || l.first != nil || ctx.Err() != nil {
		return 0, false
	}
	l.next++
	return l.next - 1, true
}

func (l *loop) fail(i int, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if i < l.failed {
		l.failed, l.first = i, err
	}
}
