package cli

import (
	"errors"
	"io"
)

// Output is standard output that remembers its first error: help, versions and completions are printed by a
// library that drops it.
type Output struct {
	To  io.Writer
	err error
}

// Write writes to To.
func (o *Output) Write(p []byte) (int, error) {
	n, err := o.To.Write(p)
	if o.err == nil {
		o.err = err
	}
	return n, err
}

// Ended returns how a command ended that returned err: what could not be printed is a Failure, whoever told of it.
func (o *Output) Ended(err error) error {
	if o.err != nil && (err == nil || errors.Is(err, o.err)) {
		return Failed(o.err)
	}
	return err
}
