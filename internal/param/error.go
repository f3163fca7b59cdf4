// Package param has the rules for the parameters of a selection, each once: the
// sizes k, m and d, and the lists of columns that must and may not be chosen. Its
// error says which parameter is wrong, to people and to programs.
package param

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Error is a parameter that is wrong.
type Error struct {
	Field string // as the fields of Params are called, such as "Features"
	Got   any    // its value, or the part of it that is wrong
	Want  string // what would be right

	// Against are the other fields that Field contradicts, if any.
	Against []string

	// Column, if Named, is the column that the error is about, from 0.
	Column int
	Named  bool

	text string // the message; after the column where there is one
}

// New returns an error whose message is the problem, that the last arguments make,
// and what would be right.
func New(field string, got any, want, problem string, args ...any) *Error {
	return &Error{Field: field, Got: got, Want: want, text: fmt.Sprintf(problem, args...) + ": want " + want}
}

// Plain returns an error with a message of its own, which says what would be right.
func Plain(field string, got any, text string, args ...any) *Error {
	return &Error{Field: field, Got: got, text: fmt.Sprintf(text, args...)}
}

// Beside returns the error with the fields that Field contradicts.
func (e *Error) Beside(fields ...string) *Error {
	e.Against = fields
	return e
}

// Error says what is wrong and what would be right.
func (e *Error) Error() string { return e.In(nil) }

// In is Error with the column by its name, if there are names.
func (e *Error) In(names []string) string {
	switch {
	case e.text == "":
		return fmt.Sprintf("%s is %v: want %s", e.Field, e.Got, e.Want)
	case !e.Named:
		return e.text
	case e.Column >= 0 && e.Column < len(names):
		return fmt.Sprintf("column %q %s", names[e.Column], e.text)
	}
	return fmt.Sprintf("column %d (counted from 0) %s", e.Column, e.text)
}

// WithNames returns the error with the column by its name.
func (e *Error) WithNames(names []string) *Error {
	named := *e
	named.text, named.Named = e.In(names), false
	return &named
}

// Columns is an error about columns that go wrong together.
type Columns struct {
	At []int // the columns, from 0

	before, after string
}

// NewColumns returns an error whose message has the columns between two texts.
func NewColumns(before string, columns []int, after string, args ...any) *Columns {
	return &Columns{At: columns, before: before, after: fmt.Sprintf(after, args...)}
}

// Error has the columns by their numbers.
func (e *Columns) Error() string {
	return fmt.Sprintf("%s columns %v (counted from 0)%s", e.before, e.At, e.after)
}

// In is Error with the columns by their names.
func (e *Columns) In(names []string) string {
	chosen := make([]string, len(e.At))
	for i, j := range e.At {
		if j < 0 || j >= len(names) {
			return e.Error()
		}
		chosen[i] = strconv.Quote(names[j])
	}
	return fmt.Sprintf("%s columns %s%s", e.before, strings.Join(chosen, ", "), e.after)
}

// In returns each of the errors that were joined behind the name of what they are about; nil for none.
func In(name string, err error) error {
	var errs []error
	for _, e := range Each(err) {
		errs = append(errs, fmt.Errorf("%s: %w", name, e))
	}
	return errors.Join(errs...)
}

// Each returns the errors that were joined, or the one.
func Each(err error) []error {
	if err == nil {
		return nil
	}
	var joined interface{ Unwrap() []error }
	if !errors.As(err, &joined) {
		return []error{err}
	}
	var all []error
	for _, e := range joined.Unwrap() {
		all = append(all, Each(e)...)
	}
	return all
}

// InFront returns an error with its place, such as a file, in front of each line. It unwraps to the error.
func InFront(place string, err error) error {
	return &placed{place + ": " + strings.ReplaceAll(err.Error(), "\n", "\n"+place+": "), err}
}

// placed is an error with its place.
type placed struct {
	text string
	err  error
}

// Error is the text, with the place.
func (e *placed) Error() string { return e.text }

// Unwrap returns the error without it.
func (e *placed) Unwrap() error { return e.err }
