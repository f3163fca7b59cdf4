package main

import (
	"io"
	"os"

	"github.com/fspca/fspca/internal/cli"
)

// Where standard error goes.
type destination int

const (
	toPipe     destination = iota // another program: nothing is told of progress
	toLog                         // a file, or a terminal that cannot rewrite a line: plain lines
	toTerminal                    // one line that changes
)

// defaultWidth is that of a terminal which does not tell.
const defaultWidth = 80

// destinationOf returns where w goes, and how many letters a line of it has.
func destinationOf(w io.Writer) (destination, int) {
	f, ok := w.(*os.File)
	if !ok {
		return toPipe, defaultWidth
	}
	if width, ok := terminalWidth(f); ok {
		if os.Getenv("TERM") == "dumb" {
			return toLog, width
		}
		return toTerminal, width
	}
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
		return toLog, defaultWidth
	}
	return toPipe, defaultWidth
}

// roomOf is how many cells a line of a table may take: those of a terminal, 0 for any number elsewhere, where
// names are whole.
func roomOf(w io.Writer) int {
	switch to := w.(type) {
	case *watchedWriter:
		return roomOf(to.to)
	case *cli.Output:
		return roomOf(to.To)
	}
	if to, width := destinationOf(w); to == toTerminal {
		return width
	}
	return 0
}

// coloured reports whether a terminal is to have colours (https://no-color.org).
func coloured() bool { return os.Getenv("NO_COLOR") == "" }
