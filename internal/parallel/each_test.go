package parallel

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"
	"testing"
)

func TestEach(t *testing.T) {
	for _, n := range []int{0, 1, 3, 1000} {
		done := make([]atomic.Int32, n)
		var running, most atomic.Int32
		err := Each(context.Background(), n, 2, func(i int) error {
			most.Store(max(most.Load(), running.Add(1)))
			done[i].Add(1)
			runtime.Gosched()
			running.Add(-1)
			return nil
		})
		if err != nil || most.Load() > 2 {
			t.Errorf("n = %d: got %v, %d ran at once", n, err, most.Load())
		}
		for i := range done {
			if done[i].Load() != 1 {
				t.Errorf("n = %d: task %d ran %d times", n, i, done[i].Load())
			}
		}
	}
}

// The error is that of the lowest task that fails, however many run at once.
func TestEachFails(t *testing.T) {
	for limit := range 5 {
		for range 50 {
			var begun atomic.Int32
			err := Each(context.Background(), 1000, limit, func(i int) error {
				begun.Add(1)
				if i%7 == 5 {
					return fmt.Errorf("task %d", i)
				}
				return nil
			})
			if err == nil || err.Error() != "task 5" || begun.Load() == 1000 {
				t.Fatalf("limit %d: got %v after %d tasks", limit, err, begun.Load())
			}
		}
	}
}

func TestEachEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	if err := Each(ctx, 1000, 0, func(int) error { cancel(); return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("an end on the way: got %v", err)
	}
	ctx, cancel = context.WithCancel(context.Background())
	if err := Each(ctx, 1, 0, func(int) error { cancel(); return nil }); err != nil {
		t.Errorf("an end after the last task: got %v", err)
	}
}
