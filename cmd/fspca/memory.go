package main

import (
	"fmt"
	"io"
	"runtime/debug"

	"github.com/fspca/fspca/internal/cli"
	"github.com/fspca/fspca/internal/memory"
	"github.com/fspca/fspca/internal/words"
	"github.com/fspca/fspca/selector"
	"github.com/fspca/fspca/solver"
)

// loudNeed is the need of memory that is stated without being asked for.
const loudNeed = 256 << 20

// available tells what memory is left; tests tell otherwise.
var available = memory.Available

// demand is what a fit takes in memory.
type demand struct {
	shape   solver.Shape
	options selector.Options
	data    int64 // bytes of the table
	need    int64 // bytes beyond it, at the peak
	exact   bool  // the need is a limit that the search may or may not reach
}

// newDemand returns what a fit of a table of this shape takes.
func newDemand(s solver.Shape, o selector.Options) demand {
	return demand{shape: s, options: o, data: selector.DataMemory(s), need: selector.Memory(s, o), exact: o.Effort == string(solver.EffortExact)}
}

// state says what the fit of path needs, if that is much or asked for, and
// refuses what the machine does not have.
func (d demand) state(w io.Writer, path string, t talk) error {
	free, known := available()
	if known && d.need > free.Bytes {
		return cli.Failed(fmt.Errorf("%s: the fit of %s needs about %s of memory beyond the data, and %s are left (%s): "+
			"%s", shown(path), d.size(), memory.Amount(d.need), memory.Amount(free.Bytes), free.What, d.cure()))
	}
	length, sure := estimate(d.shape, d.options)
	if t.quiet || !t.verbose && d.need < loudNeed && !length.long() {
		return nil
	}
	text := fmt.Sprintf("fspca: %s: %s, %s; the fit %s %s more", shown(path), d.size(), memory.Amount(d.data), d.verb(), memory.Amount(d.need))
	if known {
		text += fmt.Sprintf("; %s are left", memory.Amount(free.Bytes))
	}
	text += length.say(sure, d.options.Deadline)
	_, err := fmt.Fprintln(w, text)
	return cli.Failed(err)
}

func (d demand) verb() string {
	if d.exact {
		return "may take up to"
	}
	return "needs about"
}

func (d demand) cure() string {
	if d.exact {
		return "leave columns out (--drop), lower --memory-limit, or take a machine with more"
	}
	cure := "leave columns out (--drop), choose fewer (-k, -m), or take a machine with more"
	if d.options.Reconstruction {
		return "leave out the figures (--no-reconstruction), " + cure
	}
	return cure
}

// size says how large the table is.
func (d demand) size() string {
	s := d.shape
	switch {
	case s.Rows == 0:
		return fmt.Sprintf("a covariance of %s", words.Count(s.Columns, "column"))
	case s.Sparse:
		return fmt.Sprintf("%s × %s with %d entries", words.Count(s.Rows, "row"), words.Count(s.Columns, "column"), s.Entries)
	}
	return fmt.Sprintf("%s × %s", words.Count(s.Rows, "row"), words.Count(s.Columns, "column"))
}

// limitGarbage lets the collector work as often as is needed for garbage to
// stay at about a sixteenth of the need: beside a large table it would otherwise
// let as much again pile up. It returns what undoes it. Tables are arrays of
// numbers, which cost the collector nothing.
func (d demand) limitGarbage() (restore func()) {
	const least = 1 << 20
	percent := 100 * (d.need/16 + least) / (d.data + d.need + 1)
	before := debug.SetGCPercent(int(max(2, min(100, percent))))
	return func() { debug.SetGCPercent(before) }
}

// readingGarbage is how many hundredths of what is in use may be garbage while a table is read. Nearly
// all of it is one array of numbers, which costs the collector nothing.
const readingGarbage = 10
