package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/fspca/fspca/selector"
	"github.com/fspca/fspca/solver"
)

const (
	silent    = time.Second      // work that takes less says nothing
	refreshed = time.Second / 8  // between two states of a terminal's line
	logged    = 30 * time.Second // between two lines of a log
)

// progress tells on stderr of work that takes long: one line that changes on a
// terminal, a line now and then elsewhere.
type progress struct {
	w        io.Writer
	terminal bool
	every    time.Duration // between two lines where there is no terminal; 0 for none

	mu   sync.Mutex
	next time.Time // before which nothing is said
	open bool      // a line stands on the terminal
}

func newProgress(w io.Writer) *progress {
	p := &progress{w: w, every: logged, next: time.Now().Add(logged)}
	if f, ok := w.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
			p.terminal, p.next = true, time.Now().Add(silent)
		}
	}
	return p
}

// log says what happens where there is no terminal: lines from the start on, a
// second apart, or none.
func (p *progress) log(verbose bool) {
	switch {
	case p.terminal:
	case verbose:
		p.next, p.every = time.Now(), time.Second
	default:
		p.every = 0
	}
}

// reported is told of each step of a fit; tests interrupt it there.
var reported = func(solver.Progress) {}

// report tells of the solver.
func (p *progress) report(s solver.Progress) {
	reported(s)
	p.say(func() string { return stageLine(s) })
}

// say writes a line if it is time for one.
func (p *progress) say(line func() string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	if now.Before(p.next) || p.every == 0 && !p.terminal {
		return
	}
	if p.terminal {
		p.next, p.open = now.Add(refreshed), true
		fmt.Fprintf(p.w, "\r\x1b[K%s", line())
		return
	}
	p.next = now.Add(p.every)
	fmt.Fprintf(p.w, "fspca: %s\n", line())
}

// done clears the terminal's line.
func (p *progress) done() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.open {
		fmt.Fprint(p.w, "\r\x1b[K")
		p.open = false
	}
}

// stageLine says in a line where the solver stands.
func stageLine(s solver.Progress) string {
	of := ""
	if s.Starts > 1 {
		of = fmt.Sprintf(" %d of %d", s.Start+1, s.Starts)
	}
	switch s.Stage {
	case solver.StageSearch:
		return fmt.Sprintf("searching: %s done, %d waiting, at most %.2g%% to gain", count(s.Nodes, "subproblem"), s.Open, 100*s.Gap)
	case solver.StageSDP:
		return fmt.Sprintf("bounding: iteration %d, at most %.2g%% to gain", s.Iteration, 100*s.Gap)
	case selector.StageRead:
		return fmt.Sprintf("reading the rows: pass %d, %d %%", s.Iteration, 100*s.Start/max(1, s.Starts))
	case selector.StageBootstrap:
		return fmt.Sprintf("stability: draw%s", of)
	case selector.StageParallel:
		return fmt.Sprintf("parallel analysis: permuted table%s", of)
	case solver.StageExchange:
		return fmt.Sprintf("exchanging columns%s: explained variance %.6g", of, s.Objective)
	}
	return fmt.Sprintf("choosing%s: step %d, explained variance %.6g", of, s.Iteration, s.Objective)
}
