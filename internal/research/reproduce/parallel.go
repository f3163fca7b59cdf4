package reproduce

import (
	"context"
	"sync"

	"github.com/fspca/fspca/internal/parallel"
)

// each calls work for 0 … n−1 on all processors and tells of progress, one call after
// another.
func each(ctx context.Context, n int, done func(done int), work func(i int) error) error {
	var mu sync.Mutex
	count := 0
	return parallel.Each(ctx, n, 0, func(i int) error {
		err := work(i)
		mu.Lock()
		defer mu.Unlock()
		count++
		done(count)
		return err
	})
}
