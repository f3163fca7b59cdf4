package main

import "context"

// await returns what work gives, or the error of ctx as soon as that ends. Work that changes nothing
// may be left behind then: the process ends. Most work asks ctx itself; this is for what cannot, such
// as a parser of another module.
func await[T any](ctx context.Context, work func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		value, err := work()
		done <- result{value, err}
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}
