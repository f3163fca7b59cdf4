package kernel

import (
	"math"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
)

// lookOut starts a helper whose last call was p and returns when it alone looks out,
// and where it tells the call that it is given.
func lookOut(p *parallel) <-chan *parallel {
	for stacks := make([]byte, 1<<20); strings.Contains(string(stacks[:runtime.Stack(stacks, true)]), "kernel.parallel"); {
		runtime.Gosched() // the helpers of other calls leave soon
	}
	given := make(chan *parallel, 1)
	go func() { given <- following(p, math.MaxInt) }()
	for !someLooksOut() {
		runtime.Gosched()
	}
	return given
}

// someLooksOut reports whether a helper looks out.
func someLooksOut() bool {
	for i := range stands {
		if stands[i].Load() == lookout {
			return true
		}
	}
	return false
}

// TestHelperIsEngaged: a helper that looks out is given the next call, and one alone.
func TestHelperIsEngaged(t *testing.T) {
	last, next := newParallel(1, 2, nil), newParallel(1, 2, nil)
	last.over.Store(true)
	given := lookOut(last)
	if !engage(next) {
		t.Error("a helper looks out and is not engaged")
	}
	if got := <-given; got != next {
		t.Errorf("the helper has %p, want %p", got, next)
	}
	for i := range stands {
		if stands[i].Load() == next {
			t.Error("the call stays where the helper was")
		}
	}
}

// TestHelperLeavesForOthers: a helper goes once goroutines of others need the processors.
func TestHelperLeavesForOthers(t *testing.T) {
	last := newParallel(1, 2, nil)
	last.over.Store(true)
	given := lookOut(last)
	done := Occupy()
	if got := <-given; got != nil {
		t.Errorf("the helper has %p, want none", got)
	}
	done()
	given = lookOut(last) // looks again
	if next := newParallel(1, 2, nil); !engage(next) || <-given != next {
		t.Error("a helper looks out and is not engaged")
	}
}

// TestHelperLeaves: a helper looks out while its own call ends, and goes where others
// are under way.
func TestHelperLeaves(t *testing.T) {
	last := newParallel(1, 2, nil)
	underWay.Add(1) // last itself
	given := lookOut(last)
	underWay.Add(1)
	if got := <-given; got != nil {
		t.Errorf("the helper has %p, want none", got)
	}
	underWay.Add(-2)
}

// TestNothingUnderWay: calls are counted to their end, and helpers numbered apart.
func TestNothingUnderWay(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	before := underWay.Load()
	for range 200 {
		var busy [4]atomic.Int32
		func() {
			defer func() { _ = recover() }()
			Parallel(8, func(worker, task int) {
				if busy[worker].Add(1) != 1 {
					t.Errorf("two have the number %d", worker)
				}
				if task == 5 {
					panic("broken")
				}
				busy[worker].Add(-1)
			})
		}()
	}
	if n := underWay.Load(); n != before {
		t.Errorf("%d calls are under way, %d before", n, before)
	}
}

// TestShare: each of several callers has its share of the processors, and one has all afterwards.
func TestShare(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	for callers, want := range map[int]int{1: 4, 2: 2, 3: 2, 4: 1, 9: 1} {
		done := Share(callers)
		if got := Processors(); got != want {
			t.Errorf("one of %d callers has %d processors, want %d", callers, got, want)
		}
		var most atomic.Int32
		Parallel(64, func(worker, _ int) {
			for w := int32(worker); ; {
				if last := most.Load(); last >= w || most.CompareAndSwap(last, w) {
					return
				}
			}
		})
		if int(most.Load()) >= want {
			t.Errorf("one of %d callers uses %d workers, want at most %d", callers, most.Load()+1, want)
		}
		done()
	}
	if got := Processors(); got != 4 {
		t.Errorf("one caller has %d of 4 processors", got)
	}
}
