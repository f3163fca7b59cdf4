package reproduce

import (
	"context"
	"runtime"
	"sync"
)

// each calls work for 0 … n−1 on all processors and tells of progress. The
// first error by index is returned; after an error or the end of ctx no more
// is begun.
func each(ctx context.Context, n int, done func(done int), work func(i int) error) error {
	var (
		wg     sync.WaitGroup
		mu     sync.Mutex
		next   int
		count  int
		failed = n // lowest index with an error
		first  error
	)
	take := func() (int, bool) {
		mu.Lock()
		defer mu.Unlock()
		if next == n || first != nil || ctx.Err() != nil {
			return 0, false
		}
		next++
		return next - 1, true
	}
	finish := func(i int, err error) {
		mu.Lock()
		defer mu.Unlock()
		if err != nil && i < failed {
			failed, first = i, err
		}
		count++
		done(count)
	}
	for range min(n, runtime.GOMAXPROCS(0)) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i, ok := take(); ok; i, ok = take() {
				finish(i, work(i))
			}
		}()
	}
	wg.Wait()
	if first != nil {
		return first
	}
	return ctx.Err()
}
