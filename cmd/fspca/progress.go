package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/fspca/fspca/internal/letters"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/words"
	"github.com/fspca/fspca/selector"
	"github.com/fspca/fspca/solver"
)

const (
	silent    = time.Second      // work that takes less says nothing
	refreshed = time.Second / 8  // between two states of a terminal's line
	logged    = 30 * time.Second // between two lines of a log
	never     = time.Duration(0) // no lines
)

// talk says how much a command tells of its work on standard error.
type talk struct {
	verbose, quiet bool
}

func (t *talk) register(cmd *cobra.Command) {
	cmd.Flags().BoolVarP(&t.verbose, "verbose", "v", false, "print progress even if stderr is not a terminal, and the memory that a fit needs")
	cmd.Flags().BoolVarP(&t.quiet, "quiet", "q", false, "print no progress, only warnings and errors")
	cmd.MarkFlagsMutuallyExclusive("verbose", "quiet")
}

// step is where work stands.
type step struct {
	text        string
	done, total int // of what is counted; total is 0 where the end is not known
}

// progress tells on stderr of work that takes long: a bar that moves on a terminal,
// a plain line now and then in a log, nothing in a pipe or with --quiet.
type progress struct {
	w      io.Writer
	to     destination
	width  int
	colour bool
	every  time.Duration // between two lines
	sizes  []int         // the k of a path, where they are known
	now    func() time.Time

	mu    sync.Mutex
	next  time.Time // before which nothing is said
	open  bool      // a line stands on the terminal
	first step      // of what is being counted
	since time.Time // when that was

	passes int // over rows that are read in blocks
}

func newProgress(w io.Writer, t talk) *progress {
	p := &progress{w: w, now: time.Now}
	p.to, p.width = destinationOf(w)
	p.colour = p.to == toTerminal && coloured()
	p.begin(t)
	return p
}

// begin sets when the first line is said, and how often one is.
func (p *progress) begin(t talk) {
	start := p.now()
	switch {
	case t.quiet:
		p.every = never
	case p.to == toTerminal:
		p.every, p.next = refreshed, start.Add(silent)
	case t.verbose:
		p.every, p.next = time.Second, start
	case p.to == toLog:
		p.every, p.next = logged, start.Add(logged)
	default:
		p.every = never
	}
}

// reported is told of each step of a fit; tests interrupt it there.
var reported = func(solver.Progress) {}

// of returns what tells of a solver's work. Once that has a choice, a signal does not lose it.
func (p *progress) of(ctx context.Context) func(solver.Progress) {
	return func(s solver.Progress) {
		if s.Objective > 0 {
			keep(ctx)
		}
		p.report(s)
	}
}

// report tells of the solver.
func (p *progress) report(s solver.Progress) {
	reported(s)
	if s.Stage == selector.StageRead {
		p.mu.Lock()
		p.passes = max(p.passes, s.Iteration)
		p.mu.Unlock()
	}
	p.say(func() step {
		at := stage(s)
		if len(p.sizes) > 1 { // each k is a step of the path
			at.text = fmt.Sprintf("k = %d: %s", s.Features, at.text)
			at.done, at.total = lists.Count(p.sizes, func(k int) bool { return k < s.Features }), len(p.sizes)
		}
		return at
	})
}

// say tells where work stands, if it is time for that.
func (p *progress) say(where func() step) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.every == never {
		return
	}
	now, s := p.now(), where()
	if p.since.IsZero() || s.total != p.first.total || s.done < p.first.done {
		p.first, p.since = s, now
	}
	if now.Before(p.next) {
		return
	}
	p.next = now.Add(p.every)
	if p.to != toTerminal {
		fmt.Fprintf(p.w, "fspca: %s\n", strings.Join(append([]string{s.text}, p.figures(s, now)...), ", "))
		return
	}
	p.open = true
	fmt.Fprintf(p.w, "\r\x1b[K%s", p.bar(s, now))
}

// figures are what is done, how fast, and how long the rest takes.
func (p *progress) figures(s step, now time.Time) []string {
	if s.total <= 1 {
		return nil
	}
	parts := []string{fmt.Sprintf("%d of %d", s.done, s.total)}
	done, took := s.done-p.first.done, now.Sub(p.since)
	if done < 1 || took <= 0 {
		return parts
	}
	rate := float64(done) / took.Seconds()
	if s.done >= s.total {
		return append(parts, rateText(rate))
	}
	left := time.Duration(float64(s.total-s.done) / rate * float64(time.Second))
	return append(parts, rateText(rate), lengthOf(left)+" left")
}

// rateText writes how many steps are done in a second, or a minute.
func rateText(perSecond float64) string {
	if perSecond < 0.1 {
		return fmt.Sprintf("%.2g/min", 60*perSecond)
	}
	if perSecond >= 100 {
		return fmt.Sprintf("%.0f/s", perSecond)
	}
	return fmt.Sprintf("%.2g/s", perSecond)
}

// lengthOf writes a time in the largest unit that tells it.
func lengthOf(d time.Duration) string {
	switch {
	case d < 90*time.Second:
		return fmt.Sprintf("%d s", max(1, int(d.Seconds()+0.5)))
	case d < 90*time.Minute:
		return fmt.Sprintf("%d min", int(d.Minutes()+0.5))
	}
	return fmt.Sprintf("%.1f h", d.Hours())
}

// barWidth is the length of the bar.
const barWidth = 20

// bar is the line of a terminal, which is never wider than that.
func (p *progress) bar(s step, now time.Time) string {
	figures := p.figures(s, now)
	line := s.text
	if len(figures) > 0 {
		line += " · " + strings.Join(figures, " · ")
	}
	if s.total <= 1 {
		return letters.Cut(line, p.width-1)
	}
	filled := barWidth * min(s.done, s.total) / s.total
	full, rest := strings.Repeat("█", filled), strings.Repeat("░", barWidth-filled)
	if p.colour {
		full = "\x1b[34m" + full + "\x1b[0m"
	}
	return fmt.Sprintf("%s%s %3d %% %s", full, rest, 100*min(s.done, s.total)/s.total, letters.Cut(line, p.width-barWidth-8))
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

// stage says where the solver stands.
func stage(s solver.Progress) step {
	starts := step{done: s.Start, total: s.Starts}
	switch s.Stage {
	case solver.StageSearch:
		return step{text: fmt.Sprintf("searching: %s done, %d waiting, at most %.2g %% to gain", words.Count(s.Nodes, "subproblem"), s.Open, 100*s.Gap)}
	case solver.StageSDP:
		return step{text: fmt.Sprintf("bounding: iteration %d, at most %.2g %% to gain", s.Iteration, 100*s.Gap)}
	case selector.StageRead:
		starts.text = fmt.Sprintf("reading the rows, pass %d", s.Iteration)
	case selector.StageBootstrap:
		starts.text, starts.done = "stability: draws", s.Start+1
	case selector.StageParallel:
		starts.text, starts.done = "parallel analysis: tables", s.Start+1
	case solver.StageExchange:
		starts.text = fmt.Sprintf("exchanging columns, variance %.5g", s.Objective)
	default:
		starts.text = fmt.Sprintf("choosing, step %d, variance %.5g", s.Iteration, s.Objective)
	}
	return starts
}
