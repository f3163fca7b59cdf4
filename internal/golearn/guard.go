package golearn

import (
	"fmt"
	"runtime/debug"
)

// PanicError is a panic in code that is not ours, golearn's above all or a caller's own
// step, that came back as an error.
type PanicError struct {
	// Step is what was being done, such as "decision_tree: fit".
	Step string
	// Value is what it panicked with.
	Value any
	// Stack is the goroutine's stack at the panic, for a bug report.
	Stack []byte
}

// Error names the step and says what it panicked with.
func (e *PanicError) Error() string {
	return fmt.Sprintf("%s: panicked: %v", e.Step, e.Value)
}

// Unwrap gives the value where it is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// Guard runs f and turns a panic into a *PanicError that names the step. It
// cannot catch a panic in a goroutine that f starts.
func Guard(step string, f func() error) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = &PanicError{Step: step, Value: value, Stack: debug.Stack()}
		}
	}()
	return f()
}
