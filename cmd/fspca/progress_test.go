package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/solver"
)

// told is what a progress says of four steps, two seconds apart by a clock of the test.
func told(to destination, t talk, colour bool) string {
	var b bytes.Buffer
	at := time.Unix(1000, 0)
	p := &progress{w: &b, to: to, width: 80, colour: colour, now: func() time.Time { return at }}
	p.begin(t)
	for done := range 5 {
		at = at.Add(2 * time.Second)
		p.say(func() step { return step{"fold 1 of 2: a stage with a long name " + strings.Repeat("x", 40), done, 4} })
	}
	p.done()
	return b.String()
}

// TestProgress: a bar on a terminal, lines in a log, nothing in a pipe or with --quiet.
func TestProgress(t *testing.T) {
	bar := told(toTerminal, talk{}, false)
	if !strings.Contains(bar, "██████████░░░░░░░░░░  50 % fold 1 of 2") || !strings.HasSuffix(bar, "\r\x1b[K") {
		t.Errorf("a terminal shows %q", bar)
	}
	for _, line := range strings.Split(bar, "\r\x1b[K") {
		if n := utf8.RuneCountInString(line); n > 79 {
			t.Errorf("%d letters in %q", n, line)
		}
	}
	if coloured := told(toTerminal, talk{}, true); !strings.Contains(coloured, "\x1b[34m█") || strings.Contains(strings.ReplaceAll(bar, "\x1b[K", ""), "\x1b") {
		t.Error("colours are not there, or where none are wanted")
	}
	lines := told(toPipe, talk{verbose: true}, false)
	if !strings.Contains(lines, ", 2 of 4, 0.5/s, 4 s left\n") || strings.ContainsAny(lines, "\r\x1b█") {
		t.Errorf("--verbose says %q", lines)
	}
	for name, got := range map[string]string{"a pipe": told(toPipe, talk{}, false), "--quiet": told(toTerminal, talk{quiet: true}, false), "a short log": told(toLog, talk{}, false)} {
		if got != "" {
			t.Errorf("%s shows %q", name, got)
		}
	}
}

// A log has a line now and then.
func TestLog(t *testing.T) {
	var b bytes.Buffer
	at := time.Unix(1000, 0)
	p := &progress{w: &b, to: toLog, now: func() time.Time { return at }}
	p.begin(talk{})
	for done := range 100 {
		at = at.Add(time.Second)
		p.say(func() step { return step{"fit", done, 100} })
	}
	if got, want := b.String(), "fspca: fit, 29 of 100, 1/s, 71 s left\nfspca: fit, 59 of 100, 1/s, 41 s left\nfspca: fit, 89 of 100, 1/s, 11 s left\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// The k of a path are its steps.
func TestPathProgress(t *testing.T) {
	var b bytes.Buffer
	at := time.Unix(1000, 0)
	p := &progress{w: &b, sizes: []int{20, 5, 10}, now: func() time.Time { return at }}
	p.begin(talk{verbose: true})
	for _, k := range []int{5, 10, 20} {
		p.report(solver.Progress{Features: k})
		at = at.Add(time.Minute)
	}
	if got := b.String(); !strings.Contains(got, "k = 5: choosing") || !strings.HasSuffix(got, ", 2 of 3, 1/min, 60 s left\n") {
		t.Errorf("got %q", got)
	}
}

// TestDestination: a file is a log, and everything else that is no terminal a pipe.
func TestDestination(t *testing.T) {
	file := must.Get(os.Create(filepath.Join(t.TempDir(), "log")))(t)
	defer file.Close()
	r, w := must.Two(os.Pipe())(t)
	defer r.Close()
	defer w.Close()
	if to, _ := destinationOf(file); to != toLog {
		t.Error("a file is no log")
	}
	if to, _ := destinationOf(w); to != toPipe {
		t.Error("a pipe is none")
	}
	if to, _ := destinationOf(&bytes.Buffer{}); to != toPipe {
		t.Error("memory is no pipe")
	}
	t.Setenv("NO_COLOR", "1")
	if coloured() {
		t.Error("NO_COLOR does not count")
	}
}

// TestLength: each time in the unit that tells it.
func TestLength(t *testing.T) {
	for d, want := range map[time.Duration]string{0: "1 s", 40 * time.Second: "40 s", 5 * time.Minute: "5 min", 3 * time.Hour: "3.0 h"} {
		if got := lengthOf(d); got != want {
			t.Errorf("%v is %q, want %q", d, got, want)
		}
	}
}
