package kernel

import (
	"runtime"
	"sync/atomic"
)

// A goroutine begins some ten microseconds after it was started, if its thread sleeps:
// as long as a small product takes. One that has done its tasks therefore looks out for
// the next call for a little while.

// stands are where helpers look out: nil for none, lookout for one, and a call that it
// is to take.
var (
	stands  [8]atomic.Pointer[parallel]
	lookout = new(parallel)
)

// underWay is the number of calls with helpers.
var underWay atomic.Int64

// occupied is the number of Occupy's that are not over.
var occupied atomic.Int64

// Occupy says that goroutines that this package does not know need the processors for a while, such as those
// that read the next rows: until done is called, helpers that have no task leave their processor at once.
func Occupy() (done func()) {
	occupied.Add(1)
	return func() { occupied.Add(-1) }
}

// sharing is the number of callers beyond one that Share was told of.
var sharing atomic.Int64

// Share says that callers, so many, call this package at once until done is called: each call uses its share of
// the processors.
func Share(callers int) (done func()) {
	sharing.Add(int64(callers - 1))
	return func() { sharing.Add(1 - int64(callers)) }
}

// Processors returns how many processors a call may use: at least 1, and all unless they are shared.
func Processors() int {
	callers := 1 + int(sharing.Load())
	return (runtime.GOMAXPROCS(0) + callers - 1) / callers
}

// Rouse has helpers look out for a call that begins soon, in some ten microseconds, so that
// it need not wait until they are awake.
func Rouse() { Parallel(Processors(), func(_, _ int) {}) }

// engage gives p to a helper that looks out, if there is one.
func engage(p *parallel) bool {
	for i := range stands {
		if stands[i].Load() == lookout && stands[i].CompareAndSwap(lookout, p) {
			return true
		}
	}
	return false
}

// help does tasks of p, and then of calls that begin soon after.
func help(p *parallel) {
	for p != nil {
		p.run(int(p.helpers.Add(1)))
		p = following(p, lookouts)
	}
}

// following returns the call that is given to this helper while it looks so often, or
// nil if none is. The helper leaves its processor at once if calls other than p, its
// last, are under way: they may need it.
func following(p *parallel, looks int) *parallel {
	for i := range stands {
		stand := &stands[i]
		if !stand.CompareAndSwap(nil, lookout) {
			continue
		}
		for look := 0; look < looks && stand.Load() == lookout && !p.others(); look++ {
		}
		if stand.CompareAndSwap(lookout, nil) {
			return nil
		}
		return stand.Swap(nil)
	}
	return nil
}

// others reports whether calls other than p are under way, or others need the processors.
func (p *parallel) others() bool {
	own := int64(1)
	if p.over.Load() {
		own = 0
	}
	return underWay.Load() > own || occupied.Load() > 0
}

// lookouts is how often a helper looks: for about twice as long as a new one takes to
// begin.
const lookouts = 200000
