// Package countdown has a context for tests that ends after it has been asked a
// number of times: a fit can be cancelled at each moment at which it looks.
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
