package files

import (
	"context"
	"fmt"
	"os"
	"sync"
)

// ErrHalted is the error of what would be put in place after Halt. It wraps context.Canceled.
var ErrHalted = fmt.Errorf("the process is ending: %w", context.Canceled)

// underway is what this process is writing.
var underway = struct {
	sync.Mutex
	settled *sync.Cond // nothing is being put in place
	placing int        // how much is being put in place, each within another or beside it
	halted  bool
	undo    map[*func()]struct{} // what gives up each construction
}{undo: map[*func()]struct{}{}}

func init() { underway.settled = sync.NewCond(&underway) }

// Halt lets nothing be put in place from now on, until resume is called: files and folders under
// construction fail with ErrHalted instead. What is being put in place at the moment is waited for.
func Halt() (resume func()) {
	underway.Lock()
	defer underway.Unlock()
	underway.halted = true
	for underway.placing > 0 {
		underway.settled.Wait()
	}
	return func() {
		underway.Lock()
		defer underway.Unlock()
		underway.halted = false
	}
}

// Abandon is Halt for a process that ends without waiting for its writers: what they have under
// construction is removed.
func Abandon() {
	Halt()
	underway.Lock()
	var all []*func()
	for undo := range underway.undo {
		all = append(all, undo)
	}
	underway.Unlock()
	for _, undo := range all {
		(*undo)()
	}
}

// begin notes how to give up what is under construction. The caller calls discard at its end in any
// case: what is in place by then is not there any more to be removed.
func begin(undo func()) (discard func()) {
	undo = sync.OnceFunc(undo)
	underway.Lock()
	defer underway.Unlock()
	underway.undo[&undo] = struct{}{}
	return func() {
		undo()
		underway.Lock()
		defer underway.Unlock()
		delete(underway.undo, &undo)
	}
}

// place calls put, which puts something in place, unless the process is ending.
func place(put func() error) error {
	underway.Lock()
	if underway.halted && underway.placing == 0 {
		underway.Unlock()
		return ErrHalted
	}
	underway.placing++
	underway.Unlock()
	defer func() {
		underway.Lock()
		defer underway.Unlock()
		if underway.placing--; underway.placing == 0 {
			underway.settled.Broadcast()
		}
	}()
	return put()
}

// Scratch makes a folder for temporary files, which remove removes. It is removed too where the
// process ends at once.
func Scratch(pattern string) (dir string, remove func(), err error) {
	if dir, err = os.MkdirTemp("", pattern); err != nil {
		return "", nil, err
	}
	return dir, begin(func() { removeWritten(dir) }), nil
}

// removeWritten removes a folder into which a writer that is left behind may still write.
func removeWritten(dir string) {
	for range 10 {
		if os.RemoveAll(dir) == nil {
			return
		}
	}
}
