package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/fspca/fspca/internal/files"
)

// watch ends the work at a signal. After the first, nothing is put in place or
// printed. The command has a short time to return; then the process ends without
// it. A command that has found something worth keeping (see keep) has all the time
// it takes to write that. A second signal ends the process at once.
type watch struct {
	ctx     context.Context
	over    chan struct{} // closed when the command is not waited for any longer
	fate    atomic.Int32
	printed atomic.Bool // something of standard output

	mu     sync.Mutex
	placed []string // files and folders that were written
}

// The fate of what a command works on is decided once: it is kept from the first choice on, or lost from a
// signal that came before.
const (
	fateOpen = iota
	fateKept
	fateLost
)

type watchKey struct{}

// grace is how long a command may go on after a signal. Most stop at once; what cannot, such as a
// parser of another module, is left behind then. It changes nothing that a reader could see.
var grace = 50 * time.Millisecond

// newWatch listens for signals from now on. Stop gives up.
func newWatch() (w *watch, stop func()) {
	w = &watch{over: make(chan struct{})}
	ctx, cancel := context.WithCancel(context.WithValue(context.Background(), watchKey{}, w))
	w.ctx = ctx
	signals, quit := make(chan os.Signal, 2), make(chan struct{})
	signal.Notify(signals, endings()...)
	resume := func() {}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		resume = w.listen(signals, quit, cancel)
	}()
	return w, func() {
		signal.Stop(signals)
		close(quit)
		<-ended
		cancel()
		resume()
	}
}

func (w *watch) listen(signals chan os.Signal, quit chan struct{}, cancel func()) (resume func()) {
	resume = func() {}
	select {
	case <-signals:
	case <-quit:
		return resume
	}
	var late <-chan time.Time
	if w.fate.CompareAndSwap(fateOpen, fateLost) {
		resume = files.Halt()
		late = time.After(grace)
	}
	cancel()
	heard()
	select {
	case <-signals:
	case <-late:
	case <-quit:
		return resume
	}
	close(w.over)
	return resume
}

// endings are the signals that end the work. A hangup does not where it was ignored from the start,
// as under nohup.
func endings() []os.Signal {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		signals = append(signals, syscall.SIGHUP)
	}
	return signals
}

// heard is called when a signal has taken effect.
var heard = func() {}

// keep says that the work has come to something that is written even if a signal comes from now on.
func keep(ctx context.Context) {
	if w, ok := ctx.Value(watchKey{}).(*watch); ok {
		w.fate.CompareAndSwap(fateOpen, fateKept)
	}
}

// wrote notes a file or folder that is in place.
func wrote(ctx context.Context, path string) {
	if w, ok := ctx.Value(watchKey{}).(*watch); ok && path != "" {
		w.mu.Lock()
		defer w.mu.Unlock()
		if !slices.Contains(w.placed, path) {
			w.placed = append(w.placed, path)
		}
	}
}

// writer is standard output, to which nothing more goes after a signal, unless something is kept.
func (w *watch) writer(to io.Writer) io.Writer { return &watchedWriter{w, to} }

type watchedWriter struct {
	watch *watch
	to    io.Writer
}

func (w *watchedWriter) Write(p []byte) (int, error) {
	switch fate := w.watch.fate.Load(); {
	case fate == fateLost:
		return 0, context.Canceled
	case fate == fateOpen && w.watch.ctx.Err() != nil: // of a parent
		return 0, w.watch.ctx.Err()
	}
	w.watch.printed.Store(true)
	return w.to.Write(p)
}

// left says what an interrupted command has left.
func (w *watch) left() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case len(w.placed) > 0:
		return "interrupted; written before: " + strings.Join(w.placed, ", ")
	case w.printed.Load():
		return "interrupted; what was printed is not all"
	}
	return "interrupted, nothing was written"
}
