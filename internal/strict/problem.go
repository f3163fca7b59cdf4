package strict

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/fspca/fspca/internal/lists"
)

// Problem is one mistake in a config.
type Problem struct {
	File         string // the file, or "--set key=value"; empty for a config made in Go
	Line, Column int    // from 1; 0 where File is not a file
	Path         string // the key, like steps.1.fspca.features; empty where no key is concerned
	Message      string // what was got, what was wanted, what to do
}

// String is the problem on one line: file:line:column: message.
func (p Problem) String() string {
	switch {
	case p.Line > 0:
		return fmt.Sprintf("%s:%d:%d: %s", p.File, p.Line, p.Column, p.Message)
	case p.File != "":
		return p.File + ": " + p.Message
	case p.Path != "":
		return p.Path + ": " + p.Message
	}
	return p.Message
}

// Error holds all mistakes of a config, by their place in the file, those
// of --set after them.
type Error struct {
	Problems []Problem
}

// Error lists the problems, one on a line.
func (e *Error) Error() string {
	lines := lists.Map(e.Problems, Problem.String)
	return strings.Join(lines, "\n")
}

// AsError sorts the problems; nil where there are none.
func AsError(problems []Problem) error {
	if len(problems) == 0 {
		return nil
	}
	sorted := slices.Clone(problems)
	slices.SortStableFunc(sorted, func(a, b Problem) int {
		if (a.Line == 0) != (b.Line == 0) { // --set comes last, in the order given
			return cmp.Compare(b.Line, a.Line)
		}
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return &Error{Problems: slices.Compact(sorted)}
}
