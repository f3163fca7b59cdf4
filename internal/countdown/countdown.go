// Package countdown has contexts for tests that end by events instead of a clock: after they have
// been asked a number of times, or when the test says so. A fit can be cancelled at each moment at
// which it looks.
package countdown

import (
	"context"
	"sync"
)

// Context is a context that ends by itself. It is safe for concurrent use.
type Context struct {
	context.Context
	mu   sync.Mutex
	left int
	done chan struct{}
}

// New returns a context that ends when it is asked for the n-th time, by Err or
// Done, counted from 0.
func New(n int) *Context {
	return &Context{Context: context.Background(), left: n, done: make(chan struct{})}
}

func (c *Context) ask() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.left == 0 {
		close(c.done)
	}
	c.left--
	return c.left < 0
}

// Ended says whether the context has ended; it does not count.
func (c *Context) Ended() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.left < 0
}

// Err is context.Canceled once the context has ended.
func (c *Context) Err() error {
	if c.ask() {
		return context.Canceled
	}
	return nil
}

// Done is closed once the context has ended.
func (c *Context) Done() <-chan struct{} {
	c.ask()
	return c.done
}

// Event returns a context that ends when end is called, as one does whose deadline passes.
func Event() (ctx context.Context, end func()) {
	e := &event{Context: context.Background(), done: make(chan struct{})}
	return e, sync.OnceFunc(func() { close(e.done) })
}

type event struct {
	context.Context
	done chan struct{}
}

func (e *event) Done() <-chan struct{} { return e.done }

func (e *event) Err() error {
	select {
	case <-e.done:
		return context.DeadlineExceeded
	default:
		return nil
	}
}
