package cli

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

type full struct{ err error }

func (f full) Write([]byte) (int, error) { return 0, f.err }

// TestOutput: what could not be printed is a failure, and nothing else becomes one.
func TestOutput(t *testing.T) {
	noSpace, other := errors.New("no space left"), errors.New("wrong flag")
	for _, c := range []struct {
		print, returned error
		want            error
		failure         bool
	}{
		{nil, nil, nil, false},
		{nil, other, other, false},
		{noSpace, nil, noSpace, true},
		{noSpace, fmt.Errorf("printing: %w", noSpace), noSpace, true},
		{noSpace, other, other, false},
	} {
		o := &Output{To: &strings.Builder{}}
		if c.print != nil {
			o.To = full{c.print}
		}
		fmt.Fprint(o, "help")
		got := o.Ended(c.returned)
		var f *Failure
		if !errors.Is(got, c.want) || errors.As(got, &f) != c.failure {
			t.Errorf("%v printed, %v returned: %v", c.print, c.returned, got)
		}
	}
}
